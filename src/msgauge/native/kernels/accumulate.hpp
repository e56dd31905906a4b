// Rank 0 combines its row with one in the memory of rank 1.
#pragma once

#include "../rma.hpp"

namespace msgauge::kernels::accumulate {

inline constexpr Facts facts{
    .name = "accumulate",
    .title = "Accumulate",
    .meaning =
        "One accumulate of rank 0 into the window of rank 1 until it is complete there.",
    .source = "MPI Forum 2021, MPI 4.0, chapter 12, One-sided communications",
    .minimum_ranks = 2,
    .maximum_ranks = 0,
    .bytes_moved = "bytes",
    .needs = "accumulate",
    .options = "type=int32|int64|float32|float64|byte op=sum|max|min|band|bor|bxor sync=flush|lock|fence",
    .series = "time",
    .unit = "ns",
    .sized = true,
    .collective = false,
    .aliases = "acc_latency acc",
};

struct Operation {
  static constexpr const Facts& about = facts;
  static constexpr rma::Kind kind = rma::Kind::accumulate;
  template <class T>
  static constexpr bool native = HasAccumulate<T>;
  template <class T, class Window>
  static void call(T& transport, Window& window, const rma::Access& access) {
    transport.accumulate(window, access.from, access.count, access.element, access.op, access.target, access.place);
  }
};

template <Transport T>
using Run = rma::Run<T, Operation>;

}  // namespace msgauge::kernels::accumulate
