// MPI's one-sided operations: put, get, accumulate and fence as MPI-2 defined them and LAM has them; locks, flush and
// the operations that fetch since MPI-3.
#pragma once

#include <cstddef>
#include <cstring>

#include "../onesided.hpp"
#include "mpi_collectives.hpp"

namespace msgauge::transports::mpi {

// What a transport over MPI_COMM_WORLD inherits.
class OneSided {
 public:
  class Window {
   public:
    void* data() { return memory_; }

   private:
    friend class OneSided;
    MPI_Win handle_ = MPI_WIN_NULL;
    void* memory_ = nullptr;
  };

  // Memory of MPI's own choice where it can choose (shared segments, registered pages).
  Window open_window(std::size_t bytes) {
    Window window;
    const auto length = static_cast<MPI_Aint>(bytes > 0 ? bytes : 1);
#if MPI_VERSION >= 3
    MPI_Win_allocate(length, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window.memory_, &window.handle_);
#else
    MPI_Alloc_mem(length, MPI_INFO_NULL, &window.memory_);
    MPI_Win_create(window.memory_, length, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window.handle_);
#endif
    std::memset(window.memory_, 0, static_cast<std::size_t>(length));
    return window;
  }

  void close_window(Window& window) {
    MPI_Win_free(&window.handle_);
#if MPI_VERSION < 3
    MPI_Free_mem(window.memory_);
#endif
    window.memory_ = nullptr;
  }

  void fence(Window& window) { MPI_Win_fence(0, window.handle_); }

  void put(Window& window, const void* from, std::size_t bytes, int target, std::size_t place) {
    MPI_Put(plain(from), count_of(bytes), MPI_BYTE, target, static_cast<MPI_Aint>(place), count_of(bytes), MPI_BYTE,
            window.handle_);
  }
  void get(Window& window, void* into, std::size_t bytes, int target, std::size_t place) {
    MPI_Get(into, count_of(bytes), MPI_BYTE, target, static_cast<MPI_Aint>(place), count_of(bytes), MPI_BYTE,
            window.handle_);
  }
  void accumulate(Window& window, const void* from, std::size_t count, Element element, Operator op, int target,
                  std::size_t place) {
    MPI_Accumulate(plain(from), count_of(count), datatype_of(element), target, static_cast<MPI_Aint>(place),
                   count_of(count), datatype_of(element), operator_of(op), window.handle_);
  }

#if MPI_VERSION >= 3
  void fetch_op(Window& window, const void* operand, void* result, Element element, Operator op, int target,
                std::size_t place) {
    MPI_Fetch_and_op(operand, result, datatype_of(element), target, static_cast<MPI_Aint>(place), operator_of(op),
                     window.handle_);
  }
  void compare_swap(Window& window, const void* wanted, const void* expected, void* result, Element element,
                    int target, std::size_t place) {
    MPI_Compare_and_swap(plain(wanted), plain(expected), result, datatype_of(element), target, static_cast<MPI_Aint>(place),
                         window.handle_);
  }
  void lock(Window& window, int target) { MPI_Win_lock(MPI_LOCK_SHARED, target, 0, window.handle_); }
  void unlock(Window& window, int target) { MPI_Win_unlock(target, window.handle_); }
  void lock_all(Window& window) { MPI_Win_lock_all(0, window.handle_); }
  void flush(Window& window, int target) { MPI_Win_flush(target, window.handle_); }
  void unlock_all(Window& window) { MPI_Win_unlock_all(window.handle_); }
#endif

  // Stores and loads of the owner lie inside an epoch of its own on its own window, which orders them under either
  // memory model. Under fences they are ordered by the fences alone.
  void sync_window([[maybe_unused]] Window& window) {
#if MPI_VERSION >= 3
    MPI_Win_sync(window.handle_);
#endif
  }
};

}  // namespace msgauge::transports::mpi
