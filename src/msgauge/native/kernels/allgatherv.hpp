// Every rank gets a block from every rank, and blocks may differ in length.
#pragma once

#include "../algorithms/allgather.hpp"
#include "../collective.hpp"

namespace msgauge::kernels::allgatherv {

inline constexpr Facts facts{
    .name = "allgatherv",
    .title = "Allgather of different lengths",
    .meaning =
        "From the first rank's start until every rank has a block from every rank; so many bytes on "
        "average.",
    .source = "Worsch, Reussner, Augustin 2002, On benchmarking collective MPI operations",
    .minimum_ranks = 2,
    .maximum_ranks = 0,
    .bytes_moved = "bytes * ranks * (ranks - 1)",
    .needs = "send recv allgatherv",
    .options = "counts=equal|ramp|one|random algorithm=native|auto|ring",
    .series = "completion root mean_rank imbalance start_skew",
    .unit = "ns",
    .sized = true,
    .collective = true,
};

struct Operation {
  using CollectiveArgs = algorithms::CollectiveArgs;
  static constexpr const Facts& about = facts;
  static constexpr collective::Kind kind = collective::Kind::allgather;
  template <class T>
  static constexpr bool native = HasAllgatherv<T>;
  template <class T>
  static void call(T& transport, [[maybe_unused]] const CollectiveArgs& part) {
    transport.allgatherv(part.out, part.bytes, part.in, part.in_blocks);
  }
  template <class T>
  static constexpr collective::Way<T> ways[] = {
      {"ring", algorithms::ring_allgatherv<T>}};
  static std::string_view automatic(std::int64_t, int) {
    return "ring";
  }
};

template <Transport T>
using Run = collective::Run<T, Operation>;

}  // namespace msgauge::kernels::allgatherv
