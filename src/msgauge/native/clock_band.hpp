// What is known of a clock against rank 0's: a correction that grows linearly, between bounds that messages proved. Pure.
//
// A message that was sent at s by rank 0's clock and had arrived at t by this one proves correction(t) >= s - t; one that
// left here at t and had arrived there at r proves correction(t) <= r - t. No supposition about the two ways being alike
// is in that, so half of the quickest round trip bounds the error at that moment. All lines that keep within the bounds of
// some synchronisations are a band; it narrows in the slope as these lie further apart, and is never left by the truth
// while the clock runs evenly. Bounds that no line keeps say that it did not: the oldest are then forgotten.
// Source: Duda, Harrus, Haddad, Bernard 1987, "Estimating global time in distributed systems" (the band); Cristian 1989,
// "Probabilistic clock synchronization" (half of the quickest round trip).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

namespace msgauge {

// How times of this rank's clock become times of rank 0's, in nanoseconds.
struct ClockLine {
  bool same = true;                // this clock is rank 0's
  std::int64_t at_ns = 0;          // by this clock
  std::int64_t correction_ns = 0;  // what is added to it then
  double slope = 0;                // by how much that grows in a nanosecond
  std::int64_t error_ns = 0;       // by how much the correction may be wrong then
  double slope_error = 0;

  std::int64_t reference_ns(std::int64_t local_ns) const {
    if (same) return local_ns;
    return local_ns + correction_ns + std::llround(slope * static_cast<double>(local_ns - at_ns));
  }
  // By how much reference_ns() may be wrong.
  std::int64_t error_at(std::int64_t local_ns) const {
    return error_ns + std::llround(std::ceil(slope_error * std::abs(static_cast<double>(local_ns - at_ns))));
  }
  std::int64_t local_ns(std::int64_t reference_ns) const {
    if (same) return reference_ns;
    return at_ns + std::llround(static_cast<double>(reference_ns - correction_ns - at_ns) / (1.0 + slope));
  }
};

// What the quickest messages of one synchronisation proved: at a time of this clock, the correction is at most or at
// least so much.
struct ClockKnot {
  std::int64_t least_at_ns = 0, least_ns = 0;
  std::int64_t most_at_ns = 0, most_ns = 0;

  std::int64_t width_ns() const { return most_ns - least_ns; }
};

class ClockBand {
 public:
  // Quartz is cut to some ten ppm. While the bounds allow many slopes, one like that is the likeliest: the middle of the
  // bounds alone would be that of their noise.
  static constexpr double usual_drift = 50e-6;
  // Two clocks of which the system slews each by at most 500 ppm (Linux: adjtimex, MAXFREQ) drift apart no faster.
  static constexpr double fastest_drift = 1e-3;
  // Beyond, a clock is not taken to have run evenly. Source: Hunold, Carpen-Amarie 2015, "On the impact of synchronizing
  // clocks and processes on benchmarking MPI collectives".
  static constexpr std::int64_t longest_ns = 10'000'000'000;
  static constexpr std::size_t most_knots = 16;
  // By so much may two readings of one clock contradict each other: a counter's rate is fitted anew all the time.
  static constexpr std::int64_t reading_ns = 50;

  struct Bounds {
    double low, high;
    double middle() const { return 0.5 * (low + high); }
    double error() const { return 0.5 * (high - low); }
  };

  void add(const ClockKnot& knot) {
    if (knots_.empty()) origin_ns_ = knot.least_at_ns, base_ns_ = knot.least_ns;
    knots_.push_back(knot);
    while (knots_.size() > 2 && knot.least_at_ns - knots_.front().least_at_ns > longest_ns) knots_.erase(knots_.begin());
    if (knots_.size() > most_knots) forget_widest();
    const auto before = knots_.size();
    while (knots_.size() > 1 && contradict()) knots_.erase(knots_.begin());
    uneven_ += before > knots_.size();
  }

  std::size_t knots() const { return knots_.size(); }
  // How often the bounds said that a clock had not run evenly.
  int uneven() const { return uneven_; }

  // The correction at a time of this clock, less base_ns().
  Bounds at(std::int64_t local_ns) const { return at(seconds_apart(local_ns)); }
  std::int64_t base_ns() const { return base_ns_; }

  // Of all lines in the band.
  Bounds slopes() const {
    Bounds found{-fastest_drift, fastest_drift};
    for (const auto& one : knots_)
      for (const auto& other : knots_) {
        const double up = most_at(other) - least_at(one), down = least_at(other) - most_at(one);
        if (up > 0) found.high = std::min(found.high, (most(other) - least(one)) / up);
        if (down > 0) found.low = std::max(found.low, (least(other) - most(one)) / down);
      }
    return found;
  }

  // The middle of the band as of now, in a likely direction.
  ClockLine line(std::int64_t now_ns) const {
    const auto now = at(now_ns), all = slopes();
    const double known = usual_drift * usual_drift / (usual_drift * usual_drift + all.error() * all.error());
    const double slope = std::clamp(known * all.middle(), all.low, all.high);
    return {false, now_ns, base_ns_ + std::llround(now.middle()), slope,
            static_cast<std::int64_t>(std::ceil(now.error())) + 1, std::max(all.high - slope, slope - all.low)};
  }

  // By how much times that this line gave can be wrong, from one time of this clock to another: both it and the truth are
  // straight, so they are furthest apart at an end.
  std::int64_t error_ns(const ClockLine& line, std::int64_t from_ns, std::int64_t to_ns) const {
    double worst = 0;
    for (const auto end : {from_ns, to_ns}) {
      const auto said = static_cast<double>(line.reference_ns(end) - end - base_ns_);
      const auto bounds = at(end);
      worst = std::max({worst, bounds.high - said, said - bounds.low});
    }
    return static_cast<std::int64_t>(std::ceil(worst));
  }

 private:
  double seconds_apart(std::int64_t local_ns) const { return static_cast<double>(local_ns - origin_ns_); }
  double least_at(const ClockKnot& knot) const { return seconds_apart(knot.least_at_ns); }
  double most_at(const ClockKnot& knot) const { return seconds_apart(knot.most_at_ns); }
  double least(const ClockKnot& knot) const { return static_cast<double>(knot.least_ns - base_ns_ - reading_ns); }
  double most(const ClockKnot& knot) const { return static_cast<double>(knot.most_ns - base_ns_ + reading_ns); }

  // The linear programme of two unknowns: its optimum is held by one bound and the greatest drift, or by two bounds.
  Bounds at(double time) const {
    Bounds found{-1e300, 1e300};
    for (const auto& one : knots_) {
      found.high = std::min(found.high, most(one) + fastest_drift * std::abs(time - most_at(one)));
      found.low = std::max(found.low, least(one) - fastest_drift * std::abs(time - least_at(one)));
      for (const auto& other : knots_) {
        found.high = std::min({found.high, beyond(least_at(one), least(one), most_at(other), most(other), time, 1e300),
                               between(most_at(one), most(one), most_at(other), most(other), time, 1e300)});
        found.low = std::max({found.low, beyond(most_at(one), most(one), least_at(other), least(other), time, -1e300),
                              between(least_at(one), least(one), least_at(other), least(other), time, -1e300)});
      }
    }
    return found;
  }

  // At `time`, the line through two points of which the second lies between the first and `time`.
  static double beyond(double first_at, double first, double second_at, double second, double time, double otherwise) {
    const bool is_between = (first_at < second_at && second_at <= time) || (time <= second_at && second_at < first_at);
    return is_between ? second + (second - first) / (second_at - first_at) * (time - second_at) : otherwise;
  }
  // The same where `time` lies between both.
  static double between(double first_at, double first, double second_at, double second, double time, double otherwise) {
    const bool is_between = first_at < time && time < second_at;
    return is_between ? first + (second - first) / (second_at - first_at) * (time - first_at) : otherwise;
  }

  bool contradict() const {
    const auto is_empty = [](const Bounds& bounds) { return bounds.low > bounds.high; };
    return is_empty(slopes()) || std::any_of(knots_.begin(), knots_.end(), [&](const auto& knot) {
      return is_empty(at(least_at(knot))) || is_empty(at(most_at(knot)));
    });
  }

  // The first and the last say most of the slope.
  void forget_widest() {
    knots_.erase(std::max_element(knots_.begin() + 1, knots_.end() - 1, [](const auto& one, const auto& other) {
      return one.width_ns() < other.width_ns();
    }));
  }

  std::vector<ClockKnot> knots_;
  std::int64_t origin_ns_ = 0, base_ns_ = 0;  // times and corrections are counted from here: doubles hold 53 bits
  int uneven_ = 0;
};

}  // namespace msgauge
