// From nothing to the first message: what is paid before a program can say anything.
#pragma once

#include "../startup_phases.hpp"
#include "../facts.hpp"
#include "../transport.hpp"

namespace msgauge::kernels::startup {

inline constexpr Facts facts{
    .name = "startup",
    .title = "Start-up",
    .meaning = "From nothing to the first message: daemons come up, the launcher starts the processes, the library is "
               "initialised, and rank 0 hears from every other rank. Teardown, the time from the last message to the "
               "end of the launcher, stands beside it.",
    .source = "one value a launch, by CLOCK_MONOTONIC on both sides of the launcher",
    .minimum_ranks = 1,
    .bytes_moved = "0",
    .needs = "send recv",
    .options = "",
    .series = "time boot launch init first",
    .unit = "ns",
    .sized = false,
    .collective = false,
    .kind = "launch",
    .aliases = "init hello launch-time",
};

// Nothing to carry out: the launch itself is the operation, and rank 0 has its times.
template <Transport T>
struct Run {
  static constexpr bool measured_by_launch = true;

  static constexpr Coverage coverage(const Cell&) {
    if constexpr (HasClock<T>) return {Coverage::Kind::refused, "", "its processes start in simulated time"};
    return {};
  }
};

}  // namespace msgauge::kernels::startup
