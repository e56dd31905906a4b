// Rank 0 hands a packet to every worker and gets one back from each: a coordinator's round.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <string_view>
#include <utility>
#include <vector>

#include "../algorithms.hpp"
#include "../buffers.hpp"
#include "../facts.hpp"
#include "../transport.hpp"

namespace msgauge::kernels::fanout {

inline constexpr Facts facts{
    .name = "fanout",
    .title = "Fan-out",
    .meaning = "One round of a coordinator: rank 0 sends a packet to every other rank and has a packet of the same size "
               "back from each. Divide by the number of workers for the cost of one; in the form tasks by 32 more.",
    .source = "MPI or not MPI - that is the question, 2012 (tcp-or-mpi), programs 1 to 3",
    .minimum_ranks = 2,
    .maximum_ranks = 0,
    .bytes_moved = "2 * bytes * (ranks - 1)",
    .needs = "send recv",
    .options = "form=sends|bcast|blocking|tasks in_flight=16|1",
    .option_meanings =
        "form: how packets go out: sends, a non-blocking send to each; bcast, one broadcast; blocking, a send"
        " to each that returns when the stack has the bytes, answers received in turn; tasks, 32 packets for each worker,"
        " of which several are under way at a time\n"
        "in_flight: packets under way to and from a worker, in the form tasks alone\n",
    .series = "time",
    .unit = "ns",
    .sized = true,
    .collective = false,
    .pattern = "fan-out",
    .aliases = "coordinator master-worker farm",
};

// sends:    a non-blocking send to each worker, a non-blocking receive from each, wait for all
// bcast:    a broadcast, then non-blocking receives
// blocking: a send to each that comes back as soon as the stack has the bytes, then a receive from each in turn;
//           what a program over plain sockets does
// tasks:    32 rounds in one, in_flight packets under way at a time: who has answered gets the next one at once. Answers are
//           received in turn; a farm gives to whoever is free, and then tells each by a packet of another size that it was all
enum class Form { sends, bcast, blocking, tasks };

inline constexpr int tasks_each = 32;

template <Transport T>
class Run {
 public:
  static constexpr int events = 1;

  static constexpr Coverage coverage(const Cell& cell) {
    if (HasTasks<T>) return {};
    const Form form = form_of(cell);
    if (form == Form::tasks)
      return (HasIsend<T> && HasWait<T>) || in_flight_of(cell) == 1
                 ? Coverage{}
                 : Coverage{Coverage::Kind::refused, "", "it has no non-blocking send, and several packets in flight could block both sides"};
    if (form == Form::bcast && !HasBcast<T>)
      return {Coverage::Kind::emulated, can_at_once ? "binomial" : "binomial,blocking", ""};
    if (form != Form::blocking && !can_at_once) return {Coverage::Kind::emulated, "blocking", ""};
    return {};
  }

  Run(T& transport, const Cell& cell)
      : transport_(transport), rank_(transport.rank()), ranks_(cell.ranks), form_(form_of(cell)), in_flight_(in_flight_of(cell)),
        bytes_(static_cast<std::size_t>(cell.bytes)), stride_((bytes_ + 63) / 64 * 64), packet_(cell.bytes, cell.cache),
        answers_(static_cast<std::int64_t>(stride_) * (rank_ == 0 ? ranks_ - 1 : 1), cell.cache) {
    if constexpr (HasIsend<T>)
      if (rank_ == 0) requests_.resize(static_cast<std::size_t>(std::max(2, in_flight_) * (ranks_ - 1)));
    served_.assign(static_cast<std::size_t>(ranks_), 1);
  }

  void once() {
    rank_ == 0 ? coordinate() : work();
    packet_.advance();
    answers_.advance();
  }

  // A worker's packet goes out of `answers_`, for that is where its bytes of its own lie.
  void prepare(int iteration) {
    received_ = rank_ == 0 ? answers_.data() : packet_.data();
    iteration_ = iteration;
    all_right_ = true;
    if (rank_ == 0) {
      packet_.fill(0, iteration);
      answers_.scribble();
    } else {
      packet_.scribble();
      fill_pattern(answers_.data(), bytes_, rank_, iteration);
    }
  }

  bool verify(int iteration) {
    iteration_ = unchecked;
    if (!all_right_) return false;
    if (rank_ != 0) return !served(rank_) || holds_pattern(received_, bytes_, 0, iteration);
    for (int worker = 1; worker < ranks_; ++worker)
      if (served(worker) && !holds_pattern(received_ + place(worker), bytes_, worker, iteration)) return false;
    return true;
  }

  void evict() {
    packet_.evict();
    answers_.evict();
  }

 private:
  static constexpr bool can_at_once = HasIsend<T> && HasIrecv<T> && HasWait<T>;
  static constexpr int task_tag = 5, answer_tag = 6, unchecked = -1;

  static constexpr Form form_of(const Cell& cell) {
    const auto wanted = cell.option("form", facts);
    if (wanted == "tasks") return Form::tasks;
    return wanted == "bcast" ? Form::bcast : wanted == "blocking" ? Form::blocking : Form::sends;
  }
  static constexpr int in_flight_of(const Cell& cell) { return cell.option("in_flight", facts) == "1" ? 1 : 16; }

  // A farm may give all packets of a round to others.
  char& served(int rank) { return served_[static_cast<std::size_t>(rank)]; }

  // Of several packets that take each other's place every one is looked at, while payloads are checked.
  void look_at(const unsigned char* packet, int sender) {
    if (iteration_ != unchecked) [[unlikely]] all_right_ = all_right_ && holds_pattern(packet, bytes_, sender, iteration_);
  }

  std::size_t place(int worker) const { return static_cast<std::size_t>(worker - 1) * stride_; }

  void coordinate() {
    if constexpr (HasTasks<T>) return form_ == Form::tasks ? farm_tasks() : farm();
    if (form_ == Form::tasks) return keep_in_flight();
    if (form_ == Form::bcast) broadcast();
    if constexpr (can_at_once) {
      if (form_ != Form::blocking) return at_once();
    }
    if (form_ != Form::bcast)
      for (int worker = 1; worker < ranks_; ++worker) transport_.send(packet_.data(), bytes_, worker, task_tag);
    for (int worker = 1; worker < ranks_; ++worker)
      transport_.recv(answers_.data() + place(worker), bytes_, worker, answer_tag);
  }

  void at_once() {
    if constexpr (can_at_once) {
      auto next = requests_.begin();
      if (form_ == Form::sends)
        for (int worker = 1; worker < ranks_; ++worker)
          *next++ = transport_.isend(packet_.data(), bytes_, worker, task_tag);
      for (int worker = 1; worker < ranks_; ++worker)
        *next++ = transport_.irecv(answers_.data() + place(worker), bytes_, worker, answer_tag);
      for (auto request = requests_.begin(); request != next; ++request) transport_.wait(*request);
    }
  }

  void keep_in_flight() {
    for (int task = 0; task < in_flight_; ++task)
      for (int worker = 1; worker < ranks_; ++worker) send_task(worker, task);
    for (int task = 0; task < tasks_each; ++task)
      for (int worker = 1; worker < ranks_; ++worker) {
        transport_.recv(answers_.data() + place(worker), bytes_, worker, answer_tag);
        look_at(answers_.data() + place(worker), worker);
        if constexpr (HasIsend<T> && HasWait<T>) transport_.wait(request_of(worker, task));
        if (task + in_flight_ < tasks_each) send_task(worker, task + in_flight_);
      }
  }

  void send_task(int worker, int task) {
    if constexpr (HasIsend<T> && HasWait<T>)
      request_of(worker, task) = transport_.isend(packet_.data(), bytes_, worker, task_tag);
    else transport_.send(packet_.data(), bytes_, worker, task_tag);
  }

  auto& request_of(int worker, int task) {
    return requests_[static_cast<std::size_t>((worker - 1) * in_flight_ + task % in_flight_)];
  }

  // A farm has no address for a packet: as many tasks as workers wait go to one each.
  void farm() {
    if constexpr (HasTasks<T>) {
      const int workers = ranks_ - 1;
      if (form_ == Form::bcast) {
        transport_.share(packet_.data(), bytes_);
        transport_.give(nullptr, 0, workers);
      } else if (form_ == Form::sends) {
        transport_.give(packet_.data(), bytes_, workers);
      } else {
        for (int worker = 0; worker < workers; ++worker) transport_.give(packet_.data(), bytes_, 1);
      }
      for (int worker = 0; worker < workers; ++worker) {
        keep(transport_.next_answer());
      }
    }
  }

  void keep(const TaskAnswer& answer) {
    if (answer.bytes == bytes_ && bytes_ > 0) std::memcpy(answers_.data() + place(answer.worker), answer.data, bytes_);
  }

  void farm_tasks() {
    if constexpr (HasTasks<T>) {
      const int workers = ranks_ - 1, all = workers * tasks_each;
      served_.assign(served_.size(), 0);
      int given = workers * in_flight_, owed = 0;
      transport_.give(packet_.data(), bytes_, given);
      for (int done = 0; done < all; ++done) {
        const TaskAnswer answer = transport_.next_answer();
        served(answer.worker) = 1;
        keep(answer);
        look_at(answers_.data() + place(answer.worker), answer.worker);
        ++owed;
        if (transport_.answers_at_hand() > 0 || given == all) continue;
        owed = std::min(owed, all - given);
        transport_.give(packet_.data(), bytes_, owed);
        given += std::exchange(owed, 0);
      }
      transport_.give(packet_.data(), size_of_end(), workers);
      for (int worker = 0; worker < workers; ++worker) transport_.next_answer();
    }
  }

  std::size_t size_of_end() const { return bytes_ == 0 ? 1 : 0; }

  void work_tasks_in_farm() {
    if constexpr (HasTasks<T>) {
      served(rank_) = 0;
      while (transport_.take_at_most(packet_.data(), std::max<std::size_t>(bytes_, 1)) != size_of_end()) {
        served(rank_) = 1;
        look_at(packet_.data(), 0);
        transport_.answer(answers_.data(), bytes_);
      }
      transport_.answer(nullptr, 0);
    }
  }

  void work_in_farm() {
    if constexpr (HasTasks<T>) {
      if (form_ == Form::tasks) return work_tasks_in_farm();
      transport_.take(packet_.data(), form_ == Form::bcast ? 0 : bytes_);
      if (form_ == Form::bcast) transport_.take_shared(packet_.data(), bytes_);
      transport_.answer(answers_.data(), bytes_);
    }
  }

  void work() {
    if constexpr (HasTasks<T>) return work_in_farm();
    if (form_ == Form::tasks) {
      for (int task = 0; task < tasks_each; ++task) {
        transport_.recv(packet_.data(), bytes_, 0, task_tag);
        look_at(packet_.data(), 0);
        transport_.send(answers_.data(), bytes_, 0, answer_tag);
      }
      return;
    }
    if (form_ == Form::bcast) broadcast();
    else transport_.recv(packet_.data(), bytes_, 0, task_tag);
    transport_.send(answers_.data(), bytes_, 0, answer_tag);
  }

  void broadcast() {
    if constexpr (HasBcast<T>) transport_.bcast(packet_.data(), bytes_, 0);
    else algorithms::binomial_bcast(transport_, packet_.data(), bytes_, 0, ranks_);
  }

  // Room for requests; none for transports that have none.
  struct Nothing {};
  template <class Any>
  struct RowOf {
    using type = Nothing;
  };
  template <HasIsend Any>
  struct RowOf<Any> {
    using type = std::vector<typename Any::Request>;
  };

  T& transport_;
  int rank_;
  int ranks_;
  Form form_;
  int in_flight_;
  std::size_t bytes_;
  std::size_t stride_;
  Buffer packet_;
  Buffer answers_;
  const unsigned char* received_ = nullptr;
  typename RowOf<T>::type requests_;
  int iteration_ = unchecked;
  bool all_right_ = true;
  std::vector<char> served_;  // in the last round; by rank
};

}  // namespace msgauge::kernels::fanout
