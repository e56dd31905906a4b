// One message goes from rank 0 to the last rank and one of the same size comes back: what the way between them costs.
#pragma once

#include "../buffers.hpp"
#include "../facts.hpp"
#include "../transport.hpp"

namespace msgauge::kernels::distance {

inline constexpr Facts facts{
    .name = "distance",
    .title = "Distance",
    .meaning = "Half the round trip of one message between rank 0 and the last rank, the others waiting: against two "
               "ranks it shows what distance costs.",
    .source = "ARSC T3D users' newsletter 81, 1996, open question 2: from PE0 to PEn",
    .minimum_ranks = 2,
    .maximum_ranks = 0,
    .bytes_moved = "bytes",
    .needs = "send recv",
    .options = "",
    .series = "time",
    .unit = "ns",
    .sized = true,
    .collective = false,
};

template <Transport T>
class Run {
 public:
  static constexpr int events = 2;  // a round trip is two messages

  static constexpr Coverage coverage(const Cell&) { return {}; }

  Run(T& transport, const Cell& cell)
      : transport_(transport), last_(cell.ranks - 1), takes_part_(transport.rank() == 0 || transport.rank() == last_),
        out_(cell.bytes, cell.cache), in_(cell.bytes, cell.cache) {}

  void once() {
    if (!takes_part_) return;
    if (transport_.rank() == 0) {
      transport_.send(out_.data(), out_.bytes(), last_, tag);
      transport_.recv(in_.data(), in_.bytes(), last_, tag);
    } else {
      transport_.recv(in_.data(), in_.bytes(), 0, tag);
      transport_.send(out_.data(), out_.bytes(), 0, tag);
    }
    out_.advance();
    in_.advance();
  }

  void prepare(int iteration) {
    out_.fill(transport_.rank(), iteration);
    in_.scribble();
    received_ = in_.data();
  }

  bool verify(int iteration) {
    return !takes_part_ || holds_pattern(received_, in_.bytes(), transport_.rank() == 0 ? last_ : 0, iteration);
  }

  void evict() {
    out_.evict();
    in_.evict();
  }

 private:
  static constexpr int tag = 21;
  T& transport_;
  int last_;
  bool takes_part_;
  Buffer out_;
  Buffer in_;
  const void* received_ = nullptr;
};

}  // namespace msgauge::kernels::distance
