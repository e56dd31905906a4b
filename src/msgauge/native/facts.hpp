// What a kernel says about itself, and what a plan asks of it. Plain values; no transport is known here.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace msgauge {

// The block at the head of every kernel header; docs/reference/wire-protocol.md explains each field.
struct Facts {
  std::string_view name;
  std::string_view title;
  std::string_view meaning;
  std::string_view source;
  int minimum_ranks = 2;
  int maximum_ranks = 0;  // 0: all ranks of the launch take part; else ranks beyond it stand by
  std::string_view bytes_moved = "bytes";
  std::string_view needs = "send recv";
  std::string_view options = "";
  std::string_view option_meanings = "";  // a line "name: what it does" for each option
  std::string_view series = "time";
  std::string_view unit = "ns";
  bool sized = true;
  bool collective = false;
  std::string_view kind = "operation";  // or program, curve, matrix, timer, launch
  std::string_view pattern = "";        // the communication pattern that models predict it by
  std::string_view headline = "time";   // or bandwidth, messages: what people ask it for
  std::string_view aliases = "";        // other names that people type for it: of other benchmarks, of the quantity
};

// How a transport stands to a kernel under given options.
struct Coverage {
  enum class Kind { native, emulated, refused };
  Kind kind = Kind::native;
  std::string_view algorithm = "";  // of the emulation
  std::string_view reason = "";     // of the refusal
};

inline std::string_view word(Coverage::Kind kind) {
  switch (kind) {
    case Coverage::Kind::native: return "native";
    case Coverage::Kind::emulated: return "emulated";
    case Coverage::Kind::refused: return "refused";
  }
  return "refused";
}

using Options = std::vector<std::pair<std::string, std::string>>;

enum class Mode { batch, single };
enum class CacheMode { hot, rotate, cold };

// One line of the plan: what is to be measured.
struct Cell {
  std::int64_t id = 0;
  std::string kernel;
  std::int64_t bytes = 0;
  int ranks = 2;
  Mode mode = Mode::batch;
  CacheMode cache = CacheMode::hot;
  Options options;
  std::uint64_t seed = 0;  // of the launch: for orders that a kernel draws

  // The value of an option, or the first of its choices as the kernel's facts list them.
  std::string_view option(std::string_view name, const Facts& facts) const;
};

// The launch this process is part of, as the plan states it.
struct Launch {
  std::int64_t number = 0;
  std::int64_t round = 0;
  std::uint64_t seed = 0;
  int ranks = 0;
  int cores = 0;
  std::int64_t boot_ns = 0;   // what the daemons of the session took to come up
  std::int64_t begun_ns = 0;  // on rank 0's CLOCK_MONOTONIC: when the launcher was started; 0: nobody told
  std::int64_t begun_error_ns = 0;  // by how much that may be wrong
  std::vector<int> pin;       // the processor of each rank, where every rank is to have one of its own
};

// Calls `each(name, choices)` for every `name=a|b|c` of a facts' options.
template <class Each>
void for_each_option(std::string_view options, Each each) {
  while (!options.empty()) {
    const auto end = options.find(' ');
    const auto item = options.substr(0, end);
    const auto equals = item.find('=');
    if (equals != std::string_view::npos) each(item.substr(0, equals), item.substr(equals + 1));
    if (end == std::string_view::npos) return;
    options.remove_prefix(end + 1);
  }
}

inline std::string_view Cell::option(std::string_view name, const Facts& facts) const {
  for (const auto& [key, value] : options)
    if (key == name) return value;
  std::string_view standard;
  for_each_option(facts.options, [&](std::string_view key, std::string_view choices) {
    if (key == name) standard = choices.substr(0, choices.find('|'));
  });
  return standard;
}

// Why the options of a cell do not fit the kernel's facts; empty when they do.
inline std::string option_mismatch(const Cell& cell, const Facts& facts) {
  for (const auto& [key, value] : cell.options) {
    bool known = false, allowed = false;
    for_each_option(facts.options, [&](std::string_view name, std::string_view choices) {
      if (name != key) return;
      known = true;
      for (std::string_view rest = choices; !allowed;) {
        const auto bar = rest.find('|');
        allowed = rest.substr(0, bar) == value;
        if (bar == std::string_view::npos) break;
        rest.remove_prefix(bar + 1);
      }
    });
    if (!known) return cell.kernel + " has no option '" + key + "'";
    if (!allowed) return cell.kernel + " does not take " + key + "=" + value;
  }
  return {};
}

}  // namespace msgauge
