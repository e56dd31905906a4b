// Combining two rows of elements, as reductions do: `into[i] = into[i] OP from[i]`.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "collectives.hpp"

namespace msgauge {

using Combine = void (*)(const void* from, void* into, std::size_t count);

namespace combining {

// Blocks of a fixed length, so that -O2 makes vector instructions of them.
template <class Value, class Apply>
void rows(const void* from, void* into, std::size_t count) {
  constexpr std::size_t block = 64;
  const auto* __restrict source = static_cast<const Value*>(from);
  auto* __restrict target = static_cast<Value*>(into);
  std::size_t at = 0;
  for (; at + block <= count; at += block, source += block, target += block)
    for (std::size_t i = 0; i < block; ++i) target[i] = Apply{}(target[i], source[i]);
  for (std::size_t i = 0; i < count - at; ++i) target[i] = Apply{}(target[i], source[i]);
}

// Integers add as unsigned ones do: an overflow wraps round.
struct Sum {
  std::int32_t operator()(std::int32_t a, std::int32_t b) const {
    return static_cast<std::int32_t>(static_cast<std::uint32_t>(a) + static_cast<std::uint32_t>(b));
  }
  std::int64_t operator()(std::int64_t a, std::int64_t b) const {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
  }
  float operator()(float a, float b) const { return a + b; }
  double operator()(double a, double b) const { return a + b; }
};
struct Max {
  template <class Value>
  Value operator()(Value a, Value b) const { return a > b ? a : b; }
};
struct Min {
  template <class Value>
  Value operator()(Value a, Value b) const { return a < b ? a : b; }
};
struct And {
  template <class Value>
  Value operator()(Value a, Value b) const { return static_cast<Value>(a & b); }
};
struct Or {
  template <class Value>
  Value operator()(Value a, Value b) const { return static_cast<Value>(a | b); }
};
struct Xor {
  template <class Value>
  Value operator()(Value a, Value b) const { return static_cast<Value>(a ^ b); }
};

template <class Value>
Combine arithmetic(Operator op) {
  if (op == Operator::sum) return rows<Value, Sum>;
  return op == Operator::max ? rows<Value, Max> : rows<Value, Min>;
}

template <class Value>
Combine bitwise(Operator op) {
  if (op == Operator::band) return rows<Value, And>;
  return op == Operator::bor ? rows<Value, Or> : rows<Value, Xor>;
}

template <class Value>
Combine integer(Operator op) {
  return defined_for(op, Element::byte) ? bitwise<Value>(op) : arithmetic<Value>(op);
}

}  // namespace combining

// The loop for a type and an operator that is defined for it.
inline Combine combine_of(Element element, Operator op) {
  switch (element) {
    case Element::int32: return combining::integer<std::int32_t>(op);
    case Element::int64: return combining::integer<std::int64_t>(op);
    case Element::float32: return combining::arithmetic<float>(op);
    case Element::float64: return combining::arithmetic<double>(op);
    case Element::byte: return combining::bitwise<unsigned char>(op);
  }
  return nullptr;
}

}  // namespace msgauge
