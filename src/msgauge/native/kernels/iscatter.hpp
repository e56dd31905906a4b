// The root has a block for every rank; started, and completed later.
#pragma once

#include "../collective.hpp"
#include "scatter.hpp"

namespace msgauge::kernels::iscatter {

inline constexpr Facts facts{
    .name = "iscatter",
    .title = "Non-blocking scatter",
    .meaning =
        "From the first rank's start until every rank has its block of so many bytes from the root, "
        "when it is started, waited for, and nothing is done between; then again with as much "
        "arithmetic between.",
    .source = "Hoefler, Lumsdaine, Rehm 2007, Implementation and performance analysis of non-blocking collectives",
    .minimum_ranks = 2,
    .maximum_ranks = 0,
    .bytes_moved = "bytes * (ranks - 1)",
    .needs = "send recv iscatter",
    .options = "root=0|last|middle|rotate|random algorithm=native|deferred tests=0|1|10|100",
    .series = "completion root mean_rank imbalance start_skew overlapped work hidden",
    .unit = "ns",
    .sized = true,
    .collective = true,
};

struct Operation : scatter::Operation {
  using CollectiveArgs = algorithms::CollectiveArgs;
  static constexpr const Facts& about = facts;
  static constexpr bool nonblocking = true;
  template <class T>
  static constexpr bool native = HasIscatter<T>;
  template <class T>
  static auto start(T& transport, [[maybe_unused]] const CollectiveArgs& part) {
    return transport.iscatter(part.out, part.in, part.bytes, part.root);
  }
};

template <Transport T>
using Run = collective::Run<T, Operation>;

}  // namespace msgauge::kernels::iscatter
