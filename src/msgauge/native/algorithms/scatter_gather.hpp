// Scatter and gather, one block a rank, equal or not.
#pragma once

#include <algorithm>

#include "collective_args.hpp"

namespace msgauge::algorithms {

// The root sends each rank its block.
template <Transport T>
void linear_scatter(T& transport, const CollectiveArgs& part) {
  if (part.rank != part.root) return take_from(transport, part.in, part.bytes, part.root);
  for (int i = 1; i < part.ranks; ++i) {
    const int dest = part.absolute(i);
    give_to(transport, part.out + static_cast<std::size_t>(dest) * part.bytes, part.bytes, dest);
  }
  copy(part.in, part.out + part.own_block(), part.bytes);
}

template <Transport T>
void linear_gather(T& transport, const CollectiveArgs& part) {
  if (part.rank != part.root) return give_to(transport, part.out, part.bytes, part.root);
  copy(part.in + part.own_block(), part.out, part.bytes);
  for (int i = 1; i < part.ranks; ++i) {
    const int source = part.absolute(i);
    take_from(transport, part.in + static_cast<std::size_t>(source) * part.bytes, part.bytes, source);
  }
}

// Blocks in the order of relative ranks stand in two stretches of the order of ranks.
struct Rotation {
  const CollectiveArgs& part;
  std::size_t head() const { return static_cast<std::size_t>(part.ranks - part.root) * part.bytes; }
  std::size_t tail() const { return static_cast<std::size_t>(part.root) * part.bytes; }
};

// A binomial tree: every inner rank takes the blocks of its whole subtree and hands them on.
template <Transport T>
void binomial_scatter(T& transport, const CollectiveArgs& part) {
  const int relative = part.relative();
  const unsigned char* blocks = part.out;
  if (relative == 0 && part.root != 0) {
    const Rotation rotation{part};
    copy(part.scratch, part.out + rotation.tail(), rotation.head());
    copy(part.scratch + rotation.head(), part.out, rotation.tail());
    blocks = part.scratch;
  }
  int reach = 1;
  for (; reach < part.ranks; reach *= 2) {
    if (!(relative & reach)) continue;
    const auto count = static_cast<std::size_t>(std::min(reach, part.ranks - relative));
    auto* into = count > 1 ? part.scratch : part.in;
    take_from(transport, into, count * part.bytes, part.absolute(relative - reach));
    blocks = into;
    break;
  }
  for (reach /= 2; reach > 0; reach /= 2) {
    const int child = relative + reach;
    if (child >= part.ranks) continue;
    const auto count = static_cast<std::size_t>(std::min(reach, part.ranks - child));
    give_to(transport, blocks + static_cast<std::size_t>(reach) * part.bytes, count * part.bytes, part.absolute(child));
  }
  if (blocks != part.in) copy(part.in, blocks, part.bytes);
}

template <Transport T>
void binomial_gather(T& transport, const CollectiveArgs& part) {
  const int relative = part.relative();
  const bool straight = relative == 0 && part.root == 0;
  auto* blocks = straight ? part.in : part.scratch;
  copy(blocks, part.out, part.bytes);
  for (int reach = 1; reach < part.ranks; reach *= 2) {
    const auto held = static_cast<std::size_t>(std::min(reach, part.ranks - relative));
    if (relative & reach) return give_to(transport, blocks, held * part.bytes, part.absolute(relative - reach));
    const int child = relative + reach;
    if (child >= part.ranks) continue;
    const auto count = static_cast<std::size_t>(std::min(reach, part.ranks - child));
    take_from(transport, blocks + static_cast<std::size_t>(reach) * part.bytes, count * part.bytes,
              part.absolute(child));
  }
  if (straight || relative != 0) return;
  const Rotation rotation{part};
  copy(part.in + rotation.tail(), blocks, rotation.head());
  copy(part.in, blocks + rotation.head(), rotation.tail());
}

template <Transport T>
void linear_scatterv(T& transport, const CollectiveArgs& part) {
  if (part.rank != part.root) return take_from(transport, part.in, part.bytes, part.root);
  for (int i = 1; i < part.ranks; ++i) {
    const int dest = part.absolute(i);
    give_to(transport, part.out + part.out_blocks.offsets[dest], static_cast<std::size_t>(part.out_blocks.counts[dest]),
            dest);
  }
  copy(part.in, part.out + part.out_blocks.offsets[part.rank], part.bytes);
}

template <Transport T>
void linear_gatherv(T& transport, const CollectiveArgs& part) {
  if (part.rank != part.root) return give_to(transport, part.out, part.bytes, part.root);
  copy(part.in + part.in_blocks.offsets[part.rank], part.out, part.bytes);
  for (int i = 1; i < part.ranks; ++i) {
    const int source = part.absolute(i);
    take_from(transport, part.in + part.in_blocks.offsets[source],
              static_cast<std::size_t>(part.in_blocks.counts[source]), source);
  }
}

}  // namespace msgauge::algorithms
