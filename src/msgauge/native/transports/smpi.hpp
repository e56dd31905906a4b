// MPI on a simulated platform: SimGrid's SMPI. Ranks are coroutines of one process and live in the simulator's time.
//
// SMPI is an MPI, so all calls are those of mpi.hpp; this header adds the clock. A spinning rank would never see it move
// (where computing costs nothing, time passes only inside calls), so waiting is an event of the simulation.
#pragma once

#include <simgrid/actor.h>
#include <simgrid/engine.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>

#include "mpi.hpp"

// smpicxx turns the system's clock and sleep into those of the simulation. What is asked about the real machine (the
// limit of a launch) must get the real answer.
#undef clock_gettime
#undef gettimeofday
#undef nanosleep
#undef getpid
#undef sleep
#undef usleep

namespace msgauge::transports::smpi {

inline constexpr std::string_view clock_word = " clock";

inline constexpr auto joined = [] {
  std::array<char, mpi::capabilities.size() + clock_word.size()> text{};
  std::size_t at = 0;
  for (const char letter : mpi::capabilities) text[at++] = letter;
  for (const char letter : clock_word) text[at++] = letter;
  return text;
}();

// All words of mpi.hpp and `clock`; stacks/smpi.py says the same.
inline constexpr std::string_view capabilities{joined.data(), joined.size()};

class Transport : public mpi::Transport {
 public:
  static constexpr bool ranks_share_a_thread = true;

  std::int64_t now_ns() { return static_cast<std::int64_t>(std::llround(simgrid_get_clock() * 1e9)); }

  // A few picoseconds late rather than early: the clock is a double, and the start must not lie ahead of the round.
  void wait_until(std::int64_t time_ns) {
    if (now_ns() < time_ns) sg_actor_sleep_until(static_cast<double>(time_ns) * 1e-9);
  }
};

template <class Body>
int launch(int argc, char** argv, Body body) {
  MPI_Init(&argc, &argv);
  Transport transport;
  const int code = body(transport);
  MPI_Finalize();
  return code;
}

}  // namespace msgauge::transports::smpi
