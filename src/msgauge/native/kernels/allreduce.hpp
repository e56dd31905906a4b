// The rows of all ranks, combined element by element, reach every rank.
#pragma once

#include "../algorithms/reduce.hpp"
#include "../collective.hpp"

namespace msgauge::kernels::allreduce {

inline constexpr Facts facts{
    .name = "allreduce",
    .title = "Allreduce",
    .meaning = "From the first rank's start until the last rank has the combined row.",
    .source = "Worsch, Reussner, Augustin 2002, On benchmarking collective MPI operations",
    .minimum_ranks = 2,
    .maximum_ranks = 0,
    .bytes_moved = "2 * bytes * (ranks - 1)",
    .needs = "send recv allreduce",
    .options =
        "type=int32|int64|float32|float64|byte op=sum|max|min|band|bor|bxor "
        "algorithm=native|auto|recursive-doubling|rabenseifner|ring|reduce-bcast",
    .series = "completion root mean_rank imbalance start_skew",
    .unit = "ns",
    .sized = true,
    .collective = true,
};

struct Operation {
  using CollectiveArgs = algorithms::CollectiveArgs;
  static constexpr const Facts& about = facts;
  static constexpr collective::Kind kind = collective::Kind::allreduce;
  template <class T>
  static constexpr bool native = HasAllreduce<T>;
  template <class T>
  static void call(T& transport, [[maybe_unused]] const CollectiveArgs& part) {
    transport.allreduce(part.out, part.in, part.count, part.element, part.op);
  }
  template <class T>
  static constexpr collective::Way<T> ways[] = {
      {"recursive-doubling", algorithms::recursive_doubling_allreduce<T>},
      {"rabenseifner", algorithms::rabenseifner_allreduce<T>},
      {"ring", algorithms::ring_allreduce<T>},
      {"reduce-bcast", algorithms::reduce_bcast_allreduce<T>}};
  static std::string_view automatic(std::int64_t bytes, int ranks) {
    if (bytes < 16384) return "recursive-doubling";
    return algorithms::is_power_of_two(ranks) ? "rabenseifner" : "ring";
  }
};

template <Transport T>
using Run = collective::Run<T, Operation>;

}  // namespace msgauge::kernels::allreduce
