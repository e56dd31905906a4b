// How the processes of the tcp transport find each other and become a full mesh, and how they watch their sockets.
#pragma once

#include <arpa/inet.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sched.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <sstream>
#include <string>
#include <vector>

#include "../transport.hpp"

namespace msgauge::transports::tcp {

[[noreturn]] inline void fail(const std::string& what) { throw TransportError(what + ": " + std::strerror(errno)); }

// This process's place in the job, as the launcher told it through the environment.
struct Membership {
  int rank = 0, size = 1, cores = 1;
  std::string host, port, token;

  // Without a launcher a process is rank 0 of 1.
  static Membership from_environment() {
    Membership own;
    const auto text = [](const char* name) { return std::string(std::getenv(name) ? std::getenv(name) : ""); };
    cpu_set_t set;
    own.cores = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
    if (text("MSGAUGE_SIZE").empty()) return own;
    own.rank = std::atoi(text("MSGAUGE_RANK").c_str());
    own.size = std::atoi(text("MSGAUGE_SIZE").c_str());
    const auto where = text("MSGAUGE_RENDEZVOUS");
    const auto colon = where.rfind(':');
    own.token = text("MSGAUGE_TOKEN");
    if (own.size < 1 || own.rank < 0 || own.rank >= own.size || colon == std::string::npos || own.token.size() != 32)
      throw TransportError("MSGAUGE_RANK, _SIZE, _RENDEZVOUS and _TOKEN do not fit together; start ranks by ranks.py");
    own.host = where.substr(0, colon);
    own.port = where.substr(colon + 1);
    return own;
  }
};

inline void prepare_socket(int socket) {
  const int yes = 1;
  setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
}

inline int connect_to(const std::string& host, const std::string& port) {
  addrinfo wanted{}, *found = nullptr;
  wanted.ai_family = AF_INET;
  wanted.ai_socktype = SOCK_STREAM;
  if (getaddrinfo(host.c_str(), port.c_str(), &wanted, &found) != 0)
    throw TransportError("there is no address " + host + ":" + port);
  const int made = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  int result = made < 0 ? -1 : connect(made, found->ai_addr, found->ai_addrlen);
  freeaddrinfo(found);
  if (result != 0) fail("cannot connect to " + host + ":" + port);
  prepare_socket(made);
  return made;
}

inline void write_all(int socket, const void* from, std::size_t bytes) {
  for (const auto* at = static_cast<const char*>(from); bytes > 0;) {
    const auto sent = ::send(socket, at, bytes, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) fail("cannot introduce this rank to another");
    at += sent;
    bytes -= static_cast<std::size_t>(sent);
  }
}

// False: the other side closed before so many bytes had come.
inline bool read_all(int socket, void* into, std::size_t bytes) {
  for (auto* at = static_cast<char*>(into); bytes > 0;) {
    const auto got = ::recv(socket, at, bytes, 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    at += got;
    bytes -= static_cast<std::size_t>(got);
  }
  return true;
}

// Tells the launcher where this rank listens, and learns where all ranks do.
inline std::vector<std::pair<std::string, std::string>> meet_at_rendezvous(const Membership& own, int port) {
  const int socket = connect_to(own.host, own.port);
  sockaddr_in here{};
  socklen_t length = sizeof here;
  getsockname(socket, reinterpret_cast<sockaddr*>(&here), &length);
  std::array<char, INET_ADDRSTRLEN> address{};
  inet_ntop(AF_INET, &here.sin_addr, address.data(), address.size());
  const auto line = own.token + " " + std::to_string(own.rank) + " " + address.data() + " " + std::to_string(port) + "\n";
  write_all(socket, line.data(), line.size());
  std::string table;
  std::array<char, 4096> part;
  for (ssize_t got; (got = ::recv(socket, part.data(), part.size(), 0)) != 0;) {
    if (got > 0) table.append(part.data(), static_cast<std::size_t>(got));
    else if (errno != EINTR) fail("the rendezvous broke");
  }
  close(socket);
  std::istringstream lines(table);
  std::vector<std::pair<std::string, std::string>> places;
  for (std::string host, port_text; lines >> host >> port_text;) places.emplace_back(host, port_text);
  if (places.size() != static_cast<std::size_t>(own.size)) throw TransportError("the launcher ended before all ranks had come");
  return places;
}

inline int listen_anywhere(int backlog, int& port) {
  const int made = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in here{};
  here.sin_family = AF_INET;
  here.sin_addr.s_addr = htonl(INADDR_ANY);
  if (made < 0 || bind(made, reinterpret_cast<sockaddr*>(&here), sizeof here) != 0 || listen(made, backlog) != 0)
    fail("cannot listen");
  socklen_t length = sizeof here;
  getsockname(made, reinterpret_cast<sockaddr*>(&here), &length);
  port = ntohs(here.sin_port);
  return made;
}

inline void allow_many_sockets() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < limit.rlim_max) {
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
  }
}

// What a rank that connects says first.
struct Greeting {
  char token[32];
  std::int32_t rank;
};

// A socket to every other rank: to the lower ones we connect, the higher ones connect to us.
inline std::vector<int> connect_all(const Membership& own) {
  std::vector<int> sockets(static_cast<std::size_t>(own.size), -1);
  if (own.size == 1) return sockets;
  allow_many_sockets();
  int port = 0;
  const int listener = listen_anywhere(std::max(own.size, 128), port);
  const auto places = meet_at_rendezvous(own, port);
  Greeting greeting{};
  own.token.copy(greeting.token, sizeof greeting.token);
  greeting.rank = own.rank;
  for (int rank = 0; rank < own.rank; ++rank) {
    const auto& [host, their_port] = places[static_cast<std::size_t>(rank)];
    const int socket = sockets[static_cast<std::size_t>(rank)] = connect_to(host, their_port);
    write_all(socket, &greeting, sizeof greeting);
  }
  for (int missing = own.size - 1 - own.rank; missing > 0;) {
    const int socket = accept4(listener, nullptr, nullptr, SOCK_CLOEXEC);
    if (socket < 0 && (errno == EINTR || errno == ECONNABORTED)) continue;
    if (socket < 0) fail("cannot accept");
    Greeting theirs{};
    const bool ours = read_all(socket, &theirs, sizeof theirs) &&
                      std::memcmp(theirs.token, greeting.token, sizeof theirs.token) == 0 && theirs.rank > own.rank &&
                      theirs.rank < own.size && sockets[static_cast<std::size_t>(theirs.rank)] < 0;
    if (!ours) {
      close(socket);
      continue;
    }
    prepare_socket(socket);
    sockets[static_cast<std::size_t>(theirs.rank)] = socket;
    --missing;
  }
  close(listener);
  return sockets;
}

// Which sockets have something to say. A few are polled; many are kept with epoll, which costs a little on each arrival.
class Watch {
 public:
  struct Event {
    int rank;
    bool readable, writable;
  };

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
  const std::vector<Event>& ready(int milliseconds) {
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
  std::vector<Event> events_;
  std::vector<epoll_event> kernel_events_;
};

}  // namespace msgauge::transports::tcp
