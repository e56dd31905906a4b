// Ranks as threads of one process that hand messages over in memory: real time, no library. For tests of whatever
// needs several ranks, and for showing that a delay of known length is found again.
//
// `--ranks N` sets the number of ranks. MSGAUGE_LOOPBACK, `name=value,name=value`, plans mishaps for tests:
//   delay_ns                holds every sender for so long
//   damage_rank damage_byte the damage_byte-th byte (from 0) that this rank sends while its payload is checked, and no
//                           other, arrives altered; messages that steer the ranks are not counted
#pragma once

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <memory>
#include <mutex>
#include <sstream>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "../clock.hpp"
#include "../command_line.hpp"
#include "../coordination.hpp"
#include "../transport.hpp"
#include "loopback_window.hpp"

namespace msgauge::transports::loopback {

inline constexpr std::string_view capabilities =
    "send recv isend irecv wait test probe any_source any_tag "
    "put get accumulate fetch_op compare_swap fence lock flush";

struct Message {
  int source = 0, tag = 0;
  std::vector<unsigned char> data;
};

inline constexpr int anyone = -1;  // as a source, or as a tag

// Messages on their way to one rank.
class Mailbox {
 public:
  void put(Message message) {
    {
      const auto lock = held();
      messages_.push_back(std::move(message));
      ++arrivals_;
    }
    bell_.notify_one();
  }

  // The oldest message of this source and tag, if it is there.
  bool take(int source, int tag, Message& into) {
    const auto lock = held();
    return take_locked(source, tag, into);
  }

  // Spins for some tens of microseconds, for a sender on another core, and then sleeps until it comes: to wake a sleeper
  // would cost the sender more than the message.
  void await(int source, int tag, Message& into) {
    for (int spin = 0; spin < 50'000; ++spin) {
      const auto seen = arrivals_.load(std::memory_order_acquire);
      if (seen != looked_at_ || spin == 0) {
        looked_at_ = seen;
        if (take(source, tag, into)) return;
      }
    }
    std::unique_lock lock(mutex_);
    bell_.wait(lock, [&] { return take_locked(source, tag, into); });
  }

  // How long the oldest message of this source and tag is, once it is there.
  std::size_t await_length(int source, int tag) {
    std::unique_lock lock(mutex_);
    std::size_t bytes = 0;
    bell_.wait(lock, [&] {
      const auto found = std::find_if(messages_.begin(), messages_.end(),
                                      [&](const Message& one) { return fits(one, source, tag); });
      if (found != messages_.end()) bytes = found->data.size();
      return found != messages_.end();
    });
    return bytes;
  }

 private:
  // Whoever holds it is done in a moment: to sleep for it would take longer than that, and make the pace a matter of luck.
  std::unique_lock<std::mutex> held() {
    std::unique_lock lock(mutex_, std::try_to_lock);
    for (int spin = 0; spin < 1000 && !lock.owns_lock(); ++spin) lock.try_lock();
    if (!lock.owns_lock()) lock.lock();
    return lock;
  }

  bool take_locked(int source, int tag, Message& into) {
    for (auto one = messages_.begin(); one != messages_.end(); ++one) {
      if (!fits(*one, source, tag)) continue;
      into = std::move(*one);
      messages_.erase(one);
      return true;
    }
    return false;
  }

  static bool fits(const Message& one, int source, int tag) {
    return (source == anyone || one.source == source) && (tag == anyone || one.tag == tag);
  }

  std::mutex mutex_;
  std::condition_variable bell_;
  std::deque<Message> messages_;
  std::atomic<std::uint64_t> arrivals_{0};
  std::uint64_t looked_at_ = 0;
};

struct Mishaps {
  Mishaps(std::int64_t delay = 0) : delay_ns(delay) {}
  std::int64_t delay_ns;
  std::int64_t damage_rank = -1;
  std::int64_t damage_byte = 0;
};

struct World {
  World(int size, const Mishaps& planned) : boxes(static_cast<std::size_t>(size)), mishaps(planned) {}
  std::vector<Mailbox> boxes;
  Windows windows;
  Mishaps mishaps;
};

class Transport : public OneSided<Transport> {
 public:
  static constexpr bool ranks_are_threads = true;
  static constexpr int any_source = anyone;
  static constexpr int any_tag = anyone;

  // A receive that is not done yet; sends are done at once.
  struct Request {
    void* into = nullptr;
    std::size_t bytes = 0;
    int source = 0, tag = 0;
    bool done = true;
  };

  Transport(World& world, int rank) : world_(&world), rank_(rank) {}

  int rank() const { return rank_; }
  Windows& windows() { return world_->windows; }
  int size() const { return static_cast<int>(world_->boxes.size()); }
  std::string library() const { return "msgauge loopback"; }
  [[noreturn]] void abort(int code) {
    std::fflush(nullptr);
    std::_Exit(code);
  }

  void send(const void* from, std::size_t bytes, int dest, int tag) {
    if (world_->mishaps.delay_ns > 0) {
      const auto until = monotonic_ns() + world_->mishaps.delay_ns;
      while (monotonic_ns() < until) {
      }
    }
    const auto* begin = static_cast<const unsigned char*>(from);
    Message message{rank_, tag, {begin, begin + bytes}};
    if (checked_ && rank_ == world_->mishaps.damage_rank) damage(message);
    box(dest).put(std::move(message));
  }

  void recv(void* into, std::size_t bytes, int source, int tag) {
    Message message;
    box(rank_).await(source, tag, message);
    hand_over(message, into, bytes);
  }

  Request isend(const void* from, std::size_t bytes, int dest, int tag) {
    send(from, bytes, dest, tag);
    return {};
  }
  Request irecv(void* into, std::size_t bytes, int source, int tag) { return {into, bytes, source, tag, false}; }
  void wait(Request& request) {
    if (!request.done) recv(request.into, request.bytes, request.source, request.tag);
    request.done = true;
  }
  bool test(Request& request) {
    Message message;
    if (!request.done && box(rank_).take(request.source, request.tag, message)) {
      hand_over(message, request.into, request.bytes);
      request.done = true;
    }
    return request.done;
  }
  std::size_t probe(int source, int tag) { return box(rank_).await_length(source, tag); }

  void contents(bool matter) { checked_ = matter; }

 private:
  void damage(Message& message) {
    if (message.tag == algorithms::barrier_tag || message.tag == order_tag || message.tag == report_tag) return;
    const auto place = world_->mishaps.damage_byte - checked_bytes_;
    checked_bytes_ += static_cast<std::int64_t>(message.data.size());
    if (place >= 0 && place < static_cast<std::int64_t>(message.data.size()))
      message.data[static_cast<std::size_t>(place)] ^= 0x10;
  }

  Mailbox& box(int rank) { return world_->boxes[static_cast<std::size_t>(rank)]; }

  static void hand_over(const Message& message, void* into, std::size_t room) {
    if (message.data.size() > room) throw TransportError("a message is longer than the buffer it is received into");
    if (!message.data.empty()) std::memcpy(into, message.data.data(), message.data.size());
  }

  World* world_;
  int rank_;
  bool checked_ = false;
  std::int64_t checked_bytes_ = 0;
};

// Raises TransportError for a name that is not known and for a value that is no number.
inline Mishaps mishaps_wanted() {
  Mishaps wanted;
  const char* text = std::getenv("MSGAUGE_LOOPBACK");
  std::istringstream items(text ? text : "");
  for (std::string item; std::getline(items, item, ',');) {
    const auto equals = std::min(item.find('='), item.size());
    const auto name = item.substr(0, equals);
    char* end = nullptr;
    const auto value = equals < item.size() ? std::strtoll(item.c_str() + equals + 1, &end, 10) : -1;
    auto* const field = name == "delay_ns" ? &wanted.delay_ns
                        : name == "damage_rank" ? &wanted.damage_rank
                        : name == "damage_byte" ? &wanted.damage_byte : nullptr;
    if (!field || value < 0 || *end != '\0')
      throw TransportError("MSGAUGE_LOOPBACK takes delay_ns, damage_rank and damage_byte with a number, not " + item);
    *field = value;
  }
  return wanted;
}

// Runs body(Transport&) in as many threads; gives back the largest exit code.
template <class Body>
int run_ranks(int ranks, const Mishaps& mishaps, Body body) {
  World world(ranks, mishaps);
  std::vector<int> codes(static_cast<std::size_t>(ranks), 0);
  std::vector<std::thread> threads;
  for (int rank = 0; rank < ranks; ++rank)
    threads.emplace_back([&, rank] {
      Transport transport(world, rank);
      codes[static_cast<std::size_t>(rank)] = body(transport);
    });
  for (auto& thread : threads) thread.join();
  return *std::max_element(codes.begin(), codes.end());
}

template <class Body>
int launch(int argc, char** argv, Body body) {
  return run_ranks(ranks_wanted(argc, argv), mishaps_wanted(), body);
}

}  // namespace msgauge::transports::loopback
