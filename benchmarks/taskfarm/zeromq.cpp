// The same by ZeroMQ's ROUTER and DEALER: zeromq WORKERS BYTES WINDOW TASKS
#include <sys/prctl.h>
#include <unistd.h>
#include <zmq.h>

#include <array>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace {

using Address = std::array<char, 64>;

void echo(const char* url) {
  void* context = zmq_ctx_new();
  void* socket = zmq_socket(context, ZMQ_DEALER);
  zmq_connect(socket, url);
  zmq_send(socket, "r", 1, 0);
  std::vector<char> buffer(65536);
  for (;;) {
    const int got = zmq_recv(socket, buffer.data(), buffer.size(), 0);
    if (got < 0) return;
    zmq_send(socket, buffer.data(), static_cast<std::size_t>(got), 0);
  }
}

double rounds(void* router, const std::vector<std::string>& names, std::size_t bytes, std::size_t window, std::size_t tasks) {
  const std::string payload(bytes, 'x');
  std::vector<char> buffer(65536);
  std::size_t given = 0, done = 0;
  const auto give = [&](const char* name, std::size_t length) {
    zmq_send(router, name, length, ZMQ_SNDMORE);
    zmq_send(router, payload.data(), bytes, 0);
    ++given;
  };
  const auto start = std::chrono::steady_clock::now();
  for (std::size_t i = 0; i < window; ++i)
    for (const std::string& name : names) give(name.data(), name.size());
  while (done < given) {
    char name[256];
    const int length = zmq_recv(router, name, sizeof name, 0);
    if (zmq_recv(router, buffer.data(), buffer.size(), 0) != static_cast<int>(bytes)) std::exit(1);
    ++done;
    if (given < tasks) give(name, static_cast<std::size_t>(length));
  }
  const std::chrono::duration<double, std::micro> took = std::chrono::steady_clock::now() - start;
  return took.count() / static_cast<double>(done);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5) return std::fprintf(stderr, "usage: zeromq WORKERS BYTES WINDOW TASKS\n"), 2;
  const auto workers = std::strtoull(argv[1], nullptr, 10), bytes = std::strtoull(argv[2], nullptr, 10);
  const auto window = std::strtoull(argv[3], nullptr, 10), tasks = std::strtoull(argv[4], nullptr, 10);
  int addresses[2];  // the port is the system's choice, once the workers are there: no context of ZeroMQ outlives a fork
  if (pipe(addresses) != 0) return 1;
  Address url{};
  for (std::size_t i = 0; i < workers; ++i)
    if (fork() == 0) {
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      if (read(addresses[0], url.data(), url.size()) == static_cast<ssize_t>(url.size())) echo(url.data());
      _exit(0);
    }
  void* context = zmq_ctx_new();
  void* router = zmq_socket(context, ZMQ_ROUTER);
  std::size_t room = url.size();
  if (zmq_bind(router, "tcp://127.0.0.1:*") != 0) return 1;
  if (zmq_getsockopt(router, ZMQ_LAST_ENDPOINT, url.data(), &room) != 0) return 1;
  for (std::size_t i = 0; i < workers; ++i)
    if (write(addresses[1], url.data(), url.size()) != static_cast<ssize_t>(url.size())) return 1;
  std::vector<std::string> names;
  while (names.size() < workers) {
    char name[256], ready[8];
    names.emplace_back(name, static_cast<std::size_t>(zmq_recv(router, name, sizeof name, 0)));
    zmq_recv(router, ready, sizeof ready, 0);
  }
  rounds(router, names, bytes, window, tasks / 10 + workers * window);
  std::printf("%.3f\n", rounds(router, names, bytes, window, tasks));
  std::fflush(stdout);
  _exit(0);
}
