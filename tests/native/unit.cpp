// Claims about the parts of the native worker that need no launcher. Built and run by test_native_parts.py.
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "algorithms.hpp"
#include "buffers.hpp"
#include "data_path.hpp"
#include "kernels.inc"
#include "measure.hpp"
#include "series.hpp"
#include "transports/fake.hpp"
#include "transports/loopback.hpp"
#include "wire.hpp"

using namespace msgauge;
namespace fake = transports::fake;
namespace loopback = transports::loopback;

static_assert(tells_the_truth<fake::Transport>(fake::capabilities));
static_assert(tells_the_truth<loopback::Transport>(loopback::capabilities));
static_assert(!tells_the_truth<loopback::Transport>("send recv"), "an operation left out is noticed");
static_assert(!tells_the_truth<loopback::Transport>("send recv isend irecv wait test probe any_source any_tag bcast"), "so is one it lacks");
static_assert(!tells_the_truth<loopback::Transport>("send recv isend irecv wait test probe any_source any_tag fly"), "and an unknown word");

namespace {

std::vector<std::int64_t> noisy(std::size_t count, double level, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal(level, level * 0.02);
  std::vector<std::int64_t> values(count);
  for (auto& value : values) value = static_cast<std::int64_t>(normal(random));
  return values;
}

std::string plan_text(const std::string& line) {
  return "msgauge-plan 1\nlaunch number=7 round=3 seed=8801 ranks=2 cores=2\n" + line + "\nend\n";
}

std::string mistake_of(const std::string& text) {
  try {
    wire::parse_plan(text);
  } catch (const wire::PlanError& mistake) {
    return mistake.what();
  }
  return "";
}

// Completion of every rank's clock after a fixed exchange on the fake transport.
std::vector<std::int64_t> fake_times(std::uint64_t seed, const std::string& parameters) {
  fake::World world(4, fake::Model::parse(parameters));
  std::vector<std::int64_t> times;
  Launch launch;
  launch.seed = seed;
  world.run([&](int rank) {
    fake::Transport transport(world, rank);
    transport.begin(launch);
    std::vector<char> data(100'000);
    for (int i = 0; i < 50; ++i) algorithms::binomial_bcast(transport, data.data(), data.size() / (1 + i % 3), i % 4, 4);
    algorithms::dissemination_barrier(transport, 4);
    times.push_back(transport.now_ns());
    return 0;
  });
  return times;
}

double fake_half_round_trip(const std::string& parameters, std::size_t bytes) {
  fake::World world(2, fake::Model::parse(parameters));
  std::int64_t took = 0;
  world.run([&](int rank) {
    fake::Transport transport(world, rank);
    std::vector<char> data(bytes + 1);
    const auto begin = world.clock(rank);
    for (int i = 0; i < 10; ++i) {
      if (rank == 0) transport.send(data.data(), bytes, 1, 1);
      transport.recv(data.data(), bytes, 1 - rank, 1);
      if (rank == 1) transport.send(data.data(), bytes, 0, 1);
    }
    if (rank == 0) took = world.clock(rank) - begin;
    return 0;
  });
  return static_cast<double>(took) / 20.0;
}

}  // namespace

TEST_CASE("a series that is level from the start keeps nearly all its samples") {
  for (unsigned seed = 0; seed < 20; ++seed) {
    const auto warmup = series::mser5(noisy(400, 1e6, seed));
    CHECK(warmup.stationary);
    CHECK(warmup.dropped < 200);
  }
}

TEST_CASE("a transient is cut where it ends") {
  auto values = noisy(400, 1e6, 1);
  for (std::size_t i = 0; i < 60; ++i) values[i] += static_cast<std::int64_t>(3e6 * std::exp(-static_cast<double>(i) / 12));
  const auto warmup = series::mser5(values);
  CHECK(warmup.stationary);
  CHECK(warmup.dropped >= 25);
  CHECK(warmup.dropped <= 110);
}

TEST_CASE("a series that changes its level after the half is not stationary") {
  auto values = noisy(400, 1e6, 2);
  for (std::size_t i = 0; i < 280; ++i) values[i] *= 2;
  CHECK_FALSE(series::mser5(values).stationary);
}

TEST_CASE("single interruptions leave a level series stationary") {
  for (unsigned seed = 0; seed < 20; ++seed) {
    auto values = noisy(400, 1e6, seed);
    for (const std::size_t place : {250U, 310U, 311U}) values[place] *= 100;
    CHECK(series::mser5(values).stationary);
  }
}

TEST_CASE("at least half of the samples is kept, whatever they are") {
  std::mt19937_64 random(3);
  for (int trial = 0; trial < 200; ++trial) {
    std::vector<std::int64_t> values(random() % 300);
    for (auto& value : values) value = static_cast<std::int64_t>(random() % 1000);
    CHECK(series::mser5(values).dropped <= (values.size() + 1) / 2);
  }
}

TEST_CASE("the median's precision is the half width of its order-statistics interval") {
  std::vector<std::int64_t> values;
  for (int i = 1; i <= 101; ++i) values.push_back(1000 + i);
  CHECK(series::median(values) == 1051.0);
  CHECK(series::median({1, 2, 3, 10}) == 2.5);
  CHECK(series::median_precision(values) == doctest::Approx(10.5 / 1051.0).epsilon(0.1));
  CHECK(std::isinf(series::median_precision({1, 2, 3})));
  CHECK(std::isinf(series::median_precision({0, 0, 0, 0, 0, 0, 0, 1})));
  CHECK(series::median_precision(std::vector<std::int64_t>(64, 0)) == 0.0);
}

TEST_CASE("the serial program's time is the median of its runs, as the program's own is") {
  CHECK(application::median_of({}) == 0);
  CHECK(application::median_of({70}) == 70);
  CHECK(application::median_of({70, 50}) == 60);
  CHECK(application::median_of({90, 50, 70}) == 70);
  CHECK(application::median_of({90, 50, 70, 60, 80, 55}) == 65);
}

TEST_CASE("percent-encoding comes back as it went, and leaves no space, '=' or newline") {
  std::string all;
  for (int byte = 0; byte < 256; ++byte) all += static_cast<char>(byte);
  const auto coded = wire::encode(all);
  CHECK(coded.find_first_of(" =\n\r\t\"'<>&") == std::string::npos);
  CHECK(wire::decode(coded) == all);
  CHECK_THROWS_AS(wire::decode("100%"), wire::PlanError);
  CHECK_THROWS_AS(wire::decode("%4"), wire::PlanError);
  CHECK_THROWS_AS(wire::decode("%zz"), wire::PlanError);
}

TEST_CASE("a plan is read as it is meant") {
  const auto plan = wire::parse_plan(
      "msgauge-plan 1\n# a comment\nlaunch number=7 round=3 seed=18446744073709551615 ranks=4 cores=2\n"
      "clock name=tsc\nlimits cell_budget_ns=5000 cell_precision=0.025 launch_limit_ns=70000 check=no\n"
      "cell id=12 kernel=pingpong bytes=8 mode=single cache=rotate ranks=2 opt.send=a%20b\nend\n");
  CHECK(plan.launch.number == 7);
  CHECK(plan.launch.seed == 18446744073709551615U);
  CHECK(plan.launch.ranks == 4);
  CHECK(plan.clock == "tsc");
  CHECK(plan.limits.cell_precision == 0.025);
  CHECK_FALSE(plan.limits.check);
  REQUIRE(plan.cells.size() == 1);
  CHECK(plan.cells[0].mode == Mode::single);
  CHECK(plan.cells[0].cache == CacheMode::rotate);
  CHECK(plan.cells[0].options == Options{{"send", "a b"}});
}

TEST_CASE("a plan that is wrong is refused, and the line is named") {
  const std::string cell = "cell id=1 kernel=pingpong bytes=8 mode=batch cache=hot ranks=2";
  CHECK(mistake_of(plan_text(cell)).empty());
  CHECK(mistake_of(plan_text(cell + " bytes=9")).find("line 3: 'bytes' is given twice") == 0);
  CHECK(mistake_of(plan_text(cell + " colour=red")).find("line 3: 'colour' is not known") == 0);
  CHECK(mistake_of(plan_text("cell id=1 kernel=pingpong mode=batch cache=hot ranks=2")).find("line 3: 'bytes='") == 0);
  for (const char* bytes : {"-1", "8x", "", "1e3", "99999999999999999999"})
    CHECK(mistake_of(plan_text("cell id=1 kernel=k mode=batch cache=hot ranks=2 bytes=" + std::string(bytes))).find("line 3: bytes=") == 0);
  for (const char* fraction : {"nan", "2", "-0.1", "0,5", "x"})
    CHECK_FALSE(mistake_of(plan_text("limits cell_budget_ns=1 launch_limit_ns=1 check=no cell_precision=" + std::string(fraction))).empty());
  CHECK(mistake_of(plan_text("cell id=1 kernel=k bytes=8 mode=fast cache=hot ranks=2")).find("line 3: mode=fast") == 0);
  CHECK(mistake_of(plan_text("clock name=sundial")).find("line 3: ") == 0);
  CHECK(mistake_of(plan_text("bell id=1")).find("line 3: there is no record 'bell'") == 0);
  CHECK(mistake_of("msgauge-plan 2\nend\n").find("line 1: ") == 0);
  CHECK(mistake_of("msgauge-plan 1\nend\n").find("no launch line") != std::string::npos);
  const auto whole = plan_text(cell);
  for (std::size_t length = 0; length < whole.size(); ++length) CHECK_FALSE(mistake_of(whole.substr(0, length)).empty());
  CHECK_FALSE(mistake_of(whole + cell + "\n").empty());
}

TEST_CASE("options are held against the facts of the kernel") {
  Cell cell;
  cell.kernel = "exchange";
  CHECK(cell.option("how", kernels::exchange::facts) == "nonblocking");
  cell.options = {{"how", "sendrecv"}};
  CHECK(option_mismatch(cell, kernels::exchange::facts).empty());
  cell.options = {{"how", "telepathy"}};
  CHECK(option_mismatch(cell, kernels::exchange::facts) == "exchange does not take how=telepathy");
  cell.options = {{"speed", "fast"}};
  CHECK(option_mismatch(cell, kernels::exchange::facts) == "exchange has no option 'speed'");
}

TEST_CASE("one altered byte, another rank or another iteration is not the pattern") {
  for (const std::size_t bytes : {1U, 7U, 8U, 9U, 1000U}) {
    std::vector<unsigned char> data(bytes);
    fill_pattern(data.data(), bytes, 3, 5);
    CHECK(holds_pattern(data.data(), bytes, 3, 5));
    CHECK_FALSE(holds_pattern(data.data(), bytes, 2, 5));
    CHECK_FALSE(holds_pattern(data.data(), bytes, 3, 6));
    for (std::size_t at = 0; at < bytes; ++at) {
      data[at] ^= 1;
      CHECK_FALSE(holds_pattern(data.data(), bytes, 3, 5));
      data[at] ^= 1;
    }
  }
}

TEST_CASE("a rotating buffer moves on and comes round; a hot one stays") {
  Buffer hot(100, CacheMode::hot), rotating(100, CacheMode::rotate);
  const auto* place = hot.data();
  hot.advance();
  CHECK(hot.data() == place);
  const auto* first = rotating.data();
  rotating.advance();
  CHECK(rotating.data() != first);
  std::int64_t steps = 1;
  for (; rotating.data() != first; ++steps) rotating.advance();
  CHECK(steps * 4096 >= std::min<std::int64_t>(2 * last_level_cache_bytes(), 64 << 20) - 4096);
}

TEST_CASE("the binomial broadcast gives every rank the root's bytes, from any root, for any number of ranks") {
  std::mt19937 random(4);
  for (int ranks = 1; ranks <= 9; ++ranks) {
    const int root = static_cast<int>(random() % static_cast<unsigned>(ranks));
    const std::size_t bytes = random() % 5000;
    const int wrong = loopback::run_ranks(ranks, 0, [&](loopback::Transport& transport) {
      std::vector<unsigned char> data(bytes);
      if (transport.rank() == root) fill_pattern(data.data(), bytes, root, 1);
      algorithms::binomial_bcast(transport, data.data(), bytes, root, ranks);
      return holds_pattern(data.data(), bytes, root, 1) ? 0 : 1;
    });
    CHECK(wrong == 0);
  }
}

TEST_CASE("nobody leaves the dissemination barrier before all have come") {
  for (int ranks = 2; ranks <= 7; ++ranks) {
    std::atomic<int> arrived{0};
    const int early = loopback::run_ranks(ranks, 0, [&](loopback::Transport& transport) {
      int wrong = 0;
      for (int round = 1; round <= 20; ++round) {
        ++arrived;
        algorithms::dissemination_barrier(transport, ranks);
        wrong |= arrived.load() < round * ranks;
        algorithms::dissemination_barrier(transport, ranks);
      }
      return wrong;
    });
    CHECK(early == 0);
  }
}

namespace {
// One rank of two, whose messages go nowhere: it writes down what it would have done.
struct Recorder {
  std::vector<std::pair<char, std::size_t>> calls;
  int rank() const { return 0; }
  int size() const { return 2; }
  void send(const void*, std::size_t bytes, int, int) { calls.emplace_back('s', bytes); }
  void recv(void*, std::size_t bytes, int, int) { calls.emplace_back('r', bytes); }
  std::string library() const { return ""; }
  void abort(int) {}
};
}  // namespace

TEST_CASE("bytes are counted only after both neighbours have read their counters") {
  Recorder recorder;
  wire::Header header(-1, "launch", "data_path");
  data_path::describe_carrier(header, recorder);
  auto& calls = recorder.calls;
  for (const auto& [bytes, times] : {std::pair{data_path::small_bytes, data_path::small_messages}, {data_path::large_bytes, 1}}) {
    const auto first = std::find(calls.rbegin(), calls.rend(), std::pair{'s', bytes}).base() - times;
    REQUIRE(first - calls.begin() >= 2);
    CHECK(*(first - 2) == std::pair{'s', std::size_t{1}});
    CHECK(*(first - 1) == std::pair{'r', std::size_t{1}});
    CHECK(std::count(first, first + 2 * times, std::pair{'s', bytes}) == times);
    CHECK(std::count(first, first + 2 * times, std::pair{'r', bytes}) == times);
  }
}

TEST_CASE("the fake transport repeats itself to the last bit, and differs for another seed") {
  const std::string noise = "noise=0.05,launch_noise=0.02,round_noise=0.02,spike_every=20,spike_ns=5000";
  CHECK(fake_times(1, noise) == fake_times(1, noise));
  CHECK(fake_times(1, noise) != fake_times(2, noise));
  CHECK(fake_times(1, "") == fake_times(2, ""));
}

TEST_CASE("the fake transport costs what LogGP says") {
  const std::string model = "L=1000,o_s=200,o_r=150,g=300,G=0.5,eager=65536";
  CHECK(fake_half_round_trip(model, 1) == 1350.0);
  CHECK(fake_half_round_trip(model, 1001) == 1850.0);
  CHECK(fake_half_round_trip(model, 70'001) > 1350.0 + 35'000.0 + 1000.0);
  CHECK(fake_half_round_trip(model + ",delay_ns=200", 1) == 1550.0);
}

TEST_CASE("ranks that all wait on the fake transport are an error, not a hang") {
  fake::World world(2, fake::Model{});
  CHECK_THROWS_AS(world.run([&](int rank) {
    fake::Transport transport(world, rank);
    char byte = 0;
    transport.recv(&byte, 1, 1 - rank, 1);
    return 0;
  }),
                  TransportError);
}

TEST_CASE("parameters of the fake transport that make no sense are named") {
  CHECK_THROWS_WITH_AS(fake::Model::parse("warp=9"), "MSGAUGE_FAKE: there is no parameter 'warp'", TransportError);
  CHECK_THROWS_AS(fake::Model::parse("L=fast"), TransportError);
  CHECK_THROWS_AS(fake::Model::parse("L"), TransportError);
}
