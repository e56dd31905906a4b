// How a rank that shares its core waits between short tasks: it looks for a moment, since an answer from another core costs
// no switch of processes; then it gives way once, so that those it waits for run on its own core, and nobody has to be
// woken on another; then it sleeps.
#pragma once

#include <sched.h>

#include <algorithm>
#include <cstdint>

#include "clock.hpp"
#include "time_slice.hpp"

namespace taskfarm {

inline constexpr double short_task_ns = 20'000;
inline constexpr std::int64_t awake_ns = 50'000;  // without work, before a rank sleeps

// About the third quartile of service times: one task during which a process lost its core says nothing about the next.
class UsualService {
 public:
  void learn(double service_ns) {
    if (ns_ == 0) ns_ = service_ns;
    ns_ = service_ns > ns_ ? std::min(service_ns, ns_ * 2) : std::max(service_ns, ns_ * 0.8);
  }
  bool is_short() const { return ns_ < short_task_ns; }
  bool known() const { return ns_ > 0; }
  double ns() const { return ns_; }

 private:
  double ns_ = 0;
};

// Leaves out an occasion after one that was in vain, and more and more of them the more often that is so in a row.
class LeavingOut {
 public:
  explicit LeavingOut(unsigned most) : most_(most) {}

  bool leaves_out() {
    if (left_ == 0) return false;
    --left_;
    return true;
  }
  void found() { last_ = 0; }
  void in_vain() { left_ = last_ = std::min(2 * last_ + 1, most_); }

 private:
  unsigned most_, left_ = 0, last_ = 0;
};

// Looks for a moment; never where there is one core only. After so many that found something in a row one is left out, so
// that others get the core; after those that found nothing more and more are, since who shares its core with the one it
// waits for looks in vain.
class ShortLook {
 public:
  ShortLook(std::int64_t ns, unsigned in_a_row, unsigned cores) : ns_(ns), in_a_row_(cores > 1 ? in_a_row : 0) {}

  template <class Arrived>
  bool finds(Arrived&& arrived) {  // whether `arrived()` came true
    if (leaving_out_.leaves_out()) return false;
    if (found_ == in_a_row_) return found_ = 0, false;
    const std::int64_t until = now_ns() + ns_;
    do {
      for (int turn = 0; turn < turns_a_clock; ++turn) {
        if (arrived()) return ++found_, leaving_out_.found(), true;
        pause_processor();
      }
    } while (now_ns() < until);
    found_ = 0;
    leaving_out_.in_vain();
    return false;
  }

 private:
  static constexpr int turns_a_clock = 8;
  std::int64_t ns_;
  unsigned in_a_row_, found_ = 0;
  LeavingOut leaving_out_{3};
};

// Gives the core to those that share it. After a strange process kept it, as many occasions are left out as are worth that
// time: who sleeps is woken before the stranger's time is up, who gave way is not.
class GivingWay {
 public:
  explicit GivingWay(unsigned cores) : cores_(cores) {}

  bool is_wise() {
    if (left_out_ == 0) return true;
    --left_out_;
    return false;
  }
  void give_way(std::uint64_t ranks) {
    const std::int64_t start = now_ns();
    sched_yield();
    learn(now_ns() - start, ranks);
  }
  void learn(std::int64_t took_ns, std::uint64_t ranks) {
    if (ranks > many_on_a_core * cores_) return;  // among so many hardly a stranger came next
    if (took_ns > patience_ns + static_cast<std::int64_t>(ranks) * turn_ns) left_out_ = took_ns / worth_ns;
  }

 private:
  static constexpr std::int64_t patience_ns = 3'200'000, turn_ns = 25'000, worth_ns = 5000;
  static constexpr unsigned many_on_a_core = 16;
  unsigned cores_;
  std::int64_t left_out_ = 0;
};

// How long a worker gives way again and again before it sleeps: where few workers share a core each has its turn soon, and
// nobody has to be woken. Not after times that nothing had come.
class StayingAwake {
 public:
  std::int64_t until() { return leaving_out_.leaves_out() ? 0 : now_ns() + awake_ns; }
  void found() { leaving_out_.found(); }
  void looked_in_vain() { leaving_out_.in_vain(); }

 private:
  LeavingOut leaving_out_{7};
};

// How many workers that share cores are to be at work, where tasks are shorter than the switch of processes that each worker
// more costs: some for each core. They may all have got long tasks: who waited for an answer in vain takes twice as many for a
// while.
class Circle {
 public:
  explicit Circle(unsigned cores) : least_(each_core * cores), most_(least_) {}

  bool is_full(std::size_t at_work) const { return at_work >= most_; }
  void widen(std::int64_t now) {
    most_ = std::min(2 * most_, all);
    until_ns_ = now + kept_ns;
  }
  void open(std::int64_t now) {
    most_ = all;
    until_ns_ = now + kept_ns;
  }
  void settle(std::int64_t now) {
    if (now >= until_ns_) most_ = least_;
  }

 private:
  static constexpr std::size_t each_core = 16, all = std::size_t{1} << 32;
  static constexpr std::int64_t kept_ns = 100 * ns_per_ms;
  std::size_t least_, most_;
  std::int64_t until_ns_ = 0;
};

}  // namespace taskfarm
