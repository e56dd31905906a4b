// Addresses and sockets: tcp://host:port, unix:///path, unix://@name (abstract); ?shm=off keeps shared memory out.
#pragma once

#include <sys/socket.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "failure.hpp"

namespace taskfarm {

struct Url {
  enum class Kind { tcp, local } kind = Kind::tcp;
  std::string host, port;  // tcp
  std::string path;        // local; begins with '@' when abstract
  bool shared_memory = true;
  std::string shown_host() const { return host.find(':') == std::string::npos ? host : "[" + host + "]"; }
};

// A descriptor that closes itself.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(Descriptor&& other) noexcept : fd_(other.release()) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    if (this != &other) reset(other.release());
    return *this;
  }
  ~Descriptor() { reset(); }
  int get() const { return fd_; }
  bool open() const { return fd_ >= 0; }
  int release() {
    const int fd = fd_;
    fd_ = -1;
    return fd;
  }
  void reset(int fd = -1);

 private:
  int fd_ = -1;
};

void ring(const Descriptor& bell);  // an eventfd; who sleeps by it wakes, whatever signals come

Url parse_url(std::string_view text);

using FileIdentity = std::pair<std::uint64_t, std::uint64_t>;  // device and number

struct Listener {
  Descriptor fd;
  std::string url;     // as reached: with the port that the system chose
  struct {
    std::string path;  // may be empty
    FileIdentity file;  // else another one has taken the path
  } unlink;            // to be removed at the end
  void end();          // removes the path first: who binds it as soon as nobody listens keeps his own
};

struct Address {
  sockaddr_storage place{};
  socklen_t length = 0;
};
inline const sockaddr* place_of(const Address& address) { return reinterpret_cast<const sockaddr*>(&address.place); }
std::vector<Address> addresses_of(const Url& url);  // all that its host's name stands for, however long that takes to learn
bool all_loopback(const std::vector<Address>& addresses);
Listener listen_on(const Url& url, const Address& address);  // one of the url's

// No effect on unix sockets. The kernel ends a connection of which nothing was taken for `user_timeout_ms` (0: for many minutes).
void tune_socket(int fd, std::uint32_t user_timeout_ms);
void set_user_timeout(int fd, std::uint32_t user_timeout_ms);

// A connection whose other side lives, as far as its kernel tells, and has no room for what is to be sent.
struct Stall {
  bool stalled = false;
  unsigned unanswered = 0;       // questions for room, since the last answer
  std::uint32_t silent_ms = 0;   // since the other side's kernel said anything
};
Stall stall_of(int fd);
bool same_user(int fd);            // the other side of a unix socket runs as this user
int peer_pid(int fd);              // of a unix socket; 0 when unknown

// Descriptors in this set are closed in a child that user code forks, else the child would keep the connection of a
// dead parent alive and its death would not be seen. (process.cpp)
void close_in_children(int fd);
void forget_in_children(int fd);

}  // namespace taskfarm
