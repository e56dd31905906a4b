// A barrier as a tree: all report towards rank 0, and rank 0 sends word back. Twice the steps of dissemination, but
// 2 (ranks - 1) messages in all.
#pragma once

#include "../algorithms.hpp"
#include "collective_args.hpp"

namespace msgauge::algorithms {

template <Transport T>
void tree_barrier(T& transport, const CollectiveArgs& part) {
  char token = 1;
  int reach = 1;
  for (; reach < part.ranks && !(part.rank & reach); reach *= 2)
    if (part.rank + reach < part.ranks) take_from(transport, &token, 1, part.rank + reach);
  if (part.rank != 0) {
    give_to(transport, &token, 1, part.rank - reach);
    take_from(transport, &token, 1, part.rank - reach);
  }
  for (reach /= 2; reach > 0; reach /= 2)
    if (part.rank + reach < part.ranks) give_to(transport, &token, 1, part.rank + reach);
}

template <Transport T>
void dissemination(T& transport, const CollectiveArgs& part) {
  dissemination_barrier(transport, part.ranks);
}

}  // namespace msgauge::algorithms
