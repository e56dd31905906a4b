// One clock for every stack: CLOCK_MONOTONIC, or the time-stamp counter where processor and kernel both call it
// trustworthy, or the transport's own where it simulates time. Never the stack's timer, never CLOCK_REALTIME.
#pragma once

#include <algorithm>
#include <cstdint>
#include <ctime>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "clock_band.hpp"
#include "sampling.hpp"
#include "transport.hpp"

#if defined(__x86_64__)
#include <cpuid.h>
#include <x86intrin.h>
#endif

namespace msgauge {

inline std::int64_t monotonic_ns() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

// Whether the time-stamp counter runs at one rate on all processors: the CPU says invariant, the kernel uses it itself.
inline bool tsc_is_trustworthy() {
#if defined(__x86_64__)
  unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
  if (!__get_cpuid(0x80000007U, &eax, &ebx, &ecx, &edx) || !(edx & (1U << 8))) return false;
  std::ifstream file("/sys/devices/system/clocksource/clocksource0/current_clocksource");
  std::string source;
  return (file >> source) && source == "tsc";
#else
  return false;
#endif
}

// Reads raw ticks between timed operations; turns them into nanoseconds afterwards.
// The counter's rate is fitted against CLOCK_MONOTONIC over all the time since the clock was made.
template <Transport T>
class Clock {
 public:
  static constexpr bool is_simulated = HasClock<T>;

  Clock(T& transport, std::string_view wanted) : transport_(&transport) {
    if constexpr (!HasClock<T>) tsc_ = wanted == "tsc" && tsc_is_trustworthy();
    anchor_ns_ = monotonic_ns();
    anchor_ticks_ = read();
    if (tsc_)
      while (monotonic_ns() - anchor_ns_ < 20'000'000) {
      }
    calibrate();
  }

  std::int64_t read() {
    if constexpr (HasClock<T>) {
      return transport_->now_ns();
    } else {
#if defined(__x86_64__)
      if (tsc_) {
        unsigned processor;
        return static_cast<std::int64_t>(__rdtscp(&processor));
      }
#endif
      return monotonic_ns();
    }
  }

  // Refits the counter's rate; called outside timed regions, before ticks are converted.
  void calibrate() {
    if (!tsc_) return;
    const auto ns = monotonic_ns();
    const auto ticks = read();
    ns_per_tick_ = static_cast<double>(ns - anchor_ns_) / static_cast<double>(ticks - anchor_ticks_);
  }

  // A length of time, in nanoseconds.
  std::int64_t length_ns(std::int64_t ticks) const {
    return tsc_ ? static_cast<std::int64_t>(static_cast<double>(ticks) * ns_per_tick_ + 0.5) : ticks;
  }

  // A point of time, in nanoseconds of CLOCK_MONOTONIC (or of the simulation).
  std::int64_t point_ns(std::int64_t ticks) const {
    return tsc_ ? anchor_ns_ + length_ns(ticks - anchor_ticks_) : ticks;
  }

  std::int64_t now_ns() { return point_ns(read()); }

  // Between points of this clock and of rank 0's, where hosts have clocks of their own; else both are one.
  std::int64_t reference_ns(std::int64_t own_ns) const { return line_.reference_ns(own_ns); }
  std::int64_t own_ns(std::int64_t reference_ns) const { return line_.local_ns(reference_ns); }
  const ClockLine& line() const { return line_; }
  void adopt(const ClockLine& line) { line_ = line; }

  // Comes back at or after the given time; burns the processor, so that nothing needs waking up.
  void wait_until_ns(std::int64_t time_ns) {
    if constexpr (HasClock<T>) {
      transport_->wait_until(time_ns);
    } else {
      while (now_ns() < time_ns) {
      }
    }
  }

  std::string_view name() const { return HasClock<T> ? "simulated" : tsc_ ? "tsc" : "monotonic"; }
  double tsc_ghz() const { return tsc_ ? 1.0 / ns_per_tick_ : 0.0; }

  // Cost of a read, and the clock's step, in nanoseconds; time of a simulation may stand still while it is asked.
  void examine() {
    std::vector<std::vector<std::int64_t>> trials(10, std::vector<std::int64_t>(201));
    for (auto& stamps : trials)
      for (auto& stamp : stamps) stamp = read();
    const auto facts = sampling::clock_facts(trials);
    cost_ns_ = scale() * facts.cost;
    resolution_ns_ = std::max(scale() * (HasClock<T> && facts.step == facts.unseen ? 1.0 : facts.step), 1.0);
  }

  double cost_ns() const { return cost_ns_; }
  double resolution_ns() const { return resolution_ns_; }

 private:
  double scale() const { return tsc_ ? ns_per_tick_ : 1.0; }

  T* transport_;
  bool tsc_ = false;
  std::int64_t anchor_ns_ = 0;
  std::int64_t anchor_ticks_ = 0;
  double ns_per_tick_ = 1.0;
  double cost_ns_ = 0.0;
  double resolution_ns_ = 1.0;
  ClockLine line_;
};

}  // namespace msgauge
