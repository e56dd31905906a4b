// Whether tasks are so short that a rank which shares its core waits best by giving way once before it sleeps: those it
// waits for then run on the same core, and nobody has to be woken on another.
#pragma once

#include <algorithm>

namespace taskfarm {

inline constexpr double short_task_ns = 20'000;

// About the third quartile of service times: one task during which a process lost its core says nothing about the next.
class UsualService {
 public:
  void learn(double service_ns) {
    if (ns_ == 0) ns_ = service_ns;
    ns_ = service_ns > ns_ ? std::min(service_ns, ns_ * 2) : std::max(service_ns, ns_ * 0.8);
  }
  bool is_short() const { return ns_ < short_task_ns; }

 private:
  double ns_ = 0;
};

}  // namespace taskfarm
