// How the buffers of a collective are laid out on every rank, under the options of a cell. Plain arithmetic.
#pragma once

#include <climits>
#include <cstdint>
#include <string_view>
#include <vector>

#include "algorithms/collective_args.hpp"
#include "facts.hpp"

namespace msgauge::collective {

enum class Kind { barrier, bcast, scatter, gather, allgather, alltoall, reduce, allreduce, reduce_scatter, scan, exscan };

constexpr bool combines(Kind kind) { return kind >= Kind::reduce; }

// Option `counts`: how long the block of each rank is where blocks may differ; `bytes` is their mean (of `random`
// nearly).
inline std::int64_t block_bytes(std::string_view counts, std::int64_t bytes, int index, int ranks) {
  if (counts == "ramp") return 2 * bytes * (index + 1) / (ranks + 1);
  if (counts == "one") return index == ranks - 1 ? bytes * ranks : 0;
  if (counts != "random") return bytes;
  const auto dice = (static_cast<std::uint64_t>(index) + 1) * 0x9E3779B97F4A7C15U ^ static_cast<std::uint64_t>(bytes);
  return static_cast<std::int64_t>(((dice ^ (dice >> 31)) * 0xD1B54A32D192ED03U >> 16) %
                                   static_cast<std::uint64_t>(2 * bytes + 1));
}

// Lengths and places, in bytes, of one block for every rank.
struct Row {
  std::vector<int> counts, offsets;
  std::int64_t total = 0;

  void add(std::int64_t bytes) {
    counts.push_back(static_cast<int>(bytes));
    offsets.push_back(static_cast<int>(total));
    total += bytes;
  }
  Blocks blocks() const { return {counts.data(), offsets.data()}; }
};

// What one rank holds before (`out`) and after (`in`).
class Layout {
 public:
  Layout(Kind kind, const Cell& cell, std::string_view counts, Element element, int rank)
      : kind_(kind), bytes_(cell.bytes), counts_(counts), ranks_(cell.ranks), rank_(rank) {
    const auto width = static_cast<std::int64_t>(bytes_of(element));
    for (int peer = 0; peer < ranks_; ++peer) {
      if (kind == Kind::reduce_scatter) {
        const algorithms::Cut cut{static_cast<std::size_t>(bytes_ / width), ranks_};
        elements.push_back(static_cast<int>(cut.length(peer)));
        out.add(static_cast<std::int64_t>(cut.length(peer)) * width);
      } else if (kind == Kind::alltoall) {
        out.add(between(rank_, peer));
        in.add(between(peer, rank_));
      } else {
        out.add(block_of(peer));
        in.add(block_of(peer));
      }
    }
  }

  // Of a whole job, as a refusal needs it: whether MPI's int can count the longest buffer.
  static bool countable(Kind kind, const Cell& cell) {
    const bool many = kind != Kind::bcast && !combines(kind);
    return cell.bytes * (many ? 2 * static_cast<std::int64_t>(cell.ranks) : 1) <= INT_MAX;
  }

  std::int64_t block_of(int rank) const { return block_bytes(counts_, bytes_, rank, ranks_); }
  // What `from` has for `to` in an all-to-all.
  std::int64_t between(int from, int to) const { return block_bytes(counts_, bytes_, (from + to) % ranks_, ranks_); }
  // Where it stands in the buffer of `from`.
  std::int64_t place_between(int from, int to) const {
    std::int64_t place = 0;
    for (int peer = 0; peer < to; ++peer) place += between(from, peer);
    return place;
  }

  std::int64_t out_bytes() const {
    switch (kind_) {
      case Kind::barrier:
      case Kind::bcast: return 0;
      case Kind::gather:
      case Kind::allgather: return block_of(rank_);
      case Kind::scatter:
      case Kind::alltoall: return out.total;
      default: return bytes_;
    }
  }
  std::int64_t in_bytes() const {
    switch (kind_) {
      case Kind::barrier: return 0;
      case Kind::scatter: return block_of(rank_);
      case Kind::gather:
      case Kind::allgather:
      case Kind::alltoall: return in.total;
      case Kind::reduce_scatter: return out.counts[static_cast<std::size_t>(rank_)];
      default: return bytes_;
    }
  }

  Row out, in;
  std::vector<int> elements;  // of a reduce-scatter: how many each rank keeps

 private:
  Kind kind_;
  std::int64_t bytes_;
  std::string_view counts_;
  int ranks_, rank_;
};

}  // namespace msgauge::collective
