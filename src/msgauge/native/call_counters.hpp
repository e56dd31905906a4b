// Ways of waiting, counted: the worker's own sched_yield and semop stand before the C library's, so a library that gives
// its processor away, or sleeps on a semaphore, cannot do so unseen. A count costs about a nanosecond beside the hundreds
// of the system call. Included by worker.cpp alone, as these are definitions.
#pragma once

#include <sys/sem.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>

namespace msgauge::call_counters {

inline std::atomic<long> yields{0};
inline std::atomic<long> semaphores{0};

}  // namespace msgauge::call_counters

extern "C" {

// Exported from the program, so that shared libraries find these first.
__attribute__((visibility("default"), used)) int sched_yield() noexcept {
  msgauge::call_counters::yields.fetch_add(1, std::memory_order_relaxed);
  return static_cast<int>(syscall(SYS_sched_yield));
}

#ifdef SYS_semop
__attribute__((visibility("default"), used)) int semop(int set, sembuf* operations, std::size_t count) noexcept {
  msgauge::call_counters::semaphores.fetch_add(1, std::memory_order_relaxed);
  return static_cast<int>(syscall(SYS_semop, set, operations, count));
}
#endif

}  // extern "C"
