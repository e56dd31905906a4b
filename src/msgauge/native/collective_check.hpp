// Whether a collective left on this rank what the serial model says. Untimed.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "collective_layout.hpp"
#include "coordination.hpp"
#include "serial_model.hpp"

namespace msgauge::collective {

// Of those that move blocks: the block of every rank that this one takes from.
inline bool check_moved(Kind kind, const Layout& layout, const algorithms::CollectiveArgs& part, int iteration) {
  const auto holds = [&](std::size_t place, std::int64_t bytes, int source, std::int64_t from) {
    return serial_model::holds_piece(part.in + place, static_cast<std::size_t>(bytes), source, iteration,
                                     static_cast<std::size_t>(from));
  };
  const auto own = static_cast<std::size_t>(part.rank);
  if (kind == Kind::bcast) return holds(0, static_cast<std::int64_t>(part.bytes), part.root, 0);
  if (kind == Kind::scatter) return holds(0, layout.out.counts[own], part.root, layout.out.offsets[own]);
  if (kind == Kind::gather && part.rank != part.root) return true;
  for (int peer = 0; peer < part.ranks; ++peer) {
    const auto at = static_cast<std::size_t>(peer);
    const auto from = kind == Kind::alltoall ? layout.place_between(peer, part.rank) : 0;
    if (!holds(static_cast<std::size_t>(layout.in.offsets[at]), layout.in.counts[at], peer, from)) return false;
  }
  return true;
}

inline bool check_combined(Kind kind, const Layout& layout, const algorithms::CollectiveArgs& part, int iteration) {
  std::size_t from = 0, count = part.count;
  int last = part.ranks;
  if (kind == Kind::reduce && part.rank != part.root) return true;
  if (kind == Kind::exscan && part.rank == 0) return true;  // not defined
  if (kind == Kind::scan) last = part.rank + 1;
  if (kind == Kind::exscan) last = part.rank;
  if (kind == Kind::reduce_scatter) {
    const auto own = static_cast<std::size_t>(part.rank);
    from = static_cast<std::size_t>(layout.out.offsets[own]) / bytes_of(part.element);
    count = static_cast<std::size_t>(layout.elements[own]);
  }
  return serial_model::holds_combined(part.in, from, count, part.element, part.op, 0, last, iteration);
}

inline bool check_result(Kind kind, const Layout& layout, const algorithms::CollectiveArgs& part, int iteration) {
  return combines(kind) ? check_combined(kind, layout, part, iteration) : check_moved(kind, layout, part, iteration);
}

template <Transport T>
std::int64_t time_of(T& transport) {
  if constexpr (HasClock<T>) return transport.now_ns();
  return monotonic_ns();
}

template <Transport T>
void stay_until(T& transport, std::int64_t time_ns) {
  if constexpr (HasClock<T>) transport.wait_until(time_ns);
  while (time_of(transport) < time_ns) {
  }
}

// Whether nobody leaves a barrier before all have entered it: the last rank (another one each time) comes late. `line`
// makes times comparable between hosts; as far as it may be wrong, the barrier is believed.
template <Transport T, class Once>
bool holds_back(T& transport, const ClockLine& line, int ranks, int iteration, Once once) {
  algorithms::dissemination_barrier(transport, ranks);
  const int rank = transport.rank();
  const auto now = time_of(transport);
  if (rank == iteration % ranks) stay_until(transport, now + 50'000 + 4 * line.error_at(now));
  const auto came = time_of(transport);
  const auto entered = line.reference_ns(came) - line.error_at(came);
  once();
  const auto went = time_of(transport);
  const auto left = line.reference_ns(went) + line.error_at(went);
  std::int64_t latest = entered;
  for (int source = 0; source < ranks; ++source) {
    auto theirs = entered;
    algorithms::binomial_bcast(transport, &theirs, sizeof theirs, source, ranks);
    latest = std::max(latest, theirs);
  }
  return latest <= left;
}

}  // namespace msgauge::collective
