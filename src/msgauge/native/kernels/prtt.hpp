// Trains of messages with a delay between them, answered once: what LogGP is made from.
#pragma once

#include "../buffers.hpp"
#include "../durations.hpp"
#include "../facts.hpp"
#include "../transport.hpp"

namespace msgauge::kernels::prtt {

inline constexpr Facts facts{
    .name = "prtt",
    .title = "Parametrised round trip",
    .meaning = "PRTT(n, d, s): rank 0 sends n messages of s bytes with a delay of d between them, and has one message "
               "of s bytes back; or, delayed, one message, a delay longer than the round trip, then the answer, which "
               "lies there already. Non-blocking, all n are posted at once on both sides.",
    .source = "Hoefler, Lichei, Rehm 2007, Low-overhead LogGP parameter assessment for modern interconnection networks",
    .minimum_ranks = 2,
    .maximum_ranks = 2,
    .bytes_moved = "0",
    .needs = "send recv",
    .options = "n=1|2|3|4|6|8|12|16|24|32|64 "
               "d=0|500ns|1us|2us|5us|10us|20us|50us|100us|200us|500us|1ms|2ms|5ms|10ms|20ms what=train|delayed "
               "how=blocking|nonblocking",
    .option_meanings =
        "d: delay between the end of a send and the start of the next\n"
        "how: blocking, one send after the other; nonblocking, all posted at once on both sides\n"
        "n: messages of a train\n"
        "what: train, n messages and an answer; delayed, one message and a delay before its answer is "
        "received\n",
    .series = "time delay",
    .unit = "ns",
    .sized = true,
    .collective = false,
    .pattern = "train",
    .aliases = "loggp logp netgauge",
};

// `time` is the whole of it, delays included; `delay` is how long a delay really was, on average over the train.
template <Transport T>
class Run {
 public:
  static constexpr bool self_timed = true;
  static constexpr int events = 1;

  static constexpr Coverage coverage(const Cell& cell) {
    const bool at_once = cell.option("how", facts) == "nonblocking";
    if (cell.option("what", facts) == "delayed" && cell.option("n", facts) != "1")
      return {Coverage::Kind::refused, "", "a delayed receive has one message: n=1"};
    if (at_once && cell.option("d", facts) != "0")
      return {Coverage::Kind::refused, "", "messages posted at once have no delay between them: d=0"};
    if (at_once && !can_at_once) return {Coverage::Kind::emulated, "blocking", ""};
    return {};
  }

  Run(T& transport, const Cell& cell)
      : transport_(transport), first_(transport.rank() == 0), delayed_(cell.option("what", facts) == "delayed"),
        at_once_(cell.option("how", facts) == "nonblocking"),
        messages_(number_in(cell.option("n", facts))), delay_(duration_ns(cell.option("d", facts))),
        out_(cell.bytes, cell.cache), in_(cell.bytes, cell.cache) {}

  template <class Clock>
  void once(Clock& clock, std::int64_t* values) {
    delay_.prepare(clock);
    if (first_) {
      lead(clock, values);
    } else {
      receive_all();
      transport_.send(out_.data(), out_.bytes(), 0, tag);
    }
    out_.advance();
    in_.advance();
  }

  // Untimed, before the trains of a chunk: else the first of them would meet the message that ordered it.
  void lead_in() {
    for (int i = 0; i < 2; ++i) {
      if (first_) transport_.send(out_.data(), out_.bytes(), 1, tag);
      transport_.recv(in_.data(), in_.bytes(), first_ ? 1 : 0, tag);
      if (!first_) transport_.send(out_.data(), out_.bytes(), 0, tag);
    }
  }

  static std::int64_t combine(std::size_t, const std::int64_t* of_ranks, int) { return of_ranks[0]; }

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
  static constexpr bool can_at_once = HasIsend<T> && HasIrecv<T> && HasWait<T>;
  static constexpr int tag = 11;
  static constexpr int longest = 64;

  template <class Clock>
  void lead(Clock& clock, std::int64_t* values) {
    std::int64_t idle = 0;
    const auto begin = clock.read();
    if (at_once_ && can_at_once) {
      send_at_once();
    } else {
      transport_.send(out_.data(), out_.bytes(), 1, tag);
      for (std::int64_t i = 1; i < messages_; ++i) {
        idle += delay_.spend(clock);
        transport_.send(out_.data(), out_.bytes(), 1, tag);
      }
    }
    if (delayed_) idle = delay_.spend(clock);
    transport_.recv(in_.data(), in_.bytes(), 1, tag);
    values[0] = clock.length_ns(clock.read() - begin);
    values[1] = messages_ > 2 ? idle / (messages_ - 1) : idle;
  }

  std::size_t count() const { return static_cast<std::size_t>(messages_); }

  void send_at_once() {
    if constexpr (can_at_once) {
      for (std::size_t i = 0; i < count(); ++i)
        requests_[i] = transport_.isend(out_.data(), out_.bytes(), 1, tag);
      for (std::size_t i = 0; i < count(); ++i) transport_.wait(requests_[i]);
    }
  }

  void receive_all() {
    if constexpr (can_at_once) {
      if (at_once_) {
        for (std::size_t i = 0; i < count(); ++i)
          requests_[i] = transport_.irecv(in_.data(), in_.bytes(), 0, tag);
        for (std::size_t i = 0; i < count(); ++i) transport_.wait(requests_[i]);
        return;
      }
    }
    for (std::int64_t i = 0; i < messages_; ++i) transport_.recv(in_.data(), in_.bytes(), 0, tag);
  }

  T& transport_;
  bool first_, delayed_, at_once_;
  std::int64_t messages_;
  Idle delay_;
  Buffer out_;
  Buffer in_;
  const void* received_ = nullptr;
  RequestRow<T, longest> requests_;
};

}  // namespace msgauge::kernels::prtt
