// Processes joined pairwise by TCP connections: the floor under every MPI over TCP. Started by execution/local_launcher.py.
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sockets.hpp"

namespace msgauge::transports::tcp {

inline constexpr std::string_view capabilities =
    "send recv isend irecv wait test sendrecv probe any_source any_tag";

struct Address {
  static constexpr std::string_view name = "tcp";

  // A listening socket, and where everyone listens.
  static std::pair<int, std::vector<std::string>> meet_others(const Bootstrap& own, int backlog) {
    const int made = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in here{};
    here.sin_family = AF_INET;
    here.sin_addr.s_addr = htonl(INADDR_ANY);
    if (made < 0 || bind(made, reinterpret_cast<sockaddr*>(&here), sizeof here) != 0 || listen(made, backlog) != 0)
      fail("cannot listen");
    socklen_t length = sizeof here;
    getsockname(made, reinterpret_cast<sockaddr*>(&here), &length);
    const Rendezvous rendezvous(own);
    return {made, rendezvous.meet(rendezvous.address() + " " + std::to_string(ntohs(here.sin_port)))};
  }

  static int connect(const std::string& place) {
    const auto space = place.find(' ');
    return connect_to(place.substr(0, space), place.substr(space + 1));
  }

  static void prepare(int socket) {
    const int yes = 1;
    setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
  }
};

using Transport = StreamTransport<SocketLines<Address>>;

template <class Body>
int launch(int, char**, Body body) {
  Transport transport(Bootstrap::from_environment());
  return body(transport);
}

}  // namespace msgauge::transports::tcp
