// One rank's message reaches all others; started, and completed later.
#pragma once

#include "../collective.hpp"
#include "bcast.hpp"

namespace msgauge::kernels::ibcast {

inline constexpr Facts facts{
    .name = "ibcast",
    .title = "Non-blocking broadcast",
    .meaning =
        "From the first rank's start until the last rank has the message of the root, when it is "
        "started, waited for, and nothing is done between; then again with as much arithmetic "
        "between.",
    .source = "Hoefler, Lumsdaine, Rehm 2007, Implementation and performance analysis of non-blocking collectives",
    .minimum_ranks = 2,
    .maximum_ranks = 0,
    .bytes_moved = "bytes * (ranks - 1)",
    .needs = "send recv ibcast",
    .options = "root=0|last|middle|rotate|random algorithm=native|deferred tests=0|1|10|100",
    .series = "completion root mean_rank imbalance start_skew overlapped work hidden",
    .unit = "ns",
    .sized = true,
    .collective = true,
};

struct Operation : bcast::Operation {
  using CollectiveArgs = algorithms::CollectiveArgs;
  static constexpr const Facts& about = facts;
  static constexpr bool nonblocking = true;
  template <class T>
  static constexpr bool native = HasIbcast<T>;
  template <class T>
  static auto start(T& transport, [[maybe_unused]] const CollectiveArgs& part) {
    return transport.ibcast(part.in, part.bytes, part.root);
  }
};

template <Transport T>
using Run = collective::Run<T, Operation>;

}  // namespace msgauge::kernels::ibcast
