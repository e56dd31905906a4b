#include "time_slice.hpp"

#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <bit>

namespace taskfarm {

namespace {

struct Attributes {  // of sched_setattr, for which not every libc has a name
  std::uint32_t size = sizeof(Attributes), policy = 0;
  std::uint64_t flags = 0;
  std::int32_t nice = 0;
  std::uint32_t priority = 0;
  std::uint64_t runtime_ns = 0, deadline_ns = 0, period_ns = 0;
};

thread_local std::int64_t asked_ns = 0;
thread_local std::uint64_t before_ns = 0;

bool read_own(Attributes& own) {
  return syscall(SYS_sched_getattr, 0, &own, sizeof own, 0U) == 0 && (own.policy == SCHED_OTHER || own.policy == SCHED_BATCH);
}

void set_own(Attributes own, std::uint64_t slice_ns) {
  own.size = sizeof own;
  own.runtime_ns = slice_ns;
  syscall(SYS_sched_setattr, 0, &own, 0U);
}

}  // namespace

void ask_for_slice(std::int64_t ns) {
  if (ns == asked_ns) return;
  Attributes own;
  if (read_own(own)) {
    if (asked_ns == 0) before_ns = own.runtime_ns;
    set_own(own, ns == least_slice_ns ? least_slice_ns : std::max(before_ns, static_cast<std::uint64_t>(ns)));
  }
  asked_ns = ns;
}

void give_slice_back() {
  Attributes own;
  if (asked_ns != 0 && read_own(own)) set_own(own, before_ns);
  asked_ns = 0;
}

std::int64_t slice_of_worker(std::uint64_t ranks, unsigned cores) {
  constexpr std::uint64_t shortest = 2, longest = 64;  // in least slices
  const std::uint64_t slices = std::clamp(std::bit_floor(ranks / (2 * std::max(cores, 1U))), shortest, longest);
  return least_slice_ns * static_cast<std::int64_t>(slices);
}

}  // namespace taskfarm
