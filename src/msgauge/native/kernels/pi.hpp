// Pi by the trapezoid rule: every rank adds up a stretch of the curve, a reduction adds up the stretches.
#pragma once

#include <cmath>
#include <cstdint>

#include "../application.hpp"
#include "../facts.hpp"
#include "../transport.hpp"

namespace msgauge::kernels::pi {

inline constexpr Facts facts{
    .name = "pi",
    .title = "Pi by the trapezoid rule",
    .meaning = "From the start of all ranks until rank 0 has pi: the area under 4/(1+x^2) from 0 to 1 in n trapezoids, "
               "each rank a stretch of them, and one reduction of a double.",
    .source = "A comparison of LAM-MPI and MPICH messaging calls with cluster computing (jyi-lam-mpich), figure 8",
    .minimum_ranks = 1,
    .maximum_ranks = 0,
    .bytes_moved = "0",
    .needs = "send recv",
    .options = "n=1000000|100000|10000000|100000000",
    .option_meanings =
        "n: trapezoids\n",
    .series = "time compute communication cpu serial reduce",
    .unit = "ns",
    .sized = false,
    .collective = false,
    .kind = "program",
    .pattern = "reduce",
};

// The area of trapezoids first to last-1 of n, in whole multiples of 2^-50: such parts add up exactly in any order, so
// the sum over the ranks has to be the serial one to the last bit. What that leaves out is below 1e-13 for 200 ranks.
[[gnu::noinline]] inline double area(std::int64_t n, std::int64_t first, std::int64_t last) {
  const auto curve = [width = 1.0 / static_cast<double>(n)](std::int64_t i) {
    const double x = static_cast<double>(i) * width;
    return 4.0 / (1.0 + x * x);
  };
  if (first >= last) return 0.0;
  double sum = 0.5 * (curve(first) + curve(last));
  for (std::int64_t i = first + 1; i < last; ++i) sum += curve(i);
  return std::nearbyint(std::ldexp(sum / static_cast<double>(n), 50)) * 0x1.0p-50;
}

template <Transport T>
class Run {
 public:
  static constexpr int events = 1;
  static constexpr bool self_timed = true;
  static constexpr bool fenced = true;
  static constexpr std::string_view common_clock = "time";

  static constexpr Coverage coverage(const Cell&) { return application::coverage_of_reduce<T>(); }

  Run(T& transport, const Cell& cell)
      : transport_(transport), ranks_(cell.ranks), n_(application::number(cell, "n", facts)) {}

  template <class Clock>
  void once(Clock& clock, std::int64_t* values) {
    application::Phases<T, Clock> phases(clock, values);
    double part = 0.0;
    phases.computes([&] { part = part_of(transport_.rank()); });
    phases.calls(application::first_call,
                 [&] { application::reduce_sum(transport_, &part, &answer_, 1, scratch_, ranks_); });
    phases.ends(reference_.ns());
  }

  static std::int64_t combine(std::size_t series, const std::int64_t* of_ranks, int ranks) {
    return application::combine(series, of_ranks, ranks);
  }

  void prepare(int) {
    answer_ = 0.0;
    reference_.run(transport_, ranks_, [&] {
      expected_ = 0.0;
      for (int rank = 0; rank < ranks_; ++rank) expected_ += part_of(rank);
    });
  }

  bool verify(int) {
    constexpr double exact = 3.14159265358979323846;
    return transport_.rank() != 0 || (answer_ == expected_ && std::abs(answer_ - exact) <= 1e-10);
  }

  void evict() {}

 private:
  double part_of(int rank) const { return area(n_, n_ * rank / ranks_, n_ * (rank + 1) / ranks_); }

  T& transport_;
  int ranks_;
  std::int64_t n_;
  application::Reference<T> reference_;
  double answer_ = 0.0;
  double expected_ = 0.0;
  double scratch_[2] = {};
};

}  // namespace msgauge::kernels::pi
