// Every rank gets the combined rows of all ranks up to itself.
#pragma once

#include "../algorithms/scan.hpp"
#include "../collective.hpp"

namespace msgauge::kernels::scan {

inline constexpr Facts facts{
    .name = "scan",
    .title = "Scan",
    .meaning = "From the first rank's start until the last rank has the combined rows of the ranks up to itself.",
    .source = "Worsch, Reussner, Augustin 2002, On benchmarking collective MPI operations",
    .minimum_ranks = 2,
    .maximum_ranks = 0,
    .bytes_moved = "bytes * (ranks - 1)",
    .needs = "send recv scan",
    .options =
        "type=int32|int64|float32|float64|byte op=sum|max|min|band|bor|bxor "
        "algorithm=native|auto|doubling|linear",
    .series = "completion root mean_rank imbalance start_skew",
    .unit = "ns",
    .sized = true,
    .collective = true,
};

struct Operation {
  using CollectiveArgs = algorithms::CollectiveArgs;
  static constexpr const Facts& about = facts;
  static constexpr collective::Kind kind = collective::Kind::scan;
  template <class T>
  static constexpr bool native = HasScan<T>;
  template <class T>
  static void call(T& transport, [[maybe_unused]] const CollectiveArgs& part) {
    transport.scan(part.out, part.in, part.count, part.element, part.op);
  }
  template <class T>
  static constexpr collective::Way<T> ways[] = {
      {"doubling", algorithms::doubling_scan<true, T>},
      {"linear", algorithms::linear_scan<true, T>}};
  static std::string_view automatic(std::int64_t, int ranks) {
    return ranks > 3 ? "doubling" : "linear";
  }
};

template <Transport T>
using Run = collective::Run<T, Operation>;

}  // namespace msgauge::kernels::scan
