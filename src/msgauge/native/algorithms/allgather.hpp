// Everyone gets everyone's block.
// Source: Thakur, Rabenseifner, Gropp 2005, Optimization of collective communication operations in MPICH.
#pragma once

#include <algorithm>

#include "collective_args.hpp"

namespace msgauge::algorithms {

template <Transport T>
void ring_allgather(T& transport, const CollectiveArgs& part) {
  copy(part.in + part.own_block(), part.out, part.bytes);
  const auto block = [&](int index) { return part.in + static_cast<std::size_t>(index) * part.bytes; };
  for (int step = 0; step + 1 < part.ranks; ++step) {
    const int leaving = (part.rank - step + part.ranks) % part.ranks;
    const int coming = (leaving - 1 + part.ranks) % part.ranks;
    shift(transport, block(leaving), part.bytes, part.next(), block(coming), part.bytes, part.previous());
  }
}

template <Transport T>
void ring_allgatherv(T& transport, const CollectiveArgs& part) {
  const auto* counts = part.in_blocks.counts;
  const auto* offsets = part.in_blocks.offsets;
  copy(part.in + offsets[part.rank], part.out, part.bytes);
  for (int step = 0; step + 1 < part.ranks; ++step) {
    const int leaving = (part.rank - step + part.ranks) % part.ranks;
    const int coming = (leaving - 1 + part.ranks) % part.ranks;
    shift(transport, part.in + offsets[leaving], static_cast<std::size_t>(counts[leaving]), part.next(),
          part.in + offsets[coming], static_cast<std::size_t>(counts[coming]), part.previous());
  }
}

// Powers of two only: pairs double what they have in every step.
template <Transport T>
void recursive_doubling_allgather(T& transport, const CollectiveArgs& part) {
  copy(part.in + part.own_block(), part.out, part.bytes);
  for (int held = 1; held < part.ranks; held *= 2) {
    const int peer = part.rank ^ held;
    const auto bytes = static_cast<std::size_t>(held) * part.bytes;
    auto* mine = part.in + static_cast<std::size_t>(part.rank / held * held) * part.bytes;
    auto* theirs = part.in + static_cast<std::size_t>(peer / held * held) * part.bytes;
    shift(transport, mine, bytes, peer, theirs, bytes, peer);
  }
}

// Any number of ranks in ceil(log2 ranks) steps, at the price of a rotation at the end.
// Source: Bruck, Ho, Kipnis, Upfal, Weathersby 1997.
template <Transport T>
void bruck_allgather(T& transport, const CollectiveArgs& part) {
  copy(part.scratch, part.out, part.bytes);
  for (int held = 1; held < part.ranks; held *= 2) {
    const auto bytes = static_cast<std::size_t>(std::min(held, part.ranks - held)) * part.bytes;
    shift(transport, part.scratch, bytes, (part.rank - held + part.ranks) % part.ranks,
          part.scratch + static_cast<std::size_t>(held) * part.bytes, bytes, (part.rank + held) % part.ranks);
  }
  const auto ahead = static_cast<std::size_t>(part.ranks - part.rank) * part.bytes;
  copy(part.in + part.own_block(), part.scratch, ahead);
  copy(part.in, part.scratch + ahead, part.own_block());
}

}  // namespace msgauge::algorithms
