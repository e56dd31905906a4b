// Every rank has a block for every rank.
#pragma once

#include "collective_args.hpp"

namespace msgauge::algorithms {

// In step i everyone sends to the rank i further on and receives from the one i before.
template <Transport T>
void pairwise_alltoall(T& transport, const CollectiveArgs& part) {
  copy(part.in + part.own_block(), part.out + part.own_block(), part.bytes);
  for (int step = 1; step < part.ranks; ++step) {
    const int dest = (part.rank + step) % part.ranks, source = (part.rank - step + part.ranks) % part.ranks;
    shift(transport, part.out + static_cast<std::size_t>(dest) * part.bytes, part.bytes, dest,
          part.in + static_cast<std::size_t>(source) * part.bytes, part.bytes, source);
  }
}

template <Transport T>
void pairwise_alltoallv(T& transport, const CollectiveArgs& part) {
  const auto& out = part.out_blocks;
  const auto& in = part.in_blocks;
  copy(part.in + in.offsets[part.rank], part.out + out.offsets[part.rank],
       static_cast<std::size_t>(out.counts[part.rank]));
  for (int step = 1; step < part.ranks; ++step) {
    const int dest = (part.rank + step) % part.ranks, source = (part.rank - step + part.ranks) % part.ranks;
    shift(transport, part.out + out.offsets[dest], static_cast<std::size_t>(out.counts[dest]), dest,
          part.in + in.offsets[source], static_cast<std::size_t>(in.counts[source]), source);
  }
}

// ceil(log2 ranks) steps; in step k every block whose distance has bit k set goes 2^k ranks on. Blocks are gathered
// into one message and laid out again at the other end, so it pays for small blocks.
// Source: Bruck, Ho, Kipnis, Upfal, Weathersby 1997.
template <Transport T>
void bruck_alltoall(T& transport, const CollectiveArgs& part) {
  const auto bytes = part.bytes;
  const auto slot = [&](int index) { return part.in + static_cast<std::size_t>(index) * bytes; };
  for (int distance = 0; distance < part.ranks; ++distance)
    copy(slot(distance), part.out + static_cast<std::size_t>((part.rank + distance) % part.ranks) * bytes, bytes);
  auto* packed = part.scratch;
  for (int step = 1; step < part.ranks; step *= 2) {
    std::size_t length = 0;
    for (int distance = step; distance < part.ranks; ++distance)
      if (distance & step) copy(packed + length, slot(distance), bytes), length += bytes;
    auto* arrived = packed + length;
    shift(transport, packed, length, (part.rank + step) % part.ranks, arrived, length,
          (part.rank - step + part.ranks) % part.ranks);
    for (int distance = step; distance < part.ranks; ++distance)
      if (distance & step) copy(slot(distance), arrived, bytes), arrived += bytes;
  }
  // Slot d holds the block of the rank d before this one.
  copy(packed, part.in, static_cast<std::size_t>(part.ranks) * bytes);
  for (int distance = 0; distance < part.ranks; ++distance)
    copy(slot((part.rank - distance + part.ranks) % part.ranks), packed + static_cast<std::size_t>(distance) * bytes,
         bytes);
}

}  // namespace msgauge::algorithms
