// The clocks of ranks on several hosts against rank 0's, before and after every series that compares times of ranks.
//
// Ranks of one running system and one time namespace read one clock; the first of them speaks for all (a leader). Where all
// ranks read one clock, nothing of this runs. Leaders stand in a tree, eight below each; every leader learns from the one
// above, who answers in what it takes for rank 0's time and says how wrong that may be. So the time that it takes grows
// with the logarithm of the number of hosts, and errors add up along two or three links.
// Source: Hunold, Carpen-Amarie 2018, "Hierarchical clock synchronization in MPI" (HCA3: top down, each from a clock that is
// global already); the estimate itself, with its bounds: clock_band.hpp.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "algorithms.hpp"
#include "clock.hpp"
#include "clock_band.hpp"
#include "coordination.hpp"
#include "transport.hpp"
#include "wire.hpp"

namespace msgauge {

inline constexpr int clock_tag = 32012;

template <Transport T>
class ClockSync {
 public:
  ClockSync(T& transport, Clock<T>& clock) : transport_(transport), clock_(clock) {}

  // Every rank, once: who reads one clock. `identity` is the same for those who do.
  void find_leaders(const std::string& identity) {
    const auto size = static_cast<std::size_t>(transport_.size());
    leader_of_.assign(size, 0);
    std::array<char, 256> text{};
    identity.copy(text.data(), text.size() - 1);
    if (transport_.rank() == 0) {
      std::vector<std::array<char, 256>> all(size, text);
      for (std::size_t rank = 1; rank < size; ++rank)
        transport_.recv(all[rank].data(), text.size(), static_cast<int>(rank), report_tag);
      for (std::size_t rank = 0; rank < size; ++rank)
        leader_of_[rank] = static_cast<std::int32_t>(std::find(all.begin(), all.end(), all[rank]) - all.begin());
    } else {
      transport_.send(text.data(), text.size(), 0, report_tag);
    }
    algorithms::binomial_bcast(transport_, leader_of_.data(), size * sizeof(std::int32_t), 0, transport_.size());
    for (std::size_t rank = 0; rank < size; ++rank)
      if (leader_of_[rank] == static_cast<int>(rank)) leaders_.push_back(static_cast<int>(rank));
  }

  // Whether ranks read several clocks.
  bool needed() const { return leaders_.size() > 1; }

  // Every rank, where a series begins; the end of the one just before will do. `compares`: it compares times of ranks.
  void begin_series(bool compares) {
    compares_ = compares && needed();
    if (compares_ && !fresh_) synchronise();
    fresh_ = false;
    worst_ns_ = 0;
    begun_ns_ = clock_.now_ns();
  }

  // Rank 0, in a long series: whether it is time to do so again. A twentieth of the time may go to it.
  bool is_due() {
    return compares_ && clock_.now_ns() - begun_ns_ > std::max<std::int64_t>(100'000'000, 20 * took_ns_);
  }

  // Every rank: does so again, and notes how wrong the times were that the line before gave.
  void renew() {
    const auto used = clock_.line();
    synchronise();
    if (band_.knots() > 0) worst_ns_ = std::max(worst_ns_, band_.error_ns(used, begun_ns_, clock_.now_ns()));
    begun_ns_ = clock_.now_ns();
  }

  // Every rank, where it ends; rank 0 gives back by how much a difference of times of two of the first `ranks` ranks can
  // be wrong because of their clocks; -1 where one clock is read, or times of ranks are not compared.
  std::int64_t end_series(int ranks) {
    if (!compares_) return -1;
    renew();
    fresh_ = true;
    return error_of_difference(ranks, worst_ns_);
  }

  // Every rank: learns its clock's line once more.
  void synchronise() {
    if (!needed()) return;
    clock_.calibrate();
    const auto begin = clock_.now_ns();
    const int rank = transport_.rank(), leader = leader_of_[static_cast<std::size_t>(rank)];
    if (leader != rank) {
      transport_.recv(&known_, sizeof known_, leader, clock_tag);
    } else {
      const auto place = static_cast<std::size_t>(std::find(leaders_.begin(), leaders_.end(), rank) - leaders_.begin());
      if (place > 0) learn(leaders_[(place - 1) / below_each]);
      for (std::size_t below = below_each * place + 1; below <= below_each * (place + 1) && below < leaders_.size(); ++below)
        teach(leaders_[below]);
      for (int member = rank + 1; member < transport_.size(); ++member)
        if (leader_of_[static_cast<std::size_t>(member)] == rank) transport_.send(&known_, sizeof known_, member, clock_tag);
    }
    clock_.adopt(known_.line);
    took_ns_ = clock_.now_ns() - begin;
  }

  // Every rank: by how much times since `from_ns` (this clock's) may be wrong, as they are translated now.
  std::int64_t error_since(std::int64_t from_ns) {
    return known_.line.same ? 0 : std::max(known_.line.error_at(from_ns), known_.line.error_at(clock_.now_ns()));
  }

  // Every rank, with its own error; at rank 0: that of a difference of times of two hosts among the first `ranks` ranks.
  std::int64_t error_of_difference(int ranks, std::int64_t own) {
    const int rank = transport_.rank();
    if (rank != 0) {
      if (leader_of_[static_cast<std::size_t>(rank)] == rank) transport_.send(&own, sizeof own, 0, clock_tag);
      return 0;
    }
    std::int64_t worst = 0, second = 0;
    for (const int leader : leaders_) {
      if (leader > 0) transport_.recv(&own, sizeof own, leader, clock_tag);
      if (leader >= ranks) continue;  // it is the first of its host, so none of these is there
      second = std::max(second, std::min(worst, own));
      worst = std::max(worst, own);
    }
    return worst + second;
  }

  // By how much this rank's clock is ahead of rank 0's, and how fast it gets further ahead.
  void describe(wire::Header& header) {
    const auto now = clock_.now_ns();
    const auto there = known_.line.reference_ns(now);
    header.add("rank", std::int64_t{transport_.rank()}).add("at_ns", there).add("offset_ns", now - there);
    header.add("offset_error_ns", known_.line.error_at(now)).add("drift_ppm", 0.0 - 1e6 * known_.line.slope);
    header.add("drift_error_ppm", known_.line.slope_error * 1e6).add("round_trip_ns", known_.round_trip_ns);
    header.add("uneven", known_.uneven);
  }

 private:
  static constexpr std::size_t below_each = 8;
  static constexpr int fewest = 4, most = 64, without_gain = 10;
  static constexpr std::int64_t enough_ns = 5'000'000;  // after the first few exchanges

  // What a leader tells the ranks that read the same clock.
  struct Known {
    ClockLine line;
    std::int64_t round_trip_ns = 0, uneven = 0;
  };
  // Times of rank 0's clock, as good as the sender knows it.
  struct Answer {
    std::int64_t asked_ns = 0, answered_ns = 0, error_ns = 0;
  };

  void learn(int above) {
    ClockKnot knot;
    std::int64_t round_trip_ns = 0;
    const auto begin = clock_.now_ns();
    int since_gain = 0;
    for (int count = 1;; ++count) {
      const auto before = clock_.now_ns();
      const bool late = before - begin > enough_ns || since_gain >= without_gain || count == most;
      const char more = !(count >= fewest && late);
      Answer answer;
      transport_.send(&more, 1, above, clock_tag);
      transport_.recv(&answer, sizeof answer, above, clock_tag);
      const auto after = clock_.now_ns();
      const ClockKnot found{after, answer.answered_ns - answer.error_ns - after,
                            before, answer.asked_ns + answer.error_ns - before};
      const auto width = knot.width_ns();
      const auto took = after - before - (answer.answered_ns - answer.asked_ns);
      if (count == 1) knot = found, round_trip_ns = took;
      if (found.least_ns > knot.least_ns) knot.least_ns = found.least_ns, knot.least_at_ns = found.least_at_ns;
      if (found.most_ns < knot.most_ns) knot.most_ns = found.most_ns, knot.most_at_ns = found.most_at_ns;
      round_trip_ns = std::min(round_trip_ns, took);
      since_gain = count == 1 || 50 * knot.width_ns() < 49 * width ? 0 : since_gain + 1;
      if (!more) break;
    }
    band_.add(knot);
    known_ = {band_.line(clock_.now_ns()), round_trip_ns, band_.uneven()};
  }

  void teach(int below) {
    for (char more = 1; more;) {
      transport_.recv(&more, 1, below, clock_tag);
      Answer answer;
      const auto asked = clock_.now_ns();
      answer.error_ns = known_.line.error_at(asked);
      answer.asked_ns = known_.line.reference_ns(asked);
      answer.answered_ns = known_.line.reference_ns(clock_.now_ns());
      transport_.send(&answer, sizeof answer, below, clock_tag);
    }
  }

  T& transport_;
  Clock<T>& clock_;
  std::vector<std::int32_t> leader_of_;
  std::vector<int> leaders_;
  ClockBand band_;  // of leaders other than rank 0
  Known known_;
  std::int64_t begun_ns_ = 0;  // what is measured since is translated by one line
  std::int64_t worst_ns_ = 0;  // of this series, so far
  std::int64_t took_ns_ = 0;
  bool compares_ = false;
  bool fresh_ = false;
};

}  // namespace msgauge
