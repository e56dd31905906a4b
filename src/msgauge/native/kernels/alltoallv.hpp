// Every rank has a block for every rank, and blocks may differ in length.
#pragma once

#include "../algorithms/alltoall.hpp"
#include "../collective.hpp"

namespace msgauge::kernels::alltoallv {

inline constexpr Facts facts{
    .name = "alltoallv",
    .title = "All-to-all of different lengths",
    .meaning =
        "From the first rank's start until every rank has its block from every rank; so many bytes on "
        "average.",
    .source = "Worsch, Reussner, Augustin 2002, On benchmarking collective MPI operations",
    .minimum_ranks = 2,
    .maximum_ranks = 0,
    .bytes_moved = "bytes * ranks * (ranks - 1)",
    .needs = "send recv alltoallv",
    .options = "counts=equal|ramp|one|random algorithm=native|auto|pairwise",
    .series = "completion root mean_rank imbalance start_skew",
    .unit = "ns",
    .sized = true,
    .collective = true,
};

struct Operation {
  using CollectiveArgs = algorithms::CollectiveArgs;
  static constexpr const Facts& about = facts;
  static constexpr collective::Kind kind = collective::Kind::alltoall;
  template <class T>
  static constexpr bool native = HasAlltoallv<T>;
  template <class T>
  static void call(T& transport, [[maybe_unused]] const CollectiveArgs& part) {
    transport.alltoallv(part.out, part.out_blocks, part.in, part.in_blocks);
  }
  template <class T>
  static constexpr collective::Way<T> ways[] = {
      {"pairwise", algorithms::pairwise_alltoallv<T>}};
  static std::string_view automatic(std::int64_t, int) {
    return "pairwise";
  }
};

template <Transport T>
using Run = collective::Run<T, Operation>;

}  // namespace msgauge::kernels::alltoallv
