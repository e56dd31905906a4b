// One message goes from rank 0 to rank 1 and one of the same size comes back.
#pragma once

#include "../buffers.hpp"
#include "../facts.hpp"
#include "../transport.hpp"

namespace msgauge::kernels::pingpong {

inline constexpr Facts facts{
    .name = "pingpong",
    .title = "Ping-pong",
    .meaning = "Half the round trip of one message between ranks 0 and 1: the time until a message has arrived.",
    .source = "Hockney 1994, The communication challenge for MPP",
    .minimum_ranks = 2,
    .maximum_ranks = 2,
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
      : transport_(transport), first_(transport.rank() == 0), out_(cell.bytes, cell.cache), in_(cell.bytes, cell.cache) {}

  void once() {
    if (first_) {
      transport_.send(out_.data(), out_.bytes(), 1, tag);
      transport_.recv(in_.data(), in_.bytes(), 1, tag);
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

  bool verify(int iteration) { return holds_pattern(received_, in_.bytes(), first_ ? 1 : 0, iteration); }

  void evict() {
    out_.evict();
    in_.evict();
  }

 private:
  static constexpr int tag = 1;
  T& transport_;
  bool first_;
  Buffer out_;
  Buffer in_;
  const void* received_ = nullptr;
};

}  // namespace msgauge::kernels::pingpong
