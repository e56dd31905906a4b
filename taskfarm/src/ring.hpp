// A stream of bytes in shared memory from one process to one other. Each side owns one index and keeps its own copy of
// it; what it reads of the other's is a claim, checked before use. The data is mapped twice in a row, so that any
// stretch of it is contiguous.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <optional>

#include "frame.hpp"

namespace taskfarm {

struct alignas(64) RingControl {
  alignas(64) std::atomic<std::uint64_t> tail;  // written by the producer: bytes ever put in
  alignas(64) std::atomic<std::uint64_t> head;  // written by the consumer: bytes ever taken out
};
static_assert(std::atomic<std::uint64_t>::is_always_lock_free && sizeof(RingControl) == 128);

class RingProducer {
 public:
  RingProducer() = default;
  RingProducer(RingControl* control, char* data, std::uint64_t capacity)
      : control_(control), data_(data), capacity_(capacity) {}

  // Free bytes; nothing when the consumer's index is impossible.
  std::optional<std::uint64_t> room() {
    if (capacity_ - (tail_ - seen_head_) < capacity_ / 2) {  // the other's cache line is read only when it may matter
      const std::uint64_t head = control_->head.load(std::memory_order_acquire);
      if (head - seen_head_ > tail_ - seen_head_) return std::nullopt;
      seen_head_ = head;
    }
    return capacity_ - (tail_ - seen_head_);
  }
  void put(const void* bytes, std::size_t count) {  // count <= room()
    if (count == 0) return;                         // `bytes` may be null, which memcpy must not see
    std::memcpy(data_ + (tail_ & (capacity_ - 1)), bytes, count);
    tail_ += count;
  }
  // Before frames of so many bytes: where the other has taken all, they go to the beginning of the memory, behind a frame of
  // padding, which the other side must know. What is used again and again stays in the caches.
  void go_back_for(std::size_t count) {
    if (tail_ < looks_from_) return;
    const std::uint64_t place = tail_ & (capacity_ - 1);
    const bool all_taken = control_->head.load(std::memory_order_acquire) == tail_;
    looks_from_ = tail_ + (all_taken ? back_after : capacity_ / 4);
    if (!all_taken || place < first_place + count) return;
    seen_head_ = tail_;
    const Header padding{.length = static_cast<std::uint32_t>(capacity_ - place + first_place - header_bytes),
                         .type = FrameType::padding};
    put(&padding, header_bytes);
    tail_ += padding.length;
    looks_from_ = tail_ + back_after;
  }
  // What was put is pushed out of this core's own caches, towards the one that the other side asks next: up to a tenth of a
  // task of 256 B to 2 KiB by shared memory.
  void publish() {
    control_->tail.store(tail_, std::memory_order_release);
    const std::uint64_t count = tail_ - published_;
    published_ = tail_;
    if (count < least_fetched || count > most_fetched) return;
    const char* const begin = data_ + ((tail_ - count) & (capacity_ - 1));
    for (std::uint64_t at = 0; at < count; at += line_bytes) push_out(begin + at);
  }
  // After `publish`: asks for the cache lines that frames as long as these will be written to next. The other side read them
  // last; they come over while it works on what was published, not while it waits for what is written.
  void fetch_ahead() {
    const std::uint64_t count = std::min(tail_ - fetched_for_, most_fetched);
    fetched_for_ = tail_;
    if (count < least_fetched) return;
    const char* const next = data_ + (tail_ & (capacity_ - 1));
    for (std::uint64_t at = line_bytes; at < count + line_bytes; at += line_bytes) fetch_to_write(next + at);
  }

 private:
  static constexpr std::uint64_t back_after = 1024;
  static constexpr std::uint64_t line_bytes = 64;
  static constexpr std::uint64_t first_place = line_bytes - header_bytes;  // a payload then begins with a cache line
  static constexpr std::uint64_t least_fetched = 256, most_fetched = 4096;  // for less the calls cost what they save

  static void push_out([[maybe_unused]] const char* place) {
#ifdef __x86_64__
    asm volatile("cldemote %0" : : "m"(*place));  // a processor that does not know it does nothing
#endif
  }

  static void fetch_to_write(const char* place) {
#ifdef __x86_64__
    asm volatile("prefetchw %0" : : "m"(*place));  // what the compiler makes of it by itself fetches to read
#else
    __builtin_prefetch(place, 1);
#endif
  }

  RingControl* control_ = nullptr;
  char* data_ = nullptr;
  std::uint64_t capacity_ = 0, tail_ = 0, seen_head_ = 0, looks_from_ = 0, fetched_for_ = 0,
                published_ = 0;
};

class RingConsumer {
 public:
  RingConsumer() = default;
  RingConsumer(RingControl* control, const char* data, std::uint64_t capacity)
      : control_(control), data_(data), capacity_(capacity) {}

  // Bytes to read at data(); nothing when the producer's index is impossible.
  std::optional<std::uint64_t> available() {
    const std::uint64_t tail = control_->tail.load(std::memory_order_acquire);
    if (tail - head_ > capacity_ || tail - head_ < seen_) return std::nullopt;
    seen_ = tail - head_;
    return seen_;
  }
  const char* data() const { return data_ + (head_ & (capacity_ - 1)); }
  void consume(std::uint64_t count) {  // count <= available()
    head_ += count;
    seen_ -= count;
    control_->head.store(head_, std::memory_order_release);
  }
  std::uint64_t capacity() const { return capacity_; }

 private:
  RingControl* control_ = nullptr;
  const char* data_ = nullptr;
  std::uint64_t capacity_ = 0, head_ = 0, seen_ = 0;
};

}  // namespace taskfarm
