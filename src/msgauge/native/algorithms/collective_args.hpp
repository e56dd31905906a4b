// One rank's part in one collective, as every reference algorithm takes it.
#pragma once

#include <cstddef>
#include <cstring>

#include "../combine.hpp"
#include "../transport.hpp"

namespace msgauge::algorithms {

inline constexpr int collective_tag = 32003;

struct CollectiveArgs {
  int rank = 0, ranks = 1, root = 0;
  std::size_t bytes = 0;  // of one block; of a rank's whole row where elements are combined
  const unsigned char* out = nullptr;
  unsigned char* in = nullptr;       // a broadcast has its message here, at the root too
  unsigned char* scratch = nullptr;  // scratch_bytes(...) of it
  // Where blocks differ: this rank's own, by the peer they go to and come from.
  Blocks out_blocks, in_blocks;
  // Where elements are combined.
  Element element = Element::byte;
  Operator op = Operator::bor;
  std::size_t count = 0;
  const int* counts = nullptr;  // of a reduce-scatter: the elements each rank keeps
  Combine combine = nullptr;

  int next() const { return (rank + 1) % ranks; }
  int previous() const { return (rank - 1 + ranks) % ranks; }
  int relative() const { return (rank - root + ranks) % ranks; }
  int absolute(int relative_rank) const { return (relative_rank + root) % ranks; }
  std::size_t own_block() const { return static_cast<std::size_t>(rank) * bytes; }
};

// What any of the algorithms may need: three rows, or one block a rank and two to spare.
inline std::size_t scratch_bytes(std::size_t bytes, int ranks) {
  return (static_cast<std::size_t>(ranks) + 3) * bytes + 64;
}

// `total` things in as many pieces as equal as can be; piece i is [begin(i), begin(i + 1)).
struct Cut {
  std::size_t total;
  int pieces;
  std::size_t begin(int piece) const { return total * static_cast<std::size_t>(piece) / static_cast<std::size_t>(pieces); }
  std::size_t length(int first, int last) const { return begin(last) - begin(first); }
  std::size_t length(int piece) const { return length(piece, piece + 1); }
};

inline void copy(void* into, const void* from, std::size_t bytes) {
  if (bytes > 0) std::memcpy(into, from, bytes);
}

// The largest power of two that is not above `ranks`.
constexpr int power_of_two_below(int ranks) {
  int power = 1;
  while (2 * power <= ranks) power *= 2;
  return power;
}
constexpr bool is_power_of_two(int ranks) { return power_of_two_below(ranks) == ranks; }

// One message out and one in at once, to and from any ranks, whatever the transport has. With blocking calls alone
// a rank sends first when its receiver stands above it: round every ring of senders someone then receives first.
template <Transport T>
void shift(T& transport, const void* from, std::size_t out_bytes, int dest, void* into, std::size_t in_bytes,
           int source) {
  if constexpr (HasSendrecv<T>) {
    transport.sendrecv(from, out_bytes, dest, into, in_bytes, source, collective_tag);
  } else if constexpr (HasIrecv<T> && HasWait<T>) {
    auto arriving = transport.irecv(into, in_bytes, source, collective_tag);
    transport.send(from, out_bytes, dest, collective_tag);
    transport.wait(arriving);
  } else if (transport.rank() < dest) {
    transport.send(from, out_bytes, dest, collective_tag);
    transport.recv(into, in_bytes, source, collective_tag);
  } else {
    transport.recv(into, in_bytes, source, collective_tag);
    transport.send(from, out_bytes, dest, collective_tag);
  }
}

template <Transport T>
void give_to(T& transport, const void* from, std::size_t bytes, int dest) {
  transport.send(from, bytes, dest, collective_tag);
}
template <Transport T>
void take_from(T& transport, void* into, std::size_t bytes, int source) {
  transport.recv(into, bytes, source, collective_tag);
}

}  // namespace msgauge::algorithms
