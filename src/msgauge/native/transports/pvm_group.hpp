// PVM's group of all ranks, its reductions, and the context that keeps its messages from those between ranks.
#pragma once

#include <pvm3.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>

#include "../transport.hpp"

namespace msgauge::transports::pvm {

// A group that is frozen once all have joined: from then on its members know each other without asking the server.
class Group {
 public:
  explicit Group(std::string name) : name_(std::move(name)) {}

  char* name() { return name_.data(); }
  bool made() const { return made_; }
  int context() const { return context_; }

  void join(int rank) {
    const int instance = pvm_joingroup(name());
    if (instance != rank)
      throw TransportError("PVM's group server (pvmgs) gave rank " + std::to_string(rank) + " the number " +
                           std::to_string(instance) + "; see PVM's log");
  }

  void freeze(int size) {
    if (pvm_freezegroup(name(), size) != size) throw TransportError("pvm_freezegroup failed");
    made_ = true;
  }

 private:
  static constexpr int group_context = 0x4d67;  // of all ranks of this job alone: other jobs have other task numbers
  std::string name_;
  int context_ = group_context;
  bool made_ = false;
};

// While it lives, what is sent and received belongs to the group.
class InContext {
 public:
  explicit InContext(const Group& group) : before_(pvm_setcontext(group.context())) {}
  InContext(const InContext&) = delete;
  InContext& operator=(const InContext&) = delete;
  ~InContext() { pvm_setcontext(before_); }

 private:
  int before_;
};

using Combination = void(int*, void*, void*, int*, int*);

inline int type_of(Element element) {
  switch (element) {
    case Element::int32: return PVM_INT;
    case Element::int64: return PVM_BYTE;
    case Element::float32: return PVM_FLOAT;
    case Element::float64: return PVM_DOUBLE;
    case Element::byte: return PVM_BYTE;
  }
  return PVM_BYTE;
}

// A function of ours in the form PVM wants: x = x op y.
template <class Number, class Combine>
void combine(int*, void* x, void* y, int* count, int* info) {
  auto* into = static_cast<Number*>(x);
  const auto* from = static_cast<const Number*>(y);
  for (int i = 0; i < *count; ++i) into[i] = static_cast<Number>(Combine{}(into[i], from[i]));
  *info = PvmOk;
}

template <class Combine>
Combination* bitwise(Element element) {
  switch (element) {
    case Element::int32: return combine<std::int32_t, Combine>;
    default: return combine<unsigned char, Combine>;
  }
}

// Longs travel as bytes: packed as longs, PVM 3.4.6 brought negative ones back as others.
template <class Combine>
void combine_longs(int* type, void* x, void* y, int* bytes, int* info) {
  int count = *bytes / static_cast<int>(sizeof(std::int64_t));
  combine<std::int64_t, Combine>(type, x, y, &count, info);
}

struct Larger {
  std::int64_t operator()(std::int64_t a, std::int64_t b) const { return a > b ? a : b; }
};
struct Smaller {
  std::int64_t operator()(std::int64_t a, std::int64_t b) const { return a < b ? a : b; }
};

inline Combination* combination_of_longs(Operator op) {
  switch (op) {
    case Operator::sum: return combine_longs<std::plus<>>;
    case Operator::max: return combine_longs<Larger>;
    case Operator::min: return combine_longs<Smaller>;
    case Operator::band: return combine_longs<std::bit_and<>>;
    case Operator::bor: return combine_longs<std::bit_or<>>;
    case Operator::bxor: return combine_longs<std::bit_xor<>>;
  }
  return combine_longs<std::plus<>>;
}

// PVM's own function where it has one.
inline Combination* combination(Element element, Operator op) {
  if (!defined_for(op, element)) throw TransportError("this operator is not defined for these elements");
  if (element == Element::int64) return combination_of_longs(op);
  switch (op) {
    case Operator::sum: return PvmSum;
    case Operator::max: return PvmMax;
    case Operator::min: return PvmMin;
    case Operator::band: return bitwise<std::bit_and<>>(element);
    case Operator::bor: return bitwise<std::bit_or<>>(element);
    case Operator::bxor: return bitwise<std::bit_xor<>>(element);
  }
  return PvmSum;
}

}  // namespace msgauge::transports::pvm
