// Every rank gets the combined rows of all ranks before it; started, and completed later.
#pragma once

#include "../collective.hpp"
#include "exscan.hpp"

namespace msgauge::kernels::iexscan {

inline constexpr Facts facts{
    .name = "iexscan",
    .title = "Non-blocking exclusive scan",
    .meaning =
        "From the first rank's start until the last rank has the combined rows of the ranks before "
        "it, when it is started, waited for, and nothing is done between; then again with as much "
        "arithmetic between.",
    .source = "Hoefler, Lumsdaine, Rehm 2007, Implementation and performance analysis of non-blocking collectives",
    .minimum_ranks = 2,
    .maximum_ranks = 0,
    .bytes_moved = "bytes * (ranks - 1)",
    .needs = "send recv iexscan",
    .options =
        "type=int32|int64|float32|float64|byte op=sum|max|min|band|bor|bxor algorithm=native|deferred "
        "tests=0|1|10|100",
    .series = "completion root mean_rank imbalance start_skew overlapped work hidden",
    .unit = "ns",
    .sized = true,
    .collective = true,
};

struct Operation : exscan::Operation {
  using CollectiveArgs = algorithms::CollectiveArgs;
  static constexpr const Facts& about = facts;
  static constexpr bool nonblocking = true;
  template <class T>
  static constexpr bool native = HasIexscan<T>;
  template <class T>
  static auto start(T& transport, [[maybe_unused]] const CollectiveArgs& part) {
    return transport.iexscan(part.out, part.in, part.count, part.element, part.op);
  }
};

template <Transport T>
using Run = collective::Run<T, Operation>;

}  // namespace msgauge::kernels::iexscan
