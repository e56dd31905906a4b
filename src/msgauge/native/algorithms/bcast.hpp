// Broadcasts of `part.in` from the root.
#pragma once

#include <algorithm>

#include "../algorithms.hpp"
#include "collective_args.hpp"

namespace msgauge::algorithms {

template <Transport T>
void binomial(T& transport, const CollectiveArgs& part) {
  binomial_bcast(transport, part.in, part.bytes, part.root, part.ranks);
}

// The root sends to one after the other.
template <Transport T>
void linear_bcast(T& transport, const CollectiveArgs& part) {
  if (part.rank != part.root) return take_from(transport, part.in, part.bytes, part.root);
  for (int i = 1; i < part.ranks; ++i) give_to(transport, part.in, part.bytes, part.absolute(i));
}

// Down a chain of all ranks in segments, so that every link is busy at once.
template <Transport T>
void chain_bcast(T& transport, const CollectiveArgs& part) {
  constexpr std::size_t segment = 32768;
  const int relative = part.relative();
  std::size_t at = 0;
  do {
    const auto bytes = std::min(segment, part.bytes - at);
    if (relative > 0) take_from(transport, part.in + at, bytes, part.previous());
    if (relative + 1 < part.ranks) give_to(transport, part.in + at, bytes, part.next());
    at += segment;
  } while (at < part.bytes);
}

// A binomial scatter of as many pieces as ranks, then a ring in which everyone collects the others' pieces.
// Source: van de Geijn 1994; Thakur, Rabenseifner, Gropp 2005, Optimization of collective communication in MPICH.
template <Transport T>
void scatter_allgather_bcast(T& transport, const CollectiveArgs& part) {
  const Cut cut{part.bytes, part.ranks};
  const int relative = part.relative();
  const auto piece = [&](int index) { return part.in + cut.begin(index); };
  int reach = 1;
  for (; reach < part.ranks; reach *= 2) {
    if (!(relative & reach)) continue;
    const int last = std::min(relative + reach, part.ranks);
    take_from(transport, piece(relative), cut.length(relative, last), part.absolute(relative - reach));
    break;
  }
  for (reach /= 2; reach > 0; reach /= 2) {
    const int child = relative + reach;
    if (child >= part.ranks) continue;
    const int last = std::min(child + reach, part.ranks);
    give_to(transport, piece(child), cut.length(child, last), part.absolute(child));
  }
  for (int step = 0; step + 1 < part.ranks; ++step) {
    const int leaving = (relative - step + part.ranks) % part.ranks;
    const int coming = (relative - step - 1 + part.ranks) % part.ranks;
    shift(transport, piece(leaving), cut.length(leaving), part.next(), piece(coming), cut.length(coming),
          part.previous());
  }
}

}  // namespace msgauge::algorithms
