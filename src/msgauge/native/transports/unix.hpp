// Processes joined pairwise by stream sockets of the AF_UNIX family: the floor under what goes through the kernel of one
// host. Names are abstract, so nothing stands in a file system. Started by execution/local_launcher.py.
#pragma once

#include <sys/un.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sockets.hpp"

namespace msgauge::transports::unix {

inline constexpr std::string_view capabilities =
    "send recv isend irecv wait test sendrecv probe any_source any_tag";

struct Address {
  static constexpr std::string_view name = "unix";

  // The name of a rank's socket; its first byte is null, which makes it abstract.
  static std::pair<sockaddr_un, socklen_t> of(const std::string& place) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    const auto length = place.copy(address.sun_path + 1, sizeof address.sun_path - 1);
    return {address, static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + length)};
  }

  // A listening socket, and the names of all.
  static std::pair<int, std::vector<std::string>> meet_others(const Bootstrap& own, int backlog) {
    const auto place = "msgauge-" + own.token + "-" + std::to_string(own.rank);
    const auto& [address, length] = of(place);
    const int made = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (made < 0 || bind(made, reinterpret_cast<const sockaddr*>(&address), length) != 0 || listen(made, backlog) != 0)
      fail("cannot listen");
    return {made, meet(own, place)};
  }

  static int connect(const std::string& place) {
    const auto& [address, length] = of(place);
    const int made = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (made < 0 || ::connect(made, reinterpret_cast<const sockaddr*>(&address), length) != 0)
      fail("cannot connect to the socket " + place);
    return made;
  }

  static void prepare(int) {}
};

using Transport = StreamTransport<SocketLines<Address>>;

template <class Body>
int launch(int, char**, Body body) {
  Transport transport(Bootstrap::from_environment());
  return body(transport);
}

}  // namespace msgauge::transports::unix
