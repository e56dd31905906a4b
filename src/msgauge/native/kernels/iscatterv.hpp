// The root has a block for every rank, and blocks may differ in length; started, and completed later.
#pragma once

#include "../collective.hpp"
#include "scatterv.hpp"

namespace msgauge::kernels::iscatterv {

inline constexpr Facts facts{
    .name = "iscatterv",
    .title = "Non-blocking scatter of different lengths",
    .meaning =
        "From the first rank's start until every rank has its block from the root; so many bytes on "
        "average, when it is started, waited for, and nothing is done between; then again with as "
        "much arithmetic between.",
    .source = "Hoefler, Lumsdaine, Rehm 2007, Implementation and performance analysis of non-blocking collectives",
    .minimum_ranks = 2,
    .maximum_ranks = 0,
    .bytes_moved = "bytes * (ranks - 1)",
    .needs = "send recv iscatterv",
    .options =
        "root=0|last|middle|rotate|random counts=equal|ramp|one|random algorithm=native|deferred "
        "tests=0|1|10|100",
    .series = "completion root mean_rank imbalance start_skew overlapped work hidden",
    .unit = "ns",
    .sized = true,
    .collective = true,
};

struct Operation : scatterv::Operation {
  using CollectiveArgs = algorithms::CollectiveArgs;
  static constexpr const Facts& about = facts;
  static constexpr bool nonblocking = true;
  template <class T>
  static constexpr bool native = HasIscatterv<T>;
  template <class T>
  static auto start(T& transport, [[maybe_unused]] const CollectiveArgs& part) {
    return transport.iscatterv(part.out, part.out_blocks, part.in, part.bytes, part.root);
  }
};

template <Transport T>
using Run = collective::Run<T, Operation>;

}  // namespace msgauge::kernels::iscatterv
