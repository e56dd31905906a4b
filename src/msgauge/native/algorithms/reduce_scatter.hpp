// Rows are combined, and every rank keeps a piece of the result: `part.counts` elements of it.
#pragma once

#include "reduce.hpp"

namespace msgauge::algorithms {

// In step i everyone sends the piece of the rank i further on straight from its row: nobody combines more than it keeps.
template <Transport T>
void pairwise_reduce_scatter(T& transport, const CollectiveArgs& part) {
  const auto width = bytes_of(part.element);
  const auto* offsets = part.out_blocks.offsets;  // of the pieces in a row, in bytes
  const auto kept = static_cast<std::size_t>(part.counts[part.rank]);
  bool first = true;
  for (int step = 1; step < part.ranks; ++step, first = false) {
    const int dest = (part.rank + step) % part.ranks, source = (part.rank - step + part.ranks) % part.ranks;
    auto* into = first ? part.in : part.scratch;
    shift(transport, part.out + offsets[dest], static_cast<std::size_t>(part.counts[dest]) * width, dest, into,
          kept * width, source);
    combine_rows(part, first ? part.out + offsets[part.rank] : part.scratch, part.in, kept);
  }
  if (part.ranks == 1) copy(part.in, part.out, kept * width);
}

// The whole result at rank 0, which sends out the pieces: fewer and longer messages, for short rows.
template <Transport T>
void reduce_then_scatter(T& transport, const CollectiveArgs& part) {
  const auto width = bytes_of(part.element);
  auto* whole = part.scratch + 2 * part.bytes;
  CollectiveArgs to_first = part;
  to_first.root = 0;
  to_first.in = whole;
  binomial_reduce(transport, to_first);
  const auto* offsets = part.out_blocks.offsets;
  const auto length = [&](int rank) { return static_cast<std::size_t>(part.counts[rank]) * width; };
  if (part.rank != 0) return take_from(transport, part.in, length(part.rank), 0);
  for (int dest = 1; dest < part.ranks; ++dest) give_to(transport, whole + offsets[dest], length(dest), dest);
  copy(part.in, whole, length(0));
}

}  // namespace msgauge::algorithms
