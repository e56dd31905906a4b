// Prefixes: rank r gets the rows of ranks 0 .. r combined (scan), or 0 .. r-1 (exscan; rank 0 gets nothing).
#pragma once

#include "collective_args.hpp"

namespace msgauge::algorithms {

// A chain: each rank adds its own row and passes it on.
template <bool inclusive, Transport T>
void linear_scan(T& transport, const CollectiveArgs& part) {
  auto* through = inclusive ? part.in : part.scratch;
  if (part.rank > 0) {
    auto* arrived = inclusive ? part.scratch : part.in;
    take_from(transport, arrived, part.bytes, part.rank - 1);
  }
  if (inclusive || part.rank + 1 < part.ranks) {
    copy(through, part.out, part.bytes);
    if (part.rank > 0) part.combine(inclusive ? part.scratch : part.in, through, part.count);
  }
  if (part.rank + 1 < part.ranks) give_to(transport, through, part.bytes, part.rank + 1);
}

// ceil(log2 ranks) steps: in step k the combined rows of the 2^k ranks up to here go 2^k ranks on.
// Source: Hillis, Steele 1986, Data parallel algorithms.
template <bool inclusive, Transport T>
void doubling_scan(T& transport, const CollectiveArgs& part) {
  auto* so_far = part.scratch;                  // of the last `distance` ranks up to this one
  auto* arrived = part.scratch + part.bytes;
  copy(so_far, part.out, part.bytes);
  if (inclusive) copy(part.in, part.out, part.bytes);
  bool empty = !inclusive;
  for (int distance = 1; distance < part.ranks; distance *= 2) {
    const int dest = part.rank + distance, source = part.rank - distance;
    const bool gives = dest < part.ranks, takes = source >= 0;
    if (gives && takes) shift(transport, so_far, part.bytes, dest, arrived, part.bytes, source);
    else if (gives) give_to(transport, so_far, part.bytes, dest);
    else if (takes) take_from(transport, arrived, part.bytes, source);
    if (!takes) continue;
    if (empty) copy(part.in, arrived, part.bytes), empty = false;
    else part.combine(arrived, part.in, part.count);
    part.combine(arrived, so_far, part.count);
  }
}

}  // namespace msgauge::algorithms
