#include "dial.hpp"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "clock.hpp"
#include "failure.hpp"
#include "process.hpp"

namespace taskfarm {
namespace {

constexpr std::int64_t patience_with_one_ns = 2500 * ns_per_ms;  // its second packet would have had an answer

// A TCP socket that connects to its own ephemeral port talks to itself: nobody listens there.
bool connected_to_itself(int fd) {
  sockaddr_storage here{}, there{};
  socklen_t here_size = sizeof here, there_size = sizeof there;
  return getsockname(fd, reinterpret_cast<sockaddr*>(&here), &here_size) == 0 && here.ss_family != AF_UNIX &&
         getpeername(fd, reinterpret_cast<sockaddr*>(&there), &there_size) == 0 && here_size == there_size &&
         std::memcmp(&here, &there, here_size) == 0;
}

int error_of(int fd) {
  int error = 0;
  socklen_t size = sizeof error;
  return getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &size) == 0 ? error : errno;
}

}  // namespace

Dial::Dial(const Url& url, bool only_loopback) : url_(url), only_loopback_(only_loopback), lookup_(url) {}

Descriptor Dial::wait(std::int64_t until_ns) {
  if (lookup_ && !lookup_->wait(until_ns)) return {};
  if (lookup_) take_addresses();
  for (;;) {
    while (!fd_.open()) try_next();
    if (connected_) return taken();
    pollfd wait{fd_.get(), POLLOUT, 0};
    const int ready = poll(&wait, 1, milliseconds_until(std::min(until_ns, goes_on_ns_), now_ns()));
    if (ready < 0 && errno != EINTR) fail_system("poll");
    if (ready > 0) {
      reason_ = error_of(fd_.get());
      if (reason_ == 0 && connected_to_itself(fd_.get())) reason_ = ECONNREFUSED;
      connected_ = reason_ == 0;
      if (!connected_) fd_.reset();
    } else if (now_ns() >= until_ns) {
      return {};
    } else if (now_ns() >= goes_on_ns_) {
      reason_ = ETIMEDOUT;
      fd_.reset();
    }
  }
}

void Dial::take_addresses() {
  addresses_ = lookup_->taken();
  lookup_.reset();
  if (only_loopback_ && !all_loopback(addresses_))
    throw Failure(TF_SECURITY, "tcp://" + url_.shown_host() + ":" + url_.port + ": not a loopback address, and no credentials "
                               "are given; give the coordinator's key_file, or certificates, to this side too");
}

void Dial::try_next() {
  if (next_ == addresses_.size()) {
    errno = reason_;
    fail_system("connecting");
  }
  const Address& address = addresses_[next_++];
  fd_.reset(socket(address.place.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (fd_.open()) close_in_children(fd_.get());
  goes_on_ns_ = now_ns() + patience_with_one_ns;
  connected_ = fd_.open() && connect(fd_.get(), place_of(address), address.length) == 0;
  if (connected_ || (fd_.open() && errno == EINPROGRESS)) return;
  reason_ = errno;
  fd_.reset();
}

Descriptor Dial::taken() {
  fcntl(fd_.get(), F_SETFL, fcntl(fd_.get(), F_GETFL) & ~O_NONBLOCK);
  return std::move(fd_);
}

}  // namespace taskfarm
