// The deadlines of tasks, the next one first. Tasks end before theirs as a rule: what is left of them is taken out when it
// outweighs the tasks that live.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "clock.hpp"

namespace taskfarm {

class Deadlines {
 public:
  void add(std::int64_t moment_ns, std::uint64_t id) {
    heap_.emplace_back(moment_ns, id);
    std::push_heap(heap_.begin(), heap_.end(), std::greater<>());
  }
  std::int64_t next_ns() const { return heap_.empty() ? never : heap_.front().first; }
  std::uint64_t next_id() const { return heap_.front().second; }
  void pop() {
    std::pop_heap(heap_.begin(), heap_.end(), std::greater<>());
    heap_.pop_back();
  }

  // Keeps those for which alive(id, moment) is true, when they must be fewer than half; `living` tasks have one each at most.
  template <class Alive>
  void forget_others(std::uint64_t living, Alive&& alive) {
    if (heap_.size() < 2 * living + 1024) return;
    std::erase_if(heap_, [&](const Deadline& deadline) { return !alive(deadline.second, deadline.first); });
    if (heap_.capacity() > 4 * heap_.size() + 4096) heap_.shrink_to_fit();
    std::make_heap(heap_.begin(), heap_.end(), std::greater<>());
  }
  std::size_t size() const { return heap_.size(); }

 private:
  using Deadline = std::pair<std::int64_t, std::uint64_t>;
  std::vector<Deadline> heap_;
};

}  // namespace taskfarm
