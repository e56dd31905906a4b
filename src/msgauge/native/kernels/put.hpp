// Rank 0 writes into the memory of rank 1.
#pragma once

#include "../rma.hpp"

namespace msgauge::kernels::put {

inline constexpr Facts facts{
    .name = "put",
    .title = "Put",
    .meaning =
        "One put of rank 0 into the window of rank 1 until it is complete there; of a window of many, "
        "the time of each.",
    .source = "MPI Forum 2021, MPI 4.0, chapter 12, One-sided communications",
    .minimum_ranks = 2,
    .maximum_ranks = 0,
    .bytes_moved = "bytes",
    .needs = "put",
    .options = "sync=flush|lock|fence window=1|16|64",
    .series = "time",
    .unit = "ns",
    .sized = true,
    .collective = false,
    .aliases = "put_latency put_bw rma-put unidir_put rdma-write ib-write",
};

struct Operation {
  static constexpr const Facts& about = facts;
  static constexpr rma::Kind kind = rma::Kind::put;
  template <class T>
  static constexpr bool native = HasPut<T>;
  template <class T, class Window>
  static void call(T& transport, Window& window, const rma::Access& access) {
    transport.put(window, access.from, access.bytes, access.target, access.place);
  }
};

template <Transport T>
using Run = rma::Run<T, Operation>;

}  // namespace msgauge::kernels::put
