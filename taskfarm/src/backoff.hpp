// How long to wait before the next attempt: twice as long each time, up to a bound, and by chance up to half less, so
// that those who lost one coordinator together do not come back to it together.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <random>

#include "clock.hpp"
#include "hello.hpp"

namespace taskfarm {

class Backoff {
 public:
  // `first_ns` 0: at once; a millisecond follows.
  Backoff(std::int64_t first_ns, std::int64_t longest_ns)
      : first_ns_(first_ns), longest_ns_(longest_ns), pause_ns_(first_ns) {
    const Identity chance = random_identity();
    std::uint32_t seed;
    std::memcpy(&seed, chance.data(), sizeof seed);
    random_.seed(seed);
  }
  std::int64_t next_ns() {
    const std::int64_t whole = std::min(pause_ns_, longest_ns_);
    pause_ns_ = std::clamp(2 * whole, ns_per_ms, std::max(longest_ns_, ns_per_ms));
    return std::uniform_int_distribution<std::int64_t>(whole / 2, whole)(random_);
  }
  void reset() { pause_ns_ = first_ns_; }

 private:
  std::int64_t first_ns_, longest_ns_, pause_ns_;
  std::minstd_rand random_;
};

}  // namespace taskfarm
