// Every rank gets a block from every rank.
#pragma once

#include "../algorithms/allgather.hpp"
#include "../collective.hpp"

namespace msgauge::kernels::allgather {

inline constexpr Facts facts{
    .name = "allgather",
    .title = "Allgather",
    .meaning = "From the first rank's start until every rank has a block of so many bytes from every rank.",
    .source = "Worsch, Reussner, Augustin 2002, On benchmarking collective MPI operations",
    .minimum_ranks = 2,
    .maximum_ranks = 0,
    .bytes_moved = "bytes * ranks * (ranks - 1)",
    .needs = "send recv allgather",
    .options = "algorithm=native|auto|ring|bruck|recursive-doubling",
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
  static constexpr bool native = HasAllgather<T>;
  template <class T>
  static void call(T& transport, [[maybe_unused]] const CollectiveArgs& part) {
    transport.allgather(part.out, part.in, part.bytes);
  }
  template <class T>
  static constexpr collective::Way<T> ways[] = {
      {"ring", algorithms::ring_allgather<T>},
      {"bruck", algorithms::bruck_allgather<T>},
      {"recursive-doubling", algorithms::recursive_doubling_allgather<T>, true}};
  static std::string_view automatic(std::int64_t bytes, int ranks) {
    if (bytes * ranks > 524288) return "ring";
    return algorithms::is_power_of_two(ranks) ? "recursive-doubling" : "bruck";
  }
};

template <Transport T>
using Run = collective::Run<T, Operation>;

}  // namespace msgauge::kernels::allgather
