// Every rank has a block for the root, and blocks may differ in length.
#pragma once

#include "../algorithms/scatter_gather.hpp"
#include "../collective.hpp"

namespace msgauge::kernels::gatherv {

inline constexpr Facts facts{
    .name = "gatherv",
    .title = "Gather of different lengths",
    .meaning =
        "From the first rank's start until the root has a block from every rank, and all have left; "
        "so many bytes on average.",
    .source = "Worsch, Reussner, Augustin 2002, On benchmarking collective MPI operations",
    .minimum_ranks = 2,
    .maximum_ranks = 0,
    .bytes_moved = "bytes * (ranks - 1)",
    .needs = "send recv gatherv",
    .options = "root=0|last|middle|rotate|random counts=equal|ramp|one|random algorithm=native|auto|linear",
    .series = "completion root mean_rank imbalance start_skew",
    .unit = "ns",
    .sized = true,
    .collective = true,
};

struct Operation {
  using CollectiveArgs = algorithms::CollectiveArgs;
  static constexpr const Facts& about = facts;
  static constexpr collective::Kind kind = collective::Kind::gather;
  template <class T>
  static constexpr bool native = HasGatherv<T>;
  template <class T>
  static void call(T& transport, [[maybe_unused]] const CollectiveArgs& part) {
    transport.gatherv(part.out, part.bytes, part.in, part.in_blocks, part.root);
  }
  template <class T>
  static constexpr collective::Way<T> ways[] = {
      {"linear", algorithms::linear_gatherv<T>}};
  static std::string_view automatic(std::int64_t, int) {
    return "linear";
  }
};

template <Transport T>
using Run = collective::Run<T, Operation>;

}  // namespace msgauge::kernels::gatherv
