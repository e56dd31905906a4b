// The model behind the fake transport: LogGP costs for each protocol segment, noise on several levels, and the mishaps
// that tests plan. All of it from one line of text, `name=value,name=value`; times in nanoseconds.
//
//   L o_s o_r g G        latency, overheads, gap, gap per byte of eager messages
//   L2 o_s2 o_r2 g2 G2   the same of rendezvous messages (as eager where not given)
//   eager                largest eager message in bytes
//   noise                spread of ln(L) from message to message
//   launch_noise         spread of the logarithm of one launch's level;  round_noise: of a round's, shared by all stacks
//   mode mode_every      factor on all costs of the launches of every so-manieth round: a second, slow mode
//   spike_every spike_ns one message in so many is late by so much
//   straggler straggler_every straggler_ns   this rank comes so late out of the first and every so-manieth wait for an
//                        agreed start
//   clock poll           cost of a clock read, of a test
//   clock_offset clock_drift   rank r's clock is ahead by r times so much, and gets ahead r times so many ppm faster
//   uphill_ns            added to messages to a rank of higher number: the two ways are not alike
//   delay_ns             added on the sender's side of every message
//   crash hang           the round, counted from one, in which the last rank dies, or stops answering
//   wrong_bytes wrong_size   1: rank 0's messages arrive altered; one rank too many is started
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <locale>
#include <map>
#include <sstream>
#include <string>
#include <string_view>

#include "../transport.hpp"

namespace msgauge::transports::fake {

struct Segment {
  double L = 1000, o_s = 200, o_r = 200, g = 300, G = 0.1;
};

// A stream of random numbers that is the same on every machine (splitmix64; normals by Box and Muller).
class Noise {
 public:
  explicit Noise(std::uint64_t seed) : state_(seed) {}

  double uniform() {
    std::uint64_t z = (state_ += 0x9E3779B97F4A7C15U);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9U;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBU;
    return (static_cast<double>((z ^ (z >> 31)) >> 11) + 0.5) * 0x1.0p-53;
  }
  double normal() {
    const double radius = std::sqrt(-2.0 * std::log(uniform()));
    return radius * std::cos(6.283185307179586 * uniform());
  }
  double factor(double spread) { return spread > 0 ? std::exp(spread * normal()) : 1.0; }

  template <class M>
  std::int64_t spike(const M& model) {
    return model.spike_every > 0 && uniform() * model.spike_every < 1.0 ? model.spike_ns : 0;
  }

 private:
  std::uint64_t state_;
};

struct Model {
  Segment eager_segment, rendezvous_segment;
  std::int64_t eager = 65536;
  double noise = 0, launch_noise = 0, round_noise = 0, spike_every = 0, mode = 1;
  std::int64_t mode_every = 0;
  std::int64_t spike_ns = 0, clock_ns = 20, poll_ns = 50, delay_ns = 0;
  std::int64_t clock_offset_ns = 0, uphill_ns = 0;
  double clock_drift_ppm = 0;
  std::int64_t straggler = -1, straggler_every = 1, straggler_ns = 0;
  std::int64_t crash = -1, hang = -1;
  bool wrong_bytes = false, wrong_size = false;
  double pace = 1;  // of the machine, not of this stack
  std::map<std::string, double, std::less<>> slow;  // by kernel
  std::string text;

  const Segment& segment(bool rendezvous) const { return rendezvous ? rendezvous_segment : eager_segment; }

  // What a rank's clock says at a time of the simulation, and the first time at which it says so much.
  bool one_clock() const { return clock_offset_ns == 0 && clock_drift_ppm == 0; }
  std::int64_t own_time(int rank, std::int64_t world_ns) const {
    const double gained = 1e-6 * rank * clock_drift_ppm * static_cast<double>(world_ns);
    return world_ns + rank * clock_offset_ns + std::llround(gained);
  }
  std::int64_t world_time(int rank, std::int64_t own_ns) const {
    const auto since = static_cast<double>(own_ns - rank * clock_offset_ns);
    auto world_ns = std::llround(since / (1.0 + 1e-6 * rank * clock_drift_ppm)) - 1;
    while (own_time(rank, world_ns) < own_ns) ++world_ns;
    return world_ns;
  }

  // The factor on all costs of a launch: its own mood times that of its round, times that of its mode.
  double level(const Launch& launch) const {
    Noise own(launch.seed ^ 0x5DEECE66DU), common(static_cast<std::uint64_t>(launch.round) * 2'654'435'761U + 17U);
    own.uniform();
    common.uniform();
    const bool slow_mode = mode_every > 0 && (launch.round + 1) % mode_every == 0;
    return pace * own.factor(launch_noise) * common.factor(round_noise) * (slow_mode ? mode : 1.0);
  }

  // Raises TransportError for a name that is not known and for a value that is no number.
  static Model parse(const std::string& text) {
    Model model;
    model.text = text;
    bool own_rendezvous[5] = {};
    std::istringstream items(text);
    for (std::string item; std::getline(items, item, ',');) {
      const auto equals = item.find('=');
      if (equals == std::string::npos) throw TransportError("MSGAUGE_FAKE: '" + item + "' is not name=value");
      model.set(item.substr(0, equals), number(item, equals + 1), own_rendezvous);
    }
    auto& late = model.rendezvous_segment;
    const auto& soon = model.eager_segment;
    if (!own_rendezvous[0]) late.L = soon.L;
    if (!own_rendezvous[1]) late.o_s = soon.o_s;
    if (!own_rendezvous[2]) late.o_r = soon.o_r;
    if (!own_rendezvous[3]) late.g = soon.g;
    if (!own_rendezvous[4]) late.G = soon.G;
    return model;
  }

 private:
  static double number(const std::string& item, std::size_t at) {
    std::istringstream stream(item.substr(at));
    stream.imbue(std::locale::classic());
    double value = 0;
    if (!(stream >> value) || !stream.eof()) throw TransportError("MSGAUGE_FAKE: '" + item + "' has no number");
    return value;
  }

  void set(const std::string& name, double value, bool (&own)[5]) {
    const struct {
      const char* name;
      double Segment::*field;
    } costs[] = {{"L", &Segment::L}, {"o_s", &Segment::o_s}, {"o_r", &Segment::o_r}, {"g", &Segment::g}, {"G", &Segment::G}};
    for (int i = 0; i < 5; ++i) {
      if (name == costs[i].name) {
        eager_segment.*costs[i].field = value;
        return;
      }
      if (name == costs[i].name + std::string("2")) {
        rendezvous_segment.*costs[i].field = value;
        own[i] = true;
        return;
      }
    }
    set_other(name, value);
  }

  void set_other(const std::string& name, double value) {
    const auto whole = static_cast<std::int64_t>(value);
    if (name.rfind("slow_", 0) == 0) slow[name.substr(5)] = value;
    else if (name == "eager") eager = whole;
    else if (name == "noise") noise = value;
    else if (name == "launch_noise") launch_noise = value;
    else if (name == "round_noise") round_noise = value;
    else if (name == "mode") mode = value;
    else if (name == "mode_every") mode_every = whole;
    else if (name == "spike_every") spike_every = value;
    else if (name == "spike_ns") spike_ns = whole;
    else if (name == "clock") clock_ns = whole;
    else if (name == "clock_offset") clock_offset_ns = whole;
    else if (name == "clock_drift") clock_drift_ppm = value;
    else if (name == "uphill_ns") uphill_ns = whole;
    else if (name == "poll") poll_ns = whole;
    else if (name == "straggler") straggler = whole;
    else if (name == "straggler_every") straggler_every = std::max<std::int64_t>(1, whole);
    else if (name == "straggler_ns") straggler_ns = whole;
    else if (name == "delay_ns") delay_ns = whole;
    else if (name == "crash") crash = whole;
    else if (name == "hang") hang = whole;
    else if (name == "wrong_bytes") wrong_bytes = value != 0;
    else if (name == "wrong_size") wrong_size = value != 0;
    else throw TransportError("MSGAUGE_FAKE: there is no parameter '" + name + "'");
  }
};

}  // namespace msgauge::transports::fake
