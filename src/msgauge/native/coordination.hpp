// How the ranks of a cell act together: rank 0 gives orders between timed chunks, the others carry them out.
#pragma once

#include <time.h>

#include <cstdint>

#include "algorithms.hpp"
#include "clock.hpp"
#include "transport.hpp"

namespace msgauge {

inline constexpr int order_tag = 32010;
inline constexpr int report_tag = 32011;

// What all ranks of a cell do next.
struct Order {
  enum Kind : std::int64_t { finish, check, batches, cold, agreed, fenced, self_timed, clock };
  std::int64_t kind = finish;
  std::int64_t count = 0;       // batches or rounds; for `check` the iteration
  std::int64_t operations = 1;  // in each batch
  std::int64_t lead_in = 0;     // untimed operations before the first clock read, where they are cheap
  std::int64_t start_ns = 0;    // of the first agreed round
  std::int64_t period_ns = 0;   // from one agreed round to the next
  std::int64_t limit_ns = 0;    // a rank that begins an agreed round later than this was held up
  std::int64_t evict = 0;       // of stamped operations and rounds: 1 drives the message out of the caches before each
  std::int64_t work_ns = 0;     // of rounds of a non-blocking collective: arithmetic between start and completion
};

template <Transport T>
void give(T& transport, const Order& order, int first, int ranks) {
  for (int rank = first; rank < ranks; ++rank) transport.send(&order, sizeof order, rank, order_tag);
}

template <Transport T>
Order take_order(T& transport) {
  Order order;
  transport.recv(&order, sizeof order, 0, order_tag);
  return order;
}

// Waits for an order without burning the processor that measuring ranks may need.
template <Transport T>
Order await_order_sleeping(T& transport) {
  if constexpr (HasIrecv<T> && HasTest<T> && !HasClock<T>) {
    Order order;
    auto request = transport.irecv(&order, sizeof order, 0, order_tag);
    while (!transport.test(request)) {
      const timespec nap{0, 200'000};
      nanosleep(&nap, nullptr);
    }
    return order;
  } else {
    return take_order(transport);
  }
}

// Rank 0 learns whether all said yes, and tells everyone.
template <Transport T>
bool all_agree(T& transport, bool yes, int ranks) {
  char all = yes ? 1 : 0;
  if (transport.rank() == 0) {
    for (int rank = 1; rank < ranks; ++rank) {
      char one = 0;
      transport.recv(&one, 1, rank, report_tag);
      all = all && one;
    }
    for (int rank = 1; rank < ranks; ++rank) transport.send(&all, 1, rank, order_tag);
  } else {
    transport.send(&all, 1, 0, report_tag);
    transport.recv(&all, 1, 0, order_tag);
  }
  return all != 0;
}

// Tells transports that simulate whether the bytes of messages matter just now.
template <Transport T>
void contents_matter(T& transport, bool matter) {
  if constexpr (HearsOfContents<T>) transport.contents(matter);
}

}  // namespace msgauge
