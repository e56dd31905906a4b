// Arithmetic that keeps a rank busy for about a wanted time and touches no memory: what communication is to hide behind.
#pragma once

#include <algorithm>
#include <cstdint>

#include "clock.hpp"
#include "transport.hpp"

namespace msgauge {

template <Transport T>
class Work {
 public:
  // Finds out how fast the arithmetic is: the quickest of several trials.
  explicit Work(T& transport) : transport_(transport) {
    if constexpr (!HasClock<T>) {
      constexpr std::int64_t steps = 1 << 14;
      ns_per_step_ = 1e9;
      for (int trial = 0; trial < 5; ++trial) {
        const auto before = monotonic_ns();
        turn(steps);
        ns_per_step_ = std::min(ns_per_step_, static_cast<double>(monotonic_ns() - before) / steps);
      }
      ns_per_step_ = std::max(ns_per_step_, 0.01);
    }
  }

  // `pieces` stretches that last about `ns` together; `between` is called after all but the last.
  template <class Between>
  void perform(std::int64_t ns, int pieces, Between between) {
    for (int piece = 0; piece < pieces; ++piece) {
      if (piece > 0) between();
      stretch(ns / pieces);
    }
  }

 private:
  // Where time is simulated, arithmetic costs none: the rank skips it.
  void stretch(std::int64_t ns) {
    if constexpr (HasClock<T>) transport_.wait_until(transport_.now_ns() + ns);
    else turn(static_cast<std::int64_t>(static_cast<double>(ns) / ns_per_step_));
  }

  void turn(std::int64_t steps) {
    auto state = state_;
    for (std::int64_t i = 0; i < steps; ++i) {
      state = state * 6364136223846793005U + 1442695040888963407U;
      asm volatile("" : "+r"(state));
    }
    state_ = state;
  }

  T& transport_;
  double ns_per_step_ = 1.0;
  std::uint64_t state_ = 88172645463325252U;
};

}  // namespace msgauge
