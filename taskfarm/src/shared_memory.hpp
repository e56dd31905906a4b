// The memory that a coordinator shares with a worker: a segment for each worker with two rings, and one board for all
// with the bits of who has something to say. The coordinator makes both, sealed so that no side can shrink them.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include "ring.hpp"
#include "socket.hpp"

namespace taskfarm {

inline constexpr std::uint32_t board_slots = 8192;

inline constexpr std::uint32_t waits_for_tasks = 1, waits_for_room = 2;

struct SegmentControl {
  RingControl tasks, results;
  alignas(64) std::atomic<std::uint32_t> worker_sleeps;  // futex: waits_for_tasks or waits_for_room while it sleeps
  std::atomic<std::uint32_t> coordinator_waits;          // 1: the coordinator has more and the task ring is full
  alignas(64) std::atomic<std::uint64_t> running;        // task the worker has started and not answered, or 0
};

struct Board {
  alignas(64) std::atomic<std::uint32_t> coordinator_sleeps;
  alignas(64) std::atomic<std::uint64_t> bits[board_slots / 64];
};

// One mapping of a descriptor; unmapped at the end.
class Mapping {
 public:
  Mapping() = default;
  Mapping(Mapping&& other) noexcept;
  Mapping& operator=(Mapping&& other) noexcept;
  ~Mapping();
  static Mapping of(int fd, std::size_t bytes);
  // Control page, then the task ring twice, then the result ring twice.
  static Mapping of_segment(int fd, std::uint32_t ring_bytes);
  char* data() const { return data_; }

 private:
  char* data_ = nullptr;
  std::size_t bytes_ = 0;
};

class Segment {
 public:
  static Segment create(std::uint32_t ring_bytes);                // coordinator
  static Segment open(Descriptor fd, std::uint32_t ring_bytes);   // worker: size and seals are checked
  SegmentControl& control() const { return *reinterpret_cast<SegmentControl*>(mapping_.data()); }
  char* task_data() const;
  char* result_data() const;
  std::uint32_t ring_bytes() const { return ring_bytes_; }
  int fd() const { return fd_.get(); }
  void forget_descriptor() { fd_.reset(); }

 private:
  Descriptor fd_;
  Mapping mapping_;
  std::uint32_t ring_bytes_ = 0;
};

class SharedBoard {
 public:
  static SharedBoard create();
  static SharedBoard open(Descriptor fd);
  Board& operator*() const { return *reinterpret_cast<Board*>(mapping_.data()); }
  int fd() const { return fd_.get(); }

 private:
  Descriptor fd_;
  Mapping mapping_;
};

// Beside a welcome or the answer to attach travel the descriptors of segment, board and doorbell (an eventfd), in this
// order.
struct SharedDescriptors {
  Descriptor segment, board, doorbell;
};

bool send_descriptors(int socket, const void* bytes, std::size_t count, const int (&fds)[3]);  // all bytes, or false
// As recvmsg, without blocking when `flags` says so; fills `descriptors` when three came.
ssize_t receive_descriptors(int socket, void* bytes, std::size_t count, int flags, SharedDescriptors& descriptors);

void futex_wake(std::atomic<std::uint32_t>& word);
void futex_wait(std::atomic<std::uint32_t>& word, std::uint32_t value, std::int64_t timeout_ns);  // -1: no timeout

}  // namespace taskfarm
