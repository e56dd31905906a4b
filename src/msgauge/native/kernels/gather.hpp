// Every rank has a block for the root.
#pragma once

#include "../algorithms/scatter_gather.hpp"
#include "../collective.hpp"

namespace msgauge::kernels::gather {

inline constexpr Facts facts{
    .name = "gather",
    .title = "Gather",
    .meaning =
        "From the first rank's start until the root has a block of so many bytes from every rank, and "
        "all have left.",
    .source = "Worsch, Reussner, Augustin 2002, On benchmarking collective MPI operations",
    .minimum_ranks = 2,
    .maximum_ranks = 0,
    .bytes_moved = "bytes * (ranks - 1)",
    .needs = "send recv gather",
    .options = "root=0|last|middle|rotate|random algorithm=native|auto|binomial|linear",
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
  static constexpr bool native = HasGather<T>;
  template <class T>
  static void call(T& transport, [[maybe_unused]] const CollectiveArgs& part) {
    transport.gather(part.out, part.in, part.bytes, part.root);
  }
  template <class T>
  static constexpr collective::Way<T> ways[] = {
      {"binomial", algorithms::binomial_gather<T>},
      {"linear", algorithms::linear_gather<T>}};
  static std::string_view automatic(std::int64_t bytes, int) {
    return bytes < 4096 ? "binomial" : "linear";
  }
};

template <Transport T>
using Run = collective::Run<T, Operation>;

}  // namespace msgauge::kernels::gather
