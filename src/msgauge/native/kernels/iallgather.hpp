// Every rank gets a block from every rank; started, and completed later.
#pragma once

#include "../collective.hpp"
#include "allgather.hpp"

namespace msgauge::kernels::iallgather {

inline constexpr Facts facts{
    .name = "iallgather",
    .title = "Non-blocking allgather",
    .meaning =
        "From the first rank's start until every rank has a block of so many bytes from every rank, "
        "when it is started, waited for, and nothing is done between; then again with as much "
        "arithmetic between.",
    .source = "Hoefler, Lumsdaine, Rehm 2007, Implementation and performance analysis of non-blocking collectives",
    .minimum_ranks = 2,
    .maximum_ranks = 0,
    .bytes_moved = "bytes * ranks * (ranks - 1)",
    .needs = "send recv iallgather",
    .options = "algorithm=native|deferred tests=0|1|10|100",
    .series = "completion root mean_rank imbalance start_skew overlapped work hidden",
    .unit = "ns",
    .sized = true,
    .collective = true,
};

struct Operation : allgather::Operation {
  using CollectiveArgs = algorithms::CollectiveArgs;
  static constexpr const Facts& about = facts;
  static constexpr bool nonblocking = true;
  template <class T>
  static constexpr bool native = HasIallgather<T>;
  template <class T>
  static auto start(T& transport, [[maybe_unused]] const CollectiveArgs& part) {
    return transport.iallgather(part.out, part.in, part.bytes);
  }
};

template <Transport T>
using Run = collective::Run<T, Operation>;

}  // namespace msgauge::kernels::iallgather
