// Reductions and prefixes: part of operations.hpp.
#pragma once

#include <algorithm>
#include <type_traits>
#include <vector>

#include "algorithms/reduce.hpp"
#include "algorithms/reduce_scatter.hpp"
#include "algorithms/scan.hpp"
#include "trial.hpp"

namespace conformance {

template <class Value>
Value combined(Operator op, Value a, Value b) {
  if constexpr (std::is_integral_v<Value>) {
    using Plain = std::make_unsigned_t<Value>;
    if (op == Operator::sum) return static_cast<Value>(static_cast<Plain>(a) + static_cast<Plain>(b));
    if (op == Operator::band) return static_cast<Value>(a & b);
    if (op == Operator::bor) return static_cast<Value>(a | b);
    if (op == Operator::bxor) return static_cast<Value>(a ^ b);
  }
  if (op == Operator::sum) return static_cast<Value>(a + b);
  return op == Operator::max ? std::max(a, b) : std::min(a, b);
}

// The rows of all ranks as bytes, and what the first ranks' rows make together: whole numbers small enough that any
// order of adding is exact.
class Rows {
 public:
  template <class Value, class Dice>
  void draw(int ranks, std::size_t count, Operator op, Dice number) {
    std::vector<Value> so_far;
    for (int rank = 0; rank < ranks; ++rank) {
      std::vector<Value> row;
      for (std::size_t i = 0; i < count; ++i) row.push_back(static_cast<Value>(number() - 100'000));
      if (rank == 0) so_far = row;
      for (std::size_t i = 0; rank > 0 && i < count; ++i) so_far[i] = combined(op, so_far[i], row[i]);
      own.push_back(bytes_of_row(row));
      up_to.push_back(bytes_of_row(so_far));
    }
  }
  std::vector<Bytes> own, up_to;  // by rank; up_to includes the rank

 private:
  template <class Value>
  static Bytes bytes_of_row(const std::vector<Value>& row) {
    const auto* begin = reinterpret_cast<const unsigned char*>(row.data());
    return {begin, begin + row.size() * sizeof(Value)};
  }
};

template <Transport T>
Rows rows_of(Trial<T>& trial, std::size_t count, Element element, Operator op) {
  Rows rows;
  const auto number = [&] { return trial.below(200'000); };
  switch (element) {
    case Element::int32: rows.draw<std::int32_t>(trial.ranks_, count, op, number); break;
    case Element::int64: rows.draw<std::int64_t>(trial.ranks_, count, op, number); break;
    case Element::float32: rows.draw<float>(trial.ranks_, count, op, number); break;
    case Element::float64: rows.draw<double>(trial.ranks_, count, op, number); break;
    case Element::byte: rows.draw<unsigned char>(trial.ranks_, count, op, number); break;
  }
  return rows;
}

template <Transport T>
void check_combining(Trial<T>& trial) {
  Element element;
  Operator op;
  do {
    element = static_cast<Element>(trial.below(5));
    op = static_cast<Operator>(trial.below(6));
  } while (!defined_for(op, element));
  trial.about_ = ", " + std::string(operator_names[static_cast<int>(op)]) + " of " +
                 std::string(element_names[static_cast<int>(element)]);
  const int root = trial.below(trial.ranks_), rank = trial.rank_;
  const auto own = static_cast<std::size_t>(rank);
  const auto width = bytes_of(element);
  const auto count = static_cast<std::size_t>(trial.size()) / width;
  const auto all = rows_of(trial, count, element, op);
  const auto& out = all.own[own];
  const auto& whole = all.up_to.back();
  const auto at_root = rank == root ? whole : Bytes{};
  Ints counts, lengths;
  for (int i = 0; i < trial.ranks_; ++i) {
    const algorithms::Cut cut{count, trial.ranks_};
    counts.push_back(static_cast<int>(cut.length(i)));
    lengths.push_back(counts.back() * static_cast<int>(width));
  }
  const auto offsets = offsets_of(lengths);
  const auto piece = cut_out(whole, offsets[own], lengths[own]);
  const auto& prefix = all.up_to[own];
  const auto before = rank > 0 ? all.up_to[own - 1] : Bytes{};  // of rank 0 nothing is promised
  auto& t = trial.transport_;
  const auto* from = out.data();
  const auto run = [&](const char* name, const Bytes& wanted, Way<T> way) {
    trial.expect(name, wanted, [&](auto* in) {
      Bytes scratch, room(out.size() + 8);  // what is no result may still be written to
      CollectiveArgs part = part_of(trial, out.size(), scratch);
      part.root = root;
      part.out = from;
      part.in = wanted.empty() ? room.data() : in;
      part.element = element;
      part.op = op;
      part.count = count;
      part.combine = combine_of(element, op);
      part.counts = counts.data();
      part.out_blocks = {lengths.data(), offsets.data()};
      way(t, part);
    });
  };
  if constexpr (HasReduce<T>)
    trial.expect("reduce", at_root, [&](auto* in) { t.reduce(from, in, count, element, op, root); });
  if constexpr (HasIreduce<T>)
    trial.expect("ireduce", at_root, [&](auto* in) { finish(t, t.ireduce(from, in, count, element, op, root)); });
  run("binomial reduce", at_root, algorithms::binomial_reduce<T>);
  run("rabenseifner reduce", at_root, algorithms::rabenseifner_reduce<T>);
  if constexpr (HasAllreduce<T>)
    trial.expect("allreduce", whole, [&](auto* in) { t.allreduce(from, in, count, element, op); });
  if constexpr (HasIallreduce<T>)
    trial.expect("iallreduce", whole, [&](auto* in) { finish(t, t.iallreduce(from, in, count, element, op)); });
  run("recursive-doubling allreduce", whole, algorithms::recursive_doubling_allreduce<T>);
  run("rabenseifner allreduce", whole, algorithms::rabenseifner_allreduce<T>);
  run("ring allreduce", whole, algorithms::ring_allreduce<T>);
  run("reduce-bcast allreduce", whole, algorithms::reduce_bcast_allreduce<T>);
  if constexpr (HasReduceScatter<T>)
    trial.expect("reduce_scatter", piece, [&](auto* in) { t.reduce_scatter(from, in, counts.data(), element, op); });
  if constexpr (HasIreduceScatter<T>)
    trial.expect("ireduce_scatter", piece,
                 [&](auto* in) { finish(t, t.ireduce_scatter(from, in, counts.data(), element, op)); });
  run("pairwise reduce-scatter", piece, algorithms::pairwise_reduce_scatter<T>);
  run("reduce-scatterv", piece, algorithms::reduce_then_scatter<T>);
  if constexpr (HasScan<T>) trial.expect("scan", prefix, [&](auto* in) { t.scan(from, in, count, element, op); });
  if constexpr (HasIscan<T>)
    trial.expect("iscan", prefix, [&](auto* in) { finish(t, t.iscan(from, in, count, element, op)); });
  run("doubling scan", prefix, algorithms::doubling_scan<true, T>);
  run("linear scan", prefix, algorithms::linear_scan<true, T>);
  Bytes unused(out.size() + 8);
  const auto somewhere = [&](unsigned char* in) { return rank > 0 ? in : unused.data(); };
  if constexpr (HasExscan<T>)
    trial.expect("exscan", before, [&](auto* in) { t.exscan(from, somewhere(in), count, element, op); });
  if constexpr (HasIexscan<T>)
    trial.expect("iexscan", before, [&](auto* in) { finish(t, t.iexscan(from, somewhere(in), count, element, op)); });
  run("doubling exscan", before, algorithms::doubling_scan<false, T>);
  run("linear exscan", before, algorithms::linear_scan<false, T>);
  trial.about_.clear();
}

}  // namespace conformance
