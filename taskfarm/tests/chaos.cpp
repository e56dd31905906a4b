// Workers die in every way and every state while a coordinator counts: chaos URL TASKS KILLS WORKERS SEED [KEY_FILE [RING_BYTES]]
// So many tasks at least, and until all deaths of the plan have been met. Prints one JSON line; ends with 1 when a task was
// lost, doubled, wrong or stuck, when a death was not met, when a worker did not go home, or when memory or descriptors grew.
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <new>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "death_plan.hpp"
#include "memory_cgroup.hpp"
#include "taskfarm.h"

namespace {

using Clock = std::chrono::steady_clock;
constexpr int went_home = 42;  // exit status when the coordinator has ended; sanitizers end with 1
constexpr std::size_t outstanding_at_most = 2000, oom_limit = 96 << 20;
constexpr std::size_t growth_kib = 4096;  // from a tenth of the tasks to the end, apart from what belongs to who is there
constexpr std::size_t largest = 200'000;  // bytes of a task
constexpr auto patience = std::chrono::minutes(5);  // for deaths, when all tasks are done

struct Shared {
  DeathPlan deaths;
  std::atomic<bool> closed;  // the coordinator has ended: workers go home, and nobody takes their places
};

struct Plan {
  std::string url;
  std::size_t tasks = 0;
  int kills = 0, workers = 0;
  unsigned seed = 1;
  const char* key_file = nullptr;
  std::uint32_t ring_bytes = 0;
};

Shared* shared = nullptr;
const MemoryCgroup* scarce = nullptr;
std::atomic<int> state{idle};

std::size_t size_of(std::uint64_t number) {
  return number % 97 == 0 ? largest : number % 13 == 0 ? 5000 : 8 + number % 64;
}

std::string answer_to(const char* data, std::size_t bytes) {
  std::string answer(data, bytes);
  for (char& c : answer) c = static_cast<char>(c + 1);
  return answer;
}

std::string task_of(std::uint64_t number) {
  std::string task(size_of(number), static_cast<char>('a' + number % 20));
  std::memcpy(task.data(), &number, sizeof number);
  return task;
}

// A stop returns when the process is woken: the worker goes on as if nothing had been.
void die(Way way) {
  switch (way) {
    case by_exit:
      _exit(3);
    case by_abort:
      std::abort();
    case by_stop:
      raise(SIGSTOP);  // what is sent to the process another thread may get, later; this one would take its next death with it
      return;
    case by_segv:
      std::signal(SIGSEGV, SIG_DFL);
      *static_cast<volatile char*>(mmap(nullptr, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)) = 1;
      break;
    case by_oom: {  // by the kernel's OOM killer where that is possible
      const rlimit limit{256 << 20, 256 << 20};
      if (!scarce->enter()) {
        if (SANITIZED != 0) std::abort();  // its runtime has mapped terabytes
        setrlimit(RLIMIT_AS, &limit);
      }
      for (;;) std::memset(new char[16 << 20], 1, 16 << 20);  // else std::bad_alloc, and nobody catches it
    }
    default:
      break;
  }
  kill(getpid(), SIGKILL);
  for (;;) pause();
}

// Waits for the wanted state and strikes within it. Who was only stopped may be struck again.
void executioner(unsigned seed) {
  std::mt19937 random(seed);
  while (shared->deaths.left() > 0) {
    std::this_thread::sleep_for(std::chrono::microseconds(random() % 60'000));
    const int cell = shared->deaths.take(random);
    if (cell < 0) continue;  // those that are left are others'
    const auto wanted = static_cast<State>(cell % state_count);
    const auto give_up = Clock::now() + std::chrono::seconds(2);
    while (state.load() != wanted && Clock::now() < give_up) {}
    if (state.load() != wanted) {
      shared->deaths.put_back(cell);
      continue;
    }
    shared->deaths.met(cell);
    die(static_cast<Way>(cell / state_count));
  }
}

int work(const Plan& plan, unsigned seed) {
  tf_worker_options options;
  tf_worker_options_init(&options);
  options.key_file = plan.key_file;
  options.connect_timeout_ms = 3000;
  options.reconnect_timeout_ms = 3000;
  tf_worker* worker = nullptr;
  if (tf_connect(plan.url.c_str(), &options, &worker) != TF_OK) return 0;  // it has ended meanwhile
  if (shared->deaths.left() > 0) std::thread(executioner, seed).detach();
  tf_task task;
  int code;
  for (;;) {
    state = idle;
    code = tf_recv(worker, &task, 0);
    if (code == TF_TIMEOUT) {
      state = receiving;
      code = tf_recv(worker, &task, -1);
    }
    if (code != TF_OK) break;
    state = in_task;
    const std::string answer = answer_to(static_cast<const char*>(task.data), task.bytes);
    for (const auto until = Clock::now() + std::chrono::microseconds(task.id % 7 == 0 ? 300 : 0); Clock::now() < until;) {}
    state = in_reply;
    tf_reply(worker, answer.data(), answer.size());
  }
  tf_leave(worker);
  return 0;
}

// Keeps so many workers alive. One that has stopped is woken after a while, or killed.
int supervise(const Plan& plan) {
  std::mt19937 random(plan.seed);
  const auto start = [&] {
    const unsigned seed = random();
    const pid_t pid = fork();
    if (pid != 0) return pid;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    _exit(work(plan, seed) == 0 ? went_home : 9);
  };
  std::vector<std::pair<Clock::time_point, pid_t>> stopped;
  int living = 0;
  for (; living < plan.workers; ++living) start();
  while (living > 0) {
    int status;
    const pid_t pid = waitpid(-1, &status, WUNTRACED | WNOHANG);
    if (pid > 0 && WIFSTOPPED(status)) {
      stopped.emplace_back(Clock::now() + std::chrono::milliseconds(random() % 1500), pid);
    } else if (pid > 0) {
      if (shared->closed.load() || (WIFEXITED(status) && WEXITSTATUS(status) == went_home)) --living;
      else start();
    } else {
      usleep(500);
    }
    for (auto at = stopped.begin(); at != stopped.end();) {
      if (Clock::now() < at->first) { ++at; continue; }
      kill(at->second, random() % 2 == 0 ? SIGCONT : SIGKILL);
      at = stopped.erase(at);
    }
  }
  return 0;
}

std::size_t open_descriptors() {
  std::size_t count = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) ++count;
  return count;
}

struct Memory {
  std::size_t all_kib = 0, shared_kib = 0;  // resident; shared: rings, and the files of programs
  std::size_t own_kib() const { return all_kib - shared_kib; }
};

Memory memory() {
  std::ifstream file("/proc/self/statm");
  std::size_t size = 0, resident = 0, shared_pages = 0;
  file >> size >> resident >> shared_pages;
  return {resident * 4, shared_pages * 4};
}

struct Tally {
  std::size_t tasks = 0, done = 0, doubled = 0, wrong = 0, dead = 0;
  bool stuck = false, home = false;
  Memory memory_first, memory_last;
  std::size_t descriptors_first = 0, descriptors_last = 0;
};

void check(const tf_result& result, std::vector<bool>& seen, Tally& tally) {
  if (result.status == TF_DEAD) ++tally.dead;
  if (result.id == 0 || result.id >= seen.size() || seen[result.id]) {
    ++tally.doubled;
    return;
  }
  seen[result.id] = true;
  const std::string task = task_of(result.id), wanted = answer_to(task.data(), task.size());
  const bool right = result.status == TF_DONE && result.bytes == wanted.size() &&
                     std::memcmp(result.data, wanted.data(), wanted.size()) == 0;
  right ? ++tally.done : ++tally.wrong;
}

// So many more tasks, and all their results. A bounded number is outstanding.
bool pass(tf_farm* farm, std::size_t tasks, std::vector<bool>& seen, Tally& tally) {
  std::vector<tf_result> results(256);
  const std::size_t end = tally.tasks + tasks;
  std::size_t outstanding = 0;
  seen.resize(end + 1);
  while (tally.tasks < end || outstanding > 0) {
    while (tally.tasks < end && outstanding < outstanding_at_most) {
      const std::string task = task_of(tally.tasks + 1);
      if (tf_submit(farm, task.data(), task.size(), nullptr, 0, nullptr) != TF_OK) break;
      ++tally.tasks;
      ++outstanding;
    }
    std::size_t got = 0;
    if (tf_next(farm, results.data(), results.size(), 60'000, &got) != TF_OK) return false;
    for (std::size_t i = 0; i < got; ++i) check(results[i], seen, tally);
    outstanding -= std::min(got, outstanding);
  }
  return true;
}

// A death by the OOM killer takes a while after it was met.
bool deaths_are_left() {
  const long killed = scarce->killed();
  return shared->deaths.left() > 0 || (killed >= 0 && killed < shared->deaths.count(by_oom));
}

// Memory is compared from a tenth to the end, but not before as many were outstanding as may be. Deaths that are left then
// are awaited with as many tasks as that takes.
Tally count(tf_farm* farm, const Plan& plan) {
  Tally tally;
  std::vector<bool> seen;
  seen.reserve(2 * plan.tasks);
  tally.stuck = !pass(farm, std::max(plan.tasks / 10, 2 * outstanding_at_most), seen, tally);
  tally.memory_first = memory();
  tally.descriptors_first = open_descriptors();
  if (!tally.stuck) tally.stuck = !pass(farm, plan.tasks - std::min(plan.tasks, tally.tasks), seen, tally);
  for (const auto give_up = Clock::now() + patience; deaths_are_left() && !tally.stuck && Clock::now() < give_up;)
    tally.stuck = !pass(farm, outstanding_at_most / 4, seen, tally);
  tally.memory_last = memory();
  tally.descriptors_last = open_descriptors();
  return tally;
}

// The workers end by themselves, and their supervisor with them; those who do not are killed with it.
bool all_went_home(pid_t supervisor) {
  for (const auto give_up = Clock::now() + std::chrono::seconds(20); Clock::now() < give_up; usleep(1000))
    if (waitpid(supervisor, nullptr, WNOHANG) == supervisor) return true;
  kill(supervisor, SIGKILL);
  waitpid(supervisor, nullptr, 0);
  return false;
}

bool report(const Plan& plan, const Tally& t, const tf_statistics& s, double seconds) {
  const std::size_t lost = t.tasks - t.done - t.wrong;
  const std::size_t rings_kib = 2U * static_cast<unsigned>(plan.workers) * plan.ring_bytes / 1024;
  const std::size_t begun_kib = 2U * static_cast<unsigned>(plan.workers) * largest / 1024;  // answers that come, with room
  const std::size_t growth = growth_kib + begun_kib;
  const bool memory_flat = SANITIZED != 0 ||  // it keeps what was freed
                           (t.memory_last.own_kib() < t.memory_first.own_kib() + growth &&
                            t.memory_last.all_kib < t.memory_first.all_kib + growth + rings_kib);
  const bool descriptors_flat = t.descriptors_last <= t.descriptors_first + 4U * static_cast<unsigned>(plan.workers);
  const bool good = lost == 0 && t.doubled == 0 && t.wrong == 0 && !t.stuck && t.home && memory_flat && descriptors_flat &&
                    shared->deaths.left() == 0;
  std::printf("{\"url\": \"%s\", \"good\": %s, \"tasks\": %zu, \"kills\": %d, \"lost\": %zu, \"doubled\": %zu, \"wrong\": %zu, "
              "\"dead\": %zu, \"stuck\": %s, \"home\": %s, \"seconds\": %.1f, \"memory_kib\": [%zu, %zu], \"own_memory_kib\": [%zu, %zu], \"descriptors\": [%zu, %zu], "
              "\"workers_lost\": %llu, \"silent\": %llu, \"reconnects\": %llu, \"requeued\": %llu, \"late_results\": %llu, "
              "\"foreign_results\": %llu, \"oom_killer\": %ld, \"deaths\": {%s}}\n",
              plan.url.c_str(), good ? "true" : "false", t.tasks, shared->deaths.count(), lost, t.doubled, t.wrong, t.dead,
              t.stuck ? "true" : "false", t.home ? "true" : "false", seconds, t.memory_first.all_kib, t.memory_last.all_kib,
              t.memory_first.own_kib(), t.memory_last.own_kib(), t.descriptors_first,
              t.descriptors_last, static_cast<unsigned long long>(s.workers_lost),
              static_cast<unsigned long long>(s.silent), static_cast<unsigned long long>(s.reconnects),
              static_cast<unsigned long long>(s.requeued), static_cast<unsigned long long>(s.late_results),
              static_cast<unsigned long long>(s.foreign_results), scarce->killed(), shared->deaths.table().c_str());
  return good;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 6) return std::fprintf(stderr, "usage: chaos URL TASKS KILLS WORKERS SEED [KEY_FILE [RING_BYTES]]\n"), 2;
  Plan plan{argv[1], std::strtoull(argv[2], nullptr, 10), std::atoi(argv[3]), std::atoi(argv[4]),
            static_cast<unsigned>(std::atoi(argv[5])), argc > 6 && *argv[6] != 0 ? argv[6] : nullptr};
  void* memory = mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  shared = new (memory) Shared{DeathPlan(plan.kills), false};
  const MemoryCgroup cgroup(oom_limit);
  scarce = &cgroup;
  tf_farm_options options;
  tf_farm_options_init(&options);
  options.max_attempts = 100;
  options.heartbeat_ms = 100;
  options.heartbeat_timeout_ms = 500;
  options.grace_ms = 5000;
  options.key_file = plan.key_file;
  if (argc > 7) options.ring_bytes = static_cast<std::uint32_t>(std::atoi(argv[7]));
  plan.ring_bytes = options.ring_bytes;
  tf_farm* farm = nullptr;
  if (tf_listen(plan.url.c_str(), &options, &farm) != TF_OK) return std::fprintf(stderr, "%s\n", tf_error()), 2;
  const bool off = plan.url.find("shm=off") != std::string::npos;
  plan.url = std::string(tf_url(farm)) + (off ? "?shm=off" : "");
  const pid_t supervisor = fork();
  if (supervisor == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    _exit(supervise(plan));
  }
  const auto start = Clock::now();
  Tally tally = count(farm, plan);
  tf_statistics statistics;
  tf_stats(farm, &statistics);
  tf_close(farm, 2000);
  const std::chrono::duration<double> took = Clock::now() - start;
  shared->closed = true;
  tally.home = all_went_home(supervisor);
  return report(plan, tally, statistics, took.count()) ? 0 : 1;
}
