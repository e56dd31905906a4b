// How soon the task of a killed worker runs on another one: kill_latency URL KILLS [KEY_FILE]
// Prints one JSON line: the distribution over so many kills, from just before the SIGKILL to the start of the second
// attempt; and, interleaved, the floor of the same machine: a process of two threads is killed, another sees its socket end,
// and wakes a third. Ends with 1 when a task came back other than once, by its second attempt.
#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <new>
#include <string>
#include <thread>
#include <vector>

#include "taskfarm.h"

namespace {

constexpr int workers = 3, most_kills = 100'000;

struct Shared {
  std::atomic<std::int64_t> died_ns, started_ns;
};
Shared* shared = nullptr;

std::int64_t now_ns() {
  timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1'000'000'000LL + t.tv_nsec;
}

[[noreturn]] void die() {
  shared->died_ns = now_ns();
  kill(getpid(), SIGKILL);
  for (;;) pause();
}

// The first attempt of a task kills its worker; the second notes the time.
int act(void*, tf_worker* worker, const tf_task* task) {
  if (task->attempt == 1) die();
  shared->started_ns = now_ns();
  return tf_reply(worker, "ok", 2) < 0;
}

int work(const std::string& url, const char* key_file) {
  tf_worker_options options;
  tf_worker_options_init(&options);
  options.key_file = key_file;
  options.connect_timeout_ms = options.reconnect_timeout_ms = 1000;
  tf_worker* worker = nullptr;
  if (tf_connect(url.c_str(), &options, &worker) != TF_OK) return 0;
  tf_run(worker, act, nullptr);
  tf_leave(worker);
  return 0;
}

pid_t start(auto&& run) {
  const pid_t parent = getpid(), pid = fork();
  if (pid != 0) return pid;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(0);
  _exit(run());
}

// One that was killed gets a successor; who goes home does not.
int supervise(const std::string& url, const char* key_file) {
  const auto one = [&] { return start([&] { return work(url, key_file); }); };
  for (int i = 0; i < workers; ++i) one();
  int status;
  while (wait(&status) > 0)
    if (WIFSIGNALED(status)) one();
  return 0;
}

// Killed, seen by poll, told to a third process: nothing of the library.
double floor_ms() {
  int victim[2], third[2];
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, victim) != 0 || socketpair(AF_UNIX, SOCK_STREAM, 0, third) != 0) std::exit(2);
  const pid_t waits = start([&] {
    close(victim[1]);  // it must end with the one that dies
    char byte;
    if (read(third[1], &byte, 1) == 1) shared->started_ns = now_ns();
    return 0;
  });
  const pid_t dies = start([&]() -> int {
    std::thread([] { for (;;) pause(); }).detach();  // as heartbeats are: it has to be scheduled before the process can end
    usleep(2000);
    die();
  });
  close(victim[1]);
  pollfd end{victim[0], POLLIN, 0};
  poll(&end, 1, -1);
  [[maybe_unused]] const ssize_t wrote = write(third[0], "x", 1);
  waitpid(waits, nullptr, 0);
  waitpid(dies, nullptr, 0);
  for (const int fd : {victim[0], third[0], third[1]}) close(fd);
  return static_cast<double>(shared->started_ns - shared->died_ns) / 1e6;
}

double ours_ms(tf_farm* farm) {
  tf_statistics s{};
  tf_result result{};
  std::size_t count = 0;
  while (tf_stats(farm, &s) == TF_OK && s.workers_idle < 2) tf_next(farm, &result, 1, 5, &count);
  std::uint64_t id = 0;
  const bool good = tf_submit(farm, "x", 1, nullptr, -1, &id) == TF_OK && tf_next(farm, &result, 1, 60'000, &count) == TF_OK &&
                    count == 1 && result.id == id && result.status == TF_DONE && result.attempts == 2;
  if (!good) std::exit(1);
  return static_cast<double>(shared->started_ns - shared->died_ns) / 1e6;
}

double quantile(std::vector<double> sorted, double q) {
  std::sort(sorted.begin(), sorted.end());
  return sorted[std::min(sorted.size() - 1, static_cast<std::size_t>(q * static_cast<double>(sorted.size())))];
}

void print(const char* name, const std::vector<double>& ms) {
  const auto soon = std::count_if(ms.begin(), ms.end(), [](double value) { return value <= 10; });
  std::printf("\"%s\": {\"p25_ms\": %.3f, \"median_ms\": %.3f, \"p90_ms\": %.3f, \"p99_ms\": %.3f, \"max_ms\": %.3f, \"within_10_ms\": %.4f}", name,
              quantile(ms, 0.25), quantile(ms, 0.5), quantile(ms, 0.9), quantile(ms, 0.99), quantile(ms, 1),
              static_cast<double>(soon) / static_cast<double>(ms.size()));
}

}  // namespace

int main(int argc, char** argv) {
  const int kills = argc > 2 ? std::atoi(argv[2]) : 0;
  if (kills < 1 || kills > most_kills) return std::fprintf(stderr, "usage: kill_latency URL KILLS [KEY_FILE]\n"), 2;
  const char* key_file = argc > 3 ? argv[3] : nullptr;
  void* memory = mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  shared = new (memory) Shared{};
  tf_farm_options options;
  tf_farm_options_init(&options);
  options.window = 1;
  options.grace_ms = 1000;
  options.key_file = key_file;
  tf_farm* farm = nullptr;
  if (tf_listen(argv[1], &options, &farm) != TF_OK) return std::fprintf(stderr, "%s\n", tf_error()), 2;
  const bool off = std::string(argv[1]).find("shm=off") != std::string::npos;
  const std::string url = std::string(tf_url(farm)) + (off ? "?shm=off" : "");
  const pid_t supervisor = start([&] { return supervise(url, key_file); });
  std::vector<double> ours, least;
  for (int i = 0; i < kills; ++i) {
    ours.push_back(ours_ms(farm));
    least.push_back(floor_ms());
  }
  std::printf("{\"url\": \"%s\", \"kills\": %d, ", argv[1], kills);
  print("taskfarm", ours);
  std::printf(", ");
  print("floor", least);
  std::printf("}\n");
  std::fflush(stdout);
  tf_close(farm, 2000);
  waitpid(supervisor, nullptr, 0);
}
