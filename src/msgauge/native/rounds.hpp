// Rounds of a collective: every rank stamps its own start and end on the common clock, and rank 0 puts them together.
//
// Where every rank has a core, all agree on a start a little ahead and spin to it; a round that some rank reached too
// late is counted and left out, and the period grows when more than one in twenty is. Where ranks share cores nobody
// can spin, so a dissemination barrier of our own comes before each round.
// Source: Hunold, Carpen-Amarie 2016, "Reproducible MPI benchmarking is still not as easy as you think".
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "conduct.hpp"

namespace msgauge {

class Rounds {
 public:
  void reserve(std::size_t longest) { stamps_.assign(longest, Stamp{}); }

  // Every rank: carries out the rounds of an order; then rank 0 gathers the stamps. Only once() is between stamps.
  template <Transport T, class K>
  void run(T& transport, Clock<T>& clock, K& kernel, const Order& order, int ranks) {
    const auto count = static_cast<std::size_t>(order.count);
    auto target_ns = order.start_ns;
    for (std::size_t i = 0; i < count; ++i, target_ns += order.period_ns) {
      Stamp& stamp = stamps_[i];
      if (order.kind == Order::agreed) {
        stamp.late = clock.now_ns() > target_ns;
        clock.wait_until_ns(target_ns);
      } else {
        stamp.late = 0;
        algorithms::dissemination_barrier(transport, ranks);
      }
      stamp.start = clock.read();
      kernel.once();
      stamp.end = clock.read();
    }
    clock.calibrate();
    for (std::size_t i = 0; i < count; ++i) {
      stamps_[i].start = clock.point_ns(stamps_[i].start);
      stamps_[i].end = clock.point_ns(stamps_[i].end);
    }
    gather(transport, count, ranks);
  }

  // Rank 0: finds a period by trying a round or a few behind barriers; gives back about how long a round takes.
  template <class Command, class ClockType>
  double lead(bool crowded, Command command, ClockType& clock, int ranks) {
    Order order;
    order.kind = Order::fenced;
    std::int64_t each_ns = 0;
    for (const std::int64_t count : {1, 4}) {
      if (each_ns > 5'000'000) break;
      order.count = count;
      const auto before = clock.now_ns();
      command(order);
      each_ns = (clock.now_ns() - before) / count;
    }
    agreed_ = !crowded;
    period_ns_ = 2 * each_ns + 2'000;
    slack_ns_ = 20'000 + 5'000 * ranks;
    if constexpr (ClockType::is_simulated) slack_ns_ = std::max(slack_ns_, 4 * each_ns);  // its network may be a slow one
    for (auto& series : series_) series.clear();
    late_ = 0;
    return static_cast<double>(agreed_ ? period_ns_ : each_ns);
  }

  // Rank 0: takes so many rounds more.
  template <class Command, class ClockType>
  void more(std::size_t count, Command command, ClockType& clock, int ranks) {
    const auto late_before = late_;
    Order order;
    order.kind = agreed_ ? Order::agreed : Order::fenced;
    // A rank that was interrupted is late until the end of its chunk: few rounds are lost where chunks are short.
    const auto most = std::max<std::int64_t>(10, chunk_ns / std::max<std::int64_t>(1, period_ns_));
    order.count = std::min({static_cast<std::int64_t>(count), static_cast<std::int64_t>(stamps_.size()), most});
    order.start_ns = clock.now_ns() + slack_ns_ + ranks * 1'000;
    order.period_ns = period_ns_;
    command(order);
    if (20 * (late_ - late_before) > order.count) {
      period_ns_ += period_ns_ / 2;
      slack_ns_ = std::min<std::int64_t>(2 * slack_ns_, 20'000'000);
    }
  }

  const std::vector<std::int64_t>& completion() const { return series_[0]; }
  std::int64_t late() const { return late_; }

  // The four series without their first `dropped` samples, in the order the facts name them.
  std::vector<std::pair<std::string, std::vector<std::int64_t>>> take_series(std::size_t dropped) {
    static constexpr const char* series_names[] = {"completion", "root", "mean_rank", "imbalance"};
    std::vector<std::pair<std::string, std::vector<std::int64_t>>> taken;
    for (std::size_t i = 0; i < 4; ++i) {
      series_[i].erase(series_[i].begin(), series_[i].begin() + static_cast<std::ptrdiff_t>(dropped));
      taken.emplace_back(series_names[i], std::move(series_[i]));
    }
    return taken;
  }

 private:
  static constexpr std::int64_t chunk_ns = 2'000'000;
  struct Stamp {
    std::int64_t start = 0;
    std::int64_t end = 0;
    std::int64_t late = 0;
  };
  struct Sum {
    std::int64_t first_start, last_start, first_end, last_end, busy, root, late;
  };

  template <Transport T>
  void gather(T& transport, std::size_t count, int ranks) {
    if (transport.rank() != 0) {
      transport.send(stamps_.data(), count * sizeof(Stamp), 0, report_tag);
      return;
    }
    sums_.clear();
    for (std::size_t i = 0; i < count; ++i) {
      const Stamp& own = stamps_[i];
      sums_.push_back({own.start, own.start, own.end, own.end, own.end - own.start, own.end - own.start, own.late});
    }
    for (int rank = 1; rank < ranks; ++rank) {
      transport.recv(stamps_.data(), count * sizeof(Stamp), rank, report_tag);
      for (std::size_t i = 0; i < count; ++i) add(sums_[i], stamps_[i]);
    }
    for (const Sum& sum : sums_) keep(sum, ranks);
  }

  static void add(Sum& sum, const Stamp& stamp) {
    sum.first_start = std::min(sum.first_start, stamp.start);
    sum.first_end = std::min(sum.first_end, stamp.end);
    sum.last_end = std::max(sum.last_end, stamp.end);
    sum.busy += stamp.end - stamp.start;
    sum.late += stamp.late;
  }

  void keep(const Sum& sum, int ranks) {
    if (sum.late > 0) {
      ++late_;
      return;
    }
    series_[0].push_back(sum.last_end - sum.first_start);
    series_[1].push_back(sum.root);
    series_[2].push_back(sum.busy / ranks);
    series_[3].push_back(sum.last_end - sum.first_end);
  }

  std::vector<Stamp> stamps_;
  std::vector<Sum> sums_;
  std::vector<std::int64_t> series_[4];
  std::int64_t late_ = 0;
  std::int64_t period_ns_ = 0;
  std::int64_t slack_ns_ = 0;
  bool agreed_ = true;
};

}  // namespace msgauge
