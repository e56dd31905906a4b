// Measures one cell: check the payload, find out how long an operation takes, then take samples in contiguous chunks
// that double, looking at the result only between chunks. Between two clock reads there is the operation alone.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "cell_kernel.hpp"
#include "clock_sync.hpp"
#include "coordination.hpp"
#include "costs.hpp"
#include "rounds.hpp"
#include "sampling.hpp"
#include "series.hpp"
#include "self_timed.hpp"
#include "wire.hpp"

namespace msgauge {

// What rank 0 found out about a cell; series[0] is the one that is compared.
struct Result {
  std::string status = "ok";
  std::string reason;
  Series series;
  std::int64_t divisor = 1;
  std::string mode = "batch";
  std::string start;  // of collectives: agreed or barrier
  std::string stopped;
  bool stationary = true;
  double level_first = 0, level_last = 0;  // ns per event, when not stationary
  std::size_t dropped = 0;
  std::size_t points = 1;  // values of each series an operation, one after the other
  std::vector<std::int64_t> warmup;  // the samples dropped from series[0]
  std::int64_t late = 0;
  std::int64_t empty_ns = 0;  // of collectives: a round without operation, taken off every sample
  std::int64_t events = 0;  // messages or operations carried out, untimed ones too
  std::int64_t clock_error_ns = -1;  // of times of several clocks: by how much they may be wrong; else -1
  Cost cost;
};

// One rank's part in measuring one cell.
template <Transport T>
class Measurement {
 public:
  Measurement(T& transport, Clock<T>& clock, ClockSync<T>& sync, const wire::Limits& limits, const Cell& cell,
              const KernelEntry<T>& entry, int ranks, bool oversubscribed)
      : transport_(transport), clock_(clock), sync_(sync), limits_(limits), cell_(cell), ranks_(ranks), oversubscribed_(oversubscribed),
        kernel_(entry.make(transport, clock, cell, ranks)) {
    if (kernel_->is_self_timed())
      how_ = How::self_timed, self_timed_.reserve(entry.facts.series, kernel_->points(), kernel_->compared());
    else if (entry.facts.collective) how_ = How::rounds, rounds_.reserve(sampling::longest_chunk, kernel_->overlaps());
    else if (transport_.rank() == 0) stamps_.assign(2 * capacity() + 2, 0);
  }

  // Rank 0: leads, and gives back what was found.
  Result lead() {
    Result result;
    kernel_->open();
    if (!limits_.check || kernel_->keeps_transient() || check_twice()) {
      measure(result);
      for (auto& [name, values] : kernel_->extra_series()) {
        for (auto& value : values) value *= result.divisor;  // all series of a cell have the divisor of the first
        result.series.emplace_back(name, std::move(values));
      }
      if (limits_.check && !slow_ && !check(2)) mark_corrupt(result);
    } else {
      mark_corrupt(result);
    }
    result.events = performed_ * kernel_->events();
    give(transport_, Order{}, 1, ranks_);
    kernel_->close();
    return result;
  }

  // Every other rank that takes part.
  void follow() {
    kernel_->open();
    for (;;) {
      const Order order = take_order(transport_);
      if (order.kind == Order::finish) break;
      execute(order);
    }
    kernel_->close();
  }

 private:
  enum class How { batches, rounds, self_timed };

  void measure(Result& result) {
    switch (how_) {
      case How::batches: return lead_batches(result);
      case How::rounds: return lead_rounds(result);
      case How::self_timed: return lead_self_timed(result);
    }
  }

  bool singly() const { return cell_.mode == Mode::single || cell_.cache == CacheMode::cold; }
  std::size_t capacity() const { return singly() ? sampling::most_singles : sampling::most_batches; }

  void mark_corrupt(Result& result) {
    result = Result{};
    result.status = "wrong-bytes";
    result.reason = "a message arrived with other bytes than were sent";
  }

  // Does what the order says, as every rank of the cell does at this moment. False: this rank saw wrong bytes.
  bool execute(const Order& order) {
    performed_ += order.kind == Order::check ? 1 : order.kind == Order::clock ? 0 : order.lead_in + order.count * order.operations;
    if (order.kind == Order::check) return check_here(static_cast<int>(order.count));
    if (order.kind == Order::clock) return sync_.renew(), true;
    if (order.kind == Order::self_timed) kernel_->run_self_timed(order, self_timed_);
    else if (order.kind == Order::batches) kernel_->run_batches(order, stamps_.data());
    else if (order.kind == Order::cold) kernel_->run_cold(order.count, stamps_.data());
    else kernel_->run_rounds(order, rounds_);
    return true;
  }

  void command(const Order& order) {
    give(transport_, order, 1, ranks_);
    execute(order);
  }

  // --- payload: untimed ---------------------------------------------------------------------------------------------

  // A second look at other bytes, unless an operation takes a good part of the budget.
  bool check_twice() {
    const auto before = clock_.now_ns();
    if (!check(0)) return false;
    each_ns_ = static_cast<double>(clock_.now_ns() - before);
    slow_ = each_ns_ > static_cast<double>(limits_.cell_budget_ns) / 10.0;
    return slow_ || check(1);
  }

  bool check(int iteration) {
    Order order;
    order.kind = Order::check;
    order.count = iteration;
    give(transport_, order, 1, ranks_);
    return execute(order);
  }

  bool check_here(int iteration) {
    contents_matter(transport_, true);
    const bool right = kernel_->check(iteration, self_timed_);
    contents_matter(transport_, false);
    return all_agree(transport_, right, ranks_);
  }

  // --- point to point: batches or single operations, stamped by rank 0 -----------------------------------------------

  void lead_batches(Result& result) {
    const auto enough = operations_per_batch();
    const auto operations = singly() ? 1 : enough;
    std::vector<std::int64_t> values;
    values.reserve(capacity());
    Order order;
    order.kind = cell_.cache == CacheMode::cold ? Order::cold : Order::batches;
    order.operations = operations;
    order.lead_in = enough > 1 ? 2 : 0;
    result.divisor = operations * kernel_->events();
    take_samples(result, values, [&](std::size_t count) {
      order.count = static_cast<std::int64_t>(count);
      command(order);
      collect(order, values);
    });
    result.mode = singly() ? "single" : "batch";
    finish_levels(result, values);
    Series time;
    time.emplace_back("time", std::move(values));
    keep(result, std::move(time));
  }

  void collect(const Order& order, std::vector<std::int64_t>& values) {
    clock_.calibrate();
    const std::size_t step = order.kind == Order::cold ? 2 : 1;
    for (std::size_t i = 0; i < static_cast<std::size_t>(order.count); ++i)
      values.push_back(clock_.length_ns(stamps_[i * step + 1] - stamps_[i * step]));
  }

  std::int64_t operations_per_batch() {
    const auto wanted_ns = sampling::batch_ns(limits_.cell_budget_ns, clock_.cost_ns(), clock_.resolution_ns());
    const auto begin = clock_.now_ns();
    const auto found = sampling::find_batch_length(
        limits_.cell_budget_ns, wanted_ns, [&](std::int64_t operations) { return trial(operations); },
        [&] { return static_cast<double>(clock_.now_ns() - begin); });
    each_ns_ = found.each_ns;
    return found.operations;
  }

  double trial(std::int64_t operations) {
    Order order;
    order.kind = Order::batches;
    order.count = 1;
    order.operations = operations;
    command(order);
    return static_cast<double>(clock_.length_ns(stamps_[1] - stamps_[0]));
  }

  // --- collectives: rounds that all ranks stamp ------------------------------------------------------------------------

  void lead_rounds(Result& result) {
    const bool cold = cell_.cache == CacheMode::cold;
    each_ns_ = rounds_.lead(oversubscribed_, cold, [&](const Order& order) { command(order); }, clock_, ranks_);
    take_samples(result, rounds_.completion(), [&](std::size_t count) {
      rounds_.more(count, [&](const Order& order) { command(order); }, clock_, ranks_);
    });
    result.mode = "single";
    result.start = rounds_.agreed() ? "agreed" : "barrier";
    result.late = rounds_.late();
    result.empty_ns = rounds_.empty_ns();
    finish_levels(result, rounds_.completion());
    keep(result, rounds_.take_series());
  }

  // --- kernels that stamp themselves: every rank writes down its own times --------------------------------------------

  void lead_self_timed(Result& result) {
    Order order;
    order.kind = Order::self_timed;
    order.evict = cell_.cache == CacheMode::cold;
    const auto points = kernel_->points();
    result.divisor = kernel_->events();
    result.mode = "single";
    take_samples(result, self_timed_.first(), [&](std::size_t count) {
      order.count = static_cast<std::int64_t>(std::max<std::size_t>(1, std::min(count, sampling::longest_chunk) / points));
      command(order);
    });
    finish_levels(result, self_timed_.first());
    result.points = points;
    if (points > 1) result.stationary = true;  // a curve rises, and that is no transient
    if (kernel_->keeps_transient() || points > 1) result.dropped = 0;
    keep(result, self_timed_.take_series());
  }

  // --- when enough is enough: looked at only when the number of samples has doubled -----------------------------------

  template <class Take>
  void take_samples(Result& result, const std::vector<std::int64_t>& values, Take take) {
    const auto operations = static_cast<double>(result.divisor) / static_cast<double>(kernel_->events());
    sampling::Stopping stopping(limits_.cell_budget_ns, limits_.cell_precision, capacity(), cell_.mode == Mode::single,
                                each_ns_ * operations);
    const auto begin = clock_.now_ns();
    for (bool done = false; !done;) {
      if (ranks_ == transport_.size() && sync_.is_due()) synchronise_clocks();
      const auto before = clock_.now_ns();
      take(stopping.chunk());
      const auto now = clock_.now_ns();
      done = stopping.done(values, now - begin, now - before);
    }
    result.stopped = stopping.stopped();
    result.dropped = stopping.warmup().dropped;
    result.stationary = stopping.warmup().stationary;
  }

  void synchronise_clocks() {
    Order order;
    order.kind = Order::clock;
    command(order);
  }

  // A series that never became stationary shows the level it began with and the one it ended with.
  void finish_levels(Result& result, const std::vector<std::int64_t>& values) {
    if (result.stationary) return;
    const auto half = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    result.level_first = series::median({values.begin(), half}) / static_cast<double>(result.divisor);
    result.level_last = series::median({half, values.end()}) / static_cast<double>(result.divisor);
  }

  // The series without their warm-up, which is kept beside them.
  static void keep(Result& result, Series series) {
    const auto dropped = static_cast<std::ptrdiff_t>(result.dropped);
    const auto& first = series.front().second;
    result.warmup.assign(first.begin(), first.begin() + dropped);
    const auto taken = first.size();  // rounds with arithmetic stand in series of their own length
    for (auto& [name, values] : series)
      if (values.size() == taken) values.erase(values.begin(), values.begin() + dropped);
    result.series = std::move(series);
  }

  T& transport_;
  Clock<T>& clock_;
  ClockSync<T>& sync_;
  const wire::Limits& limits_;
  const Cell& cell_;
  int ranks_;
  bool oversubscribed_;
  std::unique_ptr<CellKernel<T>> kernel_;
  std::vector<std::int64_t> stamps_;
  Rounds rounds_;
  SelfTimedSeries self_timed_;
  How how_ = How::batches;
  std::int64_t performed_ = 0;  // operations so far
  bool slow_ = false;   // an operation takes a good part of the budget
  double each_ns_ = 0;  // about how long one operation takes
};

}  // namespace msgauge
