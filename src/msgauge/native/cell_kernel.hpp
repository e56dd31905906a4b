// The kernel of one cell on one rank, as those see it who lead the measuring. Behind virtual functions lie whole orders,
// never single operations: the loops between clock reads are compiled with the kernel's once() in them, and all else is
// compiled once a transport instead of once a kernel.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "clock.hpp"
#include "coordination.hpp"
#include "facts.hpp"
#include "rounds.hpp"
#include "self_timed.hpp"
#include "transport.hpp"

namespace msgauge {

using Series = std::vector<std::pair<std::string, std::vector<std::int64_t>>>;

template <Transport T>
class CellKernel {
 public:
  virtual ~CellKernel() = default;

  // Messages or operations in one once().
  virtual std::int64_t events() const = 0;
  // It stamps its own times (self_timed.hpp).
  virtual bool is_self_timed() const = 0;
  // It can do arithmetic between start and completion of its operation.
  virtual bool overlaps() const = 0;
  // The very first operations are wanted: those that find connections and buffers as the launch left them.
  virtual bool keeps_transient() const = 0;
  // How many values of each series one operation gives.
  virtual std::size_t points() const = 0;
  // Which of its own series is compared.
  virtual std::size_t compared() const = 0;
  // What it counted beside its times.
  virtual Series extra_series() = 0;

  // What stands over all its operations (posted receives, requests made once) begins and ends here.
  virtual void open() = 0;
  virtual void close() = 0;

  // One untimed operation on bytes that are known. False: this rank saw wrong ones.
  virtual bool check(int iteration, SelfTimedSeries& series) = 0;

  // Point to point. Rank 0 writes count + 1 stamps, one before and one after each batch.
  virtual void run_batches(const Order& order, std::int64_t* stamps) = 0;
  // Each operation meets memory that is in no cache; evicting and meeting again are not timed. Rank 0: stamps in pairs.
  virtual void run_cold(std::int64_t count, std::int64_t* stamps) = 0;
  // Collectives.
  virtual void run_rounds(const Order& order, Rounds& rounds) = 0;
  virtual void run_self_timed(const Order& order, SelfTimedSeries& series) = 0;
};

// `collective`: its operations are measured as rounds.
template <Transport T, class K, bool collective>
class CellKernelOf final : public CellKernel<T> {
 public:
  CellKernelOf(T& transport, Clock<T>& clock, const Cell& cell, int ranks)
      : transport_(transport), clock_(clock), ranks_(ranks), kernel_(transport, cell) {}

  std::int64_t events() const override { return kernel_.events; }
  bool is_self_timed() const override { return SelfTimed<K>; }
  bool overlaps() const override { return overlaps_of<K>(); }

  bool keeps_transient() const override {
    if constexpr (requires { kernel_.keeps_transient(); }) return kernel_.keeps_transient();
    return false;
  }

  std::size_t points() const override {
    if constexpr (requires { kernel_.points(); }) return static_cast<std::size_t>(kernel_.points());
    return 1;
  }

  std::size_t compared() const override {
    if constexpr (requires { kernel_.compared(); }) return kernel_.compared();
    return 0;
  }

  Series extra_series() override {
    if constexpr (requires { kernel_.extra_series(); }) return kernel_.extra_series();
    return {};
  }

  void open() override {
    if constexpr (requires { kernel_.open(); }) {
      kernel_.open();
      algorithms::dissemination_barrier(transport_, ranks_);
    }
  }

  void close() override {
    if constexpr (requires { kernel_.close(); }) kernel_.close();
  }

  bool check(int iteration, [[maybe_unused]] SelfTimedSeries& series) override {
    kernel_.prepare(iteration);
    if constexpr (requires { kernel_.read_clock(clock_.line()); }) kernel_.read_clock(clock_.line());
    algorithms::dissemination_barrier(transport_, ranks_);
    if constexpr (SelfTimed<K>) series.once(clock_, kernel_);
    else kernel_.once();
    return kernel_.verify(iteration);
  }

  void run_batches([[maybe_unused]] const Order& order, [[maybe_unused]] std::int64_t* stamps) override {
    if constexpr (stamped_by_root) {
      for (std::int64_t left = order.lead_in; left > 0; --left) kernel_.once();
      if (transport_.rank() != 0) {
        for (std::int64_t left = order.count * order.operations; left > 0; --left) kernel_.once();
        return;
      }
      *stamps = clock_.read();
      for (std::int64_t batch = 0; batch < order.count; ++batch) {
        for (std::int64_t left = order.operations; left > 0; --left) kernel_.once();
        *++stamps = clock_.read();
      }
    }
  }

  void run_cold([[maybe_unused]] std::int64_t count, [[maybe_unused]] std::int64_t* stamps) override {
    if constexpr (stamped_by_root) {
      for (std::int64_t i = 0; i < count; ++i) {
        kernel_.evict();
        algorithms::dissemination_barrier(transport_, ranks_);
        const auto before = clock_.read();
        kernel_.once();
        const auto after = clock_.read();
        if (transport_.rank() == 0) {
          stamps[2 * i] = before;
          stamps[2 * i + 1] = after;
        }
      }
    }
  }

  void run_rounds([[maybe_unused]] const Order& order, [[maybe_unused]] Rounds& rounds) override {
    if constexpr (collective && !SelfTimed<K>) rounds.run(transport_, clock_, kernel_, order, ranks_);
  }

  void run_self_timed([[maybe_unused]] const Order& order, [[maybe_unused]] SelfTimedSeries& series) override {
    if constexpr (SelfTimed<K>) series.run(transport_, clock_, kernel_, order, ranks_);
  }

 private:
  static constexpr bool stamped_by_root = !collective && !SelfTimed<K>;

  T& transport_;
  Clock<T>& clock_;
  int ranks_;
  K kernel_;
};

// A kernel of the worker before it has a cell. `make` is null where the launch itself is what is measured.
template <Transport T>
struct KernelEntry {
  const Facts& facts;
  Coverage (*coverage)(const Cell&);
  std::unique_ptr<CellKernel<T>> (*make)(T&, Clock<T>&, const Cell&, int ranks);
  std::string_view common_clock;  // the series that compare times of ranks
};

template <Transport T, const Facts& facts, class K>
KernelEntry<T> entry_of() {
  constexpr auto coverage = [](const Cell& cell) -> Coverage { return K::coverage(cell); };
  if constexpr (requires { K::measured_by_launch; }) {
    return {facts, coverage, nullptr, ""};
  } else {
    constexpr auto make = [](T& transport, Clock<T>& clock, const Cell& cell, int ranks) -> std::unique_ptr<CellKernel<T>> {
      return std::make_unique<CellKernelOf<T, K, facts.collective>>(transport, clock, cell, ranks);
    };
    return {facts, coverage, make, common_clock_of<K>(facts.collective)};
  }
}

}  // namespace msgauge
