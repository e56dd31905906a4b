#include "socket.hpp"

#include <fcntl.h>
#include <linux/sockios.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstddef>
#include <cstring>
#include <memory>

#include "failure.hpp"

namespace taskfarm {
namespace {

using Addresses = std::unique_ptr<addrinfo, decltype(&freeaddrinfo)>;

Addresses resolve(const Url& url) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* list = nullptr;
  const int code = getaddrinfo(url.host.c_str(), url.port.c_str(), &hints, &list);
  if (code == 0) return {list, freeaddrinfo};  // at once: there may be no memory for the text of an error that is none
  const int number = errno;
  const std::string address = "tcp://" + url.shown_host() + ":" + url.port + ": ";
  if (code == EAI_AGAIN || code == EAI_MEMORY || code == EAI_SYSTEM)  // it may be known in a moment: who connects tries again
    throw Failure(TF_SYSTEM, address + (code == EAI_SYSTEM ? std::strerror(number) : gai_strerror(code)));
  throw Failure(TF_INVALID, address + gai_strerror(code) + "; check the host's name");
}

bool is_loopback(const Address& address) {
  if (address.place.ss_family == AF_INET) {
    const auto raw = ntohl(reinterpret_cast<const sockaddr_in&>(address.place).sin_addr.s_addr);
    return raw >> 24 == 127;
  }
  const auto& v6 = reinterpret_cast<const sockaddr_in6&>(address.place).sin6_addr;
  return IN6_IS_ADDR_LOOPBACK(&v6) || (IN6_IS_ADDR_V4MAPPED(&v6) && v6.s6_addr[12] == 127);
}

Address local_address(const std::string& path) {
  sockaddr_un local{};
  local.sun_family = AF_UNIX;
  if (path.size() >= sizeof local.sun_path)
    throw Failure(TF_INVALID, "unix://" + path + ": longer than " + std::to_string(sizeof local.sun_path - 1) +
                                  " bytes; use a shorter path");
  std::memcpy(local.sun_path, path.data(), path.size());
  if (path[0] == '@') local.sun_path[0] = '\0';
  Address address;
  std::memcpy(&address.place, &local, sizeof local);
  address.length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + path.size() + (path[0] == '@' ? 0 : 1));
  return address;
}

// A socket file that a killed coordinator left behind, where nobody listens, is removed; any other file is not.
void remove_leftover(const std::string& path, const Address& local) {
  struct stat status;
  if (path[0] == '@' || lstat(path.c_str(), &status) != 0) return;
  if (!S_ISSOCK(status.st_mode)) throw Failure(TF_INVALID, "unix://" + path + ": a file is there; choose another path");
  const Descriptor probe(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!probe.open()) fail_system("socket");
  if (connect(probe.get(), place_of(local), local.length) == 0 || errno == EAGAIN)
    throw Failure(TF_INVALID, "unix://" + path + ": another coordinator listens there; end it, or choose another path");
  if (errno == ECONNREFUSED) unlink(path.c_str());
  else if (errno != ENOENT)  // of datagrams, say, or of another user
    throw Failure(TF_INVALID, "unix://" + path + ": a socket is there (" + std::strerror(errno) + "); choose another path");
}

// As Failure says it; `errno` is of bind or listen.
[[noreturn]] void fail_listening(const std::string& url) {
  const bool taken = errno == EADDRINUSE, local = url.starts_with("unix://");
  throw Failure(TF_SYSTEM, url + ": " + std::strerror(errno) + "; " +
                               (taken ? "end who listens there, or choose another address"
                                : local ? "give a path in a folder that is there, and that you may write to"
                                        : "choose another address: of this computer, and from port 1024 on; port 0 lets the system "
                                          "choose"));
}

// Which file a path names now.
FileIdentity file_at(const std::string& path) {
  struct stat status;
  if (lstat(path.c_str(), &status) != 0) return {};
  return {static_cast<std::uint64_t>(status.st_dev), static_cast<std::uint64_t>(status.st_ino)};
}

Listener listen_locally(const Url& url, const Address& local) {
  remove_leftover(url.path, local);
  Listener listener;
  listener.fd.reset(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!listener.fd.open()) fail_system("socket");
  fchmod(listener.fd.get(), 0600);  // bind gives the file this mode: nobody else can connect at any moment
  if (bind(listener.fd.get(), place_of(local), local.length) != 0 || listen(listener.fd.get(), 4096) != 0)
    fail_listening("unix://" + url.path);
  if (url.path[0] != '@') listener.unlink = {url.path, file_at(url.path)};
  listener.url = "unix://" + url.path;
  return listener;
}

std::string bound_port(int fd) {
  sockaddr_storage address{};
  socklen_t length = sizeof address;
  if (getsockname(fd, reinterpret_cast<sockaddr*>(&address), &length) != 0) fail_system("getsockname");
  const auto port = address.ss_family == AF_INET ? reinterpret_cast<const sockaddr_in&>(address).sin_port
                                                 : reinterpret_cast<const sockaddr_in6&>(address).sin6_port;
  return std::to_string(ntohs(port));
}

Listener listen_tcp(const Url& url, const Address& address) {
  Listener listener;
  listener.fd.reset(socket(address.place.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!listener.fd.open()) fail_system("socket");
  const int on = 1;
  setsockopt(listener.fd.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  const std::string shown = url.shown_host();
  if (bind(listener.fd.get(), place_of(address), address.length) != 0 || listen(listener.fd.get(), 4096) != 0)
    fail_listening("tcp://" + shown + ":" + url.port);
  listener.url = "tcp://" + shown + ":" + bound_port(listener.fd.get());
  return listener;
}

}  // namespace

void Descriptor::reset(int fd) {
  if (fd_ >= 0) {
    forget_in_children(fd_);
    close(fd_);
  }
  fd_ = fd;
}

void ring(const Descriptor& bell) {
  const std::uint64_t one = 1;
  while (write(bell.get(), &one, sizeof one) < 0 && errno == EINTR) {}
}

Url parse_url(std::string_view text) {
  const std::string whole(text);
  const auto refuse = [&](const char* why) -> Failure {
    return {TF_INVALID, "url '" + whole + "': " + why + "; write tcp://host:port, unix:///path or unix://@name"};
  };
  Url url;
  if (const auto question = text.find('?'); question != text.npos) {
    const auto option = text.substr(question + 1);
    if (option != "shm=off" && option != "shm=on") throw refuse("the only option is shm=on or shm=off");
    url.shared_memory = option == "shm=on";
    text = text.substr(0, question);
  }
  if (text.starts_with("unix://")) {
    url.kind = Url::Kind::local;
    url.path = text.substr(7);
    if (url.path.size() < 2 || (url.path[0] != '/' && url.path[0] != '@')) throw refuse("no absolute path or @name");
    return url;
  }
  if (!text.starts_with("tcp://")) throw refuse("neither tcp:// nor unix://");
  text.remove_prefix(6);
  const auto colon = text.rfind(':');
  if (colon == text.npos || colon + 1 == text.size() || colon == 0) throw refuse("host or port is missing");
  url.host = text.substr(0, colon);
  url.port = text.substr(colon + 1);
  if (url.host.front() == '[' && url.host.back() == ']') url.host = url.host.substr(1, url.host.size() - 2);
  if (url.host.find_first_of("[]") != url.host.npos) throw refuse("an IPv6 address stands in one pair of brackets");
  if (url.host.empty()) throw refuse("host or port is missing");  // no host means loopback to some, every address to others
  if (url.host == "*") url.host = "0.0.0.0";
  if (url.port.find_first_not_of("0123456789") != std::string::npos || url.port.size() > 5 || std::stoi(url.port) > 65535)
    throw refuse("the port is no number up to 65535");
  return url;
}

Listener listen_on(const Url& url, const Address& address) {
  Listener listener = url.kind == Url::Kind::local ? listen_locally(url, address) : listen_tcp(url, address);
  close_in_children(listener.fd.get());
  return listener;
}

void Listener::end() {
  if (!unlink.path.empty() && file_at(unlink.path) == unlink.file) ::unlink(unlink.path.c_str());
  unlink.path.clear();
  fd.reset();
}

std::vector<Address> addresses_of(const Url& url) {
  if (url.kind == Url::Kind::local) return {local_address(url.path)};
  std::vector<Address> found;
  const Addresses addresses = resolve(url);
  for (const addrinfo* a = addresses.get(); a != nullptr; a = a->ai_next) {
    std::memcpy(&found.emplace_back().place, a->ai_addr, a->ai_addrlen);
    found.back().length = a->ai_addrlen;
  }
  return found;
}

bool all_loopback(const std::vector<Address>& addresses) {
  return std::all_of(addresses.begin(), addresses.end(), is_loopback);
}

void tune_socket(int fd, std::uint32_t user_timeout_ms) {
  const int on = 1;
  setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
  const int idle = 5, interval = 2, count = 3;
  setsockopt(fd, IPPROTO_TCP, TCP_KEEPIDLE, &idle, sizeof idle);
  setsockopt(fd, IPPROTO_TCP, TCP_KEEPINTVL, &interval, sizeof interval);
  setsockopt(fd, IPPROTO_TCP, TCP_KEEPCNT, &count, sizeof count);
  set_user_timeout(fd, user_timeout_ms);
}

void set_user_timeout(int fd, std::uint32_t user_timeout_ms) {
  const unsigned timeout = std::min<std::uint32_t>(user_timeout_ms, INT_MAX);  // more is refused, and none would be set
  setsockopt(fd, IPPROTO_TCP, TCP_USER_TIMEOUT, &timeout, sizeof timeout);
}

Stall stall_of(int fd) {
  tcp_info info{};
  socklen_t size = sizeof info;
  int unsent = 0;
  if (getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &size) != 0 || ioctl(fd, SIOCOUTQNSD, &unsent) != 0) return {};
  return {info.tcpi_unacked == 0 && unsent > 0, info.tcpi_probes, info.tcpi_last_ack_recv};
}

bool same_user(int fd) {
  ucred credentials{};
  socklen_t size = sizeof credentials;
  return getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &credentials, &size) == 0 && credentials.uid == geteuid();
}

int peer_pid(int fd) {
  ucred credentials{};
  socklen_t size = sizeof credentials;
  return getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &credentials, &size) == 0 ? credentials.pid : 0;
}

}  // namespace taskfarm
