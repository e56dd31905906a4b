// One rank's message reaches all others.
#pragma once

#include <cstring>

#include "../algorithms.hpp"
#include "../buffers.hpp"
#include "../facts.hpp"
#include "../transport.hpp"

namespace msgauge::kernels::bcast {

inline constexpr Facts facts{
    .name = "bcast",
    .title = "Broadcast",
    .meaning = "From the first rank's start until the last rank has the message of rank 0.",
    .source = "Worsch, Reussner, Augustin 2002, On benchmarking collective MPI operations",
    .minimum_ranks = 2,
    .maximum_ranks = 0,
    .bytes_moved = "bytes * (ranks - 1)",
    .needs = "send recv",
    .options = "algorithm=native|binomial",
    .series = "completion root mean_rank imbalance",
    .unit = "ns",
    .sized = true,
    .collective = true,
};

template <Transport T>
class Run {
 public:
  static constexpr int events = 1;

  // Where the transport has no broadcast, the binomial tree stands in, and the result says so.
  static constexpr Coverage coverage(const Cell& cell) {
    if (HasBcast<T> && cell.option("algorithm", facts) == "native") return {};
    return {Coverage::Kind::emulated, "binomial", ""};
  }

  Run(T& transport, const Cell& cell)
      : transport_(transport), ranks_(cell.ranks), native_(coverage(cell).kind == Coverage::Kind::native),
        data_(cell.bytes, cell.cache) {}

  void once() {
    if constexpr (HasBcast<T>) {
      if (native_) {
        transport_.bcast(data_.data(), data_.bytes(), root);
        data_.advance();
        return;
      }
    }
    algorithms::binomial_bcast(transport_, data_.data(), data_.bytes(), root, ranks_);
    data_.advance();
  }

  void prepare(int iteration) {
    received_ = data_.data();
    if (transport_.rank() == root) data_.fill(root, iteration);
    else data_.scribble();
  }

  bool verify(int iteration) { return holds_pattern(received_, data_.bytes(), root, iteration); }

  void evict() { data_.evict(); }

 private:
  static constexpr int root = 0;
  T& transport_;
  int ranks_;
  bool native_;
  Buffer data_;
  const void* received_ = nullptr;
};

}  // namespace msgauge::kernels::bcast
