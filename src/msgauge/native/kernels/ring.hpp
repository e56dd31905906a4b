// One message goes round all ranks.
#pragma once

#include "../buffers.hpp"
#include "../facts.hpp"
#include "../transport.hpp"

namespace msgauge::kernels::ring {

inline constexpr Facts facts{
    .name = "ring",
    .title = "Ring",
    .meaning = "Time of one hop while a message goes from each rank to the next and back to rank 0; only one is under "
               "way.",
    .source = "Gropp, Lusk, Skjellum 1994, Using MPI: passing a message round a ring",
    .minimum_ranks = 2,
    .maximum_ranks = 0,
    .bytes_moved = "bytes",
    .needs = "send recv",
    .options = "",
    .series = "time",
    .unit = "ns",
    .sized = true,
    .collective = false,
    .aliases = "b_eff",
};

template <Transport T>
class Run {
 public:
  const std::int64_t events;  // hops of one round

  static constexpr Coverage coverage(const Cell&) { return {}; }

  Run(T& transport, const Cell& cell)
      : events(cell.ranks), transport_(transport), next_((transport.rank() + 1) % cell.ranks),
        previous_((transport.rank() + cell.ranks - 1) % cell.ranks), data_(cell.bytes, cell.cache) {}

  void once() {
    if (transport_.rank() == 0) transport_.send(data_.data(), data_.bytes(), next_, tag);
    transport_.recv(data_.data(), data_.bytes(), previous_, tag);
    if (transport_.rank() != 0) transport_.send(data_.data(), data_.bytes(), next_, tag);
    data_.advance();
  }

  // Rank 0 gets its own message back into the same place: what stands there then came from the last rank, which had
  // it from all the others. So each rank but 0 begins with other bytes.
  void prepare(int iteration) {
    received_ = data_.data();
    if (transport_.rank() == 0) data_.fill(0, iteration);
    else data_.scribble();
  }

  bool verify(int iteration) { return holds_pattern(received_, data_.bytes(), 0, iteration); }
  void evict() { data_.evict(); }

 private:
  static constexpr int tag = 14;
  T& transport_;
  int next_, previous_;
  Buffer data_;
  const void* received_ = nullptr;
};

}  // namespace msgauge::kernels::ring
