// Messages go one way only: what each costs the sender, and what each costs the receiver.
#pragma once

#include <vector>

#include "../buffers.hpp"
#include "../durations.hpp"
#include "../facts.hpp"
#include "../transport.hpp"
#include "../p2p_modes.hpp"

namespace msgauge::kernels::one_way {

inline constexpr Facts facts{
    .name = "one-way",
    .title = "One way",
    .meaning = "Time per message on either side while rank 0 sends a train of messages to rank 1, which never answers "
               "within the train; idle time put between messages is taken off again.",
    .source = "Martin, Vahdat, Culler, Anderson 1997, Effects of communication latency, overhead, and bandwidth in a "
              "cluster architecture",
    .minimum_ranks = 2,
    .maximum_ranks = 2,
    .bytes_moved = "bytes",
    .needs = "send recv",
    .options = "send=standard|nonblocking|synchronous|buffered|persistent messages=100|1|10|1000 "
               "idle=0|1us|2us|5us|10us|20us|50us|100us|500us idle_at=sender|receiver transient=dropped|kept",
    .option_meanings =
        "idle: time put between messages, and taken off again\n"
        "idle_at: the side that is idle: sender or receiver\n"
        "messages: messages of a train that count\n"
        "send: the call that sends: standard; synchronous returns when the receive has begun; buffered copies"
        " into room made beforehand; nonblocking is started and waited for; persistent is one request started"
        " again and again\n"
        "transient: whether the first trains are dropped as warm-up, or kept, so that start-up can be seen\n",
    .series = "sender receiver",
    .unit = "ns",
    .sized = true,
    .collective = false,
    .aliases = "oneway-latency",
};

// One operation is a train: a first message that only wakes the receiver and starts both clocks, then `messages` that
// count. Each side's time is its own, from its first message to the end of its last, less its idle times, divided by
// `messages`. Non-blocking sends are all started before the first is waited for; their waiting is the sender's time.
template <Transport T>
class Run {
 public:
  static constexpr bool self_timed = true;
  static constexpr bool fenced = true;
  const std::int64_t events;

  static constexpr Coverage coverage(const Cell& cell) {
    auto reason = unsupported_reason<T>(send_mode(cell.option("send", facts)), cell.cache);
    if (cell.option("send", facts) == "buffered" && cell.bytes * number_in(cell.option("messages", facts)) > most_buffered)
      reason = "the buffered train would need more than 256 MiB; send fewer or shorter messages";
    return reason.empty() ? Coverage{} : Coverage{Coverage::Kind::refused, "", reason};
  }

  Run(T& transport, const Cell& cell)
      : events(number_in(cell.option("messages", facts))), transport_(transport), first_(transport.rank() == 0),
        at_once_(cell.option("send", facts) == "nonblocking"), kept_(cell.option("transient", facts) == "kept"),
        receiver_idles_(cell.option("idle", facts) != "0" && cell.option("idle_at", facts) == "receiver"),
        idle_(idles(cell) ? duration_ns(cell.option("idle", facts)) : 0), data_(cell.bytes, cell.cache),
        sender_(transport, send_mode(cell.option("send", facts)), data_, 1, tag) {
    if constexpr (HasIsend<T>)
      if (at_once_ && first_) requests_.resize(static_cast<std::size_t>(events));
  }

  bool keeps_transient() const { return kept_; }
  // The idle side, as the other one only shows its pace; without idle time the sender.
  std::size_t compared() const { return receiver_idles_ ? 1 : 0; }
  void open() {
    if (first_) sender_.open(static_cast<std::size_t>(events) + 1);
  }
  void close() {
    if (first_) sender_.close();
  }

  template <class Clock>
  void once(Clock& clock, std::int64_t* values) {
    idle_.prepare(clock);
    if (first_) values[0] = at_once_ ? send_at_once(clock) : send_train(clock);
    else values[1] = receive_train(clock);
    char done = 1;
    if (first_) transport_.recv(&done, 1, 1, done_tag);
    else transport_.send(&done, 1, 0, done_tag);
  }

  // What the sender took is rank 0's word, what the receiver took is rank 1's.
  static std::int64_t combine(std::size_t series, const std::int64_t* of_ranks, int) { return of_ranks[series]; }

  void prepare(int iteration) {
    if (first_) data_.fill(0, iteration);
    else data_.scribble();
    received_ = data_.data();
  }
  bool verify(int iteration) { return holds_pattern(received_, data_.bytes(), 0, iteration); }
  void evict() { data_.evict(); }

 private:
  static constexpr int tag = 7, done_tag = 8;
  static constexpr std::int64_t most_buffered = std::int64_t{256} << 20;

  bool idles(const Cell& cell) const { return (cell.option("idle_at", facts) == "sender") == first_; }

  template <class Clock>
  std::int64_t send_train(Clock& clock) {
    sender_.send();
    std::int64_t idle = 0;
    const auto begin = clock.read();
    for (std::int64_t i = 0; i < events; ++i) {
      idle += idle_.spend(clock);
      sender_.send();
    }
    return clock.length_ns(clock.read() - begin) - idle;
  }

  template <class Clock>
  std::int64_t send_at_once(Clock& clock) {
    if constexpr (HasIsend<T> && HasWait<T>) {
      transport_.send(data_.data(), data_.bytes(), 1, tag);
      std::int64_t idle = 0;
      const auto begin = clock.read();
      for (auto& request : requests_) {
        idle += idle_.spend(clock);
        request = transport_.isend(data_.data(), data_.bytes(), 1, tag);
      }
      for (auto& request : requests_) transport_.wait(request);
      return clock.length_ns(clock.read() - begin) - idle;
    }
    return 0;
  }

  template <class Clock>
  std::int64_t receive_train(Clock& clock) {
    transport_.recv(data_.data(), data_.bytes(), 0, tag);
    std::int64_t idle = 0;
    const auto begin = clock.read();
    for (std::int64_t i = 0; i < events; ++i) {
      idle += idle_.spend(clock);
      transport_.recv(data_.data(), data_.bytes(), 0, tag);
    }
    return clock.length_ns(clock.read() - begin) - idle;
  }

  T& transport_;
  bool first_, at_once_, kept_, receiver_idles_;
  Idle idle_;
  Buffer data_;
  Sender<T> sender_;
  RequestList<T> requests_;
  const void* received_ = nullptr;
};

}  // namespace msgauge::kernels::one_way
