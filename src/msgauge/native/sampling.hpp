// How a cell is sampled: how many operations make a batch, when samples are looked at, when they are enough, and what
// happens to rounds that start late. Pure; docs/reference/sampling-policy.md says it in words, and the workers in other
// languages take the same decisions (tests/vectors/sampling).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "series.hpp"

namespace msgauge::sampling {

inline constexpr std::size_t most_batches = std::size_t{1} << 16;
inline constexpr std::size_t most_singles = std::size_t{1} << 17;
inline constexpr std::size_t longest_chunk = 1024;  // rounds between two gatherings
inline constexpr std::size_t batch_samples = 64;    // fewest that may end a cell early
inline constexpr std::size_t tail_samples = 10'000;  // the same of single operations: P99.9 needs them
inline constexpr std::size_t fewest = 3;
inline constexpr std::size_t few = 20;  // below, no transient can be told
inline constexpr int most_extensions = 3;
inline constexpr int all_late_limit = 4;  // orders in a row in which every round came late
inline constexpr int most_without_gain = 2 * all_late_limit;

// What readings of a clock say of it, in its own ticks.
struct ClockFacts {
  static constexpr double unseen = 1e9;
  double cost = unseen, step = unseen;
};

// Of several trials of readings in a row. A step as long as a reading says only that the clock is at least that fine,
// unless it stands still between one reading in twenty and the next.
inline ClockFacts clock_facts(const std::vector<std::vector<std::int64_t>>& trials) {
  ClockFacts facts;
  std::size_t pairs = 0, standing = 0;
  for (const auto& stamps : trials) {
    for (std::size_t i = 1; i < stamps.size(); ++i) {
      const auto step = stamps[i] - stamps[i - 1];
      if (step > 0) facts.step = std::min(facts.step, static_cast<double>(step));
      standing += step == 0;
    }
    pairs += stamps.size() - 1;
    const auto spent = static_cast<double>(stamps.back() - stamps.front());
    facts.cost = std::min(facts.cost, spent / static_cast<double>(stamps.size() - 1));
  }
  if (facts.step <= 2.0 * facts.cost && 20 * standing < pairs) facts.step = 1.0;
  return facts;
}

// How long a batch is to be: long against the clock, short against the budget, at most about 1 ms.
inline double batch_ns(std::int64_t budget_ns, double cost_ns, double resolution_ns) {
  const double least = std::max(200.0 * cost_ns, 20.0 * resolution_ns);
  return std::clamp(static_cast<double>(budget_ns) / 2000.0, least, std::max(least, 1e6));
}

struct BatchLength {
  std::int64_t operations;
  double each_ns;  // about how long one operation takes
};

// `trial(operations)`: the time of a batch of so many; `elapsed_ns()`: since the first trial. A tenth of the budget at most.
template <class Trial, class Elapsed>
BatchLength find_batch_length(std::int64_t budget_ns, double wanted_ns, Trial trial, Elapsed elapsed_ns) {
  double each_ns = trial(1);  // the very first may pay for connections
  for (std::int64_t operations = 1; elapsed_ns() < static_cast<double>(budget_ns) / 10.0; operations *= 2) {
    double took = trial(operations);
    if (took >= 0.5 * wanted_ns) took = std::min({took, trial(operations), trial(operations)});  // one may be disturbed
    each_ns = took / static_cast<double>(operations);
    if (took >= 0.5 * wanted_ns) break;
  }
  const auto operations = static_cast<std::int64_t>(wanted_ns / std::max(each_ns, 0.1) + 0.999);
  return {std::max<std::int64_t>(1, operations), each_ns};
}

// Says after each chunk whether the cell is done, and how many samples to take next.
class Stopping {
 public:
  // `sample_ns`: about how long one sample takes; `tails`: every operation is timed, for the tails.
  Stopping(std::int64_t budget_ns, double precision, std::size_t capacity, bool tails, double sample_ns)
      : budget_ns_(budget_ns), allowed_ns_(budget_ns), precision_(precision), capacity_(capacity), tails_(tails) {
    const double room = static_cast<double>(budget_ns) / std::max(1.0, sample_ns);
    chunk_ = std::clamp<std::size_t>(static_cast<std::size_t>(std::min(room, 10.0)), fewest, 10);
  }

  // How many samples are to be taken next.
  std::size_t chunk() const { return chunk_; }

  // Looks at all samples so far. `elapsed_ns`: since the first chunk; `took_ns`: the last chunk.
  bool done(const std::vector<std::int64_t>& values, std::int64_t elapsed_ns, std::int64_t took_ns) {
    const auto count = values.size();
    const auto gained = count > had_ ? static_cast<std::int64_t>(count - had_) : 1;
    without_gain_ = count > had_ ? 0 : without_gain_ + 1;
    had_ = count;
    warmup_ = series::mser5(values);
    stopped_ = reason(values, elapsed_ns);
    if (stopped_.empty()) plan_chunk(count, elapsed_ns, std::max<std::int64_t>(1, took_ns / gained));
    else if (count < few) warmup_ = {0, true};
    return !stopped_.empty();
  }

  const std::string& stopped() const { return stopped_; }
  series::Warmup warmup() const { return warmup_; }

 private:
  // Why the cell is done; empty while it is not. May extend the budget for a series that is not stationary yet.
  std::string reason(const std::vector<std::int64_t>& values, std::int64_t elapsed_ns) {
    if (values.size() >= capacity_) return "count";
    if (warmup_.stationary && precise(values)) return "precision";
    if (elapsed_ns < allowed_ns_ || (values.size() < fewest && without_gain_ <= most_without_gain)) return "";
    if (warmup_.stationary || extensions_ == most_extensions || values.size() < few) return "budget";
    allowed_ns_ += budget_ns_ / 2;
    ++extensions_;
    return "";
  }

  bool precise(const std::vector<std::int64_t>& values) const {
    if (values.size() - warmup_.dropped < (tails_ ? tail_samples : batch_samples)) return false;
    const auto first = values.begin() + static_cast<std::ptrdiff_t>(warmup_.dropped);
    return series::median_precision({first, values.end()}) <= precision_;
  }

  void plan_chunk(std::size_t count, std::int64_t elapsed_ns, std::int64_t each_ns) {
    const auto affordable = static_cast<std::size_t>(std::max<std::int64_t>(1, (allowed_ns_ - elapsed_ns) / each_ns));
    chunk_ = std::min({std::max<std::size_t>(count, 10), affordable, capacity_ - count});
    if (count < fewest) chunk_ = std::min(chunk_, fewest - count);
  }

  std::int64_t budget_ns_, allowed_ns_;
  double precision_;
  std::size_t capacity_;
  bool tails_;
  std::size_t chunk_ = fewest, had_ = 0;
  int extensions_ = 0, without_gain_ = 0;
  series::Warmup warmup_;
  std::string stopped_;
};

// A rank that begins a round later than this after the agreed time was held up between its arrival and its start.
inline std::int64_t start_limit_ns(std::int64_t empty_round_ns, double resolution_ns) {
  return static_cast<std::int64_t>(std::max(8.0 * static_cast<double>(empty_round_ns), 2.0 * resolution_ns));
}

// Rounds of an order that tell whether appointments can be kept: those reached late. Rounds that began late though all
// had arrived say nothing of it, unless no round is left.
inline std::int64_t missed_rounds(std::int64_t count, std::int64_t arrived_late, std::int64_t began_late) {
  return arrived_late + began_late >= count ? count : arrived_late;
}

// The appointments of rounds that begin at an agreed time.
struct Pace {
  std::int64_t period_ns = 0;
  std::int64_t slack_ns = 0;  // from the order to the first start
  bool agreed = true;         // else rounds begin behind a barrier

  // A rank that was interrupted is late until the end of its order: few rounds are lost where orders are short.
  std::int64_t rounds(std::size_t wanted, std::int64_t each_period_ns) const {
    const auto most = std::max<std::int64_t>(10, 2'000'000 / std::max<std::int64_t>(1, each_period_ns));
    return std::min({static_cast<std::int64_t>(wanted), static_cast<std::int64_t>(longest_chunk), most});
  }

  // After an order of `count` rounds of which `late` were; `good`: rounds in time so far. False: the ranks cannot keep
  // an appointment, and all begins anew behind barriers.
  bool keep(std::int64_t count, std::int64_t late, std::size_t good) {
    all_late_ = late < count ? 0 : all_late_ + 1;
    if (agreed && all_late_ >= all_late_limit && good < few) return agreed = false;
    if (20 * late > count) {
      period_ns += period_ns / 2;
      slack_ns = std::min<std::int64_t>(2 * slack_ns, 20'000'000);
    }
    return true;
  }

 private:
  int all_late_ = 0;
};

}  // namespace msgauge::sampling
