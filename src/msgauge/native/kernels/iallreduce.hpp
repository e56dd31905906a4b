// The rows of all ranks, combined element by element, reach every rank; started, and completed later.
#pragma once

#include "../collective.hpp"
#include "allreduce.hpp"

namespace msgauge::kernels::iallreduce {

inline constexpr Facts facts{
    .name = "iallreduce",
    .title = "Non-blocking allreduce",
    .meaning =
        "From the first rank's start until the last rank has the combined row, when it is started, "
        "waited for, and nothing is done between; then again with as much arithmetic between.",
    .source = "Hoefler, Lumsdaine, Rehm 2007, Implementation and performance analysis of non-blocking collectives",
    .minimum_ranks = 2,
    .maximum_ranks = 0,
    .bytes_moved = "2 * bytes * (ranks - 1)",
    .needs = "send recv iallreduce",
    .options =
        "type=int32|int64|float32|float64|byte op=sum|max|min|band|bor|bxor algorithm=native|deferred "
        "tests=0|1|10|100",
    .series = "completion root mean_rank imbalance start_skew overlapped work hidden",
    .unit = "ns",
    .sized = true,
    .collective = true,
};

struct Operation : allreduce::Operation {
  using CollectiveArgs = algorithms::CollectiveArgs;
  static constexpr const Facts& about = facts;
  static constexpr bool nonblocking = true;
  template <class T>
  static constexpr bool native = HasIallreduce<T>;
  template <class T>
  static auto start(T& transport, [[maybe_unused]] const CollectiveArgs& part) {
    return transport.iallreduce(part.out, part.in, part.count, part.element, part.op);
  }
};

template <Transport T>
using Run = collective::Run<T, Operation>;

}  // namespace msgauge::kernels::iallreduce
