// Pi by darts: rank 0 hands out tasks, one to each worker, and the next to whoever has finished.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "../application.hpp"
#include "../facts.hpp"
#include "../transport.hpp"

namespace msgauge::kernels::montecarlo {

inline constexpr Facts facts{
    .name = "montecarlo",
    .title = "Monte Carlo by coordinator and workers",
    .meaning = "From the start of all ranks until rank 0 has the answers of all tasks: each task is a number of darts "
               "thrown at a quarter of a circle, and a worker gets its next task when it has answered the last. Rank 0 "
               "only hands out and collects; compute and communication are means over the workers.",
    .source = "MPI or not MPI - that is the question, 2012 (tcp-or-mpi), the work its library was made for",
    .minimum_ranks = 2,
    .maximum_ranks = 0,
    .bytes_moved = "0",
    .needs = "send recv",
    .options = "tasks=100|1000 points=20000|2000|200000",
    .option_meanings =
        "points: darts of a task\n"
        "tasks: tasks that are handed out\n",
    .series = "time compute communication cpu serial",
    .unit = "ns",
    .sized = false,
    .collective = false,
    .kind = "program",
};

// Darts of a task that fall inside the circle: whole numbers all the way, so the same on every machine.
[[gnu::noinline]] inline std::int64_t hits_of(std::int64_t task, std::int64_t points) {
  std::int64_t hits = 0;
  for (std::int64_t i = 0; i < points; ++i) {
    const auto dart = application::random_at(static_cast<std::uint64_t>(task) + 1, static_cast<std::uint64_t>(i));
    const std::uint64_t x = dart >> 33, y = (dart & 0xFFFFFFFFU) >> 1;
    hits += x * x + y * y < (std::uint64_t{1} << 62);
  }
  return hits;
}

// A whole number three times, so that one that was damaged on its way is still understood: nobody is to wait for ever
// because of it. `damaged` says so.
struct Thrice {
  std::array<std::int64_t, 3> copies{};
  explicit Thrice(std::int64_t value = 0) { copies.fill(value); }
  bool damaged() const { return copies[0] != copies[1] || copies[1] != copies[2]; }
  std::int64_t value() const { return copies[1] == copies[2] ? copies[1] : copies[0]; }
};

struct Answer {
  Thrice worker;
  std::int64_t task = 0;
  std::int64_t hits = 0;
};

template <Transport T>
class Run {
 public:
  static constexpr int events = 1;
  static constexpr bool self_timed = true;
  static constexpr bool fenced = true;
  static constexpr std::string_view common_clock = "time";

  static constexpr Coverage coverage(const Cell&) {
    if (HasTasks<T> || HasAnySource<T>) return {};
    return {Coverage::Kind::emulated, can_ask ? "asking each" : "in turn", ""};
  }

  Run(T& transport, const Cell& cell)
      : transport_(transport), rank_(transport.rank()), ranks_(cell.ranks),
        tasks_(application::number(cell, "tasks", facts)), points_(application::number(cell, "points", facts)),
        answers_(static_cast<std::size_t>(ranks_)), hits_(static_cast<std::size_t>(tasks_)) {
    if constexpr (can_ask) asked_.resize(static_cast<std::size_t>(ranks_));
  }

  template <class Clock>
  void once(Clock& clock, std::int64_t* values) {
    application::Phases<T, Clock> phases(clock, values);
    if (rank_ == 0) coordinate();
    else work(phases);
    phases.ends(reference_.ns());
    if constexpr (HasTasks<T>)
      if (rank_ == 0) send_home();
  }

  static std::int64_t combine(std::size_t series, const std::int64_t* of_ranks, int ranks) {
    const bool of_workers = series == application::compute || series == application::communication;
    return of_workers ? application::combine(series, of_ranks + 1, ranks - 1)
                      : application::combine(series, of_ranks, ranks);
  }

  void prepare(int) {
    damaged_ = false;
    std::fill(hits_.begin(), hits_.end(), -1);
    reference_.run(transport_, ranks_, [&] {
      expected_.clear();
      for (std::int64_t task = 0; task < tasks_; ++task) expected_.push_back(hits_of(task, points_));
    });
  }

  bool verify(int) { return !damaged_ && (rank_ != 0 || hits_ == expected_); }

  void evict() {}

 private:
  static constexpr bool can_ask = !HasAnySource<T> && HasIrecv<T> && HasTest<T>;
  static constexpr int task_tag = 8, answer_tag = 9;
  static constexpr std::int64_t go_home = -1;

  void coordinate() {
    if constexpr (HasTasks<T>) return farm_out();
    std::int64_t next = 0;
    handed_.assign(static_cast<std::size_t>(ranks_), go_home);
    turn_ = 0;
    for (int worker = 1; worker < ranks_; ++worker) hand_out(worker, next);
    for (std::int64_t done = 0; done < tasks_; ++done) {
      const int worker = next_answer();
      const auto& answer = answers_[static_cast<std::size_t>(worker)];
      auto& handed = handed_[static_cast<std::size_t>(worker)];
      damaged_ = damaged_ || answer.task != handed;
      hits_[static_cast<std::size_t>(handed)] = answer.hits;
      hand_out(worker, next);
    }
  }

  // A farm finds the worker for each task. It is given no more than there are workers, as elsewhere.
  void farm_out() {
    if constexpr (HasTasks<T>) {
      std::int64_t next = 0;
      const auto give_next = [&] {
        const Thrice task(next++);
        transport_.give(&task, sizeof task, 1);
      };
      while (next < std::min<std::int64_t>(tasks_, ranks_ - 1)) give_next();
      for (std::int64_t done = 0; done < tasks_; ++done) {
        const TaskAnswer came = transport_.next_answer();
        Answer answer;
        if (came.bytes == sizeof answer) std::memcpy(&answer, came.data, sizeof answer);
        const bool sound = came.bytes == sizeof answer && answer.task >= 0 && answer.task < tasks_;
        damaged_ = damaged_ || !sound;
        if (sound) hits_[static_cast<std::size_t>(answer.task)] = answer.hits;
        if (next < tasks_) give_next();
      }
    }
  }

  void send_home() {
    if constexpr (HasTasks<T>) {
      const Thrice home(go_home);
      transport_.give(&home, sizeof home, ranks_ - 1);
      for (int worker = 1; worker < ranks_; ++worker) transport_.next_answer();
    }
  }

  // The next task there is, or leave to go.
  void hand_out(int worker, std::int64_t& next) {
    const bool more = next < tasks_;
    const Thrice task(more ? next++ : go_home);
    handed_[static_cast<std::size_t>(worker)] = task.value();
    if constexpr (can_ask)
      if (more) asked_[static_cast<std::size_t>(worker)] =
          transport_.irecv(&answers_[static_cast<std::size_t>(worker)], sizeof(Answer), worker, answer_tag);
    transport_.send(&task, sizeof task, worker, task_tag);
  }

  bool is_at_work(int worker) const { return handed_[static_cast<std::size_t>(worker)] != go_home; }

  // Waits for an answer and lays it where its worker's answers go: from whoever comes first, where the stack can.
  int next_answer() {
    if constexpr (HasAnySource<T>) {
      Answer answer;
      transport_.recv(&answer, sizeof answer, T::any_source, answer_tag);
      damaged_ = damaged_ || answer.worker.damaged();
      const int worker = static_cast<int>(answer.worker.value());
      if (worker < 1 || worker >= ranks_ || !is_at_work(worker)) throw TransportError("an answer came from nobody");
      answers_[static_cast<std::size_t>(worker)] = answer;
      return worker;
    } else {
      for (;;) {
        turn_ = turn_ % (ranks_ - 1) + 1;
        if (is_at_work(turn_) && has_answered(turn_)) return turn_;
      }
    }
  }

  bool has_answered(int worker) {
    if constexpr (can_ask) {
      return transport_.test(asked_[static_cast<std::size_t>(worker)]);
    } else {
      transport_.recv(&answers_[static_cast<std::size_t>(worker)], sizeof(Answer), worker, answer_tag);
      return true;
    }
  }

  template <class Phases>
  void work(Phases& phases) {
    for (;;) {
      Thrice task;
      phases.communicates([&] { take(task); });
      damaged_ = damaged_ || task.damaged();
      if (task.value() == go_home) {
        if constexpr (HasTasks<T>) transport_.answer(nullptr, 0);
        return;
      }
      Answer answer;
      answer.worker = Thrice(rank_);
      answer.task = task.value();
      phases.computes([&] { answer.hits = hits_of(task.value(), points_); });
      phases.communicates([&] { give_back(answer); });
    }
  }

  void take(Thrice& task) {
    if constexpr (HasTasks<T>) transport_.take(&task, sizeof task);
    else transport_.recv(&task, sizeof task, 0, task_tag);
  }

  void give_back(const Answer& answer) {
    if constexpr (HasTasks<T>) transport_.answer(&answer, sizeof answer);
    else transport_.send(&answer, sizeof answer, 0, answer_tag);
  }

  // Room for a request a worker; none where answers are not asked for.
  struct Nothing {};
  template <class Any, bool wanted>
  struct RowOf {
    using type = Nothing;
  };
  template <class Any>
  struct RowOf<Any, true> {
    using type = std::vector<typename Any::Request>;
  };

  T& transport_;
  int rank_;
  int ranks_;
  std::int64_t tasks_;
  std::int64_t points_;
  int turn_ = 0;
  bool damaged_ = false;
  std::vector<Answer> answers_;        // the last of each worker
  std::vector<std::int64_t> handed_;   // the task each worker has
  std::vector<std::int64_t> hits_;     // of each task
  std::vector<std::int64_t> expected_;
  typename RowOf<T, can_ask>::type asked_;
  application::Reference<T> reference_;
};

}  // namespace msgauge::kernels::montecarlo
