// The floor of these benchmarks: what epoll, recv and send alone cost. floor WORKERS BYTES WINDOW TASKS
// No protocol, no failure handled: forked workers echo fixed-size packets, the parent keeps WINDOW in flight for each.
// Buffers begin with a page: what lies a few bytes behind its beginning is read to three times as slowly on some processors.
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

void echo(sockaddr_in address) {
  const int fd = socket(AF_INET, SOCK_STREAM, 0);
  if (connect(fd, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) return;
  no_delay(fd);
  static char* const buffer = pages(65536);
  for (;;) {
    ssize_t got = -1;
    while (spins && (got = recv(fd, buffer, 65536, MSG_DONTWAIT)) < 0) {}
    if (!spins) got = recv(fd, buffer, 65536, 0);
    if (got <= 0) return;
    for (ssize_t sent = 0; sent < got;) sent += send(fd, buffer + sent, static_cast<std::size_t>(got - sent), 0);
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
std::pair<double, double> rounds(int epoll, const std::vector<int>& fds, std::size_t bytes, std::size_t window, std::size_t tasks) {
  std::vector<Peer> peers(fds.size());
  constexpr std::size_t room = 262144;
  static char* const buffer = pages(room);
  std::size_t given = 0, done = 0;
  const auto give = [&](std::size_t i, std::size_t count) {
    if (count == 0) return;
    if (send(fds[i], buffer, count * bytes, 0) != static_cast<ssize_t>(count * bytes)) std::exit(1);
    peers[i].sent += count * bytes;
    given += count;
  };
  const auto start = std::chrono::steady_clock::now();
  const double processor = processor_us();
  for (std::size_t i = 0; i < fds.size(); ++i) give(i, window);
  while (done < given) {
    epoll_event events[256];
    const int count = epoll_wait(epoll, events, 256, spins ? 0 : -1);
    for (int e = 0; e < count; ++e) {
      const std::size_t i = events[e].data.u32;
      const ssize_t got = recv(fds[i], buffer, room, MSG_DONTWAIT);
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
  std::vector<int> fds;
  for (std::size_t i = 0; i < workers; ++i) {
    const int fd = accept(listener, nullptr, nullptr);
    no_delay(fd);
    epoll_event event{};
    event.events = EPOLLIN;
    event.data.u32 = static_cast<unsigned>(i);
    epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event);
    fds.push_back(fd);
  }
  rounds(epoll, fds, bytes, window, tasks / 10 + workers * window);
  const auto [passed_us, used_us] = rounds(epoll, fds, bytes, window, tasks);
  std::printf("%.3f %.3f\n", passed_us, used_us);
}
