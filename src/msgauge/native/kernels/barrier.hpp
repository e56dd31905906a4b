// Nobody goes on before all have come.
#pragma once

#include "../algorithms/barrier_tree.hpp"
#include "../collective.hpp"

namespace msgauge::kernels::barrier {

inline constexpr Facts facts{
    .name = "barrier",
    .title = "Barrier",
    .meaning = "From the first rank's start until the last rank has left the barrier.",
    .source = "Worsch, Reussner, Augustin 2002, On benchmarking collective MPI operations",
    .minimum_ranks = 2,
    .maximum_ranks = 0,
    .bytes_moved = "0",
    .needs = "send recv barrier",
    .options = "algorithm=native|auto|dissemination|tree",
    .series = "completion root mean_rank imbalance start_skew",
    .unit = "ns",
    .sized = false,
    .collective = true,
};

struct Operation {
  using CollectiveArgs = algorithms::CollectiveArgs;
  static constexpr const Facts& about = facts;
  static constexpr collective::Kind kind = collective::Kind::barrier;
  template <class T>
  static constexpr bool native = HasBarrier<T>;
  template <class T>
  static void call(T& transport, [[maybe_unused]] const CollectiveArgs& part) {
    transport.barrier();
  }
  template <class T>
  static constexpr collective::Way<T> ways[] = {
      {"dissemination", algorithms::dissemination<T>},
      {"tree", algorithms::tree_barrier<T>}};
  static std::string_view automatic(std::int64_t, int) {
    return "dissemination";
  }
};

template <Transport T>
using Run = collective::Run<T, Operation>;

}  // namespace msgauge::kernels::barrier
