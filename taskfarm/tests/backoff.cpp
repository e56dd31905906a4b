// How long who comes back waits.
#include <doctest/doctest.h>

#include <set>

#include "backoff.hpp"

using namespace taskfarm;

TEST_CASE("each pause is twice the one before, up to a bound, by chance up to half less; a reset begins anew") {
  Backoff backoff(0, 1000 * ns_per_ms);
  for (int turn = 0; turn < 2; ++turn, backoff.reset()) {
    CHECK(backoff.next_ns() == 0);
    for (std::int64_t whole = ns_per_ms; whole < 5000 * ns_per_ms; whole *= 2) {
      const std::int64_t pause = backoff.next_ns(), bound = std::min(whole, 1000 * ns_per_ms);
      CHECK(pause >= bound / 2);
      CHECK(pause <= bound);
    }
  }
}

TEST_CASE("those who lost one coordinator together come back one by one") {
  std::set<std::int64_t> pauses;
  for (int i = 0; i < 100; ++i) pauses.insert(Backoff(500 * ns_per_ms, 500 * ns_per_ms).next_ns());
  CHECK(pauses.size() > 95);
}
