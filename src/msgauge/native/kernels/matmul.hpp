// Matrix times matrix: columns of one and rows of the other are scattered, a reduction adds up the products.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "../application.hpp"
#include "../facts.hpp"
#include "../transport.hpp"

namespace msgauge::kernels::matmul {

inline constexpr Facts facts{
    .name = "matmul",
    .title = "Matrix times matrix",
    .meaning = "From the start of all ranks until rank 0 has C = A B of n x n doubles: scatter the columns of A, "
               "scatter the rows of B, multiply, reduce C. scatter and reduce are the times of those calls alone.",
    .source = "A comparison of LAM-MPI and MPICH messaging calls with cluster computing (jyi-lam-mpich), figures 6, 7",
    .minimum_ranks = 1,
    .maximum_ranks = 0,
    .bytes_moved = "0",
    .needs = "send recv",
    .options = "n=240|60|120|480|960",
    .option_meanings =
        "n: rows and columns of the matrix\n",
    .series = "time compute communication cpu serial scatter reduce",
    .unit = "ns",
    .sized = false,
    .collective = false,
    .kind = "program",
    .aliases = "dgemm matrix-multiplication",
};

// into += columns * rows; `into` lies row by row, as `rows` does, `columns` column by column.
[[gnu::noinline]] inline void add_products(const double* columns, const double* rows, std::size_t width, double* into,
                                           std::size_t n) {
  for (std::size_t i = 0; i < n; ++i, into += n) {
    for (std::size_t k = 0; k < width; ++k) {
      const double factor = columns[k * n + i];
      const double* row = rows + k * n;
      for (std::size_t j = 0; j < n; ++j) into[j] += factor * row[j];
    }
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
        width_((n_ + static_cast<std::size_t>(ranks_) - 1) / static_cast<std::size_t>(ranks_)), columns_(n_ * width_),
        rows_(n_ * width_), part_(n_ * n_), scratch_(2 * n_ * n_) {
    if (!first_) return;
    all_columns_.resize(columns_.size() * static_cast<std::size_t>(ranks_));
    all_rows_.resize(all_columns_.size());
    product_.resize(n_ * n_);
    expected_.resize(n_ * n_);
  }

  template <class Clock>
  void once(Clock& clock, std::int64_t* values) {
    application::Phases<T, Clock> phases(clock, values);
    const auto bytes = columns_.size() * sizeof(double);
    phases.calls(scatter, [&] {
      application::scatter(transport_, all_columns_.data(), columns_.data(), bytes, ranks_);
      application::scatter(transport_, all_rows_.data(), rows_.data(), bytes, ranks_);
    });
    phases.computes([&] {
      std::fill(part_.begin(), part_.end(), 0.0);
      add_products(columns_.data(), rows_.data(), width_, part_.data(), n_);
    });
    phases.calls(reduce, [&] {
      application::reduce_sum(transport_, part_.data(), product_.data(), part_.size(), scratch_.data(), ranks_);
    });
    phases.ends(reference_.ns());
  }

  static std::int64_t combine(std::size_t series, const std::int64_t* of_ranks, int ranks) {
    return application::combine(series, of_ranks, ranks);
  }

  // Columns and rows beyond the n-th, there so that all blocks are equal, are zero.
  void prepare(int iteration) {
    const auto stream = 2 * static_cast<std::uint64_t>(iteration);
    for (std::size_t i = 0; i < all_columns_.size(); ++i) {
      all_columns_[i] = entry(stream, i);
      all_rows_[i] = entry(stream + 1, i);
    }
    for (auto* row : {&columns_, &rows_, &product_}) std::fill(row->begin(), row->end(), -1.0);
    reference_.run(transport_, ranks_, [&] {
      std::fill(expected_.begin(), expected_.end(), 0.0);
      add_products(all_columns_.data(), all_rows_.data(), n_, expected_.data(), n_);
    });
  }

  // Every rank looks at what it was given, rank 0 at the answer.
  bool verify(int iteration) {
    const auto stream = 2 * static_cast<std::uint64_t>(iteration);
    const auto begin = static_cast<std::size_t>(transport_.rank()) * columns_.size();
    for (std::size_t i = 0; i < columns_.size(); ++i)
      if (columns_[i] != entry(stream, begin + i) || rows_[i] != entry(stream + 1, begin + i)) return false;
    return product_ == expected_;
  }

  void evict() {}

 private:
  double entry(std::uint64_t stream, std::size_t place) const {
    return place < n_ * n_ ? application::exact_entry(stream, place) : 0.0;
  }

  T& transport_;
  bool first_;
  int ranks_;
  std::size_t n_, width_;  // columns (of A) and rows (of B) of a rank
  std::vector<double> columns_, rows_, part_, scratch_;
  std::vector<double> all_columns_, all_rows_, product_, expected_;  // of rank 0 alone
  application::Reference<T> reference_;
};

}  // namespace msgauge::kernels::matmul
