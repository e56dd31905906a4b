// Every rank gets a block from every rank, and blocks may differ in length; started, and completed later.
#pragma once

#include "../collective.hpp"
#include "allgatherv.hpp"

namespace msgauge::kernels::iallgatherv {

inline constexpr Facts facts{
    .name = "iallgatherv",
    .title = "Non-blocking allgather of different lengths",
    .meaning =
        "From the first rank's start until every rank has a block from every rank; so many bytes on "
        "average, when it is started, waited for, and nothing is done between; then again with as "
        "much arithmetic between.",
    .source = "Hoefler, Lumsdaine, Rehm 2007, Implementation and performance analysis of non-blocking collectives",
    .minimum_ranks = 2,
    .maximum_ranks = 0,
    .bytes_moved = "bytes * ranks * (ranks - 1)",
    .needs = "send recv iallgatherv",
    .options = "counts=equal|ramp|one|random algorithm=native|deferred tests=0|1|10|100",
    .series = "completion root mean_rank imbalance start_skew overlapped work hidden",
    .unit = "ns",
    .sized = true,
    .collective = true,
};

struct Operation : allgatherv::Operation {
  using CollectiveArgs = algorithms::CollectiveArgs;
  static constexpr const Facts& about = facts;
  static constexpr bool nonblocking = true;
  template <class T>
  static constexpr bool native = HasIallgatherv<T>;
  template <class T>
  static auto start(T& transport, [[maybe_unused]] const CollectiveArgs& part) {
    return transport.iallgatherv(part.out, part.bytes, part.in, part.in_blocks);
  }
};

template <Transport T>
using Run = collective::Run<T, Operation>;

}  // namespace msgauge::kernels::iallgatherv
