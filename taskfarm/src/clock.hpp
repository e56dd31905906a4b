// One clock: CLOCK_MONOTONIC, so that a change of the wall clock changes nothing.
#pragma once

#include <cstdint>
#include <ctime>

namespace taskfarm {

inline constexpr std::int64_t ns_per_ms = 1'000'000;
inline constexpr std::int64_t never = INT64_MAX;

inline std::int64_t now_ns() {
  timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1'000'000'000LL + t.tv_nsec;
}

// The moment at which a timeout of the C interface ends; negative means never.
inline std::int64_t moment_after(std::int64_t timeout_ms) {
  if (timeout_ms < 0 || timeout_ms > 100LL * 365 * 86400 * 1000) return never;
  return now_ns() + timeout_ms * ns_per_ms;
}

// For poll and epoll_wait: rounded up, -1 for never.
inline int milliseconds_until(std::int64_t moment, std::int64_t now) {
  if (moment == never) return -1;
  if (moment <= now) return 0;
  const std::int64_t ms = (moment - now + ns_per_ms - 1) / ns_per_ms;
  return ms > 3'600'000 ? 3'600'000 : static_cast<int>(ms);
}

inline void pause_processor() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

}  // namespace taskfarm
