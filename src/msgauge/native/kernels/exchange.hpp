// Two ranks send to each other at the same time.
#pragma once

#include "../algorithms.hpp"
#include "../buffers.hpp"
#include "../facts.hpp"
#include "../transport.hpp"

namespace msgauge::kernels::exchange {

inline constexpr Facts facts{
    .name = "exchange",
    .title = "Exchange",
    .meaning = "Until a message has gone each way between ranks 0 and 1, both under way at once where the stack can.",
    .source = "Intel MPI Benchmarks, PingPing and Exchange",
    .minimum_ranks = 2,
    .maximum_ranks = 2,
    .bytes_moved = "bytes * 2",
    .needs = "send recv",
    .options = "how=nonblocking|sendrecv|ordered",
    .option_meanings =
        "how: how the messages of both directions go: nonblocking, all under way at once; sendrecv, by the "
        "combined call; ordered, one sends first and the other receives first\n",
    .series = "time",
    .unit = "ns",
    .sized = true,
    .collective = false,
    .headline = "bandwidth",
    .aliases = "bibw biband pingping bidirectional",
};

enum class How { nonblocking, sendrecv, ordered };

template <Transport T>
class Run {
 public:
  static constexpr int events = 1;

  // Where neither non-blocking calls nor a combined one exist, the lower rank sends first: that never blocks for ever.
  static constexpr Coverage coverage(const Cell& cell) {
    return how(cell) == How::ordered ? Coverage{Coverage::Kind::emulated, "ordered", ""} : Coverage{};
  }

  Run(T& transport, const Cell& cell)
      : transport_(transport), peer_(1 - transport.rank()), how_(how(cell)), out_(cell.bytes, cell.cache),
        in_(cell.bytes, cell.cache) {}

  void once() {
    if (how_ == How::nonblocking) at_once();
    else if (how_ == How::sendrecv) combined();
    else algorithms::swap(transport_, out_.data(), in_.data(), in_.bytes(), peer_, tag);
    out_.advance();
    in_.advance();
  }

  void prepare(int iteration) {
    out_.fill(transport_.rank(), iteration);
    in_.scribble();
    received_ = in_.data();
  }

  bool verify(int iteration) { return holds_pattern(received_, in_.bytes(), peer_, iteration); }

  void evict() {
    out_.evict();
    in_.evict();
  }

 private:
  static constexpr bool can_at_once = HasIsend<T> && HasIrecv<T> && HasWait<T>;

  static constexpr How how(const Cell& cell) {
    const auto wanted = cell.option("how", facts);
    if (wanted == "ordered") return How::ordered;
    if (wanted == "sendrecv") return HasSendrecv<T> ? How::sendrecv : How::ordered;
    return can_at_once ? How::nonblocking : HasSendrecv<T> ? How::sendrecv : How::ordered;
  }

  void at_once() {
    if constexpr (can_at_once) {
      auto in = transport_.irecv(in_.data(), in_.bytes(), peer_, tag);
      auto out = transport_.isend(out_.data(), out_.bytes(), peer_, tag);
      transport_.wait(in);
      transport_.wait(out);
    }
  }

  void combined() {
    if constexpr (HasSendrecv<T>)
      transport_.sendrecv(out_.data(), out_.bytes(), peer_, in_.data(), in_.bytes(), peer_, tag);
  }

  static constexpr int tag = 2;
  T& transport_;
  int peer_;
  How how_;
  Buffer out_;
  Buffer in_;
  const void* received_ = nullptr;
};

}  // namespace msgauge::kernels::exchange
