// Claims about kernels that stamp themselves (self_timed.hpp), on the fake transport. Built by test_native_parts.py.
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

#include <map>

#include "buffers.hpp"
#include "measure.hpp"
#include "transports/fake.hpp"

using namespace msgauge;
namespace fake = transports::fake;

namespace {

constexpr Facts facts_of_two_series() {
  Facts facts;
  facts.series = "sender receiver";
  return facts;
}
constexpr Facts facts = facts_of_two_series();

// Rank 0 sends one message to every other rank. The sender's series is rank 0's; the receiver's the slowest rank's.
template <Transport T, bool from_the_start>
class Run {
 public:
  static Coverage coverage(const Cell&) { return {}; }
  static constexpr bool self_timed = true;
  static constexpr bool fenced = true;
  const std::int64_t events;  // messages of one operation: known only when the cell is

  Run(T& transport, const Cell& cell) : events(cell.ranks - 1), transport_(transport), data_(cell.bytes, cell.cache) {}

  template <class Clock>
  void once(Clock& clock, std::int64_t* values) {
    const auto before = clock.read();
    if (transport_.rank() == 0)
      for (int peer = 1; peer <= events; ++peer) transport_.send(data_.data(), data_.bytes(), peer, 1);
    else
      transport_.recv(data_.data(), data_.bytes(), 0, 1);
    values[transport_.rank() == 0 ? 0 : 1] = clock.length_ns(clock.read() - before);
    ++operations;
  }

  static std::int64_t combine(std::size_t series, const std::int64_t* of_ranks, int ranks) {
    return series == 0 ? of_ranks[0] : *std::max_element(of_ranks + 1, of_ranks + ranks);
  }

  void prepare(int iteration) {
    if (transport_.rank() == 0) data_.fill(0, iteration);
    else data_.scribble();
  }
  bool verify(int iteration) { return data_.holds(0, iteration); }
  void evict() { data_.evict(); }
  bool keeps_transient() const { return from_the_start; }

  static inline std::int64_t operations = 0;

 private:
  T& transport_;
  Buffer data_;
};

// Measures one cell of the kernel on so many fake ranks.
template <bool from_the_start = false>
Result measured(const std::string& model, int ranks, CacheMode cache = CacheMode::hot) {
  using Kernel = Run<fake::Transport, from_the_start>;
  fake::World world(ranks, fake::Model::parse(model));
  wire::Limits limits;
  limits.cell_budget_ns = 1'000'000;
  Cell cell;
  cell.bytes = 101;
  cell.ranks = ranks;
  cell.cache = cache;
  Result result;
  Kernel::operations = 0;
  world.run([&](int rank) {
    fake::Transport transport(world, rank);
    transport.begin(Launch{});
    Clock<fake::Transport> clock(transport, "monotonic");
    ClockSync<fake::Transport> sync(transport, clock);
    const auto entry = entry_of<fake::Transport, facts, Kernel>();
    Measurement<fake::Transport> part(transport, clock, sync, limits, cell, entry, ranks, false);
    if (rank == 0) result = part.lead();
    else part.follow();
    return 0;
  });
  return result;
}

constexpr const char* plain = "L=1000,o_s=200,o_r=300,g=400,G=0,clock=10";

}  // namespace

TEST_CASE("each series is what its ranks wrote down, made one number by the kernel") {
  const auto result = measured(plain, 3);
  REQUIRE(result.status == "ok");
  REQUIRE(result.series.size() == 2);
  CHECK(result.series[0].first == "sender");
  CHECK(result.series[1].first == "receiver");
  CHECK(result.divisor == 2);
  CHECK(result.mode == "single");
  const auto& sender = result.series[0].second;
  const auto& receiver = result.series[1].second;
  CHECK(sender.size() >= 64);
  CHECK(sender.size() == receiver.size());
  // Two sends one gap apart, one overhead, and the clock read that ends the time.
  for (const auto value : sender) CHECK(value == 400 + 200 + 10);
  // The slowest receiver waits for the later message; alone it would wait one gap less.
  const auto alone = measured(plain, 2).series[1].second.front();
  for (const auto value : receiver) CHECK(value >= 300 + 10);
  CHECK(receiver.front() != alone);
}

TEST_CASE("wrong bytes make the cell fail and leave no series") {
  const auto result = measured(std::string(plain) + ",wrong_bytes=1", 2);
  CHECK(result.status == "wrong-bytes");
  CHECK(result.series.empty());
}

TEST_CASE("a kernel may keep its transient: nothing runs before the first sample, and none is dropped") {
  const auto kept = measured<true>(plain, 2);
  CHECK(kept.dropped == 0);
  const auto with_one_check = 2 * (static_cast<std::int64_t>(kept.series[0].second.size()) + 1);
  CHECK(Run<fake::Transport, true>::operations == with_one_check);
  const auto usual = measured(plain, 2);
  CHECK(Run<fake::Transport, false>::operations > 2 * (static_cast<std::int64_t>(usual.series[0].second.size()) + 1));
  CHECK(measured<true>(std::string(plain) + ",wrong_bytes=1", 2).status == "wrong-bytes");
}

TEST_CASE("operations that meet cold memory are measured too") {
  const auto result = measured(plain, 2, CacheMode::cold);
  CHECK(result.status == "ok");
  for (const auto value : result.series[0].second) CHECK(value == 200 + 10);
}
