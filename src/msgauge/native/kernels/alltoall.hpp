// Every rank has a block for every rank.
#pragma once

#include "../algorithms/alltoall.hpp"
#include "../collective.hpp"

namespace msgauge::kernels::alltoall {

inline constexpr Facts facts{
    .name = "alltoall",
    .title = "All-to-all",
    .meaning = "From the first rank's start until every rank has its block of so many bytes from every rank.",
    .source = "Worsch, Reussner, Augustin 2002, On benchmarking collective MPI operations",
    .minimum_ranks = 2,
    .maximum_ranks = 0,
    .bytes_moved = "bytes * ranks * (ranks - 1)",
    .needs = "send recv alltoall",
    .options = "algorithm=native|auto|pairwise|bruck",
    .series = "completion root mean_rank imbalance start_skew",
    .unit = "ns",
    .sized = true,
    .collective = true,
    .aliases = "transpose",
};

struct Operation {
  using CollectiveArgs = algorithms::CollectiveArgs;
  static constexpr const Facts& about = facts;
  static constexpr collective::Kind kind = collective::Kind::alltoall;
  template <class T>
  static constexpr bool native = HasAlltoall<T>;
  template <class T>
  static void call(T& transport, [[maybe_unused]] const CollectiveArgs& part) {
    transport.alltoall(part.out, part.in, part.bytes);
  }
  template <class T>
  static constexpr collective::Way<T> ways[] = {
      {"pairwise", algorithms::pairwise_alltoall<T>},
      {"bruck", algorithms::bruck_alltoall<T>}};
  static std::string_view automatic(std::int64_t bytes, int ranks) {
    return bytes <= 256 && ranks >= 8 ? "bruck" : "pairwise";
  }
};

template <Transport T>
using Run = collective::Run<T, Operation>;

}  // namespace msgauge::kernels::alltoall
