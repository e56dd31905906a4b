// Kernels that read the clock themselves, because what they measure lies inside one operation: the time a message takes
// on the sender's side and on the receiver's, how full the buffers are at each moment, the phases of an application.
//
// Such a kernel's Run says `static constexpr bool self_timed = true` and gives, instead of once():
//
//   template <class Clock> void once(Clock& clock, std::int64_t* values);
//       one operation, on every rank; values[s], which is 0 before, becomes the nanoseconds of series s of the facts on this rank,
//       and is left alone where this rank has none
//   static std::int64_t combine(std::size_t series, const std::int64_t* of_ranks, int ranks);
//       at rank 0, untimed: one value for the job out of every rank's
//
// and, where it wants them:
//
//   static constexpr bool fenced = true;     a dissemination barrier of our own before each operation
//   bool keeps_transient() const;            true: nothing runs before the first sample and no sample is dropped
//   void lead_in();                          untimed, on every rank, before the first operation of each chunk
//   std::size_t points() const;              so many values of each series an operation, one after the other in time
//                                            (values[point * series + s]); then no sample is dropped either
//   std::size_t compared() const;            the series that stacks are compared by, where it is not the first one
//   static constexpr std::string_view common_clock = "...";   its series that compare times of ranks, which
//                                            clock.reference_ns() gives by one clock
//
// values[-1], where a kernel writes it, is when this rank began, by a clock that all ranks read: rank 0's first series is
// then counted from the beginning of the first of them.
//
// Ranks put down their values in memory that is there already; rank 0 asks for them between chunks of operations.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "coordination.hpp"

namespace msgauge {

template <class K>
concept SelfTimed = requires { requires K::self_timed; };

// The series that compare times which ranks took by their own clocks.
template <class K>
constexpr std::string_view common_clock_of(bool collective) {
  if constexpr (requires { K::common_clock; }) return K::common_clock;
  return collective ? "completion imbalance start_skew overlapped hidden" : "";
}

template <class K>
constexpr bool fenced_of() {
  if constexpr (requires { K::fenced; }) return K::fenced;
  return false;
}

class SelfTimedSeries {
 public:
  static constexpr std::size_t longest_chunk = 1024;  // operations between two gatherings

  // Every rank, before measuring: room for the values of the longest chunk. Names: the facts' list of series; `compared`: by
  // which of them stacks are compared.
  void reserve(std::string_view names, std::size_t points, std::size_t compared) {
    compared_ = compared;
    while (!names.empty()) {
      const auto end = names.find(' ');
      names_.emplace_back(names.substr(0, end));
      names.remove_prefix(end == std::string_view::npos ? names.size() : end + 1);
    }
    series_.resize(names_.size());
    each_ = 1 + points * names_.size();
    values_.assign(std::max(longest_chunk * (1 + names_.size()), each_), 0);
  }

  // Every rank: carries out the operations of an order; then rank 0 gathers what each wrote down.
  template <Transport T, class K>
  void run(T& transport, Clock<T>& clock, K& kernel, const Order& order, int ranks) {
    const auto count = static_cast<std::size_t>(order.count) * each_;
    std::fill_n(values_.begin(), count, 0);
    clock.calibrate();
    if constexpr (requires { kernel.lead_in(); }) kernel.lead_in();
    for (std::size_t at = 0; at < count; at += each_) {
      if (order.evict) kernel.evict();
      if (fenced_of<K>() || order.evict) algorithms::dissemination_barrier(transport, ranks);
      kernel.once(clock, values_.data() + at + 1);
    }
    contents_matter(transport, true);
    gather(transport, count, ranks, &K::combine);
    contents_matter(transport, false);
  }

  // One operation whose times nobody wants.
  template <Transport T, class K>
  void once(Clock<T>& clock, K& kernel) {
    std::fill_n(values_.begin(), each_, 0);
    kernel.once(clock, values_.data() + 1);
  }

  // The job's values of the series that is compared.
  const std::vector<std::int64_t>& first() const { return series_[compared_]; }

  // All series: the one that is compared, then the others in the order the facts name them.
  std::vector<std::pair<std::string, std::vector<std::int64_t>>> take_series() {
    std::vector<std::pair<std::string, std::vector<std::int64_t>>> taken;
    for (std::size_t i = 0; i < names_.size(); ++i) taken.emplace_back(names_[i], std::move(series_[i]));
    const auto compared = taken.begin() + static_cast<std::ptrdiff_t>(compared_);
    std::rotate(taken.begin(), compared, compared + 1);
    return taken;
  }

 private:
  using Combine = std::int64_t (*)(std::size_t series, const std::int64_t* of_ranks, int ranks);

  template <Transport T>
  void gather(T& transport, std::size_t count, int ranks, Combine combine) {
    if (transport.rank() != 0) {
      transport.send(values_.data(), count * sizeof(std::int64_t), 0, report_tag);
      return;
    }
    const auto width = static_cast<std::size_t>(ranks);
    of_ranks_.resize(count * width);
    for (int rank = 0; rank < ranks; ++rank) {
      if (rank > 0) transport.recv(values_.data(), count * sizeof(std::int64_t), rank, report_tag);
      for (std::size_t i = 0; i < count; ++i) of_ranks_[i * width + static_cast<std::size_t>(rank)] = values_[i];
    }
    for (std::size_t i = 0; i < count; i += each_) {
      auto* rows = &of_ranks_[i * width];
      rows[width] += rows[0] - *std::min_element(rows, rows + width);
      for (std::size_t value = 0; value + 1 < each_; ++value) {
        rows += width;
        series_[value % names_.size()].push_back(combine(value % names_.size(), rows, ranks));
      }
    }
  }

  std::vector<std::string> names_;
  std::size_t compared_ = 0;
  std::size_t each_ = 0;  // places of an operation: its beginning, then its series
  std::vector<std::int64_t> values_;                // of this rank: operation by operation, its series side by side
  std::vector<std::int64_t> of_ranks_;              // at rank 0: as values_, each the values of all ranks
  std::vector<std::vector<std::int64_t>> series_;  // at rank 0: what the job's values are
};

}  // namespace msgauge
