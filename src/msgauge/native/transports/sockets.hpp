// Lines made of stream sockets, one for each pair of ranks, and the watch over them. `Address` says which kind: how to
// listen, what to tell the others, how to connect.
#pragma once

#include <poll.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <string>
#include <vector>

#include "bootstrap.hpp"
#include "streams.hpp"

namespace msgauge::transports {

// What a rank that connects says first.
struct Greeting {
  char token[32];
  std::int32_t rank;
};

// A socket to every other rank: to the lower ones we connect, the higher ones connect to us.
template <class Address>
std::vector<int> connect_all(const Bootstrap& own) {
  std::vector<int> sockets(static_cast<std::size_t>(own.size), -1);
  if (own.size == 1) return sockets;
  allow_many_files();
  const auto& [listener, places] = Address::meet_others(own, std::max(own.size, 128));
  Greeting greeting{};
  own.token.copy(greeting.token, sizeof greeting.token);
  greeting.rank = own.rank;
  for (int rank = 0; rank < own.rank; ++rank) {
    const int made = Address::connect(places[static_cast<std::size_t>(rank)]);
    write_all(made, &greeting, sizeof greeting);
    sockets[static_cast<std::size_t>(rank)] = made;
  }
  for (int missing = own.size - 1 - own.rank; missing > 0;) {
    const int arrived = accept4(listener, nullptr, nullptr, SOCK_CLOEXEC);
    if (arrived < 0 && (errno == EINTR || errno == ECONNABORTED)) continue;
    if (arrived < 0) fail("cannot accept");
    Greeting theirs{};
    const bool ours = read_all(arrived, &theirs, sizeof theirs) &&
                      std::memcmp(theirs.token, greeting.token, sizeof theirs.token) == 0 && theirs.rank > own.rank &&
                      theirs.rank < own.size && sockets[static_cast<std::size_t>(theirs.rank)] < 0;
    if (!ours) {
      close(arrived);
      continue;
    }
    Address::prepare(arrived);
    sockets[static_cast<std::size_t>(theirs.rank)] = arrived;
    --missing;
  }
  close(listener);
  return sockets;
}

// Which sockets have something to say. A few are polled; many are kept with epoll, which costs a little on each arrival.
class Watch {
 public:
  Watch() = default;
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;
  ~Watch() {
    if (epoll_ >= 0) close(epoll_);
  }

  void open(int size) {
    if (size > few) epoll_ = epoll_create1(EPOLL_CLOEXEC);
    if (size > few && epoll_ < 0) fail("cannot make an epoll");
    states_.assign(static_cast<std::size_t>(size), State{});
    events_.reserve(static_cast<std::size_t>(size));
    kernel_events_.resize(static_cast<std::size_t>(size));
  }

  void add(int socket, int rank) { change(rank, {socket, true, false}, EPOLL_CTL_ADD); }
  void remove(int rank) { change(rank, {state(rank).socket, false, false}, EPOLL_CTL_DEL); }
  void writing(int rank, bool wanted) {
    if (state(rank).write != wanted) change(rank, {state(rank).socket, state(rank).read, wanted}, EPOLL_CTL_MOD);
  }

  // Waits so long (0: not at all, negative: for ever); valid until the next call.
  const std::vector<LineEvent>& ready(int milliseconds) {
    events_.clear();
    epoll_ >= 0 ? ask_epoll(milliseconds) : ask_poll(milliseconds);
    return events_;
  }

 private:
  struct State {
    int socket = -1;
    bool read = false, write = false;
  };
  static constexpr int few = 8;

  State& state(int rank) { return states_[static_cast<std::size_t>(rank)]; }

  void change(int rank, State wanted, int operation) {
    state(rank) = wanted;
    if (epoll_ < 0) return;
    epoll_event event{};
    event.events = (wanted.read ? EPOLLIN : 0U) | (wanted.write ? EPOLLOUT : 0U);
    event.data.u32 = static_cast<std::uint32_t>(rank);
    if (epoll_ctl(epoll_, operation, wanted.socket, &event) != 0) fail("cannot watch a socket");
  }

  void ask_epoll(int milliseconds) {
    const int count = epoll_wait(epoll_, kernel_events_.data(), static_cast<int>(kernel_events_.size()), milliseconds);
    for (int i = 0; i < count; ++i) {
      const auto& event = kernel_events_[static_cast<std::size_t>(i)];
      events_.push_back({static_cast<int>(event.data.u32), (event.events & ~static_cast<unsigned>(EPOLLOUT)) != 0,
                         (event.events & EPOLLOUT) != 0});
    }
  }

  void ask_poll(int milliseconds) {
    std::array<pollfd, few> polled;
    std::array<int, few> ranks;
    nfds_t count = 0;
    for (std::size_t rank = 0; rank < states_.size(); ++rank) {
      const auto& one = states_[rank];
      if (!one.read && !one.write) continue;
      ranks[count] = static_cast<int>(rank);
      polled[count++] = {one.socket, static_cast<short>((one.read ? POLLIN : 0) | (one.write ? POLLOUT : 0)), 0};
    }
    if (poll(polled.data(), count, milliseconds) <= 0) return;
    for (nfds_t i = 0; i < count; ++i)
      if (polled[i].revents != 0)
        events_.push_back({ranks[i], (polled[i].revents & ~POLLOUT) != 0, (polled[i].revents & POLLOUT) != 0});
  }

  int epoll_ = -1;
  std::vector<State> states_;
  std::vector<LineEvent> events_;
  std::vector<epoll_event> kernel_events_;
};

template <class Address>
class SocketLines {
 public:
  static constexpr std::string_view name = Address::name;
  static constexpr bool can_sleep_on_one = true;

  SocketLines(const Bootstrap& own, Waiting) : sockets_(connect_all<Address>(own)) {
    watch_.open(own.size);
    for (int rank = 0; rank < own.size; ++rank)
      if (rank != own.rank) watch_.add(of(rank), rank);
  }
  SocketLines(const SocketLines&) = delete;
  SocketLines& operator=(const SocketLines&) = delete;
  ~SocketLines() {
    for (const int socket : sockets_)
      if (socket >= 0) close(socket);
  }

  ssize_t write(int rank, const iovec* parts, int count) {
    if (count == 1) return ::send(of(rank), parts->iov_base, parts->iov_len, MSG_DONTWAIT | MSG_NOSIGNAL);
    msghdr message{};
    message.msg_iov = const_cast<iovec*>(parts);
    message.msg_iovlen = static_cast<std::size_t>(count);
    return sendmsg(of(rank), &message, MSG_DONTWAIT | MSG_NOSIGNAL);
  }

  ssize_t read(int rank, void* into, std::size_t room, bool sleep) {
    return ::recv(of(rank), into, room, sleep ? 0 : MSG_DONTWAIT);
  }

  const std::vector<LineEvent>& ready(bool sleep) { return watch_.ready(sleep ? -1 : 0); }
  void writing(int rank, bool wanted) { watch_.writing(rank, wanted); }
  void remove(int rank) { watch_.remove(rank); }

 private:
  int of(int rank) const { return sockets_[static_cast<std::size_t>(rank)]; }

  std::vector<int> sockets_;
  Watch watch_;
};

}  // namespace msgauge::transports
