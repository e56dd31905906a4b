// Reductions: every rank has a row of elements, and rows are combined. All operators here commute.
//
// Where the number of ranks is no power of two, `Folded` lets the first ranks pair up beforehand, so that a power of
// two goes on.
// Source: Rabenseifner 2004, Optimization of collective reduction operations; Thakur, Rabenseifner, Gropp 2005.
#pragma once

#include "bcast.hpp"
#include "collective_args.hpp"

namespace msgauge::algorithms {

// `into` = `into` OP `from`, of some elements of a row.
inline void combine_rows(const CollectiveArgs& part, const unsigned char* from, unsigned char* into, std::size_t elements) {
  part.combine(from, into, elements);
}

template <Transport T>
void binomial_reduce(T& transport, const CollectiveArgs& part) {
  const int relative = part.relative();
  auto* row = relative == 0 ? part.in : part.scratch;
  auto* arrived = part.scratch + part.bytes;
  const unsigned char* mine = part.out;  // copied only when something is combined with it
  for (int reach = 1; reach < part.ranks; reach *= 2) {
    if (relative & reach) return give_to(transport, mine, part.bytes, part.absolute(relative - reach));
    if (relative + reach >= part.ranks) continue;
    auto* into = mine == part.out ? row : arrived;
    take_from(transport, into, part.bytes, part.absolute(relative + reach));
    combine_rows(part, mine == part.out ? part.out : arrived, row, part.count);
    mine = row;
  }
  if (mine == part.out) copy(part.in, part.out, part.bytes);
}

// Ranks of a power of two, out of any number: of the first 2 * extra ranks every even one gives its row to the odd one
// after it and waits. `place` is the number among those who go on; -1 for those who wait.
struct Folded {
  explicit Folded(const CollectiveArgs& part) : active(power_of_two_below(part.ranks)), extra(part.ranks - active) {
    place = part.rank < 2 * extra ? (part.rank % 2 == 0 ? -1 : part.rank / 2) : part.rank - extra;
  }
  int rank_at(int other) const { return other < extra ? 2 * other + 1 : other + extra; }
  int active, extra, place;
};

// Lays this rank's row into `row`, combined with that of the rank folded into it.
template <Transport T>
void fold_in(T& transport, const CollectiveArgs& part, const Folded& folded, unsigned char* row) {
  if (folded.place < 0) return give_to(transport, part.out, part.bytes, part.rank + 1);
  if (part.rank >= 2 * folded.extra) return copy(row, part.out, part.bytes);
  take_from(transport, row, part.bytes, part.rank - 1);
  combine_rows(part, part.out, row, part.count);
}

template <Transport T>
void hand_back(T& transport, const CollectiveArgs& part, const Folded& folded) {
  if (part.rank >= 2 * folded.extra) return;
  if (folded.place < 0) take_from(transport, part.in, part.bytes, part.rank + 1);
  else give_to(transport, part.in, part.bytes, part.rank - 1);
}

template <Transport T>
void recursive_doubling_allreduce(T& transport, const CollectiveArgs& part) {
  const Folded folded(part);
  const unsigned char* row = part.out;
  if (folded.extra > 0) fold_in(transport, part, folded, part.in), row = part.in;
  for (int distance = 1; folded.place >= 0 && distance < folded.active; distance *= 2) {
    const int peer = folded.rank_at(folded.place ^ distance);
    // The first exchange needs no copy of the own row: what arrives is combined with it in place.
    auto* arrived = row == part.out ? part.in : part.scratch;
    shift(transport, row, part.bytes, peer, arrived, part.bytes, peer);
    combine_rows(part, row == part.out ? part.out : arrived, part.in, part.count);
    row = part.in;
  }
  if (part.ranks == 1) copy(part.in, part.out, part.bytes);
  hand_back(transport, part, folded);
}

// After it, the rank at place p holds piece p of `active` pieces of the result in `row`, at its place in the row.
template <Transport T>
void halve_recursively(T& transport, const CollectiveArgs& part, const Folded& folded, unsigned char* row) {
  const Cut cut{part.count, folded.active};
  const auto width = bytes_of(part.element);
  int first = 0, last = folded.active;
  for (int distance = folded.active / 2; distance > 0; distance /= 2) {
    const int middle = first + distance;
    const bool upper = folded.place >= middle;
    const int peer = folded.rank_at(folded.place ^ distance);
    const int give_first = upper ? first : middle, give_last = upper ? middle : last;
    (upper ? first : last) = middle;
    const auto keep = cut.length(first, last);
    shift(transport, row + cut.begin(give_first) * width, cut.length(give_first, give_last) * width, peer,
          part.scratch, keep * width, peer);
    combine_rows(part, part.scratch, row + cut.begin(first) * width, keep);
  }
}

// Recursive halving leaves everyone with one piece of the result; recursive doubling spreads the pieces again.
template <Transport T>
void rabenseifner_allreduce(T& transport, const CollectiveArgs& part) {
  const Folded folded(part);
  fold_in(transport, part, folded, part.in);
  if (folded.place >= 0) {
    halve_recursively(transport, part, folded, part.in);
    const Cut cut{part.count, folded.active};
    const auto width = bytes_of(part.element);
    for (int held = 1; held < folded.active; held *= 2) {
      const int peer = folded.place ^ held;
      const int mine = folded.place / held * held, theirs = peer / held * held;
      shift(transport, part.in + cut.begin(mine) * width, cut.length(mine, mine + held) * width, folded.rank_at(peer),
            part.in + cut.begin(theirs) * width, cut.length(theirs, theirs + held) * width, folded.rank_at(peer));
    }
  }
  hand_back(transport, part, folded);
}

// Round a ring twice: once to combine, once to spread. 2 (ranks - 1) steps, each of one piece.
// Source: Patarasuk, Yuan 2009, Bandwidth optimal all-reduce algorithms.
template <Transport T>
void ring_allreduce(T& transport, const CollectiveArgs& part) {
  const Cut cut{part.count, part.ranks};
  const auto width = bytes_of(part.element);
  const auto piece = [&](int index) { return part.in + cut.begin(index) * width; };
  copy(part.in, part.out, part.bytes);
  for (int step = 0; step < 2 * (part.ranks - 1); ++step) {
    const bool combining = step < part.ranks - 1;
    const int turn = combining ? step : step - 1 - (part.ranks - 1) + part.ranks;
    const int leaving = ((part.rank - turn) % part.ranks + part.ranks) % part.ranks;
    const int coming = (leaving - 1 + part.ranks) % part.ranks;
    auto* into = combining ? part.scratch : piece(coming);
    shift(transport, piece(leaving), cut.length(leaving) * width, part.next(), into, cut.length(coming) * width,
          part.previous());
    if (combining) combine_rows(part, part.scratch, piece(coming), cut.length(coming));
  }
}

// Recursive halving, and everyone gives its piece to the root.
template <Transport T>
void rabenseifner_reduce(T& transport, const CollectiveArgs& part) {
  const Folded folded(part);
  auto* row = part.rank == part.root ? part.in : part.scratch + part.bytes;
  fold_in(transport, part, folded, row);
  const Cut cut{part.count, folded.active};
  const auto width = bytes_of(part.element);
  if (folded.place >= 0) {
    halve_recursively(transport, part, folded, row);
    if (part.rank != part.root)
      return give_to(transport, row + cut.begin(folded.place) * width, cut.length(folded.place) * width, part.root);
  }
  if (part.rank != part.root) return;
  for (int place = 0; place < folded.active; ++place)
    if (place != folded.place)
      take_from(transport, part.in + cut.begin(place) * width, cut.length(place) * width, folded.rank_at(place));
}

template <Transport T>
void reduce_bcast_allreduce(T& transport, const CollectiveArgs& part) {
  CollectiveArgs to_first = part;
  to_first.root = 0;
  binomial_reduce(transport, to_first);
  binomial(transport, to_first);
}

}  // namespace msgauge::algorithms
