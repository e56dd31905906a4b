// The rows of all ranks, combined element by element, reach the root.
#pragma once

#include "../algorithms/reduce.hpp"
#include "../collective.hpp"

namespace msgauge::kernels::reduce {

inline constexpr Facts facts{
    .name = "reduce",
    .title = "Reduce",
    .meaning = "From the first rank's start until the root has the combined row and all have left.",
    .source = "Worsch, Reussner, Augustin 2002, On benchmarking collective MPI operations",
    .minimum_ranks = 2,
    .maximum_ranks = 0,
    .bytes_moved = "bytes * (ranks - 1)",
    .needs = "send recv reduce",
    .options =
        "root=0|last|middle|rotate|random type=int32|int64|float32|float64|byte "
        "op=sum|max|min|band|bor|bxor algorithm=native|auto|binomial|rabenseifner",
    .series = "completion root mean_rank imbalance start_skew",
    .unit = "ns",
    .sized = true,
    .collective = true,
};

struct Operation {
  using CollectiveArgs = algorithms::CollectiveArgs;
  static constexpr const Facts& about = facts;
  static constexpr collective::Kind kind = collective::Kind::reduce;
  template <class T>
  static constexpr bool native = HasReduce<T>;
  template <class T>
  static void call(T& transport, [[maybe_unused]] const CollectiveArgs& part) {
    transport.reduce(part.out, part.in, part.count, part.element, part.op, part.root);
  }
  template <class T>
  static constexpr collective::Way<T> ways[] = {
      {"binomial", algorithms::binomial_reduce<T>},
      {"rabenseifner", algorithms::rabenseifner_reduce<T>}};
  static std::string_view automatic(std::int64_t bytes, int ranks) {
    return bytes < 16384 || ranks < 4 ? "binomial" : "rabenseifner";
  }
};

template <Transport T>
using Run = collective::Run<T, Operation>;

}  // namespace msgauge::kernels::reduce
