// Many pairs of ranks send at the same time: how many messages a second the machine takes.
#pragma once

#include <algorithm>

#include "../buffers.hpp"
#include "../facts.hpp"
#include "../transport.hpp"

namespace msgauge::kernels::rate {

inline constexpr Facts facts{
    .name = "rate",
    .title = "Message rate",
    .meaning = "Time per message over all pairs: ranks of the first half send windows of 64 messages to their partners "
               "in the second half, all at once, until the slowest pair is done. Messages per second are its inverse.",
    .source = "OSU Micro-Benchmarks, osu_mbw_mr",
    .minimum_ranks = 2,
    .maximum_ranks = 0,
    .bytes_moved = "bytes",
    .needs = "send recv",
    .options = "windows=4|1|16",
    .option_meanings =
        "windows: windows of 64 messages an operation\n",
    .series = "time fastest",
    .unit = "ns",
    .sized = true,
    .collective = false,
    .headline = "messages",
    .aliases = "mbw_mr message-rate msgrate sqmr",
};

// `time` is the slowest pair's, `fastest` the fastest pair's; both divided by the messages of all pairs. With an odd
// number of ranks the last one has no partner and stands by.
template <Transport T>
class Run {
 public:
  static constexpr bool self_timed = true;
  static constexpr bool fenced = true;
  static constexpr int window = 64;
  const std::int64_t events;

  static constexpr Coverage coverage(const Cell&) {
    return can_at_once ? Coverage{} : Coverage{Coverage::Kind::emulated, "blocking", ""};
  }

  Run(T& transport, const Cell& cell)
      : events(std::int64_t{window} * windows_of(cell) * (cell.ranks / 2)), transport_(transport),
        pairs_(cell.ranks / 2), windows_(windows_of(cell)), data_(cell.bytes, cell.cache) {}

  template <class Clock>
  void once(Clock& clock, std::int64_t* values) {
    if (transport_.rank() >= 2 * pairs_) return;
    const auto begin = clock.read();
    for (int i = 0; i < windows_; ++i) sends() ? send_window() : receive_window();
    if (sends()) values[0] = values[1] = clock.length_ns(clock.read() - begin);
  }

  static std::int64_t combine(std::size_t series, const std::int64_t* of_ranks, int ranks) {
    const auto* end = of_ranks + ranks / 2;
    return series == 0 ? *std::max_element(of_ranks, end) : *std::min_element(of_ranks, end);
  }

  void prepare(int iteration) {
    if (sends()) data_.fill(transport_.rank(), iteration);
    else data_.scribble();
    received_ = data_.data();
  }
  bool verify(int iteration) {
    if (transport_.rank() >= 2 * pairs_) return true;
    return holds_pattern(received_, data_.bytes(), sends() ? transport_.rank() : peer(), iteration);
  }
  void evict() { data_.evict(); }

 private:
  static constexpr bool can_at_once = HasIsend<T> && HasIrecv<T> && HasWait<T>;
  static constexpr int tag = 12, answer_tag = 13;

  static int windows_of(const Cell& cell) {
    const auto words = cell.option("windows", facts);
    return words == "1" ? 1 : words == "16" ? 16 : 4;
  }
  bool sends() const { return transport_.rank() < pairs_; }
  int peer() const { return sends() ? transport_.rank() + pairs_ : transport_.rank() - pairs_; }

  void send_window() {
    if constexpr (can_at_once) {
      for (auto& request : requests_) request = transport_.isend(data_.data(), data_.bytes(), peer(), tag);
      for (auto& request : requests_) transport_.wait(request);
    } else {
      for (int i = 0; i < window; ++i) transport_.send(data_.data(), data_.bytes(), peer(), tag);
    }
    char answer = 0;
    transport_.recv(&answer, 1, peer(), answer_tag);
  }

  void receive_window() {
    if constexpr (can_at_once) {
      for (auto& request : requests_) request = transport_.irecv(data_.data(), data_.bytes(), peer(), tag);
      for (auto& request : requests_) transport_.wait(request);
    } else {
      for (int i = 0; i < window; ++i) transport_.recv(data_.data(), data_.bytes(), peer(), tag);
    }
    const char answer = 1;
    transport_.send(&answer, 1, peer(), answer_tag);
  }

  T& transport_;
  int pairs_, windows_;
  Buffer data_;
  const void* received_ = nullptr;
  RequestRow<T, window> requests_;
};

}  // namespace msgauge::kernels::rate
