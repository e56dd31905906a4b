// What a rank can say of itself from inside: where it runs, and what it has used so far.
#pragma once

#include <sched.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <fstream>
#include <string>

#include "clock.hpp"
#include "transport.hpp"
#include "wire.hpp"

namespace msgauge {

// The library as it names itself, for people, and what it was told to do, for the stack's file.
template <class T>
void describe_library(wire::Header& line, const T& transport) {
  line.add("library", transport.library());
  if constexpr (TellsSettings<T>) {
    for (const auto& [name, value] : transport.settings()) line.add("uses_" + name, value);
  }
}

inline std::string host_name() {
  char name[256] = {};
  gethostname(name, sizeof name - 1);
  return name;
}

// Tells running systems apart: ranks that share it share one CLOCK_MONOTONIC, which a time namespace shifts.
inline std::string boot_identity() {
  std::ifstream file("/proc/sys/kernel/random/boot_id");
  std::string identity;
  file >> identity;
  std::array<char, 64> clock{};
  if (readlink("/proc/self/ns/time", clock.data(), clock.size() - 1) > 0) identity += clock.data();
  return identity.empty() ? host_name() : identity;
}

// The processors this process may use, as "0-3,8".
inline std::string allowed_processors() {
  cpu_set_t* set = CPU_ALLOC(8192);
  const std::size_t bytes = CPU_ALLOC_SIZE(8192);
  std::string text;
  if (sched_getaffinity(0, bytes, set) == 0) {
    for (int first = 0; first < 8192; ++first) {
      if (!CPU_ISSET_S(static_cast<std::size_t>(first), bytes, set)) continue;
      int last = first;
      while (last + 1 < 8192 && CPU_ISSET_S(static_cast<std::size_t>(last + 1), bytes, set)) ++last;
      text += (text.empty() ? "" : ",") + std::to_string(first);
      if (last > first) text += "-" + std::to_string(last);
      first = last;
    }
  }
  CPU_FREE(set);
  return text;
}

// The group of processes that the scheduler shares processor time out to: of the cpu controller, else the unified one.
inline std::string own_cgroup() {
  std::ifstream file("/proc/self/cgroup");
  std::string found;
  for (std::string line; std::getline(file, line);) {
    const auto first = line.find(':');
    const auto second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    const auto controllers = "," + line.substr(first + 1, second - first - 1) + ",";
    if (controllers.find(",cpu,") != std::string::npos) return line.substr(second + 1);
    if (controllers == ",,") found = line.substr(second + 1);
  }
  return found;
}

// How long a fixed row of dependent multiplications takes here, the best of some tries: a slow rank, or the slow host it
// is on, shows whatever its messages do.
inline std::int64_t fixed_loop_ns() {
  constexpr int tries = 9, steps = 10'000;
  std::int64_t best = INT64_MAX;
  for (int i = 0; i < tries; ++i) {
    volatile std::uint64_t seed = 1;
    std::uint64_t value = seed;
    const auto begin = monotonic_ns();
    for (int step = 0; step < steps; ++step) value = value * 6'364'136'223'846'793'005U + 1U;
    seed = value;
    best = std::min(best, monotonic_ns() - begin);
  }
  return best;
}

// What decides how a rank is scheduled and how much it may open, besides its processors.
inline void describe_condition(wire::Header& header) {
  rlimit files{};
  getrlimit(RLIMIT_NOFILE, &files);
  header.add("session", std::int64_t{getsid(0)}).add("cgroup", own_cgroup());
  header.add("open_files", static_cast<std::int64_t>(files.rlim_cur));
  header.add("policy", std::int64_t{sched_getscheduler(0)});
  header.add("nice", std::int64_t{getpriority(PRIO_PROCESS, 0)});
  header.add("loop_ns", fixed_loop_ns());
}

// A simulated rank runs on no processor of this machine, so none is named and none can be oversubscribed.
inline void describe_rank(wire::Header& header, int rank, bool simulated = false) {
  header.add("rank", std::int64_t{rank}).add("host", host_name()).add("pid", std::int64_t{getpid()});
  header.add("cpus", simulated ? "" : allowed_processors()).add("cpu", std::int64_t{simulated ? -1 : sched_getcpu()});
  if (!simulated) describe_condition(header);
}

// `whose`: RUSAGE_SELF, or RUSAGE_THREAD where ranks are threads of one process.
inline void describe_usage(wire::Header& header, int rank, int whose) {
  rusage usage{};
  getrusage(whose, &usage);
  const auto ns = [](const timeval& time) { return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_usec * 1'000; };
  header.add("rank", std::int64_t{rank}).add("user_ns", ns(usage.ru_utime)).add("system_ns", ns(usage.ru_stime));
  header.add("voluntary", std::int64_t{usage.ru_nvcsw}).add("involuntary", std::int64_t{usage.ru_nivcsw});
  header.add("peak_bytes", std::int64_t{usage.ru_maxrss} * 1024);
}

}  // namespace msgauge
