// How a worker on the coordinator's own host takes tasks and gives results: by rings in shared memory.
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "worker.hpp"

namespace taskfarm {

WorkerSide::Wait WorkerSide::wait_for_ring(std::int64_t until) {
  SegmentControl& control = segment_->control();
  const std::string_view bytes = input();
  Frame frame;
  const char* at = bytes.data();
  // What came since the caller looked is not waited for: a frame that is whole by now would be the last for a long time.
  if (take_frame(at, at + bytes.size(), max_frame_, frame) != Parsed::incomplete) return Wait::arrived;
  if (in_begin_ == in_end_ && bytes.size() >= header_bytes) {  // a frame that may not fit in the ring as a whole
    Header header;
    std::memcpy(&header, bytes.data(), header_bytes);
    if (header.length > tasks_.capacity() / 2) collect_from_ring(bytes.size());
  }
  if (bytes.empty()) give_back_space();
  const bool collects = in_begin_ < in_end_;
  const std::size_t enough = collects ? 0 : bytes.size();
  const std::int64_t spin_until = spin_ns_ > 0 ? now_ns() + spin_ns_ : 0;
  const auto arrived = [&] {  // or the ring is broken
    const auto available = tasks_.available();
    return !available || *available > enough;
  };
  bool gives_way = gives_way_first();
  if (gives_way) look_.finds(arrived);
  gives_way = gives_way && giving_way_.is_wise();
  for (unsigned turns = 1;; ++turns) {
    if (arrived()) break;
    if (lost_) return Wait::lost;
    if (spin_until != 0 && (turns % 64 != 0 || now_ns() < spin_until)) {
      pause_processor();
      continue;
    }
    if (std::exchange(gives_way, false)) {
      ask_for_slice(slice_ns_);
      giving_way_.give_way(ranks_);
      continue;
    }
    const std::int64_t left = until == never ? -1 : until - now_ns();
    if (until != never && left <= 0) return Wait::timeout;
    if (control.coordinator_waits.exchange(0) != 0) ring_doorbell();
    control.worker_sleeps.store(waits_for_tasks, std::memory_order_relaxed);
    std::atomic_thread_fence(std::memory_order_seq_cst);  // before the last look
    if (!arrived() && !lost_) futex_wait(control.worker_sleeps, waits_for_tasks, left);
    control.worker_sleeps.store(0, std::memory_order_relaxed);
  }
  const auto available = tasks_.available();
  if (!available) return Wait::lost;
  if (collects) collect_from_ring(*available);
  return Wait::arrived;
}

void WorkerSide::collect_from_ring(std::size_t bytes) {
  make_space(bytes);
  std::memcpy(in_.data() + in_end_, tasks_.data(), bytes);
  in_end_ += bytes;
  tasks_.consume(bytes);
  std::atomic_thread_fence(std::memory_order_seq_cst);
  if (segment_->control().coordinator_waits.exchange(0) != 0) ring_doorbell();
}

bool WorkerSide::send_by_ring(const Header& header, const void* data) {
  if (std::exchange(padded_, false)) results_.go_back_for(std::max(header_bytes + header.length, input().size()));
  const auto room = results_.room();
  if (!room) return lost_ = true, false;
  if (*room >= header_bytes + header.length) {
    results_.put(&header, header_bytes);
    if (header.length > 0) results_.put(data, header.length);
    results_.publish();
    ring_doorbell();
    if (spin_ns_ > 0) results_.fetch_ahead();
    return true;
  }
  return put_in_ring(reinterpret_cast<const char*>(&header), header_bytes) &&
         put_in_ring(static_cast<const char*>(data), header.length);
}

// Piece by piece as the coordinator makes room.
bool WorkerSide::put_in_ring(const char* data, std::size_t bytes) {
  auto& sleeps = segment_->control().worker_sleeps;
  while (bytes > 0) {
    auto room = results_.room();
    if (!room || lost_) return lost_ = true, false;
    if (*room == 0) {
      ring_doorbell();
      sleeps.store(waits_for_room, std::memory_order_relaxed);
      std::atomic_thread_fence(std::memory_order_seq_cst);  // before the last look
      room = results_.room();
      if (room && *room == 0 && !lost_) futex_wait(sleeps, waits_for_room, 100 * ns_per_ms);
      sleeps.store(0, std::memory_order_relaxed);
      continue;
    }
    const std::size_t count = std::min<std::size_t>(*room, bytes);
    results_.put(data, count);
    results_.publish();
    data += count;
    bytes -= count;
  }
  ring_doorbell();
  return true;
}

void WorkerSide::ring_doorbell() {
  Board& board = *board_;
  board.bits[slot_ / 64].fetch_or(1ULL << (slot_ % 64), std::memory_order_seq_cst);
  if (board.coordinator_sleeps.load(std::memory_order_seq_cst) != 0 && board.coordinator_sleeps.exchange(0) != 0) ring(doorbell_);
}

}  // namespace taskfarm
