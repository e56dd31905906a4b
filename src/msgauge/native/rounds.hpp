// Rounds of a collective: every rank stamps its own start and end, by its own clock, which is translated to rank 0's where
// hosts have clocks of their own (clock_sync.hpp); rank 0 puts them together.
//
// Where every rank has a core, all agree on a start a little ahead and spin to it; a round that some rank reached or
// began too late is counted and left out, and the period grows when more than one in twenty is reached too late. Where ranks share cores nobody
// can spin, so a dissemination barrier of our own comes before each round. A round holds one reading of the clock, which
// an empty round shows: it is taken off.
//
// Non-blocking collectives are measured twice, chunk by chunk in turn: bare, and with as much arithmetic between start
// and completion as a bare round takes. What the second adds less than the arithmetic alone was hidden behind it.
// Source: Hunold, Carpen-Amarie 2016, "Reproducible MPI benchmarking is still not as easy as you think".
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "coordination.hpp"
#include "sampling.hpp"
#include "series.hpp"

namespace msgauge {

// A kernel that can do arithmetic between start and completion of its operation.
template <class K>
constexpr bool overlaps_of() {
  if constexpr (requires { K::overlaps; }) return K::overlaps;
  return false;
}

class Rounds {
 public:
  void reserve(std::size_t longest, bool overlapping) {
    stamps_.assign(longest, Stamp{});
    overlapping_ = overlapping;
  }

  // Every rank: carries out the rounds of an order; then rank 0 gathers the stamps. Only once() is between stamps.
  template <Transport T, class K>
  void run(T& transport, Clock<T>& clock, K& kernel, const Order& order, int ranks) {
    const auto count = static_cast<std::size_t>(order.count);
    const auto alone_ns = work_alone(clock, kernel, order.work_ns);
    auto target_ns = order.start_ns;
    for (std::size_t i = 0; i < count; ++i, target_ns += order.period_ns) {
      Stamp& stamp = stamps_[i];
      stamp.work = alone_ns;
      stamp.is_root = is_root(transport, kernel);
      if (order.evict) kernel.evict();
      if (order.kind == Order::agreed) {
        const auto own_ns = clock.own_ns(target_ns);
        stamp.late = clock.now_ns() > own_ns;
        clock.wait_until_ns(own_ns);
      } else {
        stamp.late = 0;
        algorithms::dissemination_barrier(transport, ranks);
      }
      stamp.start = clock.read();
      perform(kernel, order.work_ns);
      stamp.end = clock.read();
      if constexpr (requires { kernel.step(); }) kernel.step();
    }
    put_together(transport, clock, order, ranks);
  }

  // Rank 0: finds a period by trying a round or a few behind barriers; gives back about how long a round takes.
  template <class Command, class ClockType>
  double lead(bool oversubscribed, bool cold, Command command, ClockType& clock, int ranks) {
    Order order;
    order.kind = Order::fenced;
    order.evict = cold_ = cold;
    empty_ns_ = empty_round_ns(clock);
    std::int64_t each_ns = 0;
    for (const std::int64_t count : {1, 4}) {
      if (each_ns > 5'000'000) break;
      order.count = count;
      const auto before = clock.now_ns();
      command(order);
      each_ns = (clock.now_ns() - before) / count;
    }
    pace_ = {};
    pace_.agreed = !oversubscribed;
    pace_.period_ns = 2 * each_ns + 2'000;
    pace_.slack_ns = 20'000 + 5'000 * ranks;
    if constexpr (ClockType::is_simulated) pace_.slack_ns = std::max(pace_.slack_ns, 4 * each_ns);  // a slow network
    for (auto& series : series_) series.clear();
    late_ = began_late_ = 0;
    return static_cast<double>(pace_.agreed ? pace_.period_ns : each_ns);
  }

  // Rank 0: takes so many rounds more, of a non-blocking collective as many again with arithmetic.
  template <class Command, class ClockType>
  void more(std::size_t count, Command command, ClockType& clock, int ranks) {
    take(count, 0, command, clock, ranks);
    if (overlapping_ && !series_[0].empty()) take(count, bare_ns(), command, clock, ranks);
  }

  // Whether rounds begin at an agreed time; else behind a barrier.
  bool agreed() const { return pace_.agreed; }
  const std::vector<std::int64_t>& completion() const { return series_[0]; }
  // Rounds that some rank reached or began late.
  std::int64_t late() const { return late_; }
  // What a round without any operation takes, already taken off the samples.
  std::int64_t empty_ns() const { return empty_ns_; }

  // In the order the facts name them. What rounds with arithmetic hid is held against the bare rounds' median.
  std::vector<std::pair<std::string, std::vector<std::int64_t>>> take_series() {
    static constexpr const char* series_names[] = {"completion", "root", "mean_rank", "imbalance",
                                                   "start_skew", "overlapped", "work", "hidden"};
    if (overlapping_) find_hidden();
    std::vector<std::pair<std::string, std::vector<std::int64_t>>> taken;
    for (std::size_t i = 0; i < (overlapping_ ? 8 : 5); ++i) taken.emplace_back(series_names[i], std::move(series_[i]));
    return taken;
  }

 private:
  static constexpr std::size_t overlapped = 5, work = 6, hidden = 7;
  static constexpr std::int64_t reached_late = 1, began_late = 2;
  struct Stamp {
    std::int64_t start = 0;
    std::int64_t end = 0;
    std::int64_t late = 0;  // reached_late or began_late
    std::int64_t work = 0;  // the arithmetic alone, on this rank
    std::int64_t is_root = 0;
  };
  struct Sum {
    std::int64_t first_start, last_start, first_end, last_end, busy, root, late, work;
  };

  // Every rank, after its rounds: stamps become times of the reference clock, and rank 0 gathers them.
  template <Transport T>
  void put_together(T& transport, Clock<T>& clock, const Order& order, int ranks) {
    const auto count = static_cast<std::size_t>(order.count);
    if (order.kind == Order::agreed) find_held_up(clock, order);  // by the scale of the clock that was waited on
    clock.calibrate();
    for (std::size_t i = 0; i < count; ++i) {
      stamps_[i].start = clock.reference_ns(clock.point_ns(stamps_[i].start));
      stamps_[i].end = clock.reference_ns(clock.point_ns(stamps_[i].end));
    }
    contents_matter(transport, true);
    gather(transport, count, ranks);
    contents_matter(transport, false);
  }

  template <class ClockType>
  static std::int64_t empty_round_ns(ClockType& clock) {
    std::vector<std::int64_t> empty;
    for (int trial = 0; trial < 33; ++trial) {
      const auto start = clock.read();
      const auto end = clock.read();
      empty.push_back(clock.length_ns(end - start));
    }
    return static_cast<std::int64_t>(series::median(empty));
  }

  // Rounds that this rank reached in time and yet began late: the system had something else for it to do.
  template <class ClockType>
  void find_held_up(ClockType& clock, const Order& order) {
    auto target_ns = order.start_ns;
    for (std::size_t i = 0; i < static_cast<std::size_t>(order.count); ++i, target_ns += order.period_ns)
      if (!stamps_[i].late && clock.point_ns(stamps_[i].start) - clock.own_ns(target_ns) > order.limit_ns)
        stamps_[i].late = began_late;
  }

  // What this chunk's arithmetic takes on this rank when nothing else goes on.
  template <class ClockType, class K>
  static std::int64_t work_alone(ClockType& clock, K& kernel, std::int64_t work_ns) {
    if constexpr (overlaps_of<K>()) {
      if (work_ns == 0) return 0;
      std::int64_t least = 0;
      for (int trial = 0; trial < 3; ++trial) {
        const auto before = clock.now_ns();
        kernel.work_alone(work_ns);
        const auto took = clock.now_ns() - before;
        least = trial == 0 ? took : std::min(least, took);
      }
      return least;
    }
    return 0;
  }

  template <class K>
  static void perform(K& kernel, [[maybe_unused]] std::int64_t work_ns) {
    if constexpr (overlaps_of<K>()) {
      if (work_ns > 0) return kernel.once_with_work(work_ns);
    }
    kernel.once();
  }

  template <Transport T, class K>
  static bool is_root(T& transport, K& kernel) {
    if constexpr (requires { kernel.root(); }) return transport.rank() == kernel.root();
    return transport.rank() == 0;
  }

  std::int64_t bare_ns() const { return std::max<std::int64_t>(1, static_cast<std::int64_t>(series::median(series_[0]))); }

  template <class Command, class ClockType>
  void take(std::size_t count, std::int64_t work_ns, Command command, ClockType& clock, int ranks) {
    const auto late_before = late_, began_late_before = began_late_;
    Order order;
    order.evict = cold_;
    order.work_ns = work_ns;
    order.kind = pace_.agreed ? Order::agreed : Order::fenced;
    order.period_ns = pace_.period_ns + work_ns;
    order.limit_ns = sampling::start_limit_ns(empty_ns_, clock.resolution_ns());
    order.count = pace_.rounds(count, order.period_ns);
    order.start_ns = clock.now_ns() + pace_.slack_ns + ranks * 1'000 + 4 * work_ns;  // the arithmetic alone comes first
    command(order);
    // Late rounds with arithmetic lengthen the period, but say nothing of the appointments of bare ones.
    const auto held_up = began_late_ - began_late_before;
    const auto missed = sampling::missed_rounds(order.count, late_ - late_before - held_up, held_up);
    const auto late = work_ns > 0 ? std::min(missed, order.count - 1) : missed;
    if (!pace_.keep(order.count, late, completion().size()))
      for (auto& series : series_) series.clear();  // the two kinds of rounds are never mixed
  }

  template <Transport T>
  void gather(T& transport, std::size_t count, int ranks) {
    if (transport.rank() != 0) {
      transport.send(stamps_.data(), count * sizeof(Stamp), 0, report_tag);
      return;
    }
    sums_.clear();
    for (std::size_t i = 0; i < count; ++i) {
      const auto& own = stamps_[i];
      sums_.push_back({own.start, own.start, own.end, own.end, 0, own.end - own.start, 0, 0});
      add(sums_[i], own);
    }
    for (int rank = 1; rank < ranks; ++rank) {
      transport.recv(stamps_.data(), count * sizeof(Stamp), rank, report_tag);
      for (std::size_t i = 0; i < count; ++i) add(sums_[i], stamps_[i]);
    }
    for (const Sum& sum : sums_) keep(sum, ranks);
  }

  static void add(Sum& sum, const Stamp& stamp) {
    sum.first_start = std::min(sum.first_start, stamp.start);
    sum.last_start = std::max(sum.last_start, stamp.start);
    sum.first_end = std::min(sum.first_end, stamp.end);
    sum.last_end = std::max(sum.last_end, stamp.end);
    sum.busy += stamp.end - stamp.start;
    if (stamp.late && sum.late != reached_late) sum.late = stamp.late;
    sum.work = std::max(sum.work, stamp.work);
    if (stamp.is_root) sum.root = stamp.end - stamp.start;
  }

  void keep(const Sum& sum, int ranks) {
    const auto without_clock = [&](std::int64_t ns) { return std::max<std::int64_t>(0, ns - empty_ns_); };
    if (sum.late > 0) {
      ++late_;
      began_late_ += sum.late == began_late;
    } else if (sum.work > 0) {
      series_[overlapped].push_back(without_clock(sum.last_end - sum.first_start));
      series_[work].push_back(without_clock(sum.work));
    } else {
      series_[0].push_back(without_clock(sum.last_end - sum.first_start));
      series_[1].push_back(without_clock(sum.root));
      series_[2].push_back(without_clock(sum.busy / ranks));
      series_[3].push_back(sum.last_end - sum.first_end);
      series_[4].push_back(sum.last_start - sum.first_start);
    }
  }

  // Bare time and arithmetic one after the other, less what both took together; between nothing and the bare time.
  void find_hidden() {
    if (series_[0].empty()) return;
    const auto bare = bare_ns();
    for (std::size_t i = 0; i < series_[overlapped].size(); ++i)
      series_[hidden].push_back(std::clamp<std::int64_t>(bare + series_[work][i] - series_[overlapped][i], 0, bare));
  }

  std::vector<Stamp> stamps_;
  std::vector<Sum> sums_;
  std::vector<std::int64_t> series_[8];
  std::int64_t late_ = 0, began_late_ = 0;
  std::int64_t empty_ns_ = 0;
  sampling::Pace pace_;
  bool overlapping_ = false;
  bool cold_ = false;
};

}  // namespace msgauge
