// What every rank must hold after a collective, found without communication: each rank's payload is a function of its
// number, the iteration and the place, so any rank can compute what any other one sent.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "buffers.hpp"
#include "combine.hpp"

namespace msgauge::serial_model {

// The bytes [from, from + bytes) of a rank's payload stand at `memory`.
inline bool holds_piece(const unsigned char* memory, std::size_t bytes, int rank, int iteration, std::size_t from) {
  std::array<unsigned char, 4096> wanted;
  for (std::size_t done = 0; done < bytes;) {
    const auto place = from + done;
    const auto skip = place % 8;
    for (std::size_t i = 0; i < wanted.size() / 8; ++i) {
      const auto word = pattern_word(rank, iteration, place / 8 + i);
      std::memcpy(wanted.data() + 8 * i, &word, 8);
    }
    const auto length = std::min(bytes - done, wanted.size() - skip);
    if (std::memcmp(memory + done, wanted.data() + skip, length) != 0) return false;
    done += length;
  }
  return true;
}

// One element of a rank's row. Numbers are whole and small, so that any order of adding up to 2000 of them is exact.
template <class Value>
Value element_at(int rank, int iteration, std::size_t index) {
  const auto word = pattern_word(rank, iteration, index) * 0x9E3779B97F4A7C15U;
  if constexpr (std::is_same_v<Value, unsigned char>) return static_cast<unsigned char>(word >> 56);
  else if constexpr (std::is_same_v<Value, float>) return static_cast<float>(static_cast<std::int32_t>(word >> 51)) - 4096;
  else return static_cast<Value>(static_cast<std::int64_t>(word >> 44) - (1 << 19));
}

template <class Value>
void fill_row_of(void* memory, std::size_t count, int rank, int iteration) {
  auto* at = static_cast<unsigned char*>(memory);
  for (std::size_t i = 0; i < count; ++i, at += sizeof(Value)) {
    const auto value = element_at<Value>(rank, iteration, i);
    std::memcpy(at, &value, sizeof value);
  }
}

inline void fill_row(void* memory, std::size_t count, Element element, int rank, int iteration) {
  switch (element) {
    case Element::int32: return fill_row_of<std::int32_t>(memory, count, rank, iteration);
    case Element::int64: return fill_row_of<std::int64_t>(memory, count, rank, iteration);
    case Element::float32: return fill_row_of<float>(memory, count, rank, iteration);
    case Element::float64: return fill_row_of<double>(memory, count, rank, iteration);
    case Element::byte: return fill_row_of<unsigned char>(memory, count, rank, iteration);
  }
}

// Elements [from, from + count) of the rows of ranks [first, last) combined stand at `memory`, to the last bit.
template <class Value>
bool holds_combined_of(const void* memory, std::size_t from, std::size_t count, Combine combine, int first, int last,
                       int iteration) {
  const auto* at = static_cast<const unsigned char*>(memory);
  for (std::size_t i = 0; i < count; ++i, at += sizeof(Value)) {
    Value wanted = element_at<Value>(first, iteration, from + i);
    for (int rank = first + 1; rank < last; ++rank) {
      const auto next = element_at<Value>(rank, iteration, from + i);
      combine(&next, &wanted, 1);
    }
    if (std::memcmp(at, &wanted, sizeof wanted) != 0) return false;
  }
  return true;
}

inline bool holds_combined(const void* memory, std::size_t from, std::size_t count, Element element, Operator op,
                           int first, int last, int iteration) {
  const auto combine = combine_of(element, op);
  switch (element) {
    case Element::int32: return holds_combined_of<std::int32_t>(memory, from, count, combine, first, last, iteration);
    case Element::int64: return holds_combined_of<std::int64_t>(memory, from, count, combine, first, last, iteration);
    case Element::float32: return holds_combined_of<float>(memory, from, count, combine, first, last, iteration);
    case Element::float64: return holds_combined_of<double>(memory, from, count, combine, first, last, iteration);
    case Element::byte: return holds_combined_of<unsigned char>(memory, from, count, combine, first, last, iteration);
  }
  return false;
}

}  // namespace msgauge::serial_model
