// Collective operations as transports may offer them: types of elements, operators, and one concept an operation.
//
// Sizes are bytes, except where elements are combined: there they count elements. `Blocks` says how long each rank's
// block is and where it begins, in bytes, of the operations whose blocks differ. Non-blocking forms give back the
// transport's Request, which `wait` completes. Buffers of one call never overlap.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace msgauge {

enum class Element { int32, int64, float32, float64, byte };
enum class Operator { sum, max, min, band, bor, bxor };

inline constexpr std::string_view element_names[] = {"int32", "int64", "float32", "float64", "byte"};
inline constexpr std::string_view operator_names[] = {"sum", "max", "min", "band", "bor", "bxor"};

// The value of this name; the first for a name that is not known, which the facts of a kernel rule out beforehand.
template <class Choice, std::size_t Count>
constexpr Choice choice_named(const std::string_view (&names)[Count], std::string_view wanted) {
  for (std::size_t i = 0; i < Count; ++i)
    if (names[i] == wanted) return static_cast<Choice>(i);
  return Choice{};
}
constexpr Element element_named(std::string_view name) { return choice_named<Element>(element_names, name); }
constexpr Operator operator_named(std::string_view name) { return choice_named<Operator>(operator_names, name); }

constexpr std::size_t bytes_of(Element element) {
  switch (element) {
    case Element::int32:
    case Element::float32: return 4;
    case Element::int64:
    case Element::float64: return 8;
    case Element::byte: return 1;
  }
  return 1;
}

// Whether MPI defines the operator for the type: arithmetic for numbers, bitwise for integers and bytes.
constexpr bool defined_for(Operator op, Element element) {
  const bool bitwise = op == Operator::band || op == Operator::bor || op == Operator::bxor;
  if (element == Element::byte) return bitwise;
  if (element == Element::float32 || element == Element::float64) return !bitwise;
  return true;
}

// One block a rank, in bytes from the begin of a buffer; both arrays have as many entries as there are ranks.
struct Blocks {
  const int* counts = nullptr;
  const int* offsets = nullptr;
};

// --- blocking ----------------------------------------------------------------------------------------------------------

template <class T>
concept HasBarrier = requires(T& transport) { transport.barrier(); };
template <class T>
concept HasBcast = requires(T& transport, void* data, std::size_t bytes, int root) {
  transport.bcast(data, bytes, root);
};
template <class T>
concept HasScatter = requires(T& transport, const void* from, void* into, std::size_t bytes, int root) {
  transport.scatter(from, into, bytes, root);
};
template <class T>
concept HasScatterv = requires(T& transport, const void* from, Blocks out, void* into, std::size_t bytes, int root) {
  transport.scatterv(from, out, into, bytes, root);
};
template <class T>
concept HasGather = requires(T& transport, const void* from, void* into, std::size_t bytes, int root) {
  transport.gather(from, into, bytes, root);
};
template <class T>
concept HasGatherv = requires(T& transport, const void* from, std::size_t bytes, void* into, Blocks in, int root) {
  transport.gatherv(from, bytes, into, in, root);
};
template <class T>
concept HasAllgather = requires(T& transport, const void* from, void* into, std::size_t bytes) {
  transport.allgather(from, into, bytes);
};
template <class T>
concept HasAllgatherv = requires(T& transport, const void* from, std::size_t bytes, void* into, Blocks in) {
  transport.allgatherv(from, bytes, into, in);
};
template <class T>
concept HasReduce = requires(T& transport, const void* from, void* into, std::size_t count, Element element,
                             Operator op, int root) { transport.reduce(from, into, count, element, op, root); };
template <class T>
concept HasAllreduce = requires(T& transport, const void* from, void* into, std::size_t count, Element element,
                                Operator op) { transport.allreduce(from, into, count, element, op); };
// `counts`: how many elements of the result each rank keeps.
template <class T>
concept HasReduceScatter = requires(T& transport, const void* from, void* into, const int* counts, Element element,
                                    Operator op) { transport.reduce_scatter(from, into, counts, element, op); };
template <class T>
concept HasScan = requires(T& transport, const void* from, void* into, std::size_t count, Element element,
                           Operator op) { transport.scan(from, into, count, element, op); };
// The first rank's result is not defined.
template <class T>
concept HasExscan = requires(T& transport, const void* from, void* into, std::size_t count, Element element,
                             Operator op) { transport.exscan(from, into, count, element, op); };
template <class T>
concept HasAlltoall = requires(T& transport, const void* from, void* into, std::size_t bytes) {
  transport.alltoall(from, into, bytes);
};
template <class T>
concept HasAlltoallv = requires(T& transport, const void* from, Blocks out, void* into, Blocks in) {
  transport.alltoallv(from, out, into, in);
};

// --- non-blocking --------------------------------------------------------------------------------------------------------

template <class T>
concept HasIbarrier = requires(T& transport) {
  { transport.ibarrier() } -> std::same_as<typename T::Request>;
};
template <class T>
concept HasIbcast = requires(T& transport, void* data, std::size_t bytes, int root) {
  { transport.ibcast(data, bytes, root) } -> std::same_as<typename T::Request>;
};
template <class T>
concept HasIscatter = requires(T& transport, const void* from, void* into, std::size_t bytes, int root) {
  { transport.iscatter(from, into, bytes, root) } -> std::same_as<typename T::Request>;
};
template <class T>
concept HasIscatterv = requires(T& transport, const void* from, Blocks out, void* into, std::size_t bytes, int root) {
  { transport.iscatterv(from, out, into, bytes, root) } -> std::same_as<typename T::Request>;
};
template <class T>
concept HasIgather = requires(T& transport, const void* from, void* into, std::size_t bytes, int root) {
  { transport.igather(from, into, bytes, root) } -> std::same_as<typename T::Request>;
};
template <class T>
concept HasIgatherv = requires(T& transport, const void* from, std::size_t bytes, void* into, Blocks in, int root) {
  { transport.igatherv(from, bytes, into, in, root) } -> std::same_as<typename T::Request>;
};
template <class T>
concept HasIallgather = requires(T& transport, const void* from, void* into, std::size_t bytes) {
  { transport.iallgather(from, into, bytes) } -> std::same_as<typename T::Request>;
};
template <class T>
concept HasIallgatherv = requires(T& transport, const void* from, std::size_t bytes, void* into, Blocks in) {
  { transport.iallgatherv(from, bytes, into, in) } -> std::same_as<typename T::Request>;
};
template <class T>
concept HasIreduce = requires(T& transport, const void* from, void* into, std::size_t count, Element element,
                              Operator op, int root) {
  { transport.ireduce(from, into, count, element, op, root) } -> std::same_as<typename T::Request>;
};
template <class T>
concept HasIallreduce = requires(T& transport, const void* from, void* into, std::size_t count, Element element,
                                 Operator op) {
  { transport.iallreduce(from, into, count, element, op) } -> std::same_as<typename T::Request>;
};
template <class T>
concept HasIreduceScatter = requires(T& transport, const void* from, void* into, const int* counts, Element element,
                                     Operator op) {
  { transport.ireduce_scatter(from, into, counts, element, op) } -> std::same_as<typename T::Request>;
};
template <class T>
concept HasIscan = requires(T& transport, const void* from, void* into, std::size_t count, Element element,
                            Operator op) {
  { transport.iscan(from, into, count, element, op) } -> std::same_as<typename T::Request>;
};
template <class T>
concept HasIexscan = requires(T& transport, const void* from, void* into, std::size_t count, Element element,
                              Operator op) {
  { transport.iexscan(from, into, count, element, op) } -> std::same_as<typename T::Request>;
};
template <class T>
concept HasIalltoall = requires(T& transport, const void* from, void* into, std::size_t bytes) {
  { transport.ialltoall(from, into, bytes) } -> std::same_as<typename T::Request>;
};
template <class T>
concept HasIalltoallv = requires(T& transport, const void* from, Blocks out, void* into, Blocks in) {
  { transport.ialltoallv(from, out, into, in) } -> std::same_as<typename T::Request>;
};

}  // namespace msgauge
