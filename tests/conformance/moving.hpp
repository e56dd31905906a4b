// Collectives that move blocks: part of operations.hpp.
#pragma once

#include <vector>

#include "algorithms/allgather.hpp"
#include "algorithms/alltoall.hpp"
#include "algorithms/bcast.hpp"
#include "algorithms/scatter_gather.hpp"
#include "trial.hpp"

namespace conformance {

template <Transport T>
void check_bcast(Trial<T>& trial) {
  const int root = trial.below(trial.ranks_);
  const auto data = trial.bytes(static_cast<std::size_t>(trial.size()));
  auto& t = trial.transport_;
  const auto from_root = [&](auto operate) {
    return [&, operate](unsigned char* in) {
      if (trial.rank_ == root) algorithms::copy(in, data.data(), data.size());
      operate(in);
    };
  };
  if constexpr (HasBcast<T>) trial.expect("bcast", data, from_root([&](auto* in) { t.bcast(in, data.size(), root); }));
  if constexpr (HasIbcast<T>)
    trial.expect("ibcast", data, from_root([&](auto* in) { finish(t, t.ibcast(in, data.size(), root)); }));
  for (const auto& way : {Named<T>{"binomial", algorithms::binomial<T>},
                          Named<T>{"linear bcast", algorithms::linear_bcast<T>},
                          Named<T>{"chain", algorithms::chain_bcast<T>},
                          Named<T>{"scatter-allgather", algorithms::scatter_allgather_bcast<T>}})
    trial.expect(way.name, data, from_root([&](auto* in) {
                   Bytes scratch;
                   CollectiveArgs part = part_of(trial, data.size(), scratch);
                   part.root = root;
                   part.in = in;
                   way.perform(t, part);
                 }));
}

// Scatter, gather, allgather: equal blocks.
template <Transport T>
void check_blocks(Trial<T>& trial) {
  const int root = trial.below(trial.ranks_), rank = trial.rank_;
  const int length = trial.size();
  const auto bytes = static_cast<std::size_t>(length);
  const auto blocks = trial.payloads(Ints(static_cast<std::size_t>(trial.ranks_), length));
  const auto whole = joined(blocks);
  const auto& own = blocks[static_cast<std::size_t>(rank)];
  const auto at_root = rank == root ? whole : Bytes{};
  auto& t = trial.transport_;
  const auto run = [&](const char* name, const Bytes& wanted, const unsigned char* out, Way<T> way) {
    trial.expect(name, wanted, [&](auto* in) {
      Bytes scratch;
      CollectiveArgs part = part_of(trial, bytes, scratch);
      part.root = root;
      part.out = out;
      part.in = in;
      way(t, part);
    });
  };
  if constexpr (HasScatter<T>)
    trial.expect("scatter", own, [&](auto* in) { t.scatter(whole.data(), in, bytes, root); });
  if constexpr (HasIscatter<T>)
    trial.expect("iscatter", own, [&](auto* in) { finish(t, t.iscatter(whole.data(), in, bytes, root)); });
  run("binomial scatter", own, whole.data(), algorithms::binomial_scatter<T>);
  run("linear scatter", own, whole.data(), algorithms::linear_scatter<T>);
  if constexpr (HasGather<T>) trial.expect("gather", at_root, [&](auto* in) { t.gather(own.data(), in, bytes, root); });
  if constexpr (HasIgather<T>)
    trial.expect("igather", at_root, [&](auto* in) { finish(t, t.igather(own.data(), in, bytes, root)); });
  run("binomial gather", at_root, own.data(), algorithms::binomial_gather<T>);
  run("linear gather", at_root, own.data(), algorithms::linear_gather<T>);
  if constexpr (HasAllgather<T>)
    trial.expect("allgather", whole, [&](auto* in) { t.allgather(own.data(), in, bytes); });
  if constexpr (HasIallgather<T>)
    trial.expect("iallgather", whole, [&](auto* in) { finish(t, t.iallgather(own.data(), in, bytes)); });
  run("ring allgather", whole, own.data(), algorithms::ring_allgather<T>);
  run("bruck allgather", whole, own.data(), algorithms::bruck_allgather<T>);
  if (algorithms::is_power_of_two(trial.ranks_))
    run("recursive-doubling allgather", whole, own.data(), algorithms::recursive_doubling_allgather<T>);
}

// The same with blocks of different lengths.
template <Transport T>
void check_varying_blocks(Trial<T>& trial) {
  const int root = trial.below(trial.ranks_), rank = trial.rank_;
  Ints counts;
  for (int i = 0; i < trial.ranks_; ++i) counts.push_back(trial.size());
  const auto offsets = offsets_of(counts);
  const auto blocks = trial.payloads(counts);
  const auto whole = joined(blocks);
  const auto& own = blocks[static_cast<std::size_t>(rank)];
  const auto at_root = rank == root ? whole : Bytes{};
  const Blocks all{counts.data(), offsets.data()};
  auto& t = trial.transport_;
  const auto run = [&](const char* name, const Bytes& wanted, const unsigned char* out, Way<T> way) {
    trial.expect(name, wanted, [&](auto* in) {
      Bytes scratch;
      CollectiveArgs part = part_of(trial, own.size(), scratch);
      part.root = root;
      part.out = out;
      part.in = in;
      part.out_blocks = part.in_blocks = all;
      way(t, part);
    });
  };
  if constexpr (HasScatterv<T>)
    trial.expect("scatterv", own, [&](auto* in) { t.scatterv(whole.data(), all, in, own.size(), root); });
  if constexpr (HasIscatterv<T>)
    trial.expect("iscatterv", own, [&](auto* in) { finish(t, t.iscatterv(whole.data(), all, in, own.size(), root)); });
  run("linear scatterv", own, whole.data(), algorithms::linear_scatterv<T>);
  if constexpr (HasGatherv<T>)
    trial.expect("gatherv", at_root, [&](auto* in) { t.gatherv(own.data(), own.size(), in, all, root); });
  if constexpr (HasIgatherv<T>)
    trial.expect("igatherv", at_root, [&](auto* in) { finish(t, t.igatherv(own.data(), own.size(), in, all, root)); });
  run("linear gatherv", at_root, own.data(), algorithms::linear_gatherv<T>);
  if constexpr (HasAllgatherv<T>)
    trial.expect("allgatherv", whole, [&](auto* in) { t.allgatherv(own.data(), own.size(), in, all); });
  if constexpr (HasIallgatherv<T>)
    trial.expect("iallgatherv", whole, [&](auto* in) { finish(t, t.iallgatherv(own.data(), own.size(), in, all)); });
  run("ring allgatherv", whole, own.data(), algorithms::ring_allgatherv<T>);
}

template <Transport T>
void check_alltoall(Trial<T>& trial) {
  const auto ranks = static_cast<std::size_t>(trial.ranks_), rank = static_cast<std::size_t>(trial.rank_);
  const bool equal = trial.below(2) == 0;
  const int length = trial.size() / 4;
  std::vector<std::vector<Bytes>> between(ranks);  // [from][to]
  for (auto& row : between)
    for (std::size_t to = 0; to < ranks; ++to)
      row.push_back(trial.bytes(static_cast<std::size_t>(equal ? length : trial.size() / 4)));
  Ints out_counts, in_counts;
  std::vector<Bytes> coming;
  for (std::size_t peer = 0; peer < ranks; ++peer) {
    out_counts.push_back(static_cast<int>(between[rank][peer].size()));
    in_counts.push_back(static_cast<int>(between[peer][rank].size()));
    coming.push_back(between[peer][rank]);
  }
  const auto out_offsets = offsets_of(out_counts), in_offsets = offsets_of(in_counts);
  const Blocks leaving{out_counts.data(), out_offsets.data()}, arriving{in_counts.data(), in_offsets.data()};
  const auto out = joined(between[rank]), wanted = joined(coming);
  const auto bytes = static_cast<std::size_t>(length);
  auto& t = trial.transport_;
  const auto run = [&](const char* name, Way<T> way) {
    trial.expect(name, wanted, [&](auto* in) {
      Bytes scratch;
      CollectiveArgs part = part_of(trial, bytes, scratch);
      part.out = out.data();
      part.in = in;
      part.out_blocks = leaving;
      part.in_blocks = arriving;
      way(t, part);
    });
  };
  if (equal) {
    if constexpr (HasAlltoall<T>)
      trial.expect("alltoall", wanted, [&](auto* in) { t.alltoall(out.data(), in, bytes); });
    if constexpr (HasIalltoall<T>)
      trial.expect("ialltoall", wanted, [&](auto* in) { finish(t, t.ialltoall(out.data(), in, bytes)); });
    run("pairwise alltoall", algorithms::pairwise_alltoall<T>);
    run("bruck alltoall", algorithms::bruck_alltoall<T>);
  }
  if constexpr (HasAlltoallv<T>)
    trial.expect("alltoallv", wanted, [&](auto* in) { t.alltoallv(out.data(), leaving, in, arriving); });
  if constexpr (HasIalltoallv<T>)
    trial.expect("ialltoallv", wanted, [&](auto* in) { finish(t, t.ialltoallv(out.data(), leaving, in, arriving)); });
  run("pairwise alltoallv", algorithms::pairwise_alltoallv<T>);
}

}  // namespace conformance
