// A message of any size goes out, one integer comes back.
#pragma once

#include <cstdint>

#include "../buffers.hpp"
#include "../facts.hpp"
#include "../transport.hpp"
#include "../p2p_modes.hpp"

namespace msgauge::kernels::ping_ack {

inline constexpr Facts facts{
    .name = "ping-ack",
    .title = "Ping and acknowledge",
    .meaning = "From before rank 0 sends its message until it has one integer of 4 bytes back from rank 1, which "
               "answers when it has the whole message.",
    .source = "ARSC T3D users' group newsletter, PVM and MPI compared on T3D and workstations",
    .minimum_ranks = 2,
    .maximum_ranks = 2,
    .bytes_moved = "bytes",
    .needs = "send recv",
    .options = "send=standard|synchronous|buffered|nonblocking|persistent receive=late|any-source|any-tag|probed",
    .option_meanings =
        "receive: how a message is received: late is called when it is wanted; any-source and any-tag take it"
        " from anybody, with any tag; probed asks for it before receiving it\n"
        "send: the call that sends: standard; synchronous returns when the receive has begun; buffered copies"
        " into room made beforehand; nonblocking is started and waited for; persistent is one request started"
        " again and again\n",
    .series = "time",
    .unit = "ns",
    .sized = true,
    .collective = false,
};

template <Transport T>
class Run {
 public:
  static constexpr int events = 1;

  static constexpr Coverage coverage(const Cell& cell) {
    auto reason = unsupported_reason<T>(send_mode(cell.option("send", facts)), cell.cache);
    if (reason.empty()) reason = unsupported_reason<T>(receive_mode(cell.option("receive", facts)));
    return reason.empty() ? Coverage{} : Coverage{Coverage::Kind::refused, "", reason};
  }

  Run(T& transport, const Cell& cell)
      : transport_(transport), first_(transport.rank() == 0), data_(cell.bytes, cell.cache),
        sender_(transport, send_mode(cell.option("send", facts)), data_, 1, tag),
        receiver_(transport, receive_mode(cell.option("receive", facts)), data_, 0, tag) {}

  void open() {
    if (first_) sender_.open(4);
  }
  void close() {
    if (first_) sender_.close();
  }

  void once() {
    if (first_) {
      sender_.send();
      transport_.recv(&answer_, sizeof answer_, 1, answer_tag);
    } else {
      receiver_.receive();
      transport_.send(&answer_, sizeof answer_, 0, answer_tag);
    }
    data_.advance();
  }

  void prepare(int iteration) {
    received_ = data_.data();
    if (first_) data_.fill(0, iteration);
    else data_.scribble();
    answer_ = first_ ? 0 : answer_to(iteration);
  }

  bool verify(int iteration) {
    return answer_ == answer_to(iteration) && holds_pattern(received_, data_.bytes(), 0, iteration);
  }

  void evict() { data_.evict(); }

 private:
  static constexpr std::int32_t answer_to(int iteration) { return 0x5EED + iteration; }
  static constexpr int tag = 5, answer_tag = 6;
  T& transport_;
  bool first_;
  std::int32_t answer_ = 0;
  Buffer data_;
  Sender<T> sender_;
  Receiver<T> receiver_;
  const void* received_ = nullptr;
};

}  // namespace msgauge::kernels::ping_ack
