// One-sided operations: part of operations.hpp. Rank 0 works on the window of the last rank, under every
// synchronisation the transport has.
#pragma once

#include <cstdint>
#include <functional>

#include "algorithms.hpp"
#include "trial.hpp"

namespace conformance {

template <class Window>
struct Opened {
  Window window;
  int target;
  std::function<void(const std::function<void()>&)> epoch;  // the origin's operations, complete when it returns
  std::function<void(const std::function<void()>&)> own;    // the owner's stores and loads
};

template <Transport T, class Window>
void check_window(Trial<T>& trial, const char* name, Opened<Window>& opened) {
  auto& t = trial.transport_;
  const auto bytes = static_cast<std::size_t>(1 + trial.size()), place = static_cast<std::size_t>(8 * trial.below(9));
  const auto before = trial.bytes(place + bytes), sent = trial.bytes(bytes);
  const bool origin = trial.rank_ == 0, owner = trial.rank_ == opened.target;
  auto* memory = static_cast<unsigned char*>(opened.window.data());
  Bytes got(bytes), held(place + bytes);
  const auto meet = [&] { algorithms::dissemination_barrier(t, trial.ranks_); };
  const auto load = [&] { opened.own([&] { if (owner) held.assign(memory, memory + held.size()); }); };
  opened.own([&] { if (owner) std::copy(before.begin(), before.end(), memory); });
  meet();
  if constexpr (HasGet<T>) {
    opened.epoch([&] { if (origin) t.get(opened.window, got.data(), bytes, opened.target, place); });
    if (origin && got != cut_out(before, static_cast<int>(place), static_cast<int>(bytes))) trial.wrong(name, bytes);
  }
  if constexpr (HasPut<T>) {
    opened.epoch([&] { if (origin) t.put(opened.window, sent.data(), bytes, opened.target, place); });
    meet();
    load();
    auto wanted = before;
    std::copy(sent.begin(), sent.end(), wanted.begin() + static_cast<std::ptrdiff_t>(place));
    if (owner && held != wanted) trial.wrong(name, bytes);
  }
  trial.results_ += 2;
}

template <Transport T, class Window>
void check_elements(Trial<T>& trial, const char* name, Opened<Window>& opened) {
  auto& t = trial.transport_;
  const bool origin = trial.rank_ == 0, owner = trial.rank_ == opened.target;
  const std::int64_t first = trial.below(1 << 30), second = trial.below(1 << 30), third = trial.below(1 << 30);
  auto* memory = static_cast<std::int64_t*>(opened.window.data());
  std::int64_t held = 0, fetched = -1, swapped = -1;
  const auto meet = [&] { algorithms::dissemination_barrier(t, trial.ranks_); };
  const auto look = [&](std::int64_t wanted) {
    meet();
    opened.own([&] { if (owner) held = memory[2]; });
    if (owner && held != wanted) trial.wrong(name, 8);
    meet();
    ++trial.results_;
  };
  opened.own([&] { if (owner) memory[2] = first; });
  meet();
  auto now = first;
  if constexpr (HasAccumulate<T>) {
    opened.epoch([&] {
      if (origin) t.accumulate(opened.window, &second, 1, Element::int64, Operator::sum, opened.target, 16);
    });
    look(now += second);
  }
  if constexpr (HasFetchOp<T>) {
    opened.epoch([&] {
      if (origin) t.fetch_op(opened.window, &third, &fetched, Element::int64, Operator::bxor, opened.target, 16);
    });
    if (origin && fetched != now) trial.wrong(name, 8);
    look(now ^= third);
  }
  if constexpr (HasCompareSwap<T>) {
    for (const auto expected : {now + 1, now}) {  // the first finds something else, and must change nothing
      opened.epoch([&] {
        if (origin) t.compare_swap(opened.window, &first, &expected, &swapped, Element::int64, opened.target, 16);
      });
      if (origin && swapped != now) trial.wrong(name, 8);
      look(expected == now ? first : now);
    }
  }
}

template <Transport T>
void check_remote(Trial<T>& trial) {
  if constexpr (HasWindow<T>) {
    auto& t = trial.transport_;
    using Window = typename T::Window;
    using Act = std::function<void()>;
    const int target = trial.ranks_ - 1;
    const bool origin = trial.rank_ == 0;
    if constexpr (HasFence<T>) {
      Opened<Window> opened{t.open_window(40'000), target, {}, {}};
      auto& window = opened.window;
      opened.epoch = opened.own = [&](const Act& act) { t.fence(window), act(), t.fence(window); };
      check_window(trial, "one-sided under fences", opened);
      check_elements(trial, "one element under fences", opened);
      t.close_window(window);
    }
    if constexpr (HasLock<T>) {
      Opened<Window> opened{t.open_window(40'000), target, {}, {}};
      auto& window = opened.window;
      opened.epoch = [&](const Act& act) { if (origin) t.lock(window, target), act(), t.unlock(window, target); };
      opened.own = [&](const Act& act) {
        t.lock(window, trial.rank_), t.sync_window(window), act(), t.sync_window(window), t.unlock(window, trial.rank_);
      };
      check_window(trial, "one-sided under locks", opened);
      check_elements(trial, "one element under locks", opened);
      t.close_window(window);
    }
    if constexpr (HasFlush<T>) {
      Opened<Window> opened{t.open_window(40'000), target, {}, {}};
      auto& window = opened.window;
      t.lock_all(window);
      opened.epoch = [&](const Act& act) { if (origin) act(), t.flush(window, target); };
      opened.own = [&](const Act& act) { t.sync_window(window), act(), t.sync_window(window); };
      check_window(trial, "one-sided under flush", opened);
      check_elements(trial, "one element under flush", opened);
      t.unlock_all(window);
      t.close_window(window);
    }
  }
}

}  // namespace conformance
