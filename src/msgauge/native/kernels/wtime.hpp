// The stack's own timer, which msgauge itself never uses: what a look at it costs, and how fine it is.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "../facts.hpp"
#include "../transport.hpp"

namespace msgauge::kernels::wtime {

inline constexpr Facts facts{
    .name = "wtime",
    .title = "The stack's own timer",
    .meaning = "What one look at the stack's own timer (MPI_Wtime) costs. Beside it: the smallest step it was seen to "
               "make, and the one it claims to make (MPI_Wtick). All ranks look; the values are those of rank 0.",
    .source = "the first experiment of the comparison of LAM and MPICH on a cluster of workstations",
    .minimum_ranks = 1,
    .bytes_moved = "0",
    .needs = "wtime",
    .options = "",
    .series = "time step tick",
    .unit = "ns",
    .sized = false,
    .collective = false,
    .kind = "timer",
    .aliases = "timer clock",
};

template <Transport T>
class Run {
 public:
  static constexpr int events = 1;

  static constexpr Coverage coverage(const Cell&) {
    if constexpr (!HasWtime<T>) return {Coverage::Kind::refused, "", "it has no timer of its own"};
    if constexpr (HasClock<T>) return {Coverage::Kind::refused, "", "its timer stands still in simulated time"};
    return {};
  }

  Run(T& transport, const Cell&) : transport_(transport) {}

  void once() {
    if constexpr (HasWtime<T>) last_ = transport_.wtime();
  }

  void prepare(int) { last_ = -1.0; }
  bool verify(int) const { return last_ >= 0.0; }
  void evict() {}

  // Untimed, after the samples: the smallest step over so many looks, and the claim.
  std::vector<std::pair<std::string, std::vector<std::int64_t>>> extra_series() {
    if constexpr (HasWtime<T>)
      return {{"step", {smallest_step_ns()}}, {"tick", {static_cast<std::int64_t>(transport_.wtick() * 1e9 + 0.5)}}};
    return {};
  }

 private:
  static constexpr std::size_t steps = 200;
  static constexpr int most_looks = 1'000'000;

  // Seconds since 1970 as a double come in steps of 238 ns, so steps of a microsecond look like 0.95 and 1.19 by turns:
  // the mean of the smallest ones.
  std::int64_t smallest_step_ns() {
    double smallest = 1.0;
    if constexpr (HasWtime<T>) {
      std::vector<double> seen;
      seen.reserve(steps);
      double before = transport_.wtime();
      for (int looks = 0; seen.size() < steps && looks < most_looks; ++looks) {
        const double now = transport_.wtime();
        if (now > before) seen.push_back(now - before);
        before = now;
      }
      for (const double step : seen) smallest = std::min(smallest, step);
      double sum = 0, alike = 0;
      for (const double step : seen)
        if (step < 1.5 * smallest) sum += step, ++alike;
      if (alike > 0) smallest = sum / alike;
    }
    return static_cast<std::int64_t>(smallest * 1e9 + 0.5);
  }

  T& transport_;
  volatile double last_ = -1.0;
};

}  // namespace msgauge::kernels::wtime
