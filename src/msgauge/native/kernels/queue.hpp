// A message has to be found among many: how the time grows with the depth of the queue it is matched in.
#pragma once

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

#include "../buffers.hpp"
#include "../durations.hpp"
#include "../facts.hpp"
#include "../transport.hpp"

namespace msgauge::kernels::queue {

inline constexpr Facts facts{
    .name = "queue",
    .title = "Match queue",
    .meaning = "Half the round trip between ranks 0 and 1 while each has so many other receives posted (posted), or so "
               "many messages nobody has asked for (unexpected); or time per message when so many messages of random "
               "tags meet receives posted in another random order (random).",
    .source = "Underwood, Brightwell 2004, The impact of MPI queue usage on message latency",
    .minimum_ranks = 2,
    .maximum_ranks = 2,
    .bytes_moved = "bytes",
    .needs = "isend irecv wait",
    .options = "kind=posted|unexpected|random depth=16|0|1|4|64|256|1024",
    .option_meanings =
        "depth: entries that stand in the queue\n"
        "kind: posted, receives of others; unexpected, messages nobody asked for; random, both in random "
        "order\n",
    .series = "time",
    .unit = "ns",
    .sized = true,
    .collective = false,
    .aliases = "unexpected-messages",
};

// The queue stands from open() to close(): receives (or messages of 8 bytes) of tags that no timed message has.
template <Transport T>
class Run {
 public:
  const std::int64_t events;

  static constexpr Coverage coverage(const Cell& cell) {
    if (!can_at_once) return {Coverage::Kind::refused, "", "this stack cannot post receives in advance"};
    if (cell.option("kind", facts) == "random" && cell.option("depth", facts) == "0")
      return {Coverage::Kind::refused, "", "random tags need at least one message: depth=1"};
    return {};
  }

  Run(T& transport, const Cell& cell)
      : events(is_random(cell) ? number_in(cell.option("depth", facts)) : 2), transport_(transport),
        peer_(1 - transport.rank()), random_(is_random(cell)), posted_(cell.option("kind", facts) == "posted"),
        depth_(static_cast<std::size_t>(number_in(cell.option("depth", facts)))), data_(cell.bytes, cell.cache),
        aside_(8 * depth_) {
    for (std::size_t i = 0; i < depth_; ++i) tags_.push_back(first_tag + static_cast<int>(i));
    std::shuffle(tags_.begin(), tags_.end(), std::minstd_rand(static_cast<unsigned>(17 + transport.rank())));
    if constexpr (can_at_once) requests_.resize(depth_);
  }

  void open() {
    if (random_) return;
    if (posted_) receive_aside();
    else send_aside(), finish();
  }

  void once() {
    if (random_) {
      meet_at_random();
    } else if (transport_.rank() == 0) {
      transport_.send(data_.data(), data_.bytes(), 1, tag);
      transport_.recv(data_.data(), data_.bytes(), 1, tag);
    } else {
      transport_.recv(data_.data(), data_.bytes(), 0, tag);
      transport_.send(data_.data(), data_.bytes(), 0, tag);
    }
    data_.advance();
  }

  // What was posted gets its messages, what was sent its receives.
  void close() {
    if (random_) return;
    if (!posted_) {
      receive_aside();
      return finish();
    }
    std::vector<std::uint64_t> words(depth_);
    for (std::size_t i = 0; i < depth_; ++i) transport_.send(&words[i], 8, peer_, first_tag + static_cast<int>(i));
    finish();
  }

  // A ping-pong gives rank 0 its own bytes back, so rank 1 answers with what it has received.
  void prepare(int iteration) {
    received_ = data_.data();
    if (transport_.rank() == 0) data_.fill(0, iteration);
    else data_.scribble();
  }
  bool verify(int iteration) { return holds_pattern(received_, data_.bytes(), 0, iteration); }
  void evict() { data_.evict(); }

 private:
  static constexpr bool can_at_once = HasIsend<T> && HasIrecv<T> && HasWait<T>;
  static constexpr int tag = 18, go_tag = 19, first_tag = 1000;

  static bool is_random(const Cell& cell) { return cell.option("kind", facts) == "random"; }

  void receive_aside() {
    if constexpr (can_at_once)
      for (std::size_t i = 0; i < depth_; ++i)
        requests_[i] = transport_.irecv(&aside_[8 * i], 8, peer_, tags_[i]);
  }
  void send_aside() {
    if constexpr (can_at_once)
      for (std::size_t i = 0; i < depth_; ++i)
        requests_[i] = transport_.isend(&aside_[8 * i], 8, peer_, tags_[i]);
  }
  void finish() {
    if constexpr (can_at_once)
      for (auto& request : requests_) transport_.wait(request);
  }

  // Rank 1 posts them all and says so; then rank 0 sends them in an order of its own.
  void meet_at_random() {
    char word = 1;
    if constexpr (can_at_once) {
      if (transport_.rank() == 0) {
        transport_.recv(&word, 1, 1, go_tag);
        for (std::size_t i = 0; i < depth_; ++i)
          requests_[i] = transport_.isend(data_.data(), data_.bytes(), 1, tags_[i]);
        finish();
      } else {
        for (std::size_t i = 0; i < depth_; ++i)
          requests_[i] = transport_.irecv(data_.data(), data_.bytes(), 0, tags_[i]);
        transport_.send(&word, 1, 0, go_tag);
        finish();
      }
    }
  }

  T& transport_;
  int peer_;
  bool random_, posted_;
  std::size_t depth_;
  Buffer data_;
  std::vector<unsigned char> aside_;
  std::vector<int> tags_;
  RequestList<T> requests_;
  const void* received_ = nullptr;
};

}  // namespace msgauge::kernels::queue
