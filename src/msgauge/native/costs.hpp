// What a cell costs besides time: processor time and context switches of all ranks that take part, from before its
// buffers are made until its last message.
#pragma once

#include <sys/resource.h>

#include <cstdint>

#include "clock.hpp"
#include "coordination.hpp"
#include "wire.hpp"

namespace msgauge {

struct Cost {
  std::int64_t wall_ns = 0;
  std::int64_t cpu_ns = 0;
  std::int64_t voluntary = 0;
  std::int64_t involuntary = 0;

  // Of the process so far (`whose` RUSAGE_SELF) or of the thread (RUSAGE_THREAD).
  static Cost so_far(int whose) {
    rusage usage{};
    getrusage(whose, &usage);
    const auto ns = [](const timeval& time) { return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_usec * 1'000; };
    return {monotonic_ns(), ns(usage.ru_utime) + ns(usage.ru_stime), usage.ru_nvcsw, usage.ru_nivcsw};
  }

  Cost since(const Cost& before) const {
    return {wall_ns - before.wall_ns, cpu_ns - before.cpu_ns, voluntary - before.voluntary,
            involuntary - before.involuntary};
  }
};

// The sum over the first `ranks` ranks, at rank 0; its own wall time.
template <Transport T>
Cost of_all(T& transport, Cost own, int ranks) {
  if (transport.rank() != 0) {
    transport.send(&own, sizeof own, 0, report_tag);
    return own;
  }
  for (int rank = 1; rank < ranks; ++rank) {
    Cost one;
    transport.recv(&one, sizeof one, rank, report_tag);
    own.cpu_ns += one.cpu_ns;
    own.voluntary += one.voluntary;
    own.involuntary += one.involuntary;
  }
  return own;
}

// `events`: how many messages (or operations) the sum is for.
inline void describe_cost(wire::Header& header, const Cost& cost, std::int64_t events) {
  header.add("events", events).add("wall_ns", cost.wall_ns).add("cpu_ns", cost.cpu_ns);
  header.add("voluntary", cost.voluntary).add("involuntary", cost.involuntary);
}

}  // namespace msgauge
