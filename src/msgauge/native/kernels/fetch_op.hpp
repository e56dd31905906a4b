// Rank 0 fetches an element of rank 1 and combines it with its own in one step.
#pragma once

#include "../rma.hpp"

namespace msgauge::kernels::fetch_op {

inline constexpr Facts facts{
    .name = "fetch-op",
    .title = "Fetch and operate",
    .meaning =
        "One element of rank 1 fetched and combined with one of rank 0, atomically, until its old value "
        "is here.",
    .source = "MPI Forum 2021, MPI 4.0, chapter 12, One-sided communications",
    .minimum_ranks = 2,
    .maximum_ranks = 0,
    .bytes_moved = "0",
    .needs = "fetch_op",
    .options = "type=int64|int32|float32|float64|byte op=sum|max|min|band|bor|bxor sync=flush|lock|fence",
    .series = "time",
    .unit = "ns",
    .sized = false,
    .collective = false,
    .aliases = "fop_latency fetch-and-op",
};

struct Operation {
  static constexpr const Facts& about = facts;
  static constexpr rma::Kind kind = rma::Kind::fetch_op;
  template <class T>
  static constexpr bool native = HasFetchOp<T>;
  template <class T, class Window>
  static void call(T& transport, Window& window, const rma::Access& access) {
    transport.fetch_op(window, access.from, access.into, access.element, access.op, access.target, access.place);
  }
};

template <Transport T>
using Run = rma::Run<T, Operation>;

}  // namespace msgauge::kernels::fetch_op
