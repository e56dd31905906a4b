// Every collective and every one-sided operation a transport has, and every algorithm that stands in for one, on random
// data, sizes and roots against a model that computes all ranks' data by itself. CollectiveArgs of behaviour.cpp.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <functional>

#include "algorithms/barrier_tree.hpp"
#include "collective_check.hpp"
#include "combining.hpp"
#include "moving.hpp"
#include "remote_access.hpp"
#include "trial.hpp"

namespace conformance {

// Nobody leaves before the last has come: on every rank's way out, all must have been on their way in.
template <Transport T>
void check_barriers(Trial<T>& trial) {
  auto& t = trial.transport_;
  const auto watched = [&](const char* name, const std::function<void()>& meet) {
    if (trial.below(trial.ranks_) == trial.rank_) collective::stay_until(t, collective::time_of(t) + 300'000);
    const auto entered = collective::time_of(t);
    meet();
    const auto left = collective::time_of(t);
    for (int source = 0; source < trial.ranks_; ++source) {
      auto theirs = entered;
      algorithms::binomial_bcast(t, &theirs, sizeof theirs, source, trial.ranks_);
      if (theirs > left && !trial.leaves_out(name)) trial.wrong(name, 0);
    }
    ++trial.results_;
  };
  if constexpr (HasBarrier<T>) watched("barrier", [&] { t.barrier(); });
  if constexpr (HasIbarrier<T>) watched("ibarrier", [&] { finish(t, t.ibarrier()); });
  CollectiveArgs part;
  part.rank = trial.rank_;
  part.ranks = trial.ranks_;
  watched("tree barrier", [&] { algorithms::tree_barrier(t, part); });
  watched("dissemination barrier", [&] { algorithms::dissemination(t, part); });
}

// `known_fault`: operations known to be wrong in the library, which are left out. Gives back how many results were right;
// ends the job at the first that is wrong, and names it.
template <Transport T>
int check_all(T& transport, std::uint64_t seed, const std::string& known_fault) {
  constexpr std::uint64_t trials = 4;
  int results = 0;
  for (std::uint64_t number = 0; number < trials; ++number) {
    Trial<T> trial(transport, seed * 1009 + number, results);
    trial.left_out_ = known_fault;
    check_barriers(trial);
    check_bcast(trial);
    check_blocks(trial);
    check_varying_blocks(trial);
    check_alltoall(trial);
    check_combining(trial);
    check_remote(trial);
  }
  return results;
}

}  // namespace conformance
