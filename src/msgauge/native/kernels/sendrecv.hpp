// Every rank sends to the next and receives from the one before, at the same time.
#pragma once

#include "../buffers.hpp"
#include "../facts.hpp"
#include "../transport.hpp"

namespace msgauge::kernels::sendrecv {

inline constexpr Facts facts{
    .name = "sendrecv",
    .title = "Shift",
    .meaning = "Time of one shift along a closed chain: every rank sends one message to the next rank and receives one "
               "from the rank before, in a combined call; again and again, as rank 0 sees it.",
    .source = "Intel MPI Benchmarks, Sendrecv",
    .minimum_ranks = 2,
    .maximum_ranks = 0,
    .bytes_moved = "bytes * 2",
    .needs = "send recv",
    .options = "how=sendrecv|nonblocking|ordered",
    .option_meanings =
        "how: how the messages of both directions go: nonblocking, all under way at once; sendrecv, by the "
        "combined call; ordered, one sends first and the other receives first\n",
    .series = "time",
    .unit = "ns",
    .sized = true,
    .collective = false,
};

enum class How { sendrecv, nonblocking, ordered };

template <Transport T>
class Run {
 public:
  static constexpr int events = 1;

  // Even ranks send first, odd ones receive first: in a chain of any length somebody can always go on.
  static constexpr Coverage coverage(const Cell& cell) {
    const auto wanted = cell.option("how", facts);
    if (wanted == "nonblocking" && !can_at_once)
      return {Coverage::Kind::refused, "", "this stack has no non-blocking calls"};
    return how(cell) == How::ordered ? Coverage{Coverage::Kind::emulated, "ordered", ""} : Coverage{};
  }

  Run(T& transport, const Cell& cell)
      : transport_(transport), how_(how(cell)), next_((transport.rank() + 1) % cell.ranks),
        previous_((transport.rank() + cell.ranks - 1) % cell.ranks), out_(cell.bytes, cell.cache),
        in_(cell.bytes, cell.cache) {}

  void once() {
    if (how_ == How::sendrecv) combined();
    else if (how_ == How::nonblocking) at_once();
    else in_order();
    out_.advance();
    in_.advance();
  }

  void prepare(int iteration) {
    out_.fill(transport_.rank(), iteration);
    in_.scribble();
    received_ = in_.data();
  }
  bool verify(int iteration) { return holds_pattern(received_, in_.bytes(), previous_, iteration); }
  void evict() {
    out_.evict();
    in_.evict();
  }

 private:
  static constexpr bool can_at_once = HasIsend<T> && HasIrecv<T> && HasWait<T>;
  static constexpr int tag = 15;

  static constexpr How how(const Cell& cell) {
    const auto wanted = cell.option("how", facts);
    if (wanted == "nonblocking") return How::nonblocking;
    return wanted == "sendrecv" && HasSendrecv<T> ? How::sendrecv : How::ordered;
  }

  void combined() {
    if constexpr (HasSendrecv<T>)
      transport_.sendrecv(out_.data(), out_.bytes(), next_, in_.data(), in_.bytes(), previous_, tag);
  }

  void at_once() {
    if constexpr (can_at_once) {
      auto in = transport_.irecv(in_.data(), in_.bytes(), previous_, tag);
      auto out = transport_.isend(out_.data(), out_.bytes(), next_, tag);
      transport_.wait(in);
      transport_.wait(out);
    }
  }

  void in_order() {
    const bool sends_first = transport_.rank() % 2 == 0;
    if (sends_first) transport_.send(out_.data(), out_.bytes(), next_, tag);
    transport_.recv(in_.data(), in_.bytes(), previous_, tag);
    if (!sends_first) transport_.send(out_.data(), out_.bytes(), next_, tag);
  }

  T& transport_;
  How how_;
  int next_, previous_;
  Buffer out_;
  Buffer in_;
  const void* received_ = nullptr;
};

}  // namespace msgauge::kernels::sendrecv
