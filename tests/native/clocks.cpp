// Claims about clocks of several hosts, in simulated time where the truth is known. Built and run by test_native_parts.py.
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

#include <cmath>
#include <random>

#include "clock_sync.hpp"
#include "transports/fake.hpp"

using namespace msgauge;
namespace fake = transports::fake;

namespace {

// A clock that is ahead of rank 0's by so much at rank 0's time 0 and runs faster by so much.
struct Truth {
  std::int64_t offset_ns;
  double drift;

  std::int64_t own_ns(double reference_ns) const {
    return offset_ns + static_cast<std::int64_t>(std::floor(reference_ns * (1.0 + drift)));
  }
  double correction_ns(std::int64_t own_ns) const {
    const auto since = static_cast<double>(own_ns - offset_ns);
    return since / (1.0 + drift) - since - static_cast<double>(offset_ns);
  }
};

// What exchanges at this time of rank 0 prove, where messages take from 5 to some hundred microseconds, one way longer.
ClockKnot exchange(const Truth& truth, double at_ns, std::mt19937& random, double longer_ns) {
  std::exponential_distribution<double> latency(1.0 / 20'000);
  ClockKnot knot;
  for (int i = 0; i < 10; ++i, at_ns += 200'000) {
    const auto asked = at_ns + 5'000 + longer_ns + latency(random), answered = asked + 300;
    const auto before = truth.own_ns(at_ns), after = truth.own_ns(answered + 5'000 + latency(random));
    const auto least = static_cast<std::int64_t>(answered) - after, most = static_cast<std::int64_t>(asked) - before;
    if (i == 0 || least > knot.least_ns) knot.least_ns = least, knot.least_at_ns = after;
    if (i == 0 || most < knot.most_ns) knot.most_ns = most, knot.most_at_ns = before;
  }
  return knot;
}

Truth random_truth(std::mt19937& random) {
  std::uniform_real_distribution<double> offset(-1e15, 1e15), drift(-200e-6, 200e-6);
  return {static_cast<std::int64_t>(offset(random)), drift(random)};
}

bool holds(const ClockBand& band, const Truth& truth, double reference_ns) {
  const auto own = truth.own_ns(reference_ns);
  const auto bounds = band.at(own);
  const double apart = truth.correction_ns(own) - static_cast<double>(band.base_ns());
  return bounds.low <= apart && apart <= bounds.high;
}

}  // namespace

TEST_CASE("bounds hold the true correction before, between and after synchronisations, however unlike the two ways are") {
  for (unsigned seed = 0; seed < 500; ++seed) {
    std::mt19937 random(seed);
    const auto truth = random_truth(random);
    const double longer = seed % 3 == 0 ? 0 : seed % 3 == 1 ? 100'000 : 3'000;
    ClockBand band;
    for (int knot = 0; knot < 30; ++knot) {
      const double at = 1e9 + knot * 37e6 * (1 + seed % 20);
      band.add(exchange(truth, at, random, longer));
      for (const double when : {at - 5e9, at - 20e6, at - 1e6, at, at + 2e6, at + 50e6, at + 1e9}) REQUIRE(holds(band, truth, when));
      const auto slopes = band.slopes();
      const double slope = 1.0 / (1.0 + truth.drift) - 1.0;
      REQUIRE(slopes.low <= slope);
      REQUIRE(slope <= slopes.high);
      const auto line = band.line(truth.own_ns(at));
      for (const double when : {at - 1e9, at, at + 300e6}) {
        const auto own = truth.own_ns(when);
        const double apart = std::abs(static_cast<double>(line.reference_ns(own)) - when);
        REQUIRE(apart <= static_cast<double>(line.error_at(own)) + 2);
        REQUIRE(apart <= static_cast<double>(band.error_ns(line, truth.own_ns(at - 1e9), truth.own_ns(at + 300e6))) + 2);
      }
    }
    CHECK(band.uneven() == 0);
  }
}

TEST_CASE("bounds are as narrow as the quickest round trip, and 20 ppm are found within 2 ppm in three seconds") {
  std::mt19937 random(5);
  const Truth truth{1'500'000, 20e-6};
  ClockBand band;
  for (int knot = 0; knot < 60; ++knot) band.add(exchange(truth, 1e9 + knot * 50e6, random, 0));
  const auto own = truth.own_ns(1e9 + 59 * 50e6);
  CHECK(band.at(own).error() < 8'000);
  CHECK(std::abs(band.slopes().middle() + 20e-6) <= band.slopes().error());
  CHECK(band.slopes().error() < 5e-6);
  CHECK(std::abs(band.line(own).slope + 20e-6) < 2e-6);
  CHECK(band.knots() <= ClockBand::most_knots);
}

TEST_CASE("a clock that changes its pace is noticed, and its bounds hold again afterwards") {
  std::mt19937 random(6);
  const Truth before{1'000, 0}, after{1'000 - 600'000, 300e-6};  // they meet at 2 s
  ClockBand band;
  for (int knot = 0; knot < 8; ++knot) band.add(exchange(before, 1e9 + knot * 100e6, random, 0));
  CHECK(band.uneven() == 0);
  for (int knot = 0; knot < 8; ++knot) band.add(exchange(after, 3e9 + knot * 100e6, random, 0));
  CHECK(band.uneven() > 0);
  CHECK(holds(band, after, 3.7e9));
  CHECK(holds(band, after, 3.2e9));
}

TEST_CASE("a time and back again is the same time") {
  const ClockLine line{false, 5'000'000'000, -1'234'567'890'123, -20e-6, 0, 0};
  for (const std::int64_t own : {0LL, 4'999'999'999LL, 65'000'000'000LL}) CHECK(std::abs(line.local_ns(line.reference_ns(own)) - own) <= 1);
  CHECK(ClockLine{}.reference_ns(17) == 17);
}

TEST_CASE("every rank of a tree knows its clock within its interval, whatever seed, offset, drift, noise and asymmetry") {
  for (unsigned seed = 0; seed < 60; ++seed) {
    const int size = seed % 2 ? 12 : 2;  // nine stand in one row below rank 0, so some are learnt of at second hand
    fake::Model model;
    model.eager_segment.L = model.rendezvous_segment.L = 5'000 + 1'000 * (seed % 7);
    model.noise = 0.1 * (seed % 5);
    model.spike_every = seed % 4 ? 10 : 0;
    model.spike_ns = 300'000;
    model.uphill_ns = seed % 3 ? 9'000 : 0;
    model.clock_offset_ns = seed % 2 ? 1'500'000 : -3'000'000'000;
    model.clock_drift_ppm = seed % 5 ? 20.0 : -7.5;
    fake::World world(size, model);
    Launch launch;
    launch.seed = seed;
    world.run([&](int rank) {
      fake::Transport transport(world, rank);
      transport.begin(launch);
      Clock<fake::Transport> clock(transport, "simulated");
      ClockSync<fake::Transport> sync(transport, clock);
      sync.find_leaders(transport.clock_identity());
      REQUIRE(sync.needed());
      const auto is_right = [&] {
        const auto there = clock.reference_ns(world.model().own_time(rank, world.clock(rank)));
        const auto off = std::abs(there - world.clock(rank));
        const auto uncorrected = std::abs(world.model().own_time(rank, world.clock(rank)) - world.clock(rank));
        return off <= clock.line().error_at(world.model().own_time(rank, world.clock(rank))) && (rank == 0 || 10 * off < uncorrected);
      };
      for (int knot = 0; knot < 12; ++knot) {
        sync.synchronise();
        REQUIRE(is_right());
        clock.wait_until_ns(clock.own_ns(clock.reference_ns(clock.now_ns()) + 250'000'000));
        REQUIRE(is_right());
      }
      const double drift = -1e6 * clock.line().slope, truth = rank * model.clock_drift_ppm;
      REQUIRE(std::abs(drift - truth) <= 1e6 * clock.line().slope_error + 1e-6 * truth * truth);
      REQUIRE(std::abs(drift - truth) < 30);
      return 0;
    });
  }
}

TEST_CASE("what a series says of its error is more than its error, though the clocks drift meanwhile") {
  for (unsigned seed = 0; seed < 40; ++seed) {
    fake::World world(3, fake::Model::parse("L=8000,noise=0.3,uphill_ns=4000,clock_offset=7000000,clock_drift=90"));
    Launch launch;
    launch.seed = seed;
    std::int64_t worst[3] = {}, said = 0;
    world.run([&](int rank) {
      fake::Transport transport(world, rank);
      transport.begin(launch);
      Clock<fake::Transport> clock(transport, "simulated");
      ClockSync<fake::Transport> sync(transport, clock);
      sync.find_leaders(transport.clock_identity());
      sync.begin_series(true);
      for (int look = 0; look < 20; ++look) {
        const auto own = world.model().own_time(rank, world.clock(rank));
        const auto off = clock.reference_ns(own) - world.clock(rank);
        if (std::abs(off) > std::abs(worst[rank])) worst[rank] = off;
        if (look == 10) sync.renew();
        clock.wait_until_ns(own + 20'000'000);
      }
      const auto error = sync.end_series(3);
      if (rank == 0) said = error;
      return 0;
    });
    CHECK(std::abs(worst[1] - worst[2]) <= said);
    CHECK(std::max(std::abs(worst[1]), std::abs(worst[2])) <= said);
    CHECK(said < 80'000);
  }
}

TEST_CASE("ranks that read one clock exchange nothing") {
  fake::World world(4, fake::Model::parse("L=1000"));
  world.run([&](int rank) {
    fake::Transport transport(world, rank);
    Clock<fake::Transport> clock(transport, "simulated");
    ClockSync<fake::Transport> sync(transport, clock);
    const auto before = world.clock(rank);
    CHECK(!sync.needed());
    sync.synchronise();
    CHECK(world.clock(rank) == before);
    sync.begin_series(true);
    CHECK(!sync.is_due());
    CHECK(sync.end_series(4) == -1);
    CHECK(clock.reference_ns(99) == 99);
    return 0;
  });
}
