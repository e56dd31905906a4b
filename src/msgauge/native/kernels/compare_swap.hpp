// Rank 0 replaces an element of rank 1 if it is what rank 0 expects.
#pragma once

#include "../rma.hpp"

namespace msgauge::kernels::compare_swap {

inline constexpr Facts facts{
    .name = "compare-swap",
    .title = "Compare and swap",
    .meaning =
        "One element of rank 1 compared with what rank 0 expects and replaced, atomically, until its old "
        "value is here. It always is what was expected.",
    .source = "MPI Forum 2021, MPI 4.0, chapter 12, One-sided communications",
    .minimum_ranks = 2,
    .maximum_ranks = 0,
    .bytes_moved = "0",
    .needs = "compare_swap",
    .options = "type=int64|int32|byte sync=flush|lock|fence",
    .series = "time",
    .unit = "ns",
    .sized = false,
    .collective = false,
    .aliases = "cas_latency compare-and-swap cas",
};

struct Operation {
  static constexpr const Facts& about = facts;
  static constexpr rma::Kind kind = rma::Kind::compare_swap;
  template <class T>
  static constexpr bool native = HasCompareSwap<T>;
  template <class T, class Window>
  static void call(T& transport, Window& window, const rma::Access& access) {
    transport.compare_swap(window, access.from, access.expected, access.into, access.element, access.target,
                           access.place);
  }
};

template <Transport T>
using Run = rma::Run<T, Operation>;

}  // namespace msgauge::kernels::compare_swap
