// Messages are sent as fast as they go: when each has left the sender, and when each has come to the receiver.
#pragma once

#include "../buffers.hpp"
#include "../durations.hpp"
#include "../facts.hpp"
#include "../transport.hpp"

namespace msgauge::kernels::burst {

inline constexpr Facts facts{
    .name = "burst",
    .title = "Burst",
    .meaning = "Two curves: the time from the first send until message 1, 2, ... of a burst has left rank 0 (sent) and "
               "until it has come to rank 1 (received); bends show buffers that fill. What is compared is the time "
               "until the last has left.",
    .source = "Broxton, LogP parameters of MPI on 100BaseT: cumulative bytes against time",
    .minimum_ranks = 2,
    .maximum_ranks = 2,
    .bytes_moved = "0",
    .needs = "send recv",
    .options = "messages=100|10|1000|10000 receiver=waiting|late",
    .option_meanings =
        "messages: messages of a burst\n"
        "receiver: waiting, from the start on; late, it keeps away for 2 ms, so that messages lie in buffers\n",
    .series = "sent received",
    .unit = "ns",
    .sized = true,
    .collective = false,
    .kind = "curve",
};

// One operation is one burst and gives `messages` values of each series. A late receiver keeps away for 2 ms, so that
// everything sent until then lies in somebody's buffers, or the sender stands still.
template <Transport T>
class Run {
 public:
  static constexpr bool self_timed = true;
  static constexpr bool fenced = true;
  static constexpr std::string_view common_clock = "received";
  static constexpr int events = 1;

  static constexpr Coverage coverage(const Cell&) { return {}; }

  Run(T& transport, const Cell& cell)
      : transport_(transport), first_(transport.rank() == 0), late_(cell.option("receiver", facts) == "late"),
        messages_(static_cast<std::size_t>(number_in(cell.option("messages", facts)))), data_(cell.bytes, cell.cache) {}

  std::size_t points() const { return messages_; }

  // Both put down points of the common clock; the difference is taken where both are known.
  template <class Clock>
  void once(Clock& clock, std::int64_t* values) {
    char done = 1;
    if (first_) {
      const auto begin = clock.now_ns();
      for (std::size_t i = 0; i < messages_; ++i) {
        transport_.send(data_.data(), data_.bytes(), 1, tag);
        values[2 * i] = clock.now_ns() - begin;
        values[2 * i + 1] = begin;
      }
      transport_.recv(&done, 1, 1, done_tag);
    } else {
      if (late_) absence_.spend(clock);
      for (std::size_t i = 0; i < messages_; ++i) {
        transport_.recv(data_.data(), data_.bytes(), 0, tag);
        values[2 * i + 1] = clock.now_ns();
      }
      for (std::size_t i = 0; i < messages_; ++i) values[2 * i + 1] = clock.reference_ns(values[2 * i + 1]);
      transport_.send(&done, 1, 0, done_tag);
    }
  }

  static std::int64_t combine(std::size_t series, const std::int64_t* of_ranks, int) {
    return series == 0 ? of_ranks[0] : of_ranks[1] - of_ranks[0];
  }

  void prepare(int iteration) {
    if (first_) data_.fill(0, iteration);
    else data_.scribble();
    received_ = data_.data();
  }
  bool verify(int iteration) { return holds_pattern(received_, data_.bytes(), 0, iteration); }
  void evict() { data_.evict(); }

 private:
  static constexpr int tag = 9, done_tag = 10;
  T& transport_;
  bool first_, late_;
  std::size_t messages_;
  Idle absence_{2'000'000};
  Buffer data_;
  const void* received_ = nullptr;
};

}  // namespace msgauge::kernels::burst
