// How a launch begins, from inside: where this rank may run, and how long it took from nothing to the first message.
#pragma once

#include <sched.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "clock.hpp"
#include "coordination.hpp"
#include "facts.hpp"

namespace msgauge {

// When this process came to its first line of C++, before the library was started.
inline const std::int64_t entered_ns = monotonic_ns();

// Points of CLOCK_MONOTONIC; 0 where unknown.
struct StartupPhases {
  std::int64_t boot_ns = 0;     // a length: what the daemons of the session took to come up
  std::int64_t begun_ns = 0;    // the launcher was started
  std::int64_t entered_ns = 0;  // the last process came to its first line
  std::int64_t ready_ns = 0;    // the last rank had its library started
  std::int64_t first_ns = 0;    // rank 0 had heard from all

  std::vector<std::pair<std::string, std::int64_t>> phases() const {
    return {{"time", boot_ns + first_ns - begun_ns},
            {"boot", boot_ns},
            {"launch", entered_ns - begun_ns},
            {"init", ready_ns - entered_ns},
            {"first", first_ns - ready_ns}};
  }
};

// Every rank tells rank 0 when it came, by rank 0's clock as `clock` knows it. Rank 0 gives back the whole beginning, but
// for the end of it.
template <Transport T>
StartupPhases gather_startup_times(T& transport, const Clock<T>& clock, const Launch& launch, std::int64_t ready_ns) {
  std::array<std::int64_t, 2> own{clock.reference_ns(entered_ns), clock.reference_ns(ready_ns)};
  if (transport.rank() != 0) {
    transport.send(own.data(), sizeof own, 0, report_tag);
    return {};
  }
  StartupPhases all{launch.boot_ns, launch.begun_ns, own[0], own[1], 0};
  for (int rank = 1; rank < transport.size(); ++rank) {
    transport.recv(own.data(), sizeof own, rank, report_tag);
    all.entered_ns = std::max(all.entered_ns, own[0]);
    all.ready_ns = std::max(all.ready_ns, own[1]);
  }
  return all;
}

// Where the launcher has left a rank free to roam while there is a core for each, it takes the core of its number: so
// that no stack is measured bound and another unbound. False where the kernel does not let it.
inline bool pin_to_core(int rank, const Launch& launch) {
  if (launch.pin.empty() || static_cast<std::size_t>(rank) >= launch.pin.size()) return true;
  cpu_set_t allowed;
  if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) return false;
  if (CPU_COUNT(&allowed) < launch.cores) return true;  // its launcher has bound it
  cpu_set_t own;
  CPU_ZERO(&own);
  CPU_SET(static_cast<std::size_t>(launch.pin[static_cast<std::size_t>(rank)]), &own);
  return sched_setaffinity(0, sizeof own, &own) == 0;
}

}  // namespace msgauge
