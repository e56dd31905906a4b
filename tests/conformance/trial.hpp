// What the parts of operations.hpp share: a trial, and what it expects of an operation.
#pragma once

#include <algorithm>
#include <cstdio>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "algorithms/collective_args.hpp"
#include "transport.hpp"

namespace conformance {

using namespace msgauge;
using algorithms::CollectiveArgs;
using Bytes = std::vector<unsigned char>;
using Ints = std::vector<int>;

// What all ranks know of one trial, because all draw it from the same dice.
template <Transport T>
class Trial {
 public:
  Trial(T& transport, std::uint64_t seed, int& results)
      : transport_(transport), rank_(transport.rank()), ranks_(transport.size()), dice_(seed), results_(results) {}

  int below(int limit) { return static_cast<int>(dice_() % static_cast<std::uint64_t>(limit)); }
  int size() { return below(4) == 0 ? below(3) : below(2) == 0 ? below(300) : below(30'000); }
  Bytes bytes(std::size_t count) {
    Bytes drawn(count);
    for (auto& one : drawn) one = static_cast<unsigned char>(dice_());
    return drawn;
  }

  // One buffer for every rank.
  std::vector<Bytes> payloads(const Ints& lengths) {
    std::vector<Bytes> drawn;
    for (const int length : lengths) drawn.push_back(bytes(static_cast<std::size_t>(length)));
    return drawn;
  }

  // Runs an operation into a fresh buffer and holds it against what is wanted.
  void expect(const char* name, const Bytes& wanted, const std::function<void(unsigned char*)>& operate) {
    Bytes got(wanted.size() + 8, 0xEE);
    operate(got.data());
    ++results_;
    bool right = std::equal(wanted.begin(), wanted.end(), got.begin());
    for (std::size_t i = wanted.size(); i < got.size(); ++i) right = right && got[i] == 0xEE;
    if (!right && !leaves_out(name)) wrong(name, wanted.size());
  }
  // Whether the operation is known to be wrong in this library.
  bool leaves_out(const std::string& name) const {
    return ("," + left_out_ + ",").find("," + name + ",") != std::string::npos;
  }
  void wrong(const char* name, std::size_t bytes) {
    std::fprintf(stderr, "conformance: %s is wrong on rank %d of %d, %zu bytes%s\n", name, rank_, ranks_, bytes,
                 about_.c_str());
    std::fflush(stderr);
    transport_.abort(3);
  }

  T& transport_;
  int rank_, ranks_;
  std::mt19937_64 dice_;
  int& results_;
  std::string left_out_;
  std::string about_;  // what else there is to say of an operation that is wrong
};

template <Transport T>
CollectiveArgs part_of(const Trial<T>& trial, std::size_t bytes, Bytes& scratch) {
  CollectiveArgs part;
  part.rank = trial.rank_;
  part.ranks = trial.ranks_;
  part.bytes = bytes;
  scratch.assign(algorithms::scratch_bytes(bytes, trial.ranks_), 0xCD);
  part.scratch = scratch.data();
  return part;
}

inline Bytes joined(const std::vector<Bytes>& parts) {
  Bytes whole;
  for (const auto& part : parts) whole.insert(whole.end(), part.begin(), part.end());
  return whole;
}
inline Bytes cut_out(const Bytes& whole, int from, int length) {
  return {whole.begin() + from, whole.begin() + from + length};
}

inline Ints offsets_of(const Ints& counts) {
  Ints offsets;
  int at = 0;
  for (const int count : counts) offsets.push_back(at), at += count;
  return offsets;
}

template <Transport T, class Request>
void finish(T& transport, Request request) {
  if constexpr (HasWait<T>) transport.wait(request);
}

template <Transport T>
using Way = void (*)(T&, const CollectiveArgs&);
template <Transport T>
struct Named {
  const char* name;
  Way<T> perform;
};

}  // namespace conformance
