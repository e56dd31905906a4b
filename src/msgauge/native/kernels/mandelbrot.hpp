// The Mandelbrot set in blocks of columns: nobody talks until every block is done, then all go to rank 0.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "../application.hpp"
#include "../facts.hpp"
#include "../transport.hpp"

namespace msgauge::kernels::mandelbrot {

inline constexpr Facts facts{
    .name = "mandelbrot",
    .title = "Mandelbrot set",
    .meaning = "From the start of all ranks until rank 0 has the whole picture of side x side points: each rank "
               "computes a block of columns and sends it to rank 0. collect is the time of that.",
    .source = "MPI from scripting languages (shue-scripting), 4800 x 4800 points",
    .minimum_ranks = 1,
    .maximum_ranks = 0,
    .bytes_moved = "0",
    .needs = "send recv",
    .options = "side=480|240|1200|2400|4800",
    .option_meanings =
        "side: points along each side of the picture\n",
    .series = "time compute communication cpu serial collect",
    .unit = "ns",
    .sized = false,
    .collective = false,
    .kind = "program",
    .pattern = "gather-blocks",
    .aliases = "fractal",
};

using Count = std::uint16_t;
inline constexpr int most_steps = 256;

// How many steps each point of a column takes to leave the circle of radius 2, at most 256. One function for the serial
// picture and the blocks, never inlined, so that both are the same instructions and give the same bits.
[[gnu::noinline]] inline void draw_column(std::int64_t column, std::int64_t side, Count* into) {
  const double scale = 3.0 / static_cast<double>(side);
  const double real = -2.25 + scale * static_cast<double>(column);
  for (std::int64_t row = 0; row < side; ++row) {
    const double imaginary = -1.5 + scale * static_cast<double>(row);
    double x = 0.0, y = 0.0, xx = 0.0, yy = 0.0;
    int steps = 0;
    for (; steps < most_steps && xx + yy <= 4.0; ++steps) {
      y = 2.0 * x * y + imaginary;
      x = xx - yy + real;
      xx = x * x;
      yy = y * y;
    }
    into[row] = static_cast<Count>(steps);
  }
}

template <Transport T>
class Run {
 public:
  static constexpr int events = 1;
  static constexpr bool self_timed = true;
  static constexpr bool fenced = true;
  static constexpr std::string_view common_clock = "time";

  static constexpr Coverage coverage(const Cell&) { return {}; }

  Run(T& transport, const Cell& cell)
      : transport_(transport), rank_(transport.rank()), ranks_(cell.ranks),
        side_(application::number(cell, "side", facts)) {
    const auto columns = rank_ == 0 ? side_ : begin(rank_ + 1) - begin(rank_);
    picture_.resize(static_cast<std::size_t>(columns * side_));
    if (rank_ == 0) expected_.resize(picture_.size());
  }

  template <class Clock>
  void once(Clock& clock, std::int64_t* values) {
    application::Phases<T, Clock> phases(clock, values);
    phases.computes([&] { draw(begin(rank_), begin(rank_ + 1), picture_.data()); });
    phases.calls(application::first_call, [&] { collect(); });
    phases.ends(reference_.ns());
  }

  static std::int64_t combine(std::size_t series, const std::int64_t* of_ranks, int ranks) {
    return application::combine(series, of_ranks, ranks);
  }

  void prepare(int) {
    std::fill(picture_.begin(), picture_.end(), Count{0xEEEE});
    reference_.run(transport_, ranks_, [&] { draw(0, side_, expected_.data()); });
  }

  bool verify(int) { return rank_ != 0 || picture_ == expected_; }

  void evict() {}

 private:
  static constexpr int tag = 7;

  std::int64_t begin(int rank) const { return side_ * rank / ranks_; }
  std::size_t bytes(int rank) const {
    return static_cast<std::size_t>((begin(rank + 1) - begin(rank)) * side_) * sizeof(Count);
  }

  void draw(std::int64_t first, std::int64_t last, Count* into) const {
    for (auto column = first; column < last; ++column, into += side_) draw_column(column, side_, into);
  }

  void collect() {
    if (rank_ != 0) return transport_.send(picture_.data(), bytes(rank_), 0, tag);
    for (int rank = 1; rank < ranks_; ++rank)
      transport_.recv(picture_.data() + begin(rank) * side_, bytes(rank), rank, tag);
  }

  T& transport_;
  int rank_;
  int ranks_;
  std::int64_t side_;
  std::vector<Count> picture_;   // column by column: the whole at rank 0, else the own block
  std::vector<Count> expected_;  // of rank 0 alone
  application::Reference<T> reference_;
};

}  // namespace msgauge::kernels::mandelbrot
