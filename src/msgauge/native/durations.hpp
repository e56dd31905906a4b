// Lengths of time as words of a kernel's options: 0, 500ns, 20us, 1ms.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>

namespace msgauge {

// In nanoseconds; without a unit a number counts nanoseconds too.
constexpr std::int64_t duration_ns(std::string_view text) {
  std::int64_t number = 0;
  std::size_t at = 0;
  for (; at < text.size() && text[at] >= '0' && text[at] <= '9'; ++at) number = 10 * number + (text[at] - '0');
  const auto unit = text.substr(at);
  return number * (unit == "us" ? 1'000 : unit == "ms" ? 1'000'000 : 1);
}

// A whole number among a kernel's options.
constexpr std::int64_t number_in(std::string_view text) { return duration_ns(text); }

// Keeps the processor busy for a wanted time, and says how long that really was, reading the clock included: what is
// taken off a longer time must hold all that was added to it.
class Idle {
 public:
  explicit Idle(std::int64_t wanted_ns) : wanted_ns_(wanted_ns) {}

  // Before the timed part: what a read of this clock costs.
  template <class Clock>
  void prepare(Clock& clock) {
    if (read_ns_ >= 0 || wanted_ns_ == 0) return;
    for (int trial = 0; trial < 10; ++trial) {
      const auto begin = clock.read();
      for (int i = 1; i < reads; ++i) clock.read();
      const auto each = clock.length_ns(clock.read() - begin) / reads;
      read_ns_ = trial == 0 ? each : std::min(each, read_ns_);
    }
  }

  template <class Clock>
  std::int64_t spend(Clock& clock) const {
    if (wanted_ns_ == 0) return 0;
    const auto begin = clock.read();
    std::int64_t gone = 0;
    if constexpr (Clock::is_simulated) clock.wait_until_ns(begin + wanted_ns_);
    do gone = clock.length_ns(clock.read() - begin);
    while (gone < wanted_ns_);
    return gone + read_ns_;
  }

 private:
  static constexpr int reads = 100;
  std::int64_t wanted_ns_;
  std::int64_t read_ns_ = -1;
};

}  // namespace msgauge
