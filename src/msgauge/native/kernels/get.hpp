// Rank 0 reads from the memory of rank 1.
#pragma once

#include "../rma.hpp"

namespace msgauge::kernels::get {

inline constexpr Facts facts{
    .name = "get",
    .title = "Get",
    .meaning =
        "One get of rank 0 from the window of rank 1 until the bytes are here; of a window of many, "
        "the time of each.",
    .source = "MPI Forum 2021, MPI 4.0, chapter 12, One-sided communications",
    .minimum_ranks = 2,
    .maximum_ranks = 0,
    .bytes_moved = "bytes",
    .needs = "get",
    .options = "sync=flush|lock|fence window=1|16|64",
    .series = "time",
    .unit = "ns",
    .sized = true,
    .collective = false,
    .aliases = "get_latency get_bw rma-get unidir_get rdma-read ib-read",
};

struct Operation {
  static constexpr const Facts& about = facts;
  static constexpr rma::Kind kind = rma::Kind::get;
  template <class T>
  static constexpr bool native = HasGet<T>;
  template <class T, class Window>
  static void call(T& transport, Window& window, const rma::Access& access) {
    transport.get(window, access.into, access.bytes, access.target, access.place);
  }
};

template <Transport T>
using Run = rma::Run<T, Operation>;

}  // namespace msgauge::kernels::get
