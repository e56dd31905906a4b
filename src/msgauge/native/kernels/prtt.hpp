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
               "lies there already.",
    .source = "Hoefler, Lichei, Rehm 2007, Low-overhead LogGP parameter assessment for modern interconnection networks",
    .minimum_ranks = 2,
    .maximum_ranks = 2,
    .bytes_moved = "bytes",
    .needs = "send recv",
    .options = "n=1|2|3|4|6|8|12|16|24|32 "
               "d=0|500ns|1us|2us|5us|10us|20us|50us|100us|200us|500us|1ms|2ms|5ms|10ms|20ms what=train|delayed",
    .series = "time delay",
    .unit = "ns",
    .sized = true,
    .collective = false,
};

// `time` is the whole of it, delays included; `delay` is how long a delay really was, on average over the train.
template <Transport T>
class Run {
 public:
  static constexpr bool stamps_itself = true;
  static constexpr int events = 1;

  static constexpr Coverage coverage(const Cell& cell) {
    if (cell.option("what", facts) == "delayed" && cell.option("n", facts) != "1")
      return {Coverage::Kind::refused, "", "a delayed receive has one message: n=1"};
    return {};
  }

  Run(T& transport, const Cell& cell)
      : transport_(transport), first_(transport.rank() == 0), delayed_(cell.option("what", facts) == "delayed"),
        messages_(number_in(cell.option("n", facts))), delay_(duration_ns(cell.option("d", facts))),
        out_(cell.bytes, cell.cache), in_(cell.bytes, cell.cache) {}

  template <class Clock>
  void once(Clock& clock, std::int64_t* values) {
    delay_.prepare(clock);
    if (first_) {
      lead(clock, values);
    } else {
      for (std::int64_t i = 0; i < messages_; ++i) transport_.recv(in_.data(), in_.bytes(), 0, tag);
      transport_.send(out_.data(), out_.bytes(), 0, tag);
    }
    out_.advance();
    in_.advance();
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
  static constexpr int tag = 11;

  template <class Clock>
  void lead(Clock& clock, std::int64_t* values) {
    std::int64_t idle = 0;
    const auto begin = clock.read();
    transport_.send(out_.data(), out_.bytes(), 1, tag);
    for (std::int64_t i = 1; i < messages_; ++i) {
      idle += delay_.spend(clock);
      transport_.send(out_.data(), out_.bytes(), 1, tag);
    }
    if (delayed_) idle = delay_.spend(clock);
    transport_.recv(in_.data(), in_.bytes(), 1, tag);
    values[0] = clock.length_ns(clock.read() - begin);
    values[1] = messages_ > 2 ? idle / (messages_ - 1) : idle;
  }

  T& transport_;
  bool first_, delayed_;
  std::int64_t messages_;
  Idle delay_;
  Buffer out_;
  Buffer in_;
  const void* received_ = nullptr;
};

}  // namespace msgauge::kernels::prtt
