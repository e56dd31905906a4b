// One rank's message reaches all others.
#pragma once

#include "../algorithms/bcast.hpp"
#include "../collective.hpp"

namespace msgauge::kernels::bcast {

inline constexpr Facts facts{
    .name = "bcast",
    .title = "Broadcast",
    .meaning = "From the first rank's start until the last rank has the message of the root.",
    .source = "Worsch, Reussner, Augustin 2002, On benchmarking collective MPI operations",
    .minimum_ranks = 2,
    .maximum_ranks = 0,
    .bytes_moved = "bytes * (ranks - 1)",
    .needs = "send recv bcast",
    .options = "root=0|last|middle|rotate|random algorithm=native|auto|binomial|scatter-allgather|chain|linear",
    .series = "completion root mean_rank imbalance start_skew",
    .unit = "ns",
    .sized = true,
    .collective = true,
    .aliases = "broadcast",
};

struct Operation {
  using CollectiveArgs = algorithms::CollectiveArgs;
  static constexpr const Facts& about = facts;
  static constexpr collective::Kind kind = collective::Kind::bcast;
  template <class T>
  static constexpr bool native = HasBcast<T>;
  template <class T>
  static void call(T& transport, [[maybe_unused]] const CollectiveArgs& part) {
    transport.bcast(part.in, part.bytes, part.root);
  }
  template <class T>
  static constexpr collective::Way<T> ways[] = {
      {"binomial", algorithms::binomial<T>},
      {"scatter-allgather", algorithms::scatter_allgather_bcast<T>},
      {"chain", algorithms::chain_bcast<T>},
      {"linear", algorithms::linear_bcast<T>}};
  static std::string_view automatic(std::int64_t bytes, int ranks) {
    return bytes < 16384 || ranks < 8 ? "binomial" : "scatter-allgather";
  }
};

template <Transport T>
using Run = collective::Run<T, Operation>;

}  // namespace msgauge::kernels::bcast
