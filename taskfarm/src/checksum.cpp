#include "checksum.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

namespace taskfarm {
namespace {

constexpr std::uint32_t polynomial = 0xEDB88320U;
constexpr std::size_t mark_each = 64;

// Slicing by eight: a byte at a time would cost as much as the write of a record itself.
using Tables = std::array<std::array<std::uint32_t, 256>, 8>;
const Tables& tables() {
  static const Tables once = [] {
    Tables made{};
    for (std::uint32_t i = 0; i < 256; ++i) {
      std::uint32_t c = i;
      for (int k = 0; k < 8; ++k) c = c & 1 ? polynomial ^ (c >> 1) : c >> 1;
      made[0][i] = c;
    }
    for (std::size_t t = 1; t < 8; ++t)
      for (std::size_t i = 0; i < 256; ++i) made[t][i] = (made[t - 1][i] >> 8) ^ made[0][made[t - 1][i] & 255];
    return made;
  }();
  return once;
}

std::uint32_t go_on(std::uint32_t c, std::string_view bytes) {
  const Tables& table = tables();
  const auto* at = reinterpret_cast<const unsigned char*>(bytes.data());
  std::size_t left = bytes.size();
  for (; left >= 8; left -= 8, at += 8) {
    std::uint64_t word;
    std::memcpy(&word, at, 8);
    word ^= c;
    c = 0;
    for (std::size_t t = 0; t < 8; ++t) c ^= table[7 - t][(word >> (8 * t)) & 255];
  }
  for (; left > 0; --left, ++at) c = table[0][(c ^ *at) & 255] ^ (c >> 8);
  return c;
}

// Of polynomials over two elements, the highest power in the lowest bit, as the checksum itself is one.
std::uint32_t product(std::uint32_t a, std::uint32_t b) {
  std::uint32_t sum = 0;
  for (; a != 0; a <<= 1) {
    if ((a & (1U << 31)) != 0) sum ^= b;
    b = b & 1 ? polynomial ^ (b >> 1) : b >> 1;
  }
  return sum;
}

}  // namespace

std::uint32_t checksum(std::string_view bytes) { return ~go_on(~0U, bytes); }

Checksums::Checksums(std::string_view bytes) : bytes_(bytes) {
  marks_.reserve(bytes.size() / mark_each + 1);
  marks_.push_back(0);
  for (; bytes.size() >= mark_each; bytes.remove_prefix(mark_each))
    marks_.push_back(go_on(marks_.back(), bytes.substr(0, mark_each)));
  zeros_[0] = 1U << 23;  // the eighth power
  for (std::size_t k = 1; k < zeros_.size(); ++k) zeros_[k] = product(zeros_[k - 1], zeros_[k - 1]);
}

// What stands before the part is as if so many zeros came behind it, and is taken off again.
std::uint32_t Checksums::of(std::size_t begin, std::size_t count) const {
  std::uint32_t before = ~up_to(begin);
  for (std::size_t left = count; left != 0; left &= left - 1)
    before = product(before, zeros_[static_cast<std::size_t>(std::countr_zero(left))]);
  return ~(up_to(begin + count) ^ before);
}

std::uint32_t Checksums::up_to(std::size_t end) const {
  const std::size_t mark = end / mark_each;
  return go_on(marks_[mark], bytes_.substr(mark * mark_each, end % mark_each));
}

}  // namespace taskfarm
