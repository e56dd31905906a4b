// One message goes from rank 0 to rank 1 and one of the same size comes back.
#pragma once

#include "../buffers.hpp"
#include "../facts.hpp"
#include "../transport.hpp"
#include "../p2p_modes.hpp"

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
    .options = "send=standard|synchronous|buffered|ready|nonblocking|persistent|sendrecv "
               "receive=late|early|any-source|any-tag|probed buffer=own|received",
    .option_meanings =
        "buffer: own, sends from a buffer nobody writes into; received, sends back the one received into\n"
        "receive: how a message is received: late is called when it is wanted; any-source and any-tag take it"
        " from anybody, with any tag; probed asks for it before receiving it; early is posted before the "
        "other side can have sent\n"
        "send: the call that sends: standard; synchronous returns when the receive has begun; buffered copies"
        " into room made beforehand; nonblocking is started and waited for; persistent is one request started"
        " again and again; ready needs receive=early; sendrecv sends and receives by one combined call\n",
    .series = "time",
    .unit = "ns",
    .sized = true,
    .collective = false,
    .pattern = "round-trip",
    .aliases = "latency lat netpipe half-round-trip npmpi nptcp mpptest rtt round-trip",
};

template <Transport T>
class Run {
 public:
  static constexpr int events = 2;  // a round trip is two messages

  static constexpr Coverage coverage(const Cell& cell) {
    const auto out = send_mode(cell.option("send", facts));
    const auto in = receive_mode(cell.option("receive", facts));
    auto reason = unsupported_reason<T>(out, cell.cache);
    if (reason.empty()) reason = unsupported_reason<T>(in);
    if (reason.empty() && out == SendMode::ready && in != ReceiveMode::early)
      reason = "a ready send needs its receive to be posted: receive=early";
    if (reason.empty() && out == SendMode::sendrecv && in != ReceiveMode::late)
      reason = "the combined call receives by itself: receive=late";
    if (reason.empty() && returns_received(cell) && (in == ReceiveMode::early || out == SendMode::sendrecv))
      reason = "nothing may be received into a buffer that is being sent: buffer=own";
    if (reason.empty() && returns_received(cell) && cell.cache == CacheMode::rotate)
      reason = "what was received goes back from the same place, which cannot rotate";
    return reason.empty() ? Coverage{} : Coverage{Coverage::Kind::refused, "", reason};
  }

  Run(T& transport, const Cell& cell)
      : transport_(transport), first_(transport.rank() == 0), combined_(cell.option("send", facts) == "sendrecv"),
        one_buffer_(returns_received(cell)), out_(cell.bytes, cell.cache), in_(cell.bytes, cell.cache),
        sender_(transport, send_mode(cell.option("send", facts)), one_buffer_ ? in_ : out_, first_ ? 1 : 0, tag),
        receiver_(transport, receive_mode(cell.option("receive", facts)), in_, first_ ? 1 : 0, tag) {}

  // Rank 1's early receive stands from here to the end: it is posted before rank 0 may send.
  void open() {
    sender_.open(4);
    if (!first_) receiver_.prepost();
  }

  void once() {
    if (first_) {
      receiver_.prepost();
      if (combined_) return both();
      sender_.send();
      receiver_.receive();
      in_.advance();
    } else {
      receiver_.receive();
      in_.advance();
      receiver_.prepost();
      sender_.send();
    }
    out_.advance();
  }

  void close() {
    if (receiver_.early()) {
      if (first_) transport_.send(out_.data(), out_.bytes(), 1, tag);
      else receiver_.receive();
    }
    sender_.close();
  }

  // With one buffer rank 0's bytes go there and back: rank 1 has them from nowhere else.
  void prepare(int iteration) {
    out_.fill(transport_.rank(), iteration);
    one_buffer_ && first_ ? in_.fill(0, iteration) : in_.scribble();
    received_ = in_.data();
  }

  bool verify(int iteration) {
    return holds_pattern(received_, in_.bytes(), first_ && !one_buffer_ ? 1 : 0, iteration);
  }

  void evict() {
    out_.evict();
    in_.evict();
  }

 private:
  static constexpr bool returns_received(const Cell& cell) { return cell.option("buffer", facts) == "received"; }

  void both() {
    if constexpr (HasSendrecv<T>)
      transport_.sendrecv(out_.data(), out_.bytes(), 1, in_.data(), in_.bytes(), 1, tag);
    in_.advance();
    out_.advance();
  }

  static constexpr int tag = 1;
  T& transport_;
  bool first_, combined_, one_buffer_;
  Buffer out_;
  Buffer in_;
  Sender<T> sender_;
  Receiver<T> receiver_;
  const void* received_ = nullptr;
};

}  // namespace msgauge::kernels::pingpong
