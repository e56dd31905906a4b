// What all kernels of one-sided operations share. A kernel's own header says in `Operation` which operation it is:
//
//   struct Operation {
//     static constexpr const Facts& about = facts;
//     static constexpr rma::Kind kind = rma::Kind::put;
//     template <class T> static constexpr bool native = HasPut<T>;
//     template <class T, class Window> static void call(T& transport, Window& window, const rma::Access& access);
//   };
//
// Rank 0 works on the window of rank 1. All ranks open the window, and meet at fences where those are asked for;
// otherwise rank 1 does nothing but wait for the next order, inside the library. Options: sync, window, type, op.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>
#include <utility>

#include "algorithms.hpp"
#include "buffers.hpp"
#include "facts.hpp"
#include "onesided.hpp"
#include "serial_model.hpp"
#include "transport.hpp"

namespace msgauge::rma {

enum class Kind { put, get, accumulate, fetch_op, compare_swap };
enum class Sync { flush, lock, fence };

// One operation: the origin's memory, and a place in the target's window.
struct Access {
  const void* from = nullptr;      // what is put, added, or swapped in
  const void* expected = nullptr;  // what a swap compares with
  void* into = nullptr;            // what is got or fetched
  std::size_t bytes = 0, count = 0;
  Element element = Element::byte;
  Operator op = Operator::bor;
  int target = 1;
  std::size_t place = 0;
};

// Room for the transport's window; empty for transports that have none.
template <class T>
struct WindowOf {
  struct type {};
};
template <HasWindow T>
struct WindowOf<T> {
  using type = std::optional<typename T::Window>;
};

template <Transport T, class Operation>
class Run {
 public:
  static constexpr Kind kind = Operation::kind;
  static constexpr bool single_element = kind == Kind::fetch_op || kind == Kind::compare_swap;
  const std::int64_t events;  // operations of one once()

  static Coverage coverage(const Cell& cell) {
    const auto refused = [](std::string_view why) { return Coverage{Coverage::Kind::refused, "", why}; };
    if (!Operation::template native<T>) return refused("its library has no such one-sided operation");
    const auto sync = sync_of(cell);
    if (sync == Sync::flush && !HasFlush<T>) return refused("its library cannot flush one-sided operations");
    if (sync == Sync::lock && !HasLock<T>) return refused("its library has no locks for windows");
    if (sync == Sync::fence && !HasFence<T>) return refused("its library has no fences for windows");
    const auto element = element_named(cell.option("type", Operation::about));
    if (kind == Kind::accumulate || kind == Kind::fetch_op) {
      if (!defined_for(operator_named(cell.option("op", Operation::about)), element))
        return refused("MPI defines no such operator for this type");
      if (cell.bytes % static_cast<std::int64_t>(bytes_of(element)) != 0)
        return refused("the size is no whole number of elements of this type");
    }
    return {};
  }

  Run(T& transport, const Cell& cell)
      : events(window_of(cell)), transport_(transport), ranks_(cell.ranks), sync_(sync_of(cell)),
        near_(bytes_for(cell), cell.cache), far_(bytes_for(cell), cell.cache) {
    access_.bytes = static_cast<std::size_t>(bytes_for(cell));
    access_.element = element_named(cell.option("type", Operation::about));
    access_.op = operator_named(cell.option("op", Operation::about));
    access_.count = access_.bytes / bytes_of(access_.element);
    aim();
  }

  // All ranks: the window stands over all operations of the cell.
  void open() {
    if constexpr (Operation::template native<T>) {
      if (transport_.size() != ranks_) throw TransportError("a window is opened by all ranks of a launch, not by some");
      window_ = transport_.open_window(far_.span());
      if constexpr (HasFence<T>)
        if (sync_ == Sync::fence) transport_.fence(*window_);
      if constexpr (HasFlush<T>)
        if (sync_ == Sync::flush) transport_.lock_all(*window_);
    }
  }
  void close() {
    if constexpr (Operation::template native<T>) {
      if constexpr (HasFlush<T>)
        if (sync_ == Sync::flush) transport_.unlock_all(*window_);
      transport_.close_window(*window_);
    }
  }

  void once() {
    if constexpr (Operation::template native<T>) {
      if (transport_.rank() == 0) act();
      if constexpr (HasFence<T>)
        if (sync_ == Sync::fence) transport_.fence(*window_);
    }
    near_.advance();
    far_.advance();
    aim();
  }

  void prepare(int iteration) {
    if constexpr (Operation::template native<T>) {
      place_ = far_.offset();
      turn_ = 0;
      aim();
      within_own_epoch([&] { lay_out(iteration); });
      if (transport_.rank() == 0) load(iteration);
      checked_ = near_.data();
    }
  }

  bool verify(int iteration) {
    bool right = true;
    if constexpr (Operation::template native<T>) {
      algorithms::dissemination_barrier(transport_, ranks_);
      if (transport_.rank() == 0) right = origin_is_right(iteration);
      within_own_epoch([&] {
        if (transport_.rank() == access_.target) right = target_is_right(iteration);
      });
    }
    return right;
  }

  void evict() {
    near_.evict();
    if constexpr (Operation::template native<T>) Buffer::evict(own_window() + far_.offset(), access_.bytes);
  }

 private:
  static Sync sync_of(const Cell& cell) {
    const auto word = cell.option("sync", Operation::about);
    return word == "fence" ? Sync::fence : word == "lock" ? Sync::lock : Sync::flush;
  }
  static std::int64_t window_of(const Cell& cell) {
    const auto word = cell.option("window", Operation::about);
    return word == "16" ? 16 : word == "64" ? 64 : 1;
  }
  static std::int64_t bytes_for(const Cell& cell) {
    if (!single_element) return cell.bytes;
    return static_cast<std::int64_t>(bytes_of(element_named(cell.option("type", Operation::about))));
  }

  // The operations of one turn, and what completes them at the target.
  void act() {
    if constexpr (HasLock<T>)
      if (sync_ == Sync::lock) transport_.lock(*window_, access_.target);
    for (std::int64_t left = events; left > 0; --left) Operation::call(transport_, *window_, access_);
    if constexpr (HasLock<T>)
      if (sync_ == Sync::lock) transport_.unlock(*window_, access_.target);
    if constexpr (HasFlush<T>)
      if (sync_ == Sync::flush) transport_.flush(*window_, access_.target);
    if constexpr (kind == Kind::compare_swap) turn_ ^= 1;  // what was swapped in is expected next
  }

  void aim() {
    access_.place = far_.offset();
    if constexpr (kind == Kind::fetch_op || kind == Kind::compare_swap) {
      access_.from = operand_[1 - turn_];
      access_.expected = operand_[turn_];
      access_.into = near_.data();
    } else {
      access_.from = access_.into = near_.data();
    }
  }

  unsigned char* own_window() { return static_cast<unsigned char*>(window_->data()); }

  // Own stores and loads, ordered against what others do to the window.
  template <class Do>
  void within_own_epoch(Do action) {
    if constexpr (HasFence<T>)
      if (sync_ == Sync::fence) transport_.fence(*window_);
    if constexpr (HasLock<T>)
      if (sync_ == Sync::lock) transport_.lock(*window_, transport_.rank());
    if (sync_ != Sync::fence) transport_.sync_window(*window_);
    action();
    if (sync_ != Sync::fence) transport_.sync_window(*window_);
    if constexpr (HasLock<T>)
      if (sync_ == Sync::lock) transport_.unlock(*window_, transport_.rank());
    if constexpr (HasFence<T>)
      if (sync_ == Sync::fence) transport_.fence(*window_);
  }

  static constexpr bool combines = kind == Kind::accumulate || kind == Kind::fetch_op;

  // The target's window before the operation.
  void lay_out(int iteration) {
    if (transport_.rank() != access_.target) return;
    auto* at = own_window() + place_;
    if constexpr (kind == Kind::put) std::memset(at, 0xEE, access_.bytes);
    else if constexpr (kind == Kind::get) fill_pattern(at, access_.bytes, access_.target, iteration);
    else serial_model::fill_row(at, access_.count, access_.element, access_.target, iteration);
  }

  // The origin's memory before the operation. A swap expects what stands there, and brings the row of rank 0.
  void load(int iteration) {
    if constexpr (kind == Kind::put) near_.fill(0, iteration);
    else near_.scribble();
    if constexpr (kind == Kind::accumulate)
      serial_model::fill_row(near_.data(), access_.count, access_.element, 0, iteration);
    if constexpr (single_element) {
      serial_model::fill_row(operand_[0], 1, access_.element, kind == Kind::compare_swap ? access_.target : 0, iteration);
      serial_model::fill_row(operand_[1], 1, access_.element, 0, iteration);
    }
  }

  bool origin_is_right(int iteration) {
    if constexpr (kind == Kind::get) return holds_pattern(checked_, access_.bytes, access_.target, iteration);
    if constexpr (single_element) return holds_rows(checked_, 1, 2, iteration);
    return true;
  }

  bool target_is_right(int iteration) {
    const auto* at = own_window() + place_;
    if constexpr (kind == Kind::put) return holds_pattern(at, access_.bytes, 0, iteration);
    else if constexpr (kind == Kind::get) return holds_pattern(at, access_.bytes, access_.target, iteration);
    else if constexpr (kind == Kind::compare_swap) return holds_rows(at, 0, 1, iteration);
    else return holds_rows(at, 0, 2, iteration);
  }

  bool holds_rows(const void* memory, int first, int last, int iteration) {
    return serial_model::holds_combined(memory, 0, access_.count, access_.element, access_.op, first, last, iteration);
  }

  T& transport_;
  int ranks_;
  Sync sync_;
  Buffer near_;  // the origin's memory
  Buffer far_;   // walked in step with it; its offsets are places in the window
  typename WindowOf<T>::type window_;
  Access access_;
  alignas(8) unsigned char operand_[2][8] = {};
  int turn_ = 0;
  std::size_t place_ = 0;
  const void* checked_ = nullptr;
};

}  // namespace msgauge::rma
