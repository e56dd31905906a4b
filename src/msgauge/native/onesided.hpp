// One-sided operations as transports may offer them: a window is memory that every rank opens to the others.
//
// Opening and closing a window is collective. Operations name the target rank and a place in its window in bytes, and
// are complete where their synchronisation says so:
//   fence   all ranks; what was begun before it is complete after it, everywhere
//   lock    one origin locks one target, and unlocking completes what it began
//   flush   the origin completes what it began at a target, inside an epoch open to all that lasts as long as wanted
// `sync_window` makes what others put into the own window visible to loads, and own stores visible to others; it is called
// by the owner while no operation on its window is under way.
#pragma once

#include <concepts>
#include <cstddef>

#include "collectives.hpp"

namespace msgauge {

template <class T>
concept HasWindow = requires(T& transport, typename T::Window& window, std::size_t bytes) {
  { transport.open_window(bytes) } -> std::same_as<typename T::Window>;
  { window.data() } -> std::convertible_to<void*>;
  transport.sync_window(window);
  transport.close_window(window);
};
template <class T>
concept HasPut = HasWindow<T> && requires(T& transport, typename T::Window& window, const void* from,
                                          std::size_t bytes, int target, std::size_t place) {
  transport.put(window, from, bytes, target, place);
};
template <class T>
concept HasGet = HasWindow<T> && requires(T& transport, typename T::Window& window, void* into, std::size_t bytes,
                                          int target, std::size_t place) {
  transport.get(window, into, bytes, target, place);
};
template <class T>
concept HasAccumulate = HasWindow<T> && requires(T& transport, typename T::Window& window, const void* from,
                                                 std::size_t count, Element element, Operator op, int target,
                                                 std::size_t place) {
  transport.accumulate(window, from, count, element, op, target, place);
};
// One element: what stands there comes back in `result`, and is combined with the operand.
template <class T>
concept HasFetchOp = HasWindow<T> && requires(T& transport, typename T::Window& window, const void* operand,
                                              void* result, Element element, Operator op, int target,
                                              std::size_t place) {
  transport.fetch_op(window, operand, result, element, op, target, place);
};
// One element: what stands there comes back in `result`, and is replaced where it equals `expected`.
template <class T>
concept HasCompareSwap = HasWindow<T> && requires(T& transport, typename T::Window& window, const void* wanted,
                                                  const void* expected, void* result, Element element, int target,
                                                  std::size_t place) {
  transport.compare_swap(window, wanted, expected, result, element, target, place);
};
template <class T>
concept HasFence = HasWindow<T> && requires(T& transport, typename T::Window& window) { transport.fence(window); };
template <class T>
concept HasLock = HasWindow<T> && requires(T& transport, typename T::Window& window, int target) {
  transport.lock(window, target);
  transport.unlock(window, target);
};
template <class T>
concept HasFlush = HasWindow<T> && requires(T& transport, typename T::Window& window, int target) {
  transport.lock_all(window);
  transport.flush(window, target);
  transport.unlock_all(window);
};

}  // namespace msgauge
