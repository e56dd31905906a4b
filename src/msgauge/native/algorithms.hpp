// Reference algorithms over send and receive alone. They stand in where a transport lacks an operation, and the result
// then says `emulated=yes algorithm=NAME`; the dissemination barrier also starts collectives when ranks > cores.
#pragma once

#include <cstddef>

#include "transport.hpp"

namespace msgauge::algorithms {

inline constexpr int barrier_tag = 32001;
inline constexpr int bcast_tag = 32002;

// One message each way at once, without deadlock whatever the size, even where only blocking calls exist:
// the lower rank sends first.
template <Transport T>
void swap(T& transport, const void* from, void* into, std::size_t bytes, int peer, int tag) {
  if (transport.rank() < peer) {
    transport.send(from, bytes, peer, tag);
    transport.recv(into, bytes, peer, tag);
  } else {
    transport.recv(into, bytes, peer, tag);
    transport.send(from, bytes, peer, tag);
  }
}

// Dissemination barrier over the first `ranks` ranks: ceil(log2 ranks) steps of one byte.
// Source: Hensgen, Finkel, Manber 1988.
template <Transport T>
void dissemination_barrier(T& transport, int ranks) {
  const int rank = transport.rank();
  char token = 1, got = 0;
  for (int distance = 1; distance < ranks; distance *= 2) {
    const int to = (rank + distance) % ranks, from = (rank - distance + ranks) % ranks;
    transport.send(&token, 1, to, barrier_tag);
    transport.recv(&got, 1, from, barrier_tag);
  }
}

// Binomial tree from `root`: in step k every rank that has the data sends it to the rank 2^k further on.
template <Transport T>
void binomial_bcast(T& transport, void* data, std::size_t bytes, int root, int ranks) {
  const int relative = (transport.rank() - root + ranks) % ranks;
  int reach = 1;
  for (; reach < ranks; reach *= 2) {
    if (relative & reach) {
      transport.recv(data, bytes, (relative - reach + root) % ranks, bcast_tag);
      break;
    }
  }
  for (reach /= 2; reach > 0; reach /= 2) {
    const int child = relative + reach;
    if (child < ranks) transport.send(data, bytes, (child + root) % ranks, bcast_tag);
  }
}

}  // namespace msgauge::algorithms
