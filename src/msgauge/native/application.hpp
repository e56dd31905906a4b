// What the application programs share: a clock for their phases, the serial program they are held against, and their two
// collectives. An application is a kernel that stamps itself (self_timed.hpp); its first five series are always
//
//   time            from the start of the first rank until rank 0 has the answer
//   compute         mean over the ranks of what they computed
//   communication   mean over the ranks of what they spent in calls of the stack, waiting included
//   cpu             processor time of all ranks, added up
//   serial          the same answer by one rank alone, found in this launch while the others slept
//
// and those that follow are the time of one call each, on the rank that was in it longest.
#pragma once

#include <time.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <utility>
#include <vector>

#include "algorithms/reduce.hpp"
#include "algorithms/scatter_gather.hpp"
#include "clock.hpp"
#include "coordination.hpp"
#include "facts.hpp"
#include "series.hpp"

namespace msgauge::application {

enum Series : std::size_t { time_of_all, compute, communication, cpu, serial, first_call };

// The job's value of a series out of every rank's.
inline std::int64_t combine(std::size_t series, const std::int64_t* of_ranks, int ranks) {
  std::int64_t sum = 0;
  for (int rank = 0; rank < ranks; ++rank) sum += of_ranks[rank];
  switch (series) {
    case time_of_all:
    case serial: return of_ranks[0];
    case cpu: return sum;
    case compute:
    case communication: return sum / ranks;
    default: return *std::max_element(of_ranks, of_ranks + ranks);
  }
}

// The whole number that an option of the cell names.
inline std::int64_t number(const Cell& cell, std::string_view name, const Facts& facts) {
  const auto text = cell.option(name, facts);
  std::int64_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

// Processor time of this rank so far; none where time is simulated.
template <Transport T>
std::int64_t cpu_ns() {
  if constexpr (HasClock<T>) {
    return 0;
  } else {
    constexpr bool threads = requires { T::ranks_are_threads; };
    timespec now;
    clock_gettime(threads ? CLOCK_THREAD_CPUTIME_ID : CLOCK_PROCESS_CPUTIME_ID, &now);
    return std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
  }
}

// One operation of one rank, put down phase by phase.
template <Transport T, class Clock>
class Phases {
 public:
  Phases(Clock& clock, std::int64_t* values) : clock_(clock), values_(values), cpu_(cpu_ns<T>()) {
    if constexpr (!HasClock<T>) values_[-1] = clock.reference_ns(monotonic_ns());  // ranks that share a processor begin one after the other
    begin_ = clock.read();
  }

  template <class Do>
  void computes(Do action) {
    values_[compute] += lasting(action);
  }
  template <class Do>
  void communicates(Do action) {
    values_[communication] += lasting(action);
  }
  // A call of the stack that has a series of its own.
  template <class Do>
  void calls(std::size_t series, Do action) {
    const auto took = lasting(action);
    values_[communication] += took;
    values_[series] += took;
  }
  void ends(std::int64_t serial_ns) {
    values_[time_of_all] = clock_.length_ns(clock_.read() - begin_);
    values_[cpu] = cpu_ns<T>() - cpu_;
    values_[serial] = serial_ns;
  }

 private:
  template <class Do>
  std::int64_t lasting(Do& action) {
    const auto before = clock_.read();
    action();
    return clock_.length_ns(clock_.read() - before);
  }

  Clock& clock_;
  std::int64_t* values_;
  std::int64_t cpu_;
  std::int64_t begin_;
};

// 0 of none.
inline std::int64_t median_of(std::vector<std::int64_t> values) {
  return values.empty() ? 0 : static_cast<std::int64_t>(series::median(std::move(values)));
}

// The serial program's time: the median of its runs in this launch, as the program's own time is one; the quickest would
// make it look better than it is where runs vary. 0 while it has not run, and in simulated time.
template <Transport T>
class Reference {
 public:
  // Rank 0 runs it, and nobody else burns a processor meanwhile.
  template <class Serial>
  void run(T& transport, int ranks, Serial program) {
    if (transport.rank() != 0) {
      await_order_sleeping(transport);
      return;
    }
    std::int64_t together_ns = 0;
    for (std::size_t runs = 0; runs < most_runs && together_ns < patience_ns; ++runs) {
      const auto before = monotonic_ns();
      program();
      const auto took = monotonic_ns() - before;
      together_ns += took;
      if constexpr (!HasClock<T>) runs_ns_.push_back(took);
    }
    median_ns_ = median_of(runs_ns_);
    give(transport, Order{}, 1, ranks);
  }
  std::int64_t ns() const { return median_ns_; }

 private:
  static constexpr std::size_t most_runs = 3;  // in each check
  static constexpr std::int64_t patience_ns = 100'000'000;  // a program that takes longer than this runs once a check
  std::vector<std::int64_t> runs_ns_;
  std::int64_t median_ns_ = 0;
};

// --- the two collectives: the stack's own, else a reference algorithm --------------------------------------------------

template <Transport T>
constexpr Coverage coverage_of_reduce() {
  if (HasReduce<T>) return {};
  return {Coverage::Kind::emulated, "binomial", ""};
}

template <Transport T>
constexpr Coverage coverage_of_scatter_and_reduce() {
  if (HasReduce<T> && HasScatter<T>) return {};
  return {Coverage::Kind::emulated, HasReduce<T> ? "linear" : HasScatter<T> ? "binomial" : "linear,binomial", ""};
}

// Every rank's block of `bytes` out of rank 0's `from`.
template <Transport T>
void scatter(T& transport, const void* from, void* into, std::size_t bytes, int ranks) {
  if constexpr (HasScatter<T>) {
    transport.scatter(from, into, bytes, 0);
  } else {
    algorithms::CollectiveArgs part;
    part.rank = transport.rank();
    part.ranks = ranks;
    part.bytes = bytes;
    part.out = static_cast<const unsigned char*>(from);
    part.in = static_cast<unsigned char*>(into);
    algorithms::linear_scatter(transport, part);
  }
}

// The sum of all ranks' rows at rank 0. `scratch`: two rows more, which the stack's own reduction has no use for.
template <Transport T>
void reduce_sum(T& transport, const double* from, double* into, std::size_t count, double* scratch, int ranks) {
  if constexpr (HasReduce<T>) {
    transport.reduce(from, into, count, Element::float64, Operator::sum, 0);
  } else {
    algorithms::CollectiveArgs part;
    part.rank = transport.rank();
    part.ranks = ranks;
    part.bytes = count * sizeof(double);
    part.out = reinterpret_cast<const unsigned char*>(from);
    part.in = reinterpret_cast<unsigned char*>(into);
    part.scratch = reinterpret_cast<unsigned char*>(scratch);
    part.element = Element::float64;
    part.op = Operator::sum;
    part.count = count;
    part.combine = combine_of(Element::float64, Operator::sum);
    algorithms::binomial_reduce(transport, part);
  }
}

// --- numbers that repeat -------------------------------------------------------------------------------------------------

// The number at a place of a stream (splitmix64): any rank finds it without those before it.
inline std::uint64_t random_at(std::uint64_t stream, std::uint64_t place) {
  std::uint64_t z = (stream * 0xBF58476D1CE4E5B9U) ^ ((place + 1) * 0x9E3779B97F4A7C15U);
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9U;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBU;
  return z ^ (z >> 31);
}

// A whole number of 21 bits. Sums of up to 2048 products of two of them stay below 2^53: they are exact in doubles,
// whatever the order of the additions, so that the answer has to be the serial one to the last bit.
inline double exact_entry(std::uint64_t stream, std::uint64_t place) {
  return static_cast<double>((std::uint64_t{1} << 20) + (random_at(stream, place) >> 44));
}

}  // namespace msgauge::application
