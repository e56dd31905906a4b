// One launch from inside: says hello, measures every cell of the plan in order, says what it has used.
#pragma once

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "startup_phases.hpp"
#include "clock_sync.hpp"
#include "costs.hpp"
#include "measure.hpp"
#include "data_path.hpp"
#include "rank_info.hpp"

namespace msgauge {

// One rank's whole part in a launch.
template <Transport T>
class Job {
 public:
  Job(T& transport, const wire::Plan& plan, const std::vector<KernelEntry<T>>& kernels, std::string_view transport_name)
      : transport_(transport), plan_(plan), kernels_(kernels), transport_name_(transport_name), clock_(transport, plan.clock), sync_(transport, clock_) {}

  void perform(const std::string& samples_path) {
    if constexpr (HearsOfLaunch<T>) transport_.begin(plan_.launch);
    if (transport_.rank() == 0) writer_ = std::make_unique<wire::Writer>(samples_path);
    begun_ns_ = monotonic_ns();
    contents_matter(transport_, false);
    begin();
    introduce();
    for (const auto& cell : plan_.cells) attempt(cell);
    report_clocks();
    gather("usage", [&](wire::Header& header) { report_usage(header); });
    describe_data_path();
    if (writer_) writer_->frame(wire::Header(-1, "launch", "end").add("at_ns", monotonic_ns()));
  }

 private:
  // Ranks are processes of this machine, in its time.
  static constexpr bool real = !HasClock<T> && !requires { T::ranks_are_threads; };

  // The launch's first messages, and a core for each rank.
  void begin() {
    if constexpr (!HasClock<T>) {  // the very first messages
      startup_phases_ = gather_startup_times(transport_, clock_, plan_.launch, begun_ns_);
      startup_phases_.first_ns = monotonic_ns();
    }
    if constexpr (real) pin_to_core(transport_.rank(), plan_.launch);
  }

  void describe_data_path() {
    if constexpr (real) {
      const bool in_time = monotonic_ns() - begun_ns_ < plan_.limits.launch_limit_ns / 10 * 9;
      if (transport_.size() < 2 || !all_agree(transport_, in_time, transport_.size())) return;
      gather("data_path", [&](wire::Header& header) {
        header.add("rank", std::int64_t{transport_.rank()});
        data_path::describe_carrier(header, transport_);
        data_path::describe_waiting(header, transport_, usage_of(transport_));
      });
    }
  }

  void introduce() {
    if (writer_) {
      wire::Header hello(-1, "launch", "hello");
      hello.add("rank", std::int64_t{0}).add("size", std::int64_t{transport_.size()}).add("host", host_name());
      hello.add("pid", std::int64_t{getpid()});
      describe_library(hello, transport_);
      hello.add("transport", transport_name_);
      writer_->frame(hello);
      clock_.examine();
      wire::Header clock(-1, "launch", "clock");
      clock.add("clock", clock_.name()).add("cost_ns", clock_.cost_ns()).add("resolution_ns", clock_.resolution_ns());
      clock.add("tsc_ghz", clock_.tsc_ghz());
      writer_->frame(clock);
    }
    gather("rank", [&](wire::Header& header) { describe_rank(header, transport_.rank(), HasClock<T>); });
    begin_clocks();
  }

  // Ranks that read one clock need nothing; those of several learn what lies between them.
  void begin_clocks() {
    std::string identity;
    if constexpr (TellsClock<T>) identity = transport_.clock_identity();
    else identity = boot_identity();
    if (same_everywhere(identity)) return;
    sync_.find_leaders(identity);
    sync_.synchronise();
  }

  // Once more at the end: the longer the time between, the better the drift is known.
  void report_clocks() {
    if (!sync_.needed()) return;
    sync_.synchronise();
    gather("clock_sync", [&](wire::Header& header) { sync_.describe(header); });
    if (launch_cells_.empty()) return;
    const auto error_ns = sync_.error_of_difference(transport_.size(), sync_.error_since(entered_ns));
    const auto first_ns = startup_phases_.first_ns;
    startup_phases_ = gather_startup_times(transport_, clock_, plan_.launch, begun_ns_);
    startup_phases_.first_ns = first_ns;
    for (const auto* cell : launch_cells_) report_startup_phases(*cell, error_ns + plan_.launch.begun_error_ns);
  }

  // One frame a rank, written by rank 0.
  template <class Describe>
  void gather(const char* series, Describe describe) {
    wire::Header own(-1, "launch", series);
    describe(own);
    std::array<char, 1024> text{};
    own.line().copy(text.data(), text.size() - 1);
    if (transport_.rank() != 0) {
      transport_.send(text.data(), text.size(), 0, report_tag);
      return;
    }
    writer_->frame(own);
    for (int rank = 1; rank < transport_.size(); ++rank) {
      transport_.recv(text.data(), text.size(), rank, report_tag);
      writer_->line(text.data());
    }
  }

  bool same_everywhere(const std::string& identity) {
    std::array<char, 256> text{};
    identity.copy(text.data(), text.size() - 1);
    auto first = text;
    algorithms::binomial_bcast(transport_, first.data(), first.size(), 0, transport_.size());
    return all_agree(transport_, first == text, transport_.size());
  }

  void attempt(const Cell& cell) {
    const auto is_meant = [&](const KernelEntry<T>& kernel) { return kernel.facts.name == cell.kernel; };
    const auto found = std::find_if(kernels_.begin(), kernels_.end(), is_meant);
    if (found == kernels_.end()) refuse(cell, "this worker has no kernel " + cell.kernel);
    else attempt_with(cell, *found);
  }

  // Every rank comes to the same answer by itself, so a refusal needs no message.
  std::string unsupported_reason(const Cell& cell, const Facts& facts, const Coverage& coverage) const {
    const int size = transport_.size();
    if (cell.ranks > size)
      return "needs " + std::to_string(cell.ranks) + " ranks, the launch has " + std::to_string(size);
    if (cell.ranks < facts.minimum_ranks)
      return "needs at least " + std::to_string(facts.minimum_ranks) + " ranks";
    if (facts.collective && cell.ranks != size)
      return "a collective takes all " + std::to_string(size) + " ranks of its launch";
    if (auto why = option_mismatch(cell, facts); !why.empty()) return why;
    if (coverage.kind == Coverage::Kind::refused) return std::string(coverage.reason);
    return {};
  }

  void attempt_with(const Cell& cell, const KernelEntry<T>& entry) {
    const Coverage coverage = entry.coverage(cell);
    const auto why = unsupported_reason(cell, entry.facts, coverage);
    if (!why.empty()) refuse(cell, why);
    else if (entry.make) measure(cell, entry, coverage);
    else if (sync_.needed()) launch_cells_.push_back(&cell);  // its hosts' clocks are known best at the end
    else report_startup_phases(cell);
  }

  void measure(const Cell& cell, const KernelEntry<T>& entry, const Coverage& coverage) {
    const auto most = entry.facts.maximum_ranks;
    const int active = most > 0 ? std::min(most, cell.ranks) : cell.ranks;
    sync_.begin_series(!entry.common_clock.empty());
    auto result = take_part(cell, entry, active);
    result.clock_error_ns = sync_.end_series(active);
    if (transport_.rank() == 0) report(cell, coverage, result, entry.common_clock);
  }

  // What rank 0 found out; nothing on the others.
  Result take_part(const Cell& cell, const KernelEntry<T>& entry, int active) {
    Result result;
    if (transport_.rank() >= active) return await_order_sleeping(transport_), result;
    const auto before = Cost::so_far(usage_of(transport_));
    if (transport_.rank() == 0) {
      result = lead(cell, entry, active);
      result.cost = cost_since(before, active);
      give(transport_, Order{}, active, transport_.size());
    } else {
      if (auto part = prepare(cell, entry, active)) part->follow();
      cost_since(before, active);
    }
    return result;
  }

  // Nobody can say what one of many ranks in a thread has cost.
  Cost cost_since(const Cost& before, int active) {
    if constexpr (HasClock<T>) return {};
    else return of_all(transport_, Cost::so_far(usage_of(transport_)).since(before), active);
  }

  // The launch itself was the operation. `clock_error_ns`: where hosts have clocks of their own, else -1.
  void report_startup_phases(const Cell& cell, std::int64_t clock_error_ns = -1) {
    if (!writer_) return;
    const bool told = plan_.launch.begun_ns > 0;
    if (!told) return refuse(cell, "the plan does not say when the launcher was started");
    for (const auto& [series, value] : startup_phases_.phases()) {
      wire::Header header(cell.id, cell.kernel, series);
      header.add("bytes", cell.bytes).add("unit", "ns").add("divisor", std::int64_t{1}).add("status", "ok");
      header.add("ranks", std::int64_t{cell.ranks}).add("mode", "single").add("kind", "launch");
      if (clock_error_ns >= 0) header.add("clock_error_ns", clock_error_ns);
      writer_->frame(header, &value, 1);
    }
  }

  Result lead(const Cell& cell, const KernelEntry<T>& entry, int active) {
    auto part = prepare(cell, entry, active);
    if (part) return part->lead();
    Result result;
    result.status = "error";
    result.reason = out_of_time_ ? "the launch reached its time limit before this cell" : "not enough memory";
    return result;
  }

  // Null on every rank if one of them has no memory for it, or no time is left.
  std::unique_ptr<Measurement<T>> prepare(const Cell& cell, const KernelEntry<T>& entry, int active) {
    std::unique_ptr<Measurement<T>> part;
    if constexpr (HearsOfKernel<T>) transport_.kernel(cell.kernel);
    const bool oversubscribed = !HasClock<T> && active > plan_.launch.cores;  // simulated ranks share no processor
    out_of_time_ = transport_.rank() == 0 && monotonic_ns() - begun_ns_ > plan_.limits.launch_limit_ns / 10 * 9;
    try {
      if (!out_of_time_)
        part = std::make_unique<Measurement<T>>(transport_, clock_, sync_, plan_.limits, cell, entry, active, oversubscribed);
    } catch (const std::bad_alloc&) {
    }
    if (!all_agree(transport_, part != nullptr, active)) part.reset();
    return part;
  }

  void refuse(const Cell& cell, const std::string& why) {
    if (!writer_) return;
    wire::Header header(cell.id, cell.kernel, "time");
    header.add("bytes", cell.bytes).add("status", "refused").add("reason", why);
    writer_->frame(header);
  }

  void report(const Cell& cell, const Coverage& coverage, const Result& result, std::string_view compared) {
    static constexpr const char* caches[] = {"hot", "rotate", "cold"};
    const auto header_of = [&](const std::string& series) {
      wire::Header header(cell.id, cell.kernel, series);
      header.add("bytes", cell.bytes).add("unit", "ns").add("divisor", result.divisor).add("status", result.status);
      if (!result.reason.empty()) header.add("reason", result.reason);
      const bool emulated = coverage.kind == Coverage::Kind::emulated;
      header.add("emulated", emulated ? "yes" : "no");
      if (emulated) header.add("algorithm", coverage.algorithm);
      header.add("mode", result.mode).add("cache", caches[static_cast<int>(cell.cache)]);
      header.add("ranks", std::int64_t{cell.ranks}).add("stationary", result.stationary ? "yes" : "no");
      if (!result.stationary) header.add("level_first", result.level_first).add("level_last", result.level_last);
      header.add("dropped", static_cast<std::int64_t>(result.dropped));
      if (result.points > 1) header.add("points", static_cast<std::int64_t>(result.points));
      if (result.events > 0 && result.cost.wall_ns > 0) describe_cost(header, result.cost, result.events);
      const auto own = series == "warmup" && !result.series.empty() ? result.series[0].first : series;
      if (result.clock_error_ns >= 0 && names(compared, own)) header.add("clock_error_ns", result.clock_error_ns);
      if (!result.stopped.empty()) header.add("stopped", result.stopped);
      if (!result.start.empty()) header.add("start", result.start).add("late", result.late).add("empty_ns", result.empty_ns);
      return header;
    };
    if (result.series.empty()) writer_->frame(header_of("time"));
    for (const auto& [series, values] : result.series) writer_->frame(header_of(series), values.data(), values.size());
    if (!result.warmup.empty()) writer_->frame(header_of("warmup"), result.warmup.data(), result.warmup.size());
  }

  // Where all ranks share one thread nobody can tell them apart: the first answers for all of them.
  void report_usage(wire::Header& header) {
    const bool shared = requires { T::ranks_share_a_thread; };
    if (shared && transport_.rank() != 0) header.add("rank", std::int64_t{transport_.rank()}).add("shared", "yes");
    else describe_usage(header, transport_.rank(), usage_of(transport_));
  }

  static int usage_of(const T&) {
    if constexpr (requires { T::ranks_are_threads; }) return RUSAGE_THREAD;
    return RUSAGE_SELF;
  }

  T& transport_;
  const wire::Plan& plan_;
  const std::vector<KernelEntry<T>>& kernels_;
  std::string_view transport_name_;
  Clock<T> clock_;
  ClockSync<T> sync_;
  std::unique_ptr<wire::Writer> writer_;
  std::int64_t begun_ns_ = 0;
  StartupPhases startup_phases_;
  std::vector<const Cell*> launch_cells_;
  bool out_of_time_ = false;
};

}  // namespace msgauge
