// Statistics on one series of samples: where the warm-up ends, and how well the middle is known. Pure.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace msgauge::series {

struct Warmup {
  std::size_t dropped = 0;  // samples at the front that belong to the transient
  bool stationary = false;     // the transient ended within the first half
};

// Three interquartile ranges around the quartiles: beyond lies what the system did, not the transient.
struct Fences {
  double low, high;
};

inline Fences fences(std::vector<std::int64_t> values) {
  const auto at = [&](std::size_t place) {
    std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(place), values.end());
    return static_cast<double>(values[place]);
  };
  const double lower = at(values.size() / 4), upper = at(values.size() * 3 / 4);
  return {lower - 3 * (upper - lower), upper + 3 * (upper - lower)};
}

// MSER-5: group by fives, and cut where the standard error of what remains is smallest; at least half is kept.
// A smaller one beyond the half says that the series is not stationary yet. Single interruptions would decide where the
// cut lies, so samples are first drawn in to the fences (for this question only; they stay as they are).
// Source: White 1997, "An effective truncation heuristic for bias reduction in simulation output".
inline Warmup mser5(const std::vector<std::int64_t>& values) {
  constexpr std::size_t group = 5;
  const std::size_t groups = values.size() / group;
  if (groups < 4) return {0, values.size() < group};
  const auto [low, high] = fences(values);
  const double origin = static_cast<double>(values[values.size() / 2]);
  const std::size_t latest = groups / 2, fewest_kept = std::max<std::size_t>(10, groups / 10);
  constexpr double infinity = std::numeric_limits<double>::infinity();
  double sum = 0, squares = 0, best = infinity, best_beyond = infinity;
  std::size_t cut = 0;
  for (std::size_t left = groups; left-- > 0;) {
    double mean = 0;
    for (std::size_t i = 0; i < group; ++i)
      mean += std::clamp(static_cast<double>(values[left * group + i]), low, high) - origin;
    mean /= group;
    sum += mean;
    squares += mean * mean;
    const auto kept = static_cast<double>(groups - left);
    const double spread = std::max(0.0, squares - sum * sum / kept) / (kept * kept);
    if (left > latest) {
      if (groups - left >= fewest_kept) best_beyond = std::min(best_beyond, spread);
    } else if (spread <= best) {
      best = spread;
      cut = left;
    }
  }
  return {cut * group, cut < latest && best <= best_beyond};
}

inline double median(std::vector<std::int64_t> values) {
  if (values.empty()) return std::numeric_limits<double>::quiet_NaN();
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  const auto upper = static_cast<double>(*middle);
  if (values.size() % 2 == 1) return upper;
  return 0.5 * (upper + static_cast<double>(*std::max_element(values.begin(), middle)));
}

// Half the width of the 95 % order-statistics interval of the median, as a fraction of the median;
// infinite below 6 samples, where no such interval exists. Where simulated time stands still (one rank that sends nothing)
// all samples are 0, and no number of them would end the cell's budget.
inline double median_precision(std::vector<std::int64_t> values) {
  const auto count = static_cast<double>(values.size());
  if (values.size() < 6) return std::numeric_limits<double>::infinity();
  std::sort(values.begin(), values.end());
  const double reach = 0.98 * std::sqrt(count);  // 1.96 x sqrt(n)/2
  const auto low = static_cast<std::size_t>(std::max(0.0, std::floor(0.5 * count - reach)));
  const auto high = std::min(values.size() - 1, static_cast<std::size_t>(std::ceil(0.5 * count + reach)));
  const auto middle = static_cast<double>(values[values.size() / 2]);
  if (values.front() == values.back()) return 0.0;
  if (middle <= 0) return std::numeric_limits<double>::infinity();
  return 0.5 * static_cast<double>(values[high] - values[low]) / middle;
}

}  // namespace msgauge::series
