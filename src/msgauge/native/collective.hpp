// What all kernels of collectives share. A kernel's own header says in `Operation` which collective it is, how a
// transport is asked for it, and which algorithms over send and receive may stand in:
//
//   struct Operation {
//     static constexpr const Facts& about = facts;
//     static constexpr collective::Kind kind = collective::Kind::scatter;
//     template <class T> static constexpr bool native = HasScatter<T>;
//     template <class T> static void call(T& transport, const CollectiveArgs& part);
//     template <class T> static constexpr collective::Way<T> ways[] = {{"binomial", algorithms::binomial_scatter<T>}};
//     static std::string_view automatic(std::int64_t bytes, int ranks);      which of the ways is best
//   };
//
// A non-blocking one derives from the blocking one's, says `nonblocking = true`, and has `start` for `call`.
// Options understood where the facts list them: root, algorithm, counts, type, op, tests.
#pragma once

#include <cstdint>
#include <string_view>
#include <type_traits>
#include <vector>

#include "algorithms/collective_args.hpp"
#include "buffers.hpp"
#include "collective_check.hpp"
#include "collective_layout.hpp"
#include "facts.hpp"
#include "transport.hpp"
#include "compute_load.hpp"

namespace msgauge::collective {

using algorithms::CollectiveArgs;

// A named algorithm that stands in for an operation.
template <class T>
struct Way {
  std::string_view name;
  void (*perform)(T&, const CollectiveArgs&);
  bool needs_power_of_two = false;
};

template <class Operation>
constexpr bool is_nonblocking() {
  if constexpr (requires { Operation::nonblocking; }) return Operation::nonblocking;
  return false;
}

// Who is the root of which operation; every rank draws the same.
class Roots {
 public:
  Roots(std::string_view policy, const Cell& cell) : policy_(policy), ranks_(cell.ranks), key_(cell.bytes) {}
  int at(std::int64_t turn) const {
    if (policy_ == "last") return ranks_ - 1;
    if (policy_ == "middle") return ranks_ / 2;
    if (policy_ == "rotate") return static_cast<int>(turn % ranks_);
    if (policy_ != "random") return 0;
    const auto dice = pattern_word(static_cast<int>(turn % 1'000'003), static_cast<int>(key_ % 1009), 1);
    return static_cast<int>((dice >> 20) % static_cast<std::uint64_t>(ranks_));
  }

 private:
  std::string_view policy_;
  int ranks_;
  std::int64_t key_;
};

template <Transport T, class Operation>
class Run {
 public:
  static constexpr int events = 1;
  static constexpr Kind kind = Operation::kind;
  static constexpr bool overlaps = is_nonblocking<Operation>();

  static Coverage coverage(const Cell& cell) {
    if (const auto why = unsupported_reason(cell); !why.empty()) return {Coverage::Kind::refused, "", why};
    if (is_native(cell)) return {};
    const auto* way = way_for(cell);
    if (!way) return {Coverage::Kind::refused, "", "this algorithm is for numbers of ranks that are a power of two"};
    return {Coverage::Kind::emulated, overlaps ? "deferred" : way->name, ""};
  }

  Run(T& transport, const Cell& cell)
      : transport_(transport), native_(is_native(cell)), roots_(option(cell, "root"), cell),
        element_(element_named(option(cell, "type"))), op_(operator_named(option(cell, "op"))),
        layout_(kind, cell, option(cell, "counts"), element_, transport.rank()), out_(layout_.out_bytes(), cell.cache),
        in_(layout_.in_bytes(), cell.cache), work_(transport), tests_(tests_of(cell)) {
    if (const auto* way = way_for(cell)) perform_ = way->perform;
    if (!native_) scratch_.resize(algorithms::scratch_bytes(static_cast<std::size_t>(cell.bytes), cell.ranks));
    part_.rank = transport.rank();
    part_.ranks = cell.ranks;
    part_.bytes = static_cast<std::size_t>(cell.bytes);
    if (kind == Kind::scatter || kind == Kind::gather || kind == Kind::allgather)
      part_.bytes = static_cast<std::size_t>(layout_.block_of(part_.rank));
    part_.scratch = scratch_.data();
    part_.out_blocks = layout_.out.blocks();
    part_.in_blocks = layout_.in.blocks();
    part_.counts = layout_.elements.data();
    if constexpr (combines(kind)) {
      part_.element = element_;
      part_.op = op_;
      part_.count = part_.bytes / bytes_of(element_);
      part_.combine = combine_of(element_, op_);
    }
    place();
  }

  void once() {
    if constexpr (Operation::template native<T>) {
      if (native_) return call_native();
    }
    perform_(transport_, part_);
  }

  // The operation with as much arithmetic between its start and its completion.
  void once_with_work(std::int64_t work_ns) {
    if constexpr (overlaps && Operation::template native<T>) {
      if (native_) {
        auto request = Operation::start(transport_, part_);
        work_.perform(work_ns, tests_ + 1, [&] { look_after(request); });
        transport_.wait(request);
        return;
      }
    }
    work_alone(work_ns);
    perform_(transport_, part_);
  }
  void work_alone(std::int64_t work_ns) { work_.perform(work_ns, tests_ + 1, [] {}); }

  // Between operations, untimed: on to the next buffer and the next root.
  void step() {
    out_.advance();
    in_.advance();
    ++turn_;
    place();
  }

  int root() const { return part_.root; }

  // How the check of a barrier compares times of ranks.
  void read_clock(const ClockLine& line) { line_ = line; }

  void prepare(int iteration) {
    turn_ = iteration;
    place();
    in_.scribble();
    if constexpr (kind == Kind::bcast) {
      if (part_.rank == part_.root) in_.fill(part_.root, iteration);
    } else if constexpr (combines(kind)) {
      serial_model::fill_row(out_.data(), part_.count, element_, part_.rank, iteration);
    } else {
      out_.fill(part_.rank, iteration);
    }
  }

  bool verify(int iteration) {
    if constexpr (kind == Kind::barrier) return holds_back(transport_, line_, part_.ranks, iteration, [&] { once(); });
    return check_result(kind, layout_, part_, iteration);
  }

  void evict() {
    out_.evict();
    in_.evict();
  }

 private:
  static std::string_view option(const Cell& cell, std::string_view name) {
    return cell.option(name, Operation::about);
  }

  static std::string_view unsupported_reason(const Cell& cell) {
    if (!Layout::countable(kind, cell)) return "its buffers would be longer than 2 GiB, which MPI cannot count";
    if constexpr (combines(kind)) {
      const auto element = element_named(option(cell, "type"));
      if (!defined_for(operator_named(option(cell, "op")), element)) return "MPI defines no such operator for this type";
      if (cell.bytes % static_cast<std::int64_t>(bytes_of(element)) != 0)
        return "the size is no whole number of elements of this type";
    }
    return {};
  }

  static bool is_native(const Cell& cell) {
    return Operation::template native<T> && option(cell, "algorithm") == "native";
  }

  static const Way<T>* way_for(const Cell& cell) {
    auto name = option(cell, "algorithm");
    if (name == "native" || name == "auto" || name == "deferred") name = Operation::automatic(cell.bytes, cell.ranks);
    for (const auto& way : Operation::template ways<T>)
      if (way.name == name && (!way.needs_power_of_two || algorithms::is_power_of_two(cell.ranks))) return &way;
    return nullptr;
  }

  static int tests_of(const Cell& cell) {
    const auto words = option(cell, "tests");
    return words == "1" ? 1 : words == "10" ? 10 : words == "100" ? 100 : 0;
  }

  void call_native() {
    if constexpr (overlaps) {
      auto request = Operation::start(transport_, part_);
      transport_.wait(request);
    } else {
      Operation::call(transport_, part_);
    }
  }

  template <class Request>
  void look_after(Request& request) {
    if constexpr (HasTest<T>) transport_.test(request);
  }

  void place() {
    part_.root = roots_.at(turn_);
    part_.out = out_.data();
    part_.in = in_.data();
  }

  T& transport_;
  bool native_;
  Roots roots_;
  Element element_;
  Operator op_;
  Layout layout_;
  Buffer out_;
  Buffer in_;
  Work<T> work_;
  int tests_;
  std::vector<unsigned char> scratch_;
  CollectiveArgs part_;
  ClockLine line_;
  void (*perform_)(T&, const CollectiveArgs&) = nullptr;
  std::int64_t turn_ = 0;
};

}  // namespace msgauge::collective
