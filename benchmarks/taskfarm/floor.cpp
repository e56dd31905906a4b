// The floor of these benchmarks: what epoll, recv and send alone cost. floor WORKERS BYTES WINDOW TASKS
// No protocol, no failure handled: forked workers echo fixed-size packets, the parent keeps WINDOW in flight for each.
// Buffers begin with a page: what lies a few bytes behind its beginning is read to three times as slowly on some processors.
// Compiled with FLOOR_TLS and OpenSSL, all that goes by TLS 1.3 with the cipher of taskfarm: what encryption alone adds.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sched.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <utility>
#include <vector>

#ifdef FLOOR_TLS
#include <openssl/ssl.h>
#endif

namespace {

bool spins = false;  // as taskfarm does: only where each process has a core

char* pages(std::size_t bytes) {
  auto* const place = static_cast<char*>(std::aligned_alloc(4096, bytes));
  if (place == nullptr) std::exit(1);
  std::memset(place, 'x', bytes);
  return place;
}

void no_delay(int fd) {
  const int on = 1;
  setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

#ifdef FLOOR_TLS
constexpr unsigned char cipher[] = {0x13, 0x01};  // TLS_AES_128_GCM_SHA256

SSL_SESSION* session_of(SSL* ssl) {
  unsigned char key[32] = {};
  SSL_SESSION* session = SSL_SESSION_new();
  SSL_SESSION_set1_master_key(session, key, sizeof key);
  SSL_SESSION_set_cipher(session, SSL_CIPHER_find(ssl, cipher));
  SSL_SESSION_set_protocol_version(session, TLS1_3_VERSION);
  return session;
}

int find_session(SSL* ssl, const unsigned char*, std::size_t, SSL_SESSION** session) {
  return (*session = session_of(ssl)) != nullptr;
}

int use_session(SSL* ssl, const EVP_MD*, const unsigned char** name, std::size_t* length, SSL_SESSION** session) {
  *name = reinterpret_cast<const unsigned char*>("floor");
  *length = 5;
  return (*session = session_of(ssl)) != nullptr;
}

// A connection; its sockets block, as its other side reads all that is written.
class Line {
 public:
  Line(int fd, bool server) : ssl_(SSL_new(context(server))) {
    SSL_set_fd(ssl_, fd);
    if ((server ? SSL_accept(ssl_) : SSL_connect(ssl_)) != 1) std::exit(1);
  }
  // What has come: one call to the system, then all records that it brought.
  ssize_t receive(char* place, std::size_t room, bool) {
    std::size_t total = 0;
    do {
      const int got = SSL_read(ssl_, place + total, static_cast<int>(room - total));
      if (got <= 0) return total > 0 ? static_cast<ssize_t>(total) : got;
      total += static_cast<std::size_t>(got);
    } while (total < room && SSL_has_pending(ssl_) != 0);
    return static_cast<ssize_t>(total);
  }
  bool send_all(const char* bytes, std::size_t count) { return SSL_write(ssl_, bytes, static_cast<int>(count)) > 0; }

 private:
  static SSL_CTX* context(bool server) {
    static SSL_CTX* const made = [server] {
      SSL_CTX* context = SSL_CTX_new(server ? TLS_server_method() : TLS_client_method());
      SSL_CTX_set_min_proto_version(context, TLS1_3_VERSION);
      SSL_CTX_set_ciphersuites(context, "TLS_AES_128_GCM_SHA256");
      SSL_CTX_set_read_ahead(context, 1);
      SSL_CTX_set_default_read_buffer_len(context, 65536);
      SSL_CTX_set_num_tickets(context, 0);
      SSL_CTX_set_psk_find_session_callback(context, find_session);
      SSL_CTX_set_psk_use_session_callback(context, use_session);
      return context;
    }();
    return made;
  }
  SSL* ssl_;
};
#else
class Line {
 public:
  Line(int fd, bool) : fd_(fd) {}
  ssize_t receive(char* place, std::size_t room, bool waits) {
    return recv(fd_, place, room, waits ? 0 : MSG_DONTWAIT);
  }
  bool send_all(const char* bytes, std::size_t count) {
    for (std::size_t sent = 0; sent < count;) {
      const ssize_t more = send(fd_, bytes + sent, count - sent, 0);
      if (more < 0) return false;
      sent += static_cast<std::size_t>(more);
    }
    return true;
  }

 private:
  int fd_;
};
#endif

void echo(sockaddr_in address) {
  const int fd = socket(AF_INET, SOCK_STREAM, 0);
  if (connect(fd, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) return;
  no_delay(fd);
  Line line(fd, false);
  static char* const buffer = pages(65536);
  for (;;) {
    ssize_t got = -1;
    while (spins && (got = line.receive(buffer, 65536, false)) < 0) {}
    if (!spins) got = line.receive(buffer, 65536, true);
    if (got <= 0 || !line.send_all(buffer, static_cast<std::size_t>(got))) return;
  }
}

// Each worker has got `sent` bytes and given back `back`.
struct Peer {
  std::size_t sent = 0, back = 0;
};

double processor_us() {
  timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) * 1e6 + static_cast<double>(t.tv_nsec) / 1e3;
}

// Microseconds a task: passed, and of this process's processor.
std::pair<double, double> rounds(int epoll, std::vector<Line>& lines, std::size_t bytes, std::size_t window, std::size_t tasks) {
  std::vector<Peer> peers(lines.size());
  constexpr std::size_t room = 262144;
  static char* const buffer = pages(room);
  std::size_t given = 0, done = 0;
  const auto give = [&](std::size_t i, std::size_t count) {
    if (count == 0) return;
    if (!lines[i].send_all(buffer, count * bytes)) std::exit(1);
    peers[i].sent += count * bytes;
    given += count;
  };
  const auto start = std::chrono::steady_clock::now();
  const double processor = processor_us();
  for (std::size_t i = 0; i < lines.size(); ++i) give(i, window);
  while (done < given) {
    epoll_event events[256];
    const int count = epoll_wait(epoll, events, 256, spins ? 0 : -1);
    for (int e = 0; e < count; ++e) {
      const std::size_t i = events[e].data.u32;
      const ssize_t got = lines[i].receive(buffer, room, false);
      if (got <= 0) std::exit(1);
      const std::size_t before = peers[i].back / bytes;
      peers[i].back += static_cast<std::size_t>(got);
      const std::size_t came = peers[i].back / bytes - before;
      done += came;
      give(i, given >= tasks ? 0 : came);
    }
  }
  const std::chrono::duration<double, std::micro> took = std::chrono::steady_clock::now() - start;
  const auto n = static_cast<double>(done);
  return {took.count() / n, (processor_us() - processor) / n};
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5) return std::fprintf(stderr, "usage: floor WORKERS BYTES WINDOW TASKS\n"), 2;
  const auto workers = std::strtoull(argv[1], nullptr, 10), bytes = std::strtoull(argv[2], nullptr, 10);
  const auto window = std::strtoull(argv[3], nullptr, 10), tasks = std::strtoull(argv[4], nullptr, 10);
  cpu_set_t cores;
  sched_getaffinity(0, sizeof cores, &cores);
  spins = workers + 1 <= static_cast<unsigned>(CPU_COUNT(&cores));
  const int listener = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t length = sizeof address;
  if (bind(listener, reinterpret_cast<sockaddr*>(&address), length) != 0 || listen(listener, 4096) != 0) return 1;
  getsockname(listener, reinterpret_cast<sockaddr*>(&address), &length);
  for (std::size_t i = 0; i < workers; ++i)
    if (fork() == 0) {
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      close(listener);
      echo(address);
      _exit(0);
    }
  const int epoll = epoll_create1(0);
  std::vector<Line> lines;
  for (std::size_t i = 0; i < workers; ++i) {
    const int fd = accept(listener, nullptr, nullptr);
    no_delay(fd);
    epoll_event event{};
    event.events = EPOLLIN;
    event.data.u32 = static_cast<unsigned>(i);
    epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event);
    lines.emplace_back(fd, true);
  }
  rounds(epoll, lines, bytes, window, tasks / 10 + workers * window);
  const auto [passed_us, used_us] = rounds(epoll, lines, bytes, window, tasks);
  std::printf("%.3f %.3f\n", passed_us, used_us);
}
