// Reads a test vector of tests/vectors/sampling and prints the decisions of sampling.hpp on it, one a line.
//
// Compile:  g++ -std=c++20 -I NATIVE NATIVE/sampling_decisions.cpp -o decisions;   run:  decisions VECTOR
#include <cmath>
#include <cstdio>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "sampling.hpp"

namespace {

using namespace msgauge;
using Numbers = std::vector<double>;

struct Vector {
  std::map<std::string, Numbers> numbers;
  std::string mode = "batch", kind = "batches";

  double number(const std::string& key) const { return numbers.at(key).front(); }
  std::int64_t whole(const std::string& key) const { return static_cast<std::int64_t>(number(key)); }
};

Vector read(const char* path) {
  Vector vector;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string key;
    if (!(words >> key) || key[0] == '#') continue;
    if (key == "mode") words >> vector.mode;
    else if (key == "kind") words >> vector.kind;
    else
      for (double value; words >> value;) vector.numbers[key].push_back(value);
  }
  return vector;
}

void print(const char* name, std::int64_t value) { std::printf("%s %lld\n", name, static_cast<long long>(value)); }

void decide_batch_length(const Vector& vector) {
  const auto& factors = vector.numbers.at("trial_factors");
  double elapsed_ns = 0;
  std::size_t trials = 0;
  const auto trial = [&](std::int64_t operations) {
    const double took = vector.number("operation_ns") * static_cast<double>(operations) * factors[trials++ % factors.size()];
    elapsed_ns += took;
    return took;
  };
  const auto wanted_ns = sampling::batch_ns(vector.whole("budget_ns"), vector.number("cost_ns"), vector.number("resolution_ns"));
  const auto found = sampling::find_batch_length(vector.whole("budget_ns"), wanted_ns, trial, [&] { return elapsed_ns; });
  print("trials", static_cast<std::int64_t>(trials));
  print("operations", found.operations);
}

void decide_clock(const Vector& vector) {
  const auto& stamps = vector.numbers.at("stamps");
  std::vector<std::vector<std::int64_t>> trials;
  for (std::size_t i = 0; i < stamps.size(); ++i) {
    if (i % static_cast<std::size_t>(vector.whole("readings")) == 0) trials.emplace_back();
    trials.back().push_back(static_cast<std::int64_t>(stamps[i]));
  }
  const auto facts = sampling::clock_facts(trials);
  print("cost_thousandths", static_cast<std::int64_t>(std::floor(1000.0 * facts.cost + 0.5)));
  print("step", static_cast<std::int64_t>(facts.step));
}

void decide_appointments(const Vector& vector) {
  print("start_limit_ns", sampling::start_limit_ns(vector.whole("empty_ns"), vector.number("resolution_ns")));
  const auto& rounds = vector.numbers.at("order_rounds");
  for (std::size_t i = 0; i < rounds.size(); ++i)
    print("missed", sampling::missed_rounds(static_cast<std::int64_t>(rounds[i]),
                                            static_cast<std::int64_t>(vector.numbers.at("reached_late")[i]),
                                            static_cast<std::int64_t>(vector.numbers.at("began_late")[i])));
}

// Takes an order of rounds or a chunk of samples; a value below 0 is a round that came late.
struct Source {
  const Vector& vector;
  sampling::Pace pace{};
  std::vector<std::int64_t> values{};
  std::int64_t taken = 0, late = 0;

  void take(std::size_t wanted) {
    const bool rounds = vector.kind == "rounds";
    const auto count = rounds ? pace.rounds(wanted, pace.period_ns) : static_cast<std::int64_t>(wanted);
    const auto late_before = late;
    const auto& series = vector.numbers.at("values");
    for (std::int64_t i = 0; i < count; ++i) {
      const auto value = static_cast<std::int64_t>(series[static_cast<std::size_t>(taken++) % series.size()]);
      if (value < 0 && pace.agreed) ++late;
      else values.push_back(std::abs(value));
    }
    if (!rounds) return;
    if (!pace.keep(count, late - late_before, values.size())) values.clear();
    std::printf("pace %lld %lld %s\n", static_cast<long long>(pace.period_ns), static_cast<long long>(pace.slack_ns),
                pace.agreed ? "agreed" : "barrier");
  }
};

void decide_samples(const Vector& vector) {
  const bool single = vector.mode == "single";
  sampling::Stopping stopping(vector.whole("budget_ns"), vector.number("precision"),
                              single ? sampling::most_singles : sampling::most_batches, single, vector.number("sample_ns"));
  Source source{vector};
  if (vector.kind == "rounds") source.pace.period_ns = vector.whole("period_ns"), source.pace.slack_ns = vector.whole("slack_ns");
  bool done = false;
  while (!done) {
    print("chunk", static_cast<std::int64_t>(stopping.chunk()));
    const auto before = source.taken;
    source.take(stopping.chunk());
    const auto sample_ns = vector.whole("sample_ns");
    done = stopping.done(source.values, source.taken * sample_ns, (source.taken - before) * sample_ns);
  }
  std::printf("stopped %s\n", stopping.stopped().c_str());
  print("samples", static_cast<std::int64_t>(source.values.size()));
  print("late", source.late);
  print("dropped", static_cast<std::int64_t>(stopping.warmup().dropped));
  std::printf("stationary %s\n", stopping.warmup().stationary ? "yes" : "no");
  const auto first = source.values.begin() + static_cast<std::ptrdiff_t>(stopping.warmup().dropped);
  const auto precision = series::median_precision({first, source.values.end()});
  print("precision_ppm", std::isfinite(precision) ? static_cast<std::int64_t>(std::floor(precision * 1e6 + 0.5)) : -1);
}

}  // namespace

int main(int count, char** words) {
  if (count != 2) return 64;
  const auto vector = read(words[1]);
  if (vector.numbers.contains("trial_factors")) decide_batch_length(vector);
  else if (vector.numbers.contains("stamps")) decide_clock(vector);
  else if (vector.numbers.contains("began_late")) decide_appointments(vector);
  else decide_samples(vector);
}
