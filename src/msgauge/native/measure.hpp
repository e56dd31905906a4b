// Measures one cell: check the payload, find out how long an operation takes, then take samples in contiguous chunks
// that double, looking at the result only between chunks. Between two clock reads there is the operation alone.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "conduct.hpp"
#include "costs.hpp"
#include "rounds.hpp"
#include "series.hpp"
#include "stamped.hpp"
#include "wire.hpp"

namespace msgauge {

using Series = std::vector<std::pair<std::string, std::vector<std::int64_t>>>;

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
  std::int64_t events = 0;  // messages or operations carried out, untimed ones too
  Cost cost;
};

// One rank's part in measuring one cell with kernel K.
template <Transport T, class K>
class Measurement {
 public:
  Measurement(T& transport, Clock<T>& clock, const wire::Limits& limits, const Cell& cell, const Facts& facts,
              int ranks, bool crowded)
      : transport_(transport), clock_(clock), limits_(limits), cell_(cell), ranks_(ranks), crowded_(crowded),
        kernel_(transport, cell) {
    if constexpr (StampsItself<K>) stamped_.reserve(facts.series, points());
    else if (facts.collective) how_ = How::rounds, rounds_.reserve(longest_chunk, overlaps<K>());
    else if (transport_.rank() == 0) stamps_.assign(2 * capacity() + 2, 0);
  }

  // Rank 0: leads, and gives back what was found.
  Result lead() {
    Result result;
    open();
    if (!limits_.check || from_the_start() || check_twice()) {
      measure(result);
      if constexpr (requires { kernel_.beside(); })
        for (auto& [name, values] : kernel_.beside()) {
          for (auto& value : values) value *= result.divisor;  // all series of a cell have the divisor of the first
          result.series.emplace_back(name, std::move(values));
        }
      if (limits_.check && !slow_ && !check(2)) spoil(result);
    } else {
      spoil(result);
    }
    result.events = performed_ * kernel_.events;
    give(transport_, Order{}, 1, ranks_);
    close();
    return result;
  }

  // Every other rank that takes part.
  void follow() {
    open();
    for (;;) {
      const Order order = take_order(transport_);
      if (order.kind == Order::finish) break;
      carry_out(order);
    }
    close();
  }

 private:
  static constexpr std::size_t most_batches = std::size_t{1} << 16;
  static constexpr std::size_t most_singles = std::size_t{1} << 17;
  static constexpr std::size_t longest_chunk = 1024;  // rounds between two gatherings
  static constexpr std::size_t tail_samples = 10'000;
  static constexpr std::size_t fewest = 3;
  static constexpr int most_in_vain = 2 * Rounds::barren_limit;
  enum class How { batches, rounds };

  // What a kernel keeps standing over all its operations (posted receives, requests made once) begins and ends here.
  void open() {
    if constexpr (requires { kernel_.open(); }) {
      kernel_.open();
      algorithms::dissemination_barrier(transport_, ranks_);
    }
  }
  void close() {
    if constexpr (requires { kernel_.close(); }) kernel_.close();
  }

  // How many values of each series one operation gives.
  std::size_t points() const {
    if constexpr (requires { kernel_.points(); }) return static_cast<std::size_t>(kernel_.points());
    return 1;
  }

  void measure(Result& result) {
    if constexpr (StampsItself<K>) lead_stamped(result);
    else if (how_ == How::rounds) lead_rounds(result);
    else lead_batches(result);
  }

  // Whether the very first operations are wanted: those that find connections and buffers as the launch left them.
  bool from_the_start() const {
    if constexpr (requires { kernel_.keeps_transient(); }) return kernel_.keeps_transient();
    return false;
  }

  bool singly() const { return cell_.mode == Mode::single || cell_.cache == CacheMode::cold; }
  std::size_t capacity() const { return singly() ? most_singles : most_batches; }

  void spoil(Result& result) {
    result = Result{};
    result.status = "wrong-bytes";
    result.reason = "a message arrived with other bytes than were sent";
  }

  // Does what the order says, as every rank of the cell does at this moment. False: this rank saw wrong bytes.
  bool carry_out(const Order& order) {
    performed_ += order.kind == Order::check ? 1 : order.lead_in + order.count * order.operations;
    if (order.kind == Order::check) return check_here(static_cast<int>(order.count));
    if constexpr (StampsItself<K>) stamped_.run(transport_, clock_, kernel_, order, ranks_);
    else if (order.kind == Order::batches) run_batches(order);
    else if (order.kind == Order::cold) run_cold(order.count);
    else rounds_.run(transport_, clock_, kernel_, order, ranks_);
    return true;
  }

  void command(const Order& order) {
    give(transport_, order, 1, ranks_);
    carry_out(order);
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
    return carry_out(order);
  }

  bool check_here(int iteration) {
    contents_matter(transport_, true);
    kernel_.prepare(iteration);
    algorithms::dissemination_barrier(transport_, ranks_);
    if constexpr (StampsItself<K>) stamped_.once(clock_, kernel_);
    else kernel_.once();
    const bool right = kernel_.verify(iteration);
    contents_matter(transport_, false);
    return all_agree(transport_, right, ranks_);
  }

  // --- point to point: batches or single operations, stamped by rank 0 -----------------------------------------------

  void run_batches(const Order& order) {
    for (std::int64_t left = order.lead_in; left > 0; --left) kernel_.once();
    if (transport_.rank() != 0) {
      for (std::int64_t left = order.count * order.operations; left > 0; --left) kernel_.once();
      return;
    }
    auto* stamp = stamps_.data();
    *stamp = clock_.read();
    for (std::int64_t batch = 0; batch < order.count; ++batch) {
      for (std::int64_t left = order.operations; left > 0; --left) kernel_.once();
      *++stamp = clock_.read();
    }
  }

  // Each operation meets memory that is in no cache; evicting and meeting again are not timed.
  void run_cold(std::int64_t count) {
    for (std::int64_t i = 0; i < count; ++i) {
      kernel_.evict();
      algorithms::dissemination_barrier(transport_, ranks_);
      const auto before = clock_.read();
      kernel_.once();
      const auto after = clock_.read();
      if (transport_.rank() == 0) {
        stamps_[static_cast<std::size_t>(2 * i)] = before;
        stamps_[static_cast<std::size_t>(2 * i + 1)] = after;
      }
    }
  }

  void lead_batches(Result& result) {
    const auto enough = operations_per_batch();
    const auto operations = singly() ? 1 : enough;
    std::vector<std::int64_t> values;
    values.reserve(capacity());
    Order order;
    order.kind = cell_.cache == CacheMode::cold ? Order::cold : Order::batches;
    order.operations = operations;
    order.lead_in = enough > 1 ? 2 : 0;
    result.divisor = operations * kernel_.events;
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

  // So many that a batch is long against the clock, and short against the budget; at most about 1 ms.
  std::int64_t operations_per_batch() {
    const double least = std::max(200.0 * clock_.cost_ns(), 20.0 * clock_.resolution_ns());
    const double wanted = std::clamp(static_cast<double>(limits_.cell_budget_ns) / 2000.0, least, std::max(least, 1e6));
    const auto begin = clock_.now_ns();
    const double patience = static_cast<double>(limits_.cell_budget_ns) / 10.0;
    each_ns_ = trial(1);  // the very first may pay for connections
    for (std::int64_t operations = 1; static_cast<double>(clock_.now_ns() - begin) < patience; operations *= 2) {
      double took = trial(operations);
      if (took >= 0.5 * wanted) took = std::min({took, trial(operations), trial(operations)});  // one may be disturbed
      each_ns_ = took / static_cast<double>(operations);
      if (took >= 0.5 * wanted) break;
    }
    return std::max<std::int64_t>(1, static_cast<std::int64_t>(wanted / std::max(each_ns_, 0.1) + 0.999));
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
    each_ns_ = rounds_.lead(crowded_, cold, [&](const Order& order) { command(order); }, clock_, ranks_);
    take_samples(result, rounds_.completion(), [&](std::size_t count) {
      rounds_.more(std::min(count, longest_chunk), [&](const Order& order) { command(order); }, clock_, ranks_);
    });
    result.mode = "single";
    result.start = rounds_.agreed() ? "agreed" : "barrier";
    result.late = rounds_.late();
    finish_levels(result, rounds_.completion());
    keep(result, rounds_.take_series());
  }

  // --- kernels that stamp themselves: every rank writes down its own times --------------------------------------------

  void lead_stamped(Result& result) {
    Order order;
    order.kind = Order::stamped;
    order.evict = cell_.cache == CacheMode::cold;
    result.divisor = kernel_.events;
    result.mode = "single";
    take_samples(result, stamped_.first(), [&](std::size_t count) {
      order.count = static_cast<std::int64_t>(std::max<std::size_t>(1, std::min(count, longest_chunk) / points()));
      command(order);
    });
    finish_levels(result, stamped_.first());
    result.points = points();
    if (points() > 1) result.stationary = true;  // a curve rises, and that is no transient
    if (from_the_start() || points() > 1) result.dropped = 0;
    keep(result, stamped_.take_series());
  }

  // --- when enough is enough: looked at only when the number of samples has doubled -----------------------------------

  template <class Take>
  void take_samples(Result& result, const std::vector<std::int64_t>& values, Take take) {
    const auto begin = clock_.now_ns();
    auto budget_ns = limits_.cell_budget_ns;
    std::size_t chunk = first_chunk(static_cast<double>(result.divisor) / static_cast<double>(kernel_.events));
    for (int extended = 0, in_vain = 0;;) {
      const auto before = clock_.now_ns();
      const auto had = values.size();
      take(chunk);
      const auto now = clock_.now_ns();
      const auto gained = values.size() > had ? static_cast<std::int64_t>(values.size() - had) : 1;
      in_vain = values.size() > had ? 0 : in_vain + 1;
      const auto each_ns = std::max<std::int64_t>(1, (now - before) / gained);
      const auto warmup = series::mser5(values);
      result.dropped = warmup.dropped;
      result.stationary = warmup.settled;
      const auto left_ns = budget_ns - (now - begin);
      const bool stuck = in_vain > most_in_vain;
      if (values.size() >= capacity()) result.stopped = "count";
      else if (warmup.settled && precise(values, warmup.dropped)) result.stopped = "precision";
      else if (left_ns <= 0 && (values.size() >= fewest || stuck)) {
        if (warmup.settled || extended == 3 || values.size() < 20) result.stopped = "budget";
        else budget_ns += limits_.cell_budget_ns / 2, ++extended;
      }
      if (!result.stopped.empty()) return;
      const auto affordable = static_cast<std::size_t>(std::max<std::int64_t>(1, (budget_ns - (now - begin)) / each_ns));
      chunk = std::min({std::max<std::size_t>(values.size(), 10), affordable, capacity() - values.size()});
      if (values.size() < fewest) chunk = std::min(chunk, fewest - values.size());
    }
  }

  // Ten samples, or as many as the budget has room for; never fewer than three.
  std::size_t first_chunk(double operations) const {
    const double room = static_cast<double>(limits_.cell_budget_ns) / std::max(1.0, each_ns_ * operations);
    return std::clamp<std::size_t>(static_cast<std::size_t>(std::min(room, 10.0)), fewest, 10);
  }

  bool precise(const std::vector<std::int64_t>& values, std::size_t dropped) const {
    const auto kept = values.size() - dropped;
    if (kept < (cell_.mode == Mode::single ? tail_samples : 64)) return false;
    return series::median_precision({values.begin() + static_cast<std::ptrdiff_t>(dropped), values.end()}) <=
           limits_.cell_precision;
  }

  // A series that never settled shows the level it began with and the one it ended with.
  void finish_levels(Result& result, const std::vector<std::int64_t>& values) {
    if (values.size() < 20) result.stationary = true, result.dropped = 0;
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
  const wire::Limits& limits_;
  const Cell& cell_;
  int ranks_;
  bool crowded_;
  K kernel_;
  std::vector<std::int64_t> stamps_;
  Rounds rounds_;
  Stamped stamped_;
  How how_ = How::batches;
  std::int64_t performed_ = 0;  // operations so far
  bool slow_ = false;   // an operation takes a good part of the budget
  double each_ns_ = 0;  // about how long one operation takes
};

}  // namespace msgauge
