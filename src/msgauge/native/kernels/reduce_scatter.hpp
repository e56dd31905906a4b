// The rows of all ranks are combined, and every rank keeps an equal share of the result.
#pragma once

#include "../algorithms/reduce_scatter.hpp"
#include "../collective.hpp"

namespace msgauge::kernels::reduce_scatter {

inline constexpr Facts facts{
    .name = "reduce-scatter",
    .title = "Reduce-scatter",
    .meaning =
        "From the first rank's start until the last rank has its share of the combined row; the size "
        "is that of the whole row.",
    .source = "Worsch, Reussner, Augustin 2002, On benchmarking collective MPI operations",
    .minimum_ranks = 2,
    .maximum_ranks = 0,
    .bytes_moved = "bytes * (ranks - 1)",
    .needs = "send recv reduce_scatter",
    .options =
        "type=int32|int64|float32|float64|byte op=sum|max|min|band|bor|bxor "
        "algorithm=native|auto|pairwise|reduce-scatterv",
    .series = "completion root mean_rank imbalance start_skew",
    .unit = "ns",
    .sized = true,
    .collective = true,
};

struct Operation {
  using CollectiveArgs = algorithms::CollectiveArgs;
  static constexpr const Facts& about = facts;
  static constexpr collective::Kind kind = collective::Kind::reduce_scatter;
  template <class T>
  static constexpr bool native = HasReduceScatter<T>;
  template <class T>
  static void call(T& transport, [[maybe_unused]] const CollectiveArgs& part) {
    transport.reduce_scatter(part.out, part.in, part.counts, part.element, part.op);
  }
  template <class T>
  static constexpr collective::Way<T> ways[] = {
      {"pairwise", algorithms::pairwise_reduce_scatter<T>},
      {"reduce-scatterv", algorithms::reduce_then_scatter<T>}};
  static std::string_view automatic(std::int64_t bytes, int ranks) {
    return bytes < 1024 && ranks > 4 ? "reduce-scatterv" : "pairwise";
  }
};

template <Transport T>
using Run = collective::Run<T, Operation>;

}  // namespace msgauge::kernels::reduce_scatter
