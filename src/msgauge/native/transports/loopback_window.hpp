// Windows between threads: plain memory of every rank, each guarded by a lock, so that operations on one are atomic and
// complete when they return.
#pragma once

#include <cstring>
#include <memory>
#include <mutex>
#include <vector>

#include "../algorithms.hpp"
#include "../combine.hpp"
#include "../onesided.hpp"

namespace msgauge::transports::loopback {

struct SharedWindow {
  explicit SharedWindow(int ranks) : memory(static_cast<std::size_t>(ranks)), locks(static_cast<std::size_t>(ranks)) {}
  std::vector<std::vector<unsigned char>> memory;
  std::vector<std::mutex> locks;
};

// All windows of a world, in the order they were opened: every rank opens them in the same order.
class Windows {
 public:
  std::shared_ptr<SharedWindow> at(std::size_t number, int ranks) {
    const std::lock_guard lock(mutex_);
    while (windows_.size() <= number) windows_.push_back(std::make_shared<SharedWindow>(ranks));
    return windows_[number];
  }

 private:
  std::mutex mutex_;
  std::vector<std::shared_ptr<SharedWindow>> windows_;
};

// What the transport inherits; `Self` is the transport.
template <class Self>
class OneSided {
 public:
  class Window {
   public:
    void* data() { return shared_->memory[static_cast<std::size_t>(rank_)].data(); }

   private:
    friend class OneSided;
    std::shared_ptr<SharedWindow> shared_;
    int rank_ = 0;
  };

  Window open_window(std::size_t bytes) {
    Window window;
    window.rank_ = self().rank();
    window.shared_ = self().windows().at(opened_++, self().size());
    window.shared_->memory[static_cast<std::size_t>(window.rank_)].assign(bytes, 0);
    meet();
    return window;
  }
  void close_window(Window& window) {
    meet();
    window.shared_.reset();
  }

  void fence(Window&) { meet(); }
  void lock(Window&, int) {}
  void unlock(Window&, int) {}
  void lock_all(Window&) {}
  void flush(Window&, int) {}
  void unlock_all(Window&) {}
  void sync_window(Window& window) { const auto all = guard(window, window.rank_); }

  void put(Window& window, const void* from, std::size_t bytes, int target, std::size_t place) {
    const auto one = guard(window, target);
    std::memcpy(at(window, target, place), from, bytes);
  }
  void get(Window& window, void* into, std::size_t bytes, int target, std::size_t place) {
    const auto one = guard(window, target);
    std::memcpy(into, at(window, target, place), bytes);
  }
  void accumulate(Window& window, const void* from, std::size_t count, Element element, Operator op, int target,
                  std::size_t place) {
    const auto one = guard(window, target);
    combine_of(element, op)(from, at(window, target, place), count);
  }
  void fetch_op(Window& window, const void* operand, void* result, Element element, Operator op, int target,
                std::size_t place) {
    const auto one = guard(window, target);
    std::memcpy(result, at(window, target, place), bytes_of(element));
    combine_of(element, op)(operand, at(window, target, place), 1);
  }
  void compare_swap(Window& window, const void* wanted, const void* expected, void* result, Element element,
                    int target, std::size_t place) {
    const auto one = guard(window, target);
    auto* there = at(window, target, place);
    std::memcpy(result, there, bytes_of(element));
    if (std::memcmp(there, expected, bytes_of(element)) == 0) std::memcpy(there, wanted, bytes_of(element));
  }

 private:
  Self& self() { return static_cast<Self&>(*this); }
  void meet() { algorithms::dissemination_barrier(self(), self().size()); }
  static unsigned char* at(Window& window, int rank, std::size_t place) {
    return window.shared_->memory[static_cast<std::size_t>(rank)].data() + place;
  }
  static std::unique_lock<std::mutex> guard(Window& window, int rank) {
    return std::unique_lock(window.shared_->locks[static_cast<std::size_t>(rank)]);
  }

  std::size_t opened_ = 0;
};

}  // namespace msgauge::transports::loopback
