// `--ranks N` of transports whose ranks live in one process.
#pragma once

#include <charconv>
#include <stdexcept>
#include <string>
#include <string_view>

namespace msgauge {

// The N of `--ranks N`, or 2. Raises std::runtime_error where N is no number of ranks.
inline int ranks_wanted(int argc, char** argv) {
  for (int i = 1; i + 1 < argc; ++i) {
    const std::string_view word = argv[i], value = argv[i + 1];
    if (word != "--ranks") continue;
    int ranks = 0;
    const auto [end, mistake] = std::from_chars(value.data(), value.data() + value.size(), ranks);
    if (mistake != std::errc{} || end != value.data() + value.size() || ranks < 1 || ranks > 10'000)
      throw std::runtime_error("--ranks " + std::string(value) + ": give a number from 1 to 10000");
    return ranks;
  }
  return 2;
}

}  // namespace msgauge
