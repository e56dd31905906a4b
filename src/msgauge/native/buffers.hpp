// Memory for messages: allocated and touched before measuring, walked as the cell's cache mode says, filled with a
// pattern that tells rank, place and iteration apart.
#pragma once

#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <vector>

#include "facts.hpp"

#if defined(__x86_64__)
#include <emmintrin.h>
#endif

namespace msgauge {

inline std::int64_t last_level_cache_bytes() {
#if defined(_SC_LEVEL3_CACHE_SIZE)
  const long found = std::max(sysconf(_SC_LEVEL3_CACHE_SIZE), sysconf(_SC_LEVEL2_CACHE_SIZE));
  if (found > 0) return found;
#endif
  return 32 << 20;
}

// The pattern's 64-bit word at a place: differs by the rank that sent it, the iteration and the place itself.
inline std::uint64_t pattern_word(int rank, int iteration, std::uint64_t place) {
  const std::uint64_t key = 0x9E3779B97F4A7C15U * (static_cast<std::uint64_t>(rank) * 1009U +
                                                   static_cast<std::uint64_t>(iteration) * 7919U + 1U);
  return (key ^ (key >> 29)) + place * 0xD1B54A32D192ED03U;
}

// Whole words first, in a loop the compiler can widen: large messages are checked in a time like that of sending them.
inline void fill_pattern(void* memory, std::size_t bytes, int rank, int iteration) {
  auto* at = static_cast<unsigned char*>(memory);
  const std::size_t whole = bytes / 8;
  for (std::size_t place = 0; place < whole; ++place) {
    const auto word = pattern_word(rank, iteration, place);
    std::memcpy(at + 8 * place, &word, 8);
  }
  const auto last = pattern_word(rank, iteration, whole);
  std::memcpy(at + 8 * whole, &last, bytes % 8);
}

inline bool holds_pattern(const void* memory, std::size_t bytes, int rank, int iteration) {
  const auto* at = static_cast<const unsigned char*>(memory);
  const std::size_t whole = bytes / 8;
  std::uint64_t difference = 0;
  for (std::size_t place = 0; place < whole; ++place) {
    std::uint64_t word;
    std::memcpy(&word, at + 8 * place, 8);
    difference |= word ^ pattern_word(rank, iteration, place);
  }
  const auto last = pattern_word(rank, iteration, whole);
  return difference == 0 && std::memcmp(at + 8 * whole, &last, bytes % 8) == 0;
}

// One message buffer, or a row of them that is walked (`rotate`) so that each use meets memory not used lately.
class Buffer {
 public:
  Buffer(std::int64_t bytes, CacheMode mode) : bytes_(static_cast<std::size_t>(bytes)) {
    constexpr std::size_t page = 4096, most = std::size_t{64} << 20;
    stride_ = std::max<std::size_t>(page, (bytes_ + page - 1) / page * page);
    std::size_t slots = 1;
    if (mode == CacheMode::rotate) {
      const auto wanted = std::min(most, 2 * static_cast<std::size_t>(last_level_cache_bytes()));
      slots = std::max<std::size_t>(2, wanted / stride_);
    }
    span_ = slots * stride_;
    memory_.reset(static_cast<unsigned char*>(std::aligned_alloc(page, span_)));
    if (!memory_) throw std::bad_alloc();
    std::memset(memory_.get(), 0x5A, span_);
  }

  unsigned char* data() { return memory_.get() + offset_; }
  std::size_t bytes() const { return bytes_; }
  std::size_t offset() const { return offset_; }  // of the present place
  std::size_t span() const { return span_; }      // of all places together

  // On to the next place; stays put unless rotating.
  void advance() {
    offset_ += stride_;
    if (offset_ >= span_) offset_ = 0;
  }

  void fill(int rank, int iteration) { fill_pattern(data(), bytes_, rank, iteration); }
  bool holds(int rank, int iteration) { return holds_pattern(data(), bytes_, rank, iteration); }
  void scribble() { std::memset(data(), 0xEE, bytes_); }

  // Drives the message out of every cache.
  void evict() { evict(data(), bytes_); }
  static void evict([[maybe_unused]] unsigned char* memory, [[maybe_unused]] std::size_t bytes) {
#if defined(__x86_64__)
    for (std::size_t at = 0; at < bytes; at += 64) _mm_clflush(memory + at);
    _mm_mfence();
#else
    static thread_local auto wall = std::vector<unsigned char>(2 * last_level_cache_bytes());
    for (std::size_t at = 0; at < wall.size(); at += 64) wall[at] = static_cast<unsigned char>(wall[at] + 1);
#endif
  }

 private:
  struct Free {
    void operator()(unsigned char* memory) const { std::free(memory); }
  };
  std::size_t bytes_ = 0;
  std::size_t stride_ = 0;
  std::size_t span_ = 0;
  std::size_t offset_ = 0;
  std::unique_ptr<unsigned char, Free> memory_;
};

}  // namespace msgauge
