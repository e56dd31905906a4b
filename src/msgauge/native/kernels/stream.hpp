// Rank 0 sends a window of messages one after the other, rank 1 answers when it has them all.
#pragma once

#include "../buffers.hpp"
#include "../facts.hpp"
#include "../transport.hpp"

namespace msgauge::kernels::stream {

inline constexpr Facts facts{
    .name = "stream",
    .title = "Stream",
    .meaning = "Time per message when rank 0 sends windows of 64 messages to rank 1 without waiting in between; one "
               "short answer ends each window and is part of the time.",
    .source = "OSU Micro-Benchmarks, osu_bw",
    .minimum_ranks = 2,
    .maximum_ranks = 2,
    .bytes_moved = "bytes",
    .needs = "send recv",
    .options = "",
    .series = "time",
    .unit = "ns",
    .sized = true,
    .collective = false,
    .pattern = "stream",
    .headline = "bandwidth",
    .aliases = "bw bandwidth uniband throughput goodput",
};

template <Transport T>
class Run {
 public:
  static constexpr int events = 64;

  // Blocking calls keep the window's order and bytes, but hardly more than one message under way.
  static constexpr Coverage coverage(const Cell&) {
    return can_at_once ? Coverage{} : Coverage{Coverage::Kind::emulated, "blocking", ""};
  }

  Run(T& transport, const Cell& cell)
      : transport_(transport), sender_(transport.rank() == 0), data_(cell.bytes, cell.cache) {}

  void once() {
    char answer = 1;
    if (sender_) {
      send_window();
      transport_.recv(&answer, 1, 1, answer_tag);
    } else {
      receive_window();
      transport_.send(&answer, 1, 0, answer_tag);
    }
    data_.advance();
  }

  // All messages of a window are the same bytes: the last one received is the one looked at.
  void prepare(int iteration) {
    received_ = data_.data();
    if (sender_) data_.fill(0, iteration);
    else data_.scribble();
  }

  bool verify(int iteration) { return holds_pattern(received_, data_.bytes(), 0, iteration); }

  void evict() { data_.evict(); }

 private:
  static constexpr bool can_at_once = HasIsend<T> && HasIrecv<T> && HasWait<T>;
  static constexpr int tag = 3, answer_tag = 4;

  void send_window() {
    if constexpr (can_at_once) {
      for (auto& request : requests_) request = transport_.isend(data_.data(), data_.bytes(), 1, tag);
      for (auto& request : requests_) transport_.wait(request);
    } else {
      for (int i = 0; i < events; ++i) transport_.send(data_.data(), data_.bytes(), 1, tag);
    }
  }

  void receive_window() {
    if constexpr (can_at_once) {
      for (auto& request : requests_) request = transport_.irecv(data_.data(), data_.bytes(), 0, tag);
      for (auto& request : requests_) transport_.wait(request);
    } else {
      for (int i = 0; i < events; ++i) transport_.recv(data_.data(), data_.bytes(), 0, tag);
    }
  }

  T& transport_;
  bool sender_;
  Buffer data_;
  const void* received_ = nullptr;
  RequestRow<T, events> requests_;
};

}  // namespace msgauge::kernels::stream
