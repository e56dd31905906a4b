// Every rank has a block for the root; started, and completed later.
#pragma once

#include "../collective.hpp"
#include "gather.hpp"

namespace msgauge::kernels::igather {

inline constexpr Facts facts{
    .name = "igather",
    .title = "Non-blocking gather",
    .meaning =
        "From the first rank's start until the root has a block of so many bytes from every rank, and "
        "all have left, when it is started, waited for, and nothing is done between; then again with "
        "as much arithmetic between.",
    .source = "Hoefler, Lumsdaine, Rehm 2007, Implementation and performance analysis of non-blocking collectives",
    .minimum_ranks = 2,
    .maximum_ranks = 0,
    .bytes_moved = "bytes * (ranks - 1)",
    .needs = "send recv igather",
    .options = "root=0|last|middle|rotate|random algorithm=native|deferred tests=0|1|10|100",
    .series = "completion root mean_rank imbalance start_skew overlapped work hidden",
    .unit = "ns",
    .sized = true,
    .collective = true,
};

struct Operation : gather::Operation {
  using CollectiveArgs = algorithms::CollectiveArgs;
  static constexpr const Facts& about = facts;
  static constexpr bool nonblocking = true;
  template <class T>
  static constexpr bool native = HasIgather<T>;
  template <class T>
  static auto start(T& transport, [[maybe_unused]] const CollectiveArgs& part) {
    return transport.igather(part.out, part.in, part.bytes, part.root);
  }
};

template <Transport T>
using Run = collective::Run<T, Operation>;

}  // namespace msgauge::kernels::igather
