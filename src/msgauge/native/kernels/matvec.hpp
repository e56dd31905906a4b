// Matrix times vector: columns are scattered, every rank multiplies its own, a reduction adds up the vectors.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "../application.hpp"
#include "../facts.hpp"
#include "../transport.hpp"

namespace msgauge::kernels::matvec {

inline constexpr Facts facts{
    .name = "matvec",
    .title = "Matrix times vector",
    .meaning = "From the start of all ranks until rank 0 has y = A x, A of n x n doubles: scatter the columns of A, "
               "scatter x, multiply, reduce y. scatter and reduce are the times of those calls alone.",
    .source = "A comparison of LAM-MPI and MPICH messaging calls with cluster computing (jyi-lam-mpich), figures 6, 7",
    .minimum_ranks = 1,
    .maximum_ranks = 0,
    .bytes_moved = "0",
    .needs = "send recv",
    .options = "n=480|120|240|960|1920",
    .option_meanings =
        "n: rows and columns of the matrix\n",
    .series = "time compute communication cpu serial scatter reduce",
    .unit = "ns",
    .sized = false,
    .collective = false,
    .kind = "program",
    .pattern = "scatter-reduce",
    .aliases = "matrix-vector",
};

// into += columns * x; a column has n entries, one behind the other.
[[gnu::noinline]] inline void add_products(const double* columns, const double* x, std::size_t width, double* into,
                                           std::size_t n) {
  for (std::size_t column = 0; column < width; ++column, columns += n) {
    const double factor = x[column];
    for (std::size_t row = 0; row < n; ++row) into[row] += columns[row] * factor;
  }
}

template <Transport T>
class Run {
 public:
  static constexpr int events = 1;
  static constexpr bool self_timed = true;
  static constexpr bool fenced = true;
  static constexpr std::string_view common_clock = "time";
  enum Calls : std::size_t { scatter = application::first_call, reduce };

  static constexpr Coverage coverage(const Cell&) { return application::coverage_of_scatter_and_reduce<T>(); }

  Run(T& transport, const Cell& cell)
      : transport_(transport), first_(transport.rank() == 0), ranks_(cell.ranks),
        n_(static_cast<std::size_t>(application::number(cell, "n", facts))),
        width_((n_ + static_cast<std::size_t>(ranks_) - 1) / static_cast<std::size_t>(ranks_)),
        columns_(n_ * width_), x_(width_), part_(n_), scratch_(2 * n_) {
    if (!first_) return;
    const auto padded = width_ * static_cast<std::size_t>(ranks_);
    all_columns_.resize(n_ * padded);
    all_x_.resize(padded);
    y_.resize(n_);
    expected_.resize(n_);
  }

  template <class Clock>
  void once(Clock& clock, std::int64_t* values) {
    application::Phases<T, Clock> phases(clock, values);
    phases.calls(scatter, [&] {
      application::scatter(transport_, all_columns_.data(), columns_.data(), columns_.size() * sizeof(double), ranks_);
      application::scatter(transport_, all_x_.data(), x_.data(), x_.size() * sizeof(double), ranks_);
    });
    phases.computes([&] {
      std::fill(part_.begin(), part_.end(), 0.0);
      add_products(columns_.data(), x_.data(), width_, part_.data(), n_);
    });
    phases.calls(reduce,
                 [&] { application::reduce_sum(transport_, part_.data(), y_.data(), n_, scratch_.data(), ranks_); });
    phases.ends(reference_.ns());
  }

  static std::int64_t combine(std::size_t series, const std::int64_t* of_ranks, int ranks) {
    return application::combine(series, of_ranks, ranks);
  }

  // Columns beyond the n-th, there so that all blocks are equal, are zero.
  void prepare(int iteration) {
    const auto stream = static_cast<std::uint64_t>(iteration);
    for (std::size_t i = 0; i < all_columns_.size(); ++i) all_columns_[i] = entry_of_matrix(stream, i);
    for (std::size_t i = 0; i < all_x_.size(); ++i) all_x_[i] = entry_of_vector(stream, i);
    std::fill(columns_.begin(), columns_.end(), -1.0);
    std::fill(x_.begin(), x_.end(), -1.0);
    std::fill(y_.begin(), y_.end(), -1.0);
    reference_.run(transport_, ranks_, [&] {
      std::fill(expected_.begin(), expected_.end(), 0.0);
      add_products(all_columns_.data(), all_x_.data(), n_, expected_.data(), n_);
    });
  }

  // Every rank looks at what it was given, rank 0 at the answer.
  bool verify(int iteration) {
    const auto stream = static_cast<std::uint64_t>(iteration);
    const auto begin = static_cast<std::size_t>(transport_.rank()) * width_;
    for (std::size_t i = 0; i < columns_.size(); ++i)
      if (columns_[i] != entry_of_matrix(stream, begin * n_ + i)) return false;
    for (std::size_t i = 0; i < width_; ++i)
      if (x_[i] != entry_of_vector(stream, begin + i)) return false;
    return y_ == expected_;
  }

  void evict() {}

 private:
  double entry_of_matrix(std::uint64_t stream, std::size_t place) const {
    return place < n_ * n_ ? application::exact_entry(2 * stream, place) : 0.0;
  }
  double entry_of_vector(std::uint64_t stream, std::size_t place) const {
    return place < n_ ? application::exact_entry(2 * stream + 1, place) : 0.0;
  }

  T& transport_;
  bool first_;
  int ranks_;
  std::size_t n_, width_;  // columns of a rank
  std::vector<double> columns_, x_, part_, scratch_;
  std::vector<double> all_columns_, all_x_, y_, expected_;  // of rank 0 alone
  application::Reference<T> reference_;
};

}  // namespace msgauge::kernels::matvec
