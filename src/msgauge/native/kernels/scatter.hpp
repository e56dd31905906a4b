// The root has a block for every rank.
#pragma once

#include "../algorithms/scatter_gather.hpp"
#include "../collective.hpp"

namespace msgauge::kernels::scatter {

inline constexpr Facts facts{
    .name = "scatter",
    .title = "Scatter",
    .meaning = "From the first rank's start until every rank has its block of so many bytes from the root.",
    .source = "Worsch, Reussner, Augustin 2002, On benchmarking collective MPI operations",
    .minimum_ranks = 2,
    .maximum_ranks = 0,
    .bytes_moved = "bytes * (ranks - 1)",
    .needs = "send recv scatter",
    .options = "root=0|last|middle|rotate|random algorithm=native|auto|binomial|linear",
    .series = "completion root mean_rank imbalance start_skew",
    .unit = "ns",
    .sized = true,
    .collective = true,
};

struct Operation {
  using CollectiveArgs = algorithms::CollectiveArgs;
  static constexpr const Facts& about = facts;
  static constexpr collective::Kind kind = collective::Kind::scatter;
  template <class T>
  static constexpr bool native = HasScatter<T>;
  template <class T>
  static void call(T& transport, [[maybe_unused]] const CollectiveArgs& part) {
    transport.scatter(part.out, part.in, part.bytes, part.root);
  }
  template <class T>
  static constexpr collective::Way<T> ways[] = {
      {"binomial", algorithms::binomial_scatter<T>},
      {"linear", algorithms::linear_scatter<T>}};
  static std::string_view automatic(std::int64_t bytes, int) {
    return bytes < 4096 ? "binomial" : "linear";
  }
};

template <Transport T>
using Run = collective::Run<T, Operation>;

}  // namespace msgauge::kernels::scatter
