// CRC-32, that of zlib.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace taskfarm {

std::uint32_t checksum(std::string_view bytes);

// Of any part of some bytes, in a time that its length hardly matters for; a sixteenth of their memory.
class Checksums {
 public:
  explicit Checksums(std::string_view bytes);
  std::uint32_t of(std::size_t begin, std::size_t count) const;

 private:
  std::uint32_t up_to(std::size_t end) const;

  std::string_view bytes_;
  std::vector<std::uint32_t> marks_;     // up to each 64th byte, begun with 0
  std::array<std::uint32_t, 64> zeros_;  // what 2^k zero bytes multiply by
};

}  // namespace taskfarm
