// An exchange with arithmetic between its beginning and its end: how much of the communication the arithmetic hides.
#pragma once

#include <algorithm>
#include <cstdint>

#include "../algorithms.hpp"
#include "../buffers.hpp"
#include "../facts.hpp"
#include "../transport.hpp"
#include "../compute_load.hpp"

namespace msgauge::kernels::overlap {

inline constexpr Facts facts{
    .name = "overlap",
    .title = "Overlap",
    .meaning = "Ranks 0 and 1 exchange one message each way by non-blocking calls while both calculate: the time of it "
               "all, of the exchange alone, of the arithmetic alone, and what is hidden (exchange + arithmetic - all).",
    .source = "Lawry, Wilson, Maccabe, Brightwell 2002, COMB: a portable benchmark suite for assessing MPI overlap",
    .minimum_ranks = 2,
    .maximum_ranks = 2,
    .bytes_moved = "bytes * 2",
    .needs = "isend irecv wait",
    .options = "work=equal|half|double progress=none|test",
    .option_meanings =
        "progress: none; or test, the arithmetic is broken to ask whether the messages are there\n"
        "work: length of the arithmetic against the exchange: equal, half, double\n",
    .series = "time exchange work hidden",
    .unit = "ns",
    .sized = true,
    .collective = false,
};

// One operation: the exchange alone, the arithmetic alone, then both at once, each between two reads of the clock.
// The arithmetic is made as long as the exchange usually is, or half, or double.
template <Transport T>
class Run {
 public:
  static constexpr bool self_timed = true;
  static constexpr bool fenced = true;
  static constexpr int events = 1;

  static constexpr Coverage coverage(const Cell& cell) {
    if (!can_at_once) return {Coverage::Kind::refused, "", "this stack has no non-blocking calls, so nothing overlaps"};
    if (cell.option("progress", facts) == "test" && !HasTest<T>)
      return {Coverage::Kind::refused, "", "this stack has no test"};
    return {};
  }

  Run(T& transport, const Cell& cell)
      : transport_(transport), peer_(1 - transport.rank()), tests_(cell.option("progress", facts) == "test"),
        share_(cell.option("work", facts) == "half" ? 0.5 : cell.option("work", facts) == "double" ? 2.0 : 1.0),
        work_(transport), out_(cell.bytes, cell.cache), in_(cell.bytes, cell.cache) {}

  template <class Clock>
  void once(Clock& clock, std::int64_t* values) {
    const auto begin = clock.read();
    exchange(0);
    const auto exchanged = clock.length_ns(clock.read() - begin);
    usual_ns_ = usual_ns_ == 0 ? exchanged : std::min(exchanged, usual_ns_ + usual_ns_ / 8 + 1);
    const auto wanted = static_cast<std::int64_t>(share_ * static_cast<double>(std::max<std::int64_t>(usual_ns_, 1)));
    const auto work_begin = clock.read();
    work_.perform(wanted, 1, [] {});
    const auto worked = clock.length_ns(clock.read() - work_begin);
    char token = 1;
    algorithms::swap(transport_, &token, &token_, 1, peer_, meet_tag);
    const auto both_begin = clock.read();
    exchange(wanted);
    values[0] = clock.length_ns(clock.read() - both_begin);
    values[1] = exchanged;
    values[2] = worked;
    values[3] = exchanged + worked - values[0];
  }

  // The mean of both ranks: who comes first to an exchange waits for the other, and each does so in turn.
  static std::int64_t combine(std::size_t series, const std::int64_t* of_ranks, int) {
    const auto mean = (of_ranks[0] + of_ranks[1]) / 2;
    return series == 3 ? std::max<std::int64_t>(0, mean) : mean;
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
  static constexpr int tag = 16, meet_tag = 17;
  static constexpr int pieces = 8;  // the arithmetic is broken so often to ask how the messages fare

  void exchange([[maybe_unused]] std::int64_t work_ns) {
    if constexpr (can_at_once) {
      auto in = transport_.irecv(in_.data(), in_.bytes(), peer_, tag);
      auto out = transport_.isend(out_.data(), out_.bytes(), peer_, tag);
      bool received = false, sent = false;
      if (work_ns > 0)
        work_.perform(work_ns, tests_ ? pieces : 1, [&] {
          if constexpr (HasTest<T>) {
            received = received || transport_.test(in);
            sent = sent || transport_.test(out);
          }
        });
      if (!received) transport_.wait(in);
      if (!sent) transport_.wait(out);
    }
  }

  T& transport_;
  int peer_;
  bool tests_;
  double share_;
  std::int64_t usual_ns_ = 0;  // of the exchange: soon down, slowly up, so that interruptions hardly count
  char token_ = 0;
  Work<T> work_;
  Buffer out_;
  Buffer in_;
  const void* received_ = nullptr;
};

}  // namespace msgauge::kernels::overlap
