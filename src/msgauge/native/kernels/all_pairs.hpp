// Every pair of ranks: the time of a message between the two, one value for each pair.
#pragma once

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "../algorithms.hpp"
#include "../buffers.hpp"
#include "../durations.hpp"
#include "../facts.hpp"
#include "../transport.hpp"

namespace msgauge::kernels::all_pairs {

inline constexpr Facts facts{
    .name = "all-pairs",
    .title = "All pairs",
    .meaning = "Time of a message between the two ranks of every pair, by the clock of the first (forward) and of the "
               "second (backward). What is compared is the time of a whole pass over all pairs.",
    .source = "Linktest, mpiGraph; rounds by the circle method of tournaments (Kirkman 1847)",
    .minimum_ranks = 2,
    .maximum_ranks = 0,
    .bytes_moved = "0",
    .needs = "send recv",
    .options = "schedule=rounds|sequence|together|bisection answer=whole|short repeats=5|1|3|11|31",
    .option_meanings =
        "schedule: rounds, each rank in one pair at a time and all of them at once; sequence, one pair after the "
        "other; together, every rank sends to every other, without a pause; bisection, each rank of the first half "
        "exchanges with one of the second\n"
        "answer: whole, messages as long come back, and half the round trip counts; short, one byte comes back, and all "
        "of it counts\n"
        "repeats: messages each way of a pair; their median counts\n",
    .series = "forward backward",
    .unit = "ns",
    .sized = true,
    .collective = false,
    .kind = "matrix",
    .aliases = "pairs linktest mpigraph bisection",
};

// One operation is a pass over all pairs (a, b), a < b, in an order that is drawn anew for each pass; its values are those
// of the pairs (0, 1) (0, 2) ... (1, 2) ..., and last the time of the pass. Under `together` and `bisection` that is all.
template <Transport T>
class Run {
 public:
  static constexpr bool self_timed = true;
  static constexpr bool fenced = true;
  static constexpr int events = 1;

  static constexpr Coverage coverage(const Cell& cell) {
    const auto schedule = cell.option("schedule", facts);
    if ((schedule == "together" || schedule == "bisection") && !can_at_once)
      return {Coverage::Kind::refused, "", "this stack cannot send and receive at the same time"};
    return {};
  }

  Run(T& transport, const Cell& cell)
      : transport_(transport), rank_(transport.rank()), ranks_(cell.ranks), schedule_(cell.option("schedule", facts)),
        short_(cell.option("answer", facts) == "short"), random_(cell.seed),
        repeats_(static_cast<std::size_t>(number_in(cell.option("repeats", facts)))), out_(cell.bytes, cell.cache),
        in_(cell.bytes, cell.cache) {
    for (int rank = 0; rank < ranks_; ++rank) order_.push_back(rank);
    if (schedule_ == "sequence")
      for (int first = 0; first < ranks_; ++first)
        for (int second = first + 1; second < ranks_; ++second) all_.emplace_back(first, second);
  }

  std::size_t points() const { return in_pairs() ? place_of(ranks_ - 2, ranks_ - 1) + 2 : 1; }

  template <class Clock>
  void once(Clock& clock, std::int64_t* values) {
    const auto begin = clock.read();
    if (schedule_ == "sequence") one_after_another(clock, values);
    else if (schedule_ == "rounds") in_rounds(clock, values);
    else if (schedule_ == "together") with_everybody();
    else across();
    const auto whole = clock.length_ns(clock.read() - begin);
    const auto last = 2 * (points() - 1);
    values[last] = values[last + 1] = whole;
    out_.advance();
    in_.advance();
  }

  // Of a pair each side has its own value; of a whole pass the slowest rank's.
  static std::int64_t combine(std::size_t, const std::int64_t* of_ranks, int ranks) {
    return *std::max_element(of_ranks, of_ranks + ranks);
  }

  void prepare(int iteration) {
    checked_ = iteration;
    right_ = true;
    out_.fill(rank_, iteration);
  }
  bool verify(int) {
    checked_ = unchecked;
    return right_;
  }
  void evict() {
    out_.evict();
    in_.evict();
  }

 private:
  static constexpr bool can_at_once = HasIsend<T> && HasIrecv<T> && HasWait<T>;
  static constexpr int tag = 11, answer_tag = 12, token_tag = 13, unchecked = -1;
  static constexpr std::size_t most_repeats = 31;

  bool in_pairs() const { return schedule_ == "sequence" || schedule_ == "rounds"; }

  std::size_t place_of(int first, int second) const {
    return static_cast<std::size_t>(first * (2 * ranks_ - first - 1) / 2 + second - first - 1);
  }

  // The same on every rank, since all have drawn as often (splitmix64).
  std::size_t draw(std::size_t below) {
    std::uint64_t z = (random_ += 0x9E3779B97F4A7C15U);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9U;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBU;
    return static_cast<std::size_t>((z ^ (z >> 31)) % below);
  }

  template <class Item>
  void shuffle(std::vector<Item>& items) {
    for (std::size_t left = items.size(); left > 1; --left) std::swap(items[left - 1], items[draw(left)]);
  }

  // Who has measured a pair gives the word to the first rank of the next one.
  template <class Clock>
  void one_after_another(Clock& clock, std::int64_t* values) {
    shuffle(all_);
    char token = 1;
    for (std::size_t i = 0; i < all_.size(); ++i) {
      const auto [first, second] = all_[i];
      if (rank_ == first && i > 0 && all_[i - 1].first != first) transport_.recv(&token, 1, all_[i - 1].first, token_tag);
      if (rank_ == first || rank_ == second) measure(clock, first, second, values);
      if (rank_ == first && i + 1 < all_.size() && all_[i + 1].first != first)
        transport_.send(&token, 1, all_[i + 1].first, token_tag);
    }
  }

  // The circle method: one rank stands still and the others move on by one place a round. With an odd number of them the
  // place of the one that stands is empty, and who meets it has a rest.
  template <class Clock>
  void in_rounds(Clock& clock, std::int64_t* values) {
    shuffle(order_);
    const int places = ranks_ + ranks_ % 2, moving = places - 1;
    for (int round = 0; round < moving; ++round) {
      for (int i = 0; i < places / 2; ++i) {
        const int one = (round + i) % moving, other = i == 0 ? moving : (round - i + moving) % moving;
        if (other >= ranks_) continue;
        const auto [first, second] = std::minmax(order_[static_cast<std::size_t>(one)], order_[static_cast<std::size_t>(other)]);
        if (rank_ == first || rank_ == second) measure(clock, first, second, values);
      }
      algorithms::dissemination_barrier(transport_, ranks_);
    }
  }

  template <class Clock>
  void measure(Clock& clock, int first, int second, std::int64_t* values) {
    auto* own = values + 2 * place_of(first, second);
    const bool leads = rank_ == first;
    const int peer = leads ? second : first;
    if (leads) own[0] = ask(clock, peer);
    else answer(peer);
    if (leads) answer(peer);
    else own[1] = ask(clock, peer);
  }

  // The median time of a message to the peer; the first one only wakes both.
  template <class Clock>
  std::int64_t ask(Clock& clock, int peer) {
    std::array<std::int64_t, most_repeats> times{};
    const std::size_t count = checked_ == unchecked ? repeats_ : 0;
    for (std::size_t i = 0; i <= count; ++i) {
      const auto begin = clock.read();
      transport_.send(out_.data(), out_.bytes(), peer, tag);
      take(peer, short_ ? std::min<std::size_t>(1, in_.bytes()) : in_.bytes(), answer_tag);
      if (i > 0) times[i - 1] = clock.length_ns(clock.read() - begin);
    }
    const auto middle = times.begin() + static_cast<std::ptrdiff_t>(count / 2);
    std::nth_element(times.begin(), middle, times.begin() + static_cast<std::ptrdiff_t>(count));
    return std::max<std::int64_t>(1, short_ ? *middle : *middle / 2);
  }

  void answer(int peer) {
    const std::size_t count = checked_ == unchecked ? repeats_ : 0;
    for (std::size_t i = 0; i <= count; ++i) {
      take(peer, in_.bytes(), tag);
      transport_.send(out_.data(), short_ ? std::min<std::size_t>(1, out_.bytes()) : out_.bytes(), peer, answer_tag);
    }
  }

  void take(int peer, std::size_t bytes, int with_tag) {
    if (checked_ != unchecked) in_.scribble();
    transport_.recv(in_.data(), bytes, peer, with_tag);
    check(peer, bytes);
  }

  void check(int peer, std::size_t bytes) {
    if (checked_ != unchecked) right_ = holds_pattern(in_.data(), bytes, peer, checked_) && right_;
  }

  // To the next rank and from the one before, to the second next ...: everybody sends and receives all the time.
  void with_everybody() {
    for (int distance = 1; distance < ranks_; ++distance)
      exchange((rank_ + distance) % ranks_, (rank_ - distance + ranks_) % ranks_);
  }

  void across() {
    const int half = ranks_ / 2;
    if (rank_ >= 2 * half) return;
    const int peer = (rank_ + half) % (2 * half);
    for (std::size_t i = 0; i < repeats_; ++i) exchange(peer, peer);
  }

  void exchange(int to, int from) {
    if constexpr (can_at_once) {
      if (checked_ != unchecked) in_.scribble();
      auto coming = transport_.irecv(in_.data(), in_.bytes(), from, tag);
      auto going = transport_.isend(out_.data(), out_.bytes(), to, tag);
      transport_.wait(coming);
      transport_.wait(going);
      check(from, in_.bytes());
    }
  }

  T& transport_;
  int rank_, ranks_;
  std::string schedule_;
  bool short_;
  std::uint64_t random_;
  std::size_t repeats_;
  Buffer out_, in_;
  std::vector<int> order_;
  std::vector<std::pair<int, int>> all_;
  int checked_ = unchecked;
  bool right_ = true;
};

}  // namespace msgauge::kernels::all_pairs
