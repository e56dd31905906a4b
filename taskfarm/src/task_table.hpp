// The tasks that are not yet delivered, by id. Ids are 1, 2, 3, ...; pages of a thousand are made and freed in turn, so a
// look-up is two loads, however many tasks wait, and memory follows the tasks that live.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>

#include "clock.hpp"
#include "payload.hpp"
#include "taskfarm.h"

namespace taskfarm {

struct Task {
  enum class State : std::uint8_t { absent, queued, assigned, finished };
  Payload payload;  // of the task; once finished, of its result
  std::unique_ptr<std::string> reasons;
  std::int64_t deadline_ns = never;
  std::uint32_t worker = 0;    // that got it last; at the end, that replied
  std::uint16_t attempt = 0;   // given out so often
  std::uint16_t copies = 0;    // held by so many connected workers
  std::uint8_t suspected = 0;  // took a worker down so often
  std::uint8_t lost = 0;       // was lost with a worker so often, started or not
  State state = State::absent;
  std::uint8_t status = TF_DONE;
  bool alone = false;        // runs by itself, so that the next loss tells who was guilty
  bool redelivered = false;  // handed out already by a coordinator that then died
  bool recalled = false;     // not to begin any more

  // Takes back the last suspicion of this attempt, and its line. (A restarted coordinator counts attempts anew.)
  void pardon(std::uint64_t of_attempt) {
    if (suspected > 0) --suspected;
    if (!reasons) return;
    const std::string begin = "attempt " + std::to_string(of_attempt) + ": ";
    for (std::size_t at = reasons->rfind(begin); at != std::string::npos && at > 0; at = reasons->rfind(begin, at - 1)) {
      if ((*reasons)[at - 1] == '\n') return void(reasons->erase(at, reasons->find('\n', at) + 1 - at));
    }
    if (reasons->starts_with(begin)) reasons->erase(0, reasons->find('\n') + 1);
  }
};

inline constexpr std::uint16_t most_copies = UINT16_MAX;

class TaskTable {
 public:
  // The next id, or a given one beyond all so far (from a journal).
  std::uint64_t create() { return create(end_); }
  std::uint64_t create(std::uint64_t id) {
    if (pages_.empty()) first_page_ = id >> page_bits;
    while (first_page_ + pages_.size() <= id >> page_bits) pages_.emplace_back();
    auto& page = pages_[(id >> page_bits) - first_page_];
    if (!page) page = std::make_unique<Page>();
    end_ = id + 1;
    ++page->living;
    ++size_;
    (*page)[id].state = Task::State::queued;
    return id;
  }

  Task* find(std::uint64_t id) {  // null for what never was or is no more
    if (id >= end_ || id >> page_bits < first_page_) return nullptr;
    const std::uint64_t place = (id >> page_bits) - first_page_;
    if (place >= pages_.size() || !pages_[place]) return nullptr;
    Task& task = (*pages_[place])[id];
    return task.state == Task::State::absent ? nullptr : &task;
  }

  void remove(std::uint64_t id) {
    auto& page = pages_[(id >> page_bits) - first_page_];
    (*page)[id] = Task{};
    --size_;
    if (--page->living == 0 && end_ >> page_bits > id >> page_bits) page.reset();
    while (!pages_.empty() && !pages_.front() && end_ >> page_bits > first_page_) {
      pages_.pop_front();
      ++first_page_;
    }
  }

  void take_back(std::uint64_t id) {  // the one that was created last: its id comes again
    remove(id);
    end_ = id;
  }

  // use(id, task) for each that lives, in order; it may end tasks, and removes none. Of ids that are no more a thousand cost
  // a look: between the oldest task and the next there may be billions.
  template <class F>
  void each(F&& use) {
    for (std::size_t place = 0; place < pages_.size(); ++place) {
      if (!pages_[place]) continue;
      const std::uint64_t first = (first_page_ + place) << page_bits;
      for (std::uint64_t id = first; id < first + (1U << page_bits); ++id)
        if (Task& task = (*pages_[place])[id]; task.state != Task::State::absent) use(id, task);
    }
  }

  std::uint64_t size() const { return size_; }
  std::uint64_t begin() const { return pages_.empty() ? end_ : first_page_ << page_bits; }  // no living id is smaller
  std::uint64_t end() const { return end_; }  // the id that comes next
  void start_at(std::uint64_t id) { end_ = id; }

 private:
  static constexpr unsigned page_bits = 10;
  struct Page {
    std::uint32_t living = 0;
    std::array<Task, 1U << page_bits> tasks;
    Task& operator[](std::uint64_t id) { return tasks[id & ((1U << page_bits) - 1)]; }
  };
  std::deque<std::unique_ptr<Page>> pages_;
  std::uint64_t first_page_ = 0, end_ = 1, size_ = 0;
};

}  // namespace taskfarm
