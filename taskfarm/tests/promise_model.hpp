// What docs/promises.md promises, as a program: it is told what was asked of a farm and what its workers did, and says what has
// to come of it. It knows nothing of how the farm decides who gets a task.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "clock.hpp"
#include "scripted_worker.hpp"
#include "taskfarm.h"

namespace taskfarm {

inline void must(bool holds, const std::string& what) {
  if (!holds) throw std::logic_error(what);
}

class PromiseModel {
 public:
  using Held = ScriptedWorker::Held;
  struct Task {
    std::string payload, answer;
    std::int64_t deadline_ns = never;
    std::uint64_t broadcasts = 0;  // made before it was submitted
    bool ended = false, handed_out = false, confirmed = false, by_answer = false;
    int status = TF_DONE;
    std::uint32_t given = 0, suspected = 0;
    std::set<std::uint32_t> attempts;
  };
  struct Counted {
    std::uint64_t attempts_lost = 0, unwanted = 0, protocol_errors = 0, lost = 0, left = 0, reconnects = 0, joined = 0;
  };

  PromiseModel(bool ordered, std::uint32_t max_attempts) : ordered_(ordered), max_attempts_(max_attempts) {}

  std::vector<Task>& tasks() { return tasks_; }  // by id - 1
  Task& of(std::uint64_t id) { return tasks_.at(id - 1); }
  bool knows(std::uint64_t id) const { return id >= 1 && id <= tasks_.size(); }
  bool outstanding(std::uint64_t id) const { return knows(id) && !tasks_[id - 1].ended; }
  Counted counted;
  std::map<std::string, std::string> broadcasts;
  std::uint64_t broadcast_versions = 0;

  void submitted(std::uint64_t id, std::string payload, std::int64_t deadline_ns) {
    must(id == tasks_.size() + 1, "ids are given in order");
    tasks_.emplace_back();
    tasks_.back().payload = std::move(payload);
    tasks_.back().deadline_ns = deadline_ns;
    tasks_.back().broadcasts = broadcast_versions;
  }

  // A worker got it.
  void given(const ScriptedWorker::Arrival& arrival) {
    must(knows(arrival.id), "a task that nobody submitted");
    Task& task = of(arrival.id);
    must(arrival.payload == task.payload, "a task's bytes are those submitted");
    must(arrival.broadcasts >= task.broadcasts, "broadcasts come before tasks that were submitted after them");
    must(task.attempts.insert(arrival.attempt).second, "an attempt is given once");
    must(!task.confirmed || task.status == TF_EXPIRED, "a task that was delivered runs no more");
    must(task.suspected < max_attempts_, "a task that took max_attempts workers down runs no more");
    ++task.given;
  }

  // Of one that the worker held, now or before its connection was lost.
  void answered(std::uint64_t id, int status, const std::string& bytes) {
    if (!outstanding(id)) return void(++counted.unwanted);
    of(id).by_answer = true;
    end(id, status, bytes);
  }
  void end(std::uint64_t id, int status, const std::string& bytes = {}) {
    Task& task = of(id);
    task.ended = true;
    task.status = status;
    task.answer = bytes;
  }

  // A worker is lost that held it; `held_elsewhere`: by somebody who may still answer it.
  void lost(const Held& held, bool guilty, bool assigned, bool held_elsewhere) {
    if (!outstanding(held.id) || !assigned) return;
    Task& task = of(held.id);
    if (guilty) {
      ++task.suspected;
      ++counted.attempts_lost;
    }
    if (!held.cancelled && !held_elsewhere && task.suspected >= max_attempts_) end(held.id, TF_DEAD);
  }

  // The worker of a task that was guilty of its loss is back.
  void pardoned(const Held& held) {
    --counted.attempts_lost;
    if (outstanding(held.id)) --of(held.id).suspected;
  }

  void delivered(const tf_result& result) {
    must(knows(result.id), "a result of no task");
    Task& task = of(result.id);
    const std::string what = "task " + std::to_string(result.id) + ": ";
    must(!task.confirmed, what + "delivered twice");
    must(result.redelivered == (task.handed_out ? 1U : 0U), what + "delivered twice, or said to be");
    if (result.status == TF_EXPIRED && (!task.ended || task.by_answer)) expired(task, what);
    must(task.ended, what + "an end that it has not come to: " + std::to_string(result.status));
    must(result.status == task.status,
         what + "ends as " + std::to_string(result.status) + " and not " + std::to_string(task.status));
    const std::string bytes(static_cast<const char*>(result.data), result.bytes);
    if (task.status == TF_DEAD) dead(task, bytes, what);
    else must(bytes == task.answer, what + "the bytes are not those of its answer");
    must(result.attempts == task.given || !task.by_answer,
         what + "attempts " + std::to_string(result.attempts) + " of " + std::to_string(task.given));
    if (ordered_) must(result.id == in_order_ + 1, what + "out of order");
    in_order_ = result.id;
    task.handed_out = true;
    unconfirmed_.push_back(result.id);
  }

  // The next call of tf_next has come.
  void confirm() {
    for (const std::uint64_t id : unconfirmed_) of(id).confirmed = true;
    unconfirmed_.clear();
  }

  // The coordinator has died, and another took over its journal.
  void restarted() {
    if (!unconfirmed_.empty()) in_order_ = unconfirmed_.front() - 1;
    unconfirmed_.clear();
    for (Task& task : tasks_) {
      if (!task.ended) task.given = 0, task.attempts.clear();
    }
    counted = {};
  }

  // Those whose deadline has passed must have ended. The next moment at which one passes, if it is near.
  std::int64_t expire(std::int64_t now) {
    std::int64_t next = never;
    for (Task& task : tasks_) {
      if (task.ended || task.deadline_ns == never) continue;
      if (task.deadline_ns < now) task.ended = true, task.status = TF_EXPIRED;
      else next = std::min(next, task.deadline_ns);
    }
    return next;
  }

  struct Sums {
    std::uint64_t outstanding = 0, ended = 0, bytes = 0;
  };
  Sums sums() const {
    Sums sums;
    for (const Task& task : tasks_) {
      if (task.confirmed) continue;
      ++(task.ended ? sums.ended : sums.outstanding);
      sums.bytes += task.ended ? task.answer.size() : task.payload.size();
    }
    return sums;
  }
  std::uint64_t raced = 0;  // answers that came about when the deadline passed

 private:
  void expired(Task& task, const std::string& what) {
    must(task.deadline_ns <= now_ns(), what + "expired before its deadline");
    raced += task.ended;
    task.ended = true;
    task.by_answer = false;
    task.status = TF_EXPIRED;
    task.answer.clear();
  }
  void dead(Task& task, const std::string& reasons, const std::string& what) {
    std::uint32_t lines = 0;
    for (std::size_t at = 0; (at = reasons.find('\n', at)) != reasons.npos; ++at) ++lines;
    must(lines == task.suspected, what + "a line for each lost attempt: " + reasons);
    task.answer = reasons;
  }

  bool ordered_;
  std::uint32_t max_attempts_;
  std::vector<Task> tasks_;
  std::vector<std::uint64_t> unconfirmed_;
  std::uint64_t in_order_ = 0;
};

}  // namespace taskfarm
