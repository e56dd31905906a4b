// Nobody goes on before all have come; started, and completed later.
#pragma once

#include "../collective.hpp"
#include "barrier.hpp"

namespace msgauge::kernels::ibarrier {

inline constexpr Facts facts{
    .name = "ibarrier",
    .title = "Non-blocking barrier",
    .meaning =
        "From the first rank's start until the last rank has left the barrier, when it is started, "
        "waited for, and nothing is done between; then again with as much arithmetic between.",
    .source = "Hoefler, Lumsdaine, Rehm 2007, Implementation and performance analysis of non-blocking collectives",
    .minimum_ranks = 2,
    .maximum_ranks = 0,
    .bytes_moved = "0",
    .needs = "send recv ibarrier",
    .options = "algorithm=native|deferred tests=0|1|10|100",
    .series = "completion root mean_rank imbalance start_skew overlapped work hidden",
    .unit = "ns",
    .sized = false,
    .collective = true,
};

struct Operation : barrier::Operation {
  using CollectiveArgs = algorithms::CollectiveArgs;
  static constexpr const Facts& about = facts;
  static constexpr bool nonblocking = true;
  template <class T>
  static constexpr bool native = HasIbarrier<T>;
  template <class T>
  static auto start(T& transport, [[maybe_unused]] const CollectiveArgs& part) {
    return transport.ibarrier();
  }
};

template <Transport T>
using Run = collective::Run<T, Operation>;

}  // namespace msgauge::kernels::ibarrier
