// The sentinel: how fast the machine itself is just now, without any message-passing library.
//
// Three short probes, about 10 ms together; each reports the fastest of many repetitions and their median:
//   loop      a fixed chain of dependent integer operations      (clock frequency, stolen time)
//   copy      copying 4 MiB                                      (memory, other tenants)
//   pingpong  a flag bounced between two threads                 (second core, scheduler; absent on one core)
// Each thread keeps to one processor, always the same (the first and the second allowed), so that two probes are alike.
// Before them it counts the threads of this machine that run or could, itself among them: those of all processors that are
// online, be they this process's or not.
// Prints one line: `msgauge-sentinel running=... processors=... loop_ns=... loop_min_ns=... copy_ns=...` (medians and minima).
// Compile: c++ -std=c++17 -O2 -pthread sentinel.cpp -o sentinel
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include <sched.h>
#include <unistd.h>

namespace {

using Clock = std::chrono::steady_clock;

struct Times {
  double median_ns = 0;
  double minimum_ns = 0;
};

template <class Do>
Times repeat(int repetitions, Do once) {
  std::vector<double> times;
  times.reserve(static_cast<std::size_t>(repetitions));
  for (int i = 0; i < repetitions; ++i) {
    const auto start = Clock::now();
    once();
    times.push_back(std::chrono::duration<double, std::nano>(Clock::now() - start).count());
  }
  std::sort(times.begin(), times.end());
  return {times[times.size() / 2], times.front()};
}

std::uint64_t spin(std::uint64_t state, int steps) {
  for (int i = 0; i < steps; ++i) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
  }
  return state;
}

Times loop() {
  volatile std::uint64_t state = 88172645463325252ULL;
  return repeat(20, [&] { state = spin(state, 50000); });
}

Times copy() {
  std::vector<char> from(std::size_t{4} << 20, 1), to(from.size(), 2);
  volatile char seen = 0;
  return repeat(9, [&] {
    std::memcpy(to.data(), from.data(), from.size());
    seen = to[from.size() / 2];
  });
}

struct alignas(128) Flag {
  std::atomic<int> turn{0};
};

// How far a cache line travels depends on its address, so a trip goes over many lines; one pair alone varies by 10 %
// from start to start.
constexpr int pairs = 64;
struct Pair {
  Flag there, back;
};

std::vector<int> processors() {
  cpu_set_t mask;
  CPU_ZERO(&mask);
  std::vector<int> allowed;
  if (sched_getaffinity(0, sizeof mask, &mask) == 0)
    for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu)
      if (CPU_ISSET(cpu, &mask)) allowed.push_back(cpu);
  return allowed;
}

// The calling thread alone. Where it is not permitted the thread stays free, and the probe scatters more.
void keep_to(int cpu) {
  cpu_set_t mask;
  CPU_ZERO(&mask);
  CPU_SET(cpu, &mask);
  static_cast<void>(sched_setaffinity(0, sizeof mask, &mask));
}

// Waits a bounded time: on a machine where the partner never runs, the probe reports nothing rather than hang.
bool await(std::atomic<int>& turn, int wanted, Clock::time_point limit) {
  for (int i = 0;; ++i) {
    if (turn.load(std::memory_order_acquire) == wanted) return true;
    if (i % 1024 == 1023 && Clock::now() > limit) return false;
  }
}

Times pingpong(int partner_cpu) {
  constexpr int trips = 4 * pairs, repetitions = 48;
  std::vector<Pair> lines(pairs);
  const auto limit = Clock::now() + std::chrono::milliseconds(40);
  std::thread partner([&] {
    keep_to(partner_cpu);
    for (int i = 1; i <= trips * repetitions; ++i) {
      Pair& line = lines[static_cast<std::size_t>(i % pairs)];
      if (!await(line.there.turn, i, limit)) return;
      line.back.turn.store(i, std::memory_order_release);
    }
  });
  int trip = 0;
  bool answered = true;
  const auto times = repeat(repetitions, [&] {
    for (int i = 0; i < trips && answered; ++i) {
      Pair& line = lines[static_cast<std::size_t>(++trip % pairs)];
      line.there.turn.store(trip, std::memory_order_release);
      answered = await(line.back.turn, trip, limit);
    }
  });
  partner.join();
  return answered ? Times{times.median_ns / trips, times.minimum_ns / trips} : Times{};
}

void print(const char* name, Times times) {
  if (times.median_ns > 0) std::printf(" %s_ns=%.2f %s_min_ns=%.2f", name, times.median_ns, name, times.minimum_ns);
}

// Threads that run or wait for a processor just now; 0 where the kernel does not say.
long running() {
  std::FILE* file = std::fopen("/proc/loadavg", "r");
  if (file == nullptr) return 0;
  long count = 0;
  const int found = std::fscanf(file, "%*f %*f %*f %ld", &count);
  std::fclose(file);
  return found == 1 ? count : 0;
}

}  // namespace

int main() {
  const long threads = running();
  const std::vector<int> allowed = processors();
  if (!allowed.empty()) keep_to(allowed[0]);
  const Times looped = loop(), copied = copy();
  std::printf("msgauge-sentinel");
  if (threads > 0) std::printf(" running=%ld processors=%ld", threads, sysconf(_SC_NPROCESSORS_ONLN));
  print("loop", looped);
  print("copy", copied);
  if (allowed.size() > 1) print("pingpong", pingpong(allowed[1]));
  std::printf("\n");
  return 0;
}
