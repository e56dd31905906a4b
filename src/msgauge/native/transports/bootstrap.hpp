// How the processes that execution/local_launcher.py starts know their place and find each other. For every transport of ours.
//
// The launcher sets MSGAUGE_RANK, _SIZE, _CORES, _RENDEZVOUS (HOST:PORT of the launcher), _TOKEN, and _WAIT where the
// user chose how ranks wait. A rank says there in one line where it can be reached, and learns where all others can.
#pragma once

#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <sstream>
#include <string>
#include <vector>

#include "../transport.hpp"

namespace msgauge::transports {

[[noreturn]] inline void fail(const std::string& what) { throw TransportError(what + ": " + std::strerror(errno)); }

inline std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

// How a rank waits: spinning (the processor is its own), yielding after each look, or sleeping in the kernel at once.
enum class Waiting { spin, yield, sleep };

// The word of MSGAUGE_WAIT that asks for it.
inline std::string name_of(Waiting waiting) {
  constexpr std::array<const char*, 3> names{"spin", "yield", "block"};
  return names[static_cast<std::size_t>(waiting)];
}

// This process's place in the job, as the launcher told it.
struct Bootstrap {
  int rank = 0, size = 1, cores = 1;
  std::string host, port, token;

  // Without a launcher a process is rank 0 of 1.
  static Bootstrap from_environment() {
    Bootstrap own;
    cpu_set_t set;
    own.cores = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
    if (environment("MSGAUGE_SIZE").empty()) return own;
    own.rank = std::atoi(environment("MSGAUGE_RANK").c_str());
    own.size = std::atoi(environment("MSGAUGE_SIZE").c_str());
    if (!environment("MSGAUGE_CORES").empty()) own.cores = std::atoi(environment("MSGAUGE_CORES").c_str());
    const auto where = environment("MSGAUGE_RENDEZVOUS");
    const auto colon = where.rfind(':');
    own.token = environment("MSGAUGE_TOKEN");
    if (own.size < 1 || own.rank < 0 || own.rank >= own.size || colon == std::string::npos || own.token.size() != 32)
      throw TransportError(
          "MSGAUGE_RANK, _SIZE, _RENDEZVOUS and _TOKEN do not fit together; start ranks by execution/local_launcher.py");
    own.host = where.substr(0, colon);
    own.port = where.substr(colon + 1);
    return own;
  }

  // The launcher meets ranks of its own computer on the loopback.
  bool one_computer() const { return size == 1 || host == "127.0.0.1"; }

  // Every rank comes to the same answer: spin where each has a core, else sleep, unless MSGAUGE_WAIT says otherwise. A
  // transport may look a few times before it sleeps when nobody asked for sleep by name.
  Waiting waiting() const {
    const auto wanted = environment("MSGAUGE_WAIT");
    if (wanted == "spin") return Waiting::spin;
    if (wanted == "yield") return Waiting::yield;
    if (wanted == "block") return Waiting::sleep;
    return size <= cores ? Waiting::spin : Waiting::sleep;
  }
};

inline int connect_to(const std::string& host, const std::string& port) {
  addrinfo wanted{}, *found = nullptr;
  wanted.ai_family = AF_INET;
  wanted.ai_socktype = SOCK_STREAM;
  if (getaddrinfo(host.c_str(), port.c_str(), &wanted, &found) != 0)
    throw TransportError("there is no address " + host + ":" + port);
  const int made = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const int result = made < 0 ? -1 : connect(made, found->ai_addr, found->ai_addrlen);
  freeaddrinfo(found);
  if (result != 0) fail("cannot connect to " + host + ":" + port);
  const int yes = 1;
  setsockopt(made, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
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

// Each rank says where it is in words without line breaks; back come the words of all, in the order of ranks.
class Rendezvous {
 public:
  explicit Rendezvous(const Bootstrap& own) : own_(own), socket_(connect_to(own.host, own.port)) {}
  Rendezvous(const Rendezvous&) = delete;
  Rendezvous& operator=(const Rendezvous&) = delete;
  ~Rendezvous() { close(socket_); }

  // The address under which the launcher's host, and so the others, see this one.
  std::string address() const {
    sockaddr_in here{};
    socklen_t length = sizeof here;
    getsockname(socket_, reinterpret_cast<sockaddr*>(&here), &length);
    std::array<char, NI_MAXHOST> text{};
    getnameinfo(reinterpret_cast<sockaddr*>(&here), length, text.data(), text.size(), nullptr, 0, NI_NUMERICHOST);
    return text.data();
  }

  std::vector<std::string> meet(const std::string& place) const {
    const auto line = own_.token + " " + std::to_string(own_.rank) + " " + place + "\n";
    write_all(socket_, line.data(), line.size());
    std::string table;
    std::array<char, 4096> part;
    for (ssize_t got; (got = ::recv(socket_, part.data(), part.size(), 0)) != 0;) {
      if (got > 0) table.append(part.data(), static_cast<std::size_t>(got));
      else if (errno != EINTR) fail("the rendezvous broke");
    }
    std::istringstream lines(table);
    std::vector<std::string> places;
    for (std::string one; std::getline(lines, one);) places.push_back(one);
    if (places.size() != static_cast<std::size_t>(own_.size))
      throw TransportError("the launcher ended before all ranks had come");
    return places;
  }

 private:
  const Bootstrap& own_;
  int socket_;
};

inline std::vector<std::string> meet(const Bootstrap& own, const std::string& place) {
  return own.size == 1 ? std::vector<std::string>{place} : Rendezvous(own).meet(place);
}

inline void allow_many_files() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < limit.rlim_max) {
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
  }
}

}  // namespace msgauge::transports
