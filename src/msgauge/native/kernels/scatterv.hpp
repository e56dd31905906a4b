// The root has a block for every rank, and blocks may differ in length.
#pragma once

#include "../algorithms/scatter_gather.hpp"
#include "../collective.hpp"

namespace msgauge::kernels::scatterv {

inline constexpr Facts facts{
    .name = "scatterv",
    .title = "Scatter of different lengths",
    .meaning =
        "From the first rank's start until every rank has its block from the root; so many bytes on "
        "average.",
    .source = "Worsch, Reussner, Augustin 2002, On benchmarking collective MPI operations",
    .minimum_ranks = 2,
    .maximum_ranks = 0,
    .bytes_moved = "bytes * (ranks - 1)",
    .needs = "send recv scatterv",
    .options = "root=0|last|middle|rotate|random counts=equal|ramp|one|random algorithm=native|auto|linear",
    .series = "completion root mean_rank imbalance start_skew",
    .unit = "ns",
    .sized = true,
    .collective = true,
};

struct Operation {
  using CollectiveArgs = algorithms::CollectiveArgs;
  static constexpr const Facts& about = facts;
  static constexpr collective::Kind kind = collective::Kind::scatter;
  template <class T>
  static constexpr bool native = HasScatterv<T>;
  template <class T>
  static void call(T& transport, [[maybe_unused]] const CollectiveArgs& part) {
    transport.scatterv(part.out, part.out_blocks, part.in, part.bytes, part.root);
  }
  template <class T>
  static constexpr collective::Way<T> ways[] = {
      {"linear", algorithms::linear_scatterv<T>}};
  static std::string_view automatic(std::int64_t, int) {
    return "linear";
  }
};

template <Transport T>
using Run = collective::Run<T, Operation>;

}  // namespace msgauge::kernels::scatterv
