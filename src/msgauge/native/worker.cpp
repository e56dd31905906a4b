// The program every rank of a launch runs: what is the same whatever is measured. Its kernels are in kernels.cpp, which
// is compiled apart, so that another choice of kernels compiles them alone.
//
// Compile:  MPICXX -std=c++20 -O2 -Wall -Wextra -DMSGAUGE_TRANSPORT=NAME -I GENERATED -I NATIVE
//           NATIVE/worker.cpp NATIVE/kernels.cpp -o W
// NAME is a header of transports/ (an outside stack's own header is found by one more -I whose folder holds
// transports/NAME.hpp). GENERATED holds `kernels.inc`, the list of kernels (kernels.cpp).
//
// Run:      W --plan PLAN --samples SAMPLES | --hello | --facts | --coverage | --clock
//           (in-process transports: --ranks N too)
// Ends with 0; 64 wrong arguments; 65 a plan it cannot carry out; 67 another number of ranks than planned;
//           70 a rank failed; 73 the samples cannot be written.
#include <cstdio>
#include <exception>
#include <optional>
#include <string>

#include "chosen_transport.hpp"
#include "job.hpp"

namespace msgauge {
namespace {

static_assert(tells_the_truth<ChosenTransport>(chosen_transport::capabilities),
              "the transport's line of capabilities names an operation it lacks, or leaves one out");

enum ExitCode { wrong_arguments = 64, wrong_plan = 65, wrong_size = 67, rank_failed = 70, not_written = 73 };

struct Arguments {
  std::string plan, samples;
  bool hello = false, facts = false, coverage = false, clock = false;
};

// Empty when the arguments make no sense. `--ranks N` belongs to in-process transports and is read by them.
std::optional<Arguments> read_arguments(int argc, char** argv) {
  Arguments arguments;
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    const bool more = i + 1 < argc;
    if (word == "--hello") arguments.hello = true;
    else if (word == "--facts") arguments.facts = true;
    else if (word == "--coverage") arguments.coverage = true;
    else if (word == "--clock") arguments.clock = true;
    else if (word == "--plan" && more) arguments.plan = argv[++i];
    else if (word == "--samples" && more) arguments.samples = argv[++i];
    else if (word == "--ranks" && more) ++i;
    else return std::nullopt;
  }
  const bool measures = !arguments.plan.empty() && !arguments.samples.empty();
  const bool half = arguments.plan.empty() != arguments.samples.empty();
  if (half || measures + arguments.hello + arguments.facts + arguments.coverage + arguments.clock != 1) return std::nullopt;
  return arguments;
}

void print_line(const std::string& line) {
  const auto whole = line + "\n";
  std::fwrite(whole.data(), 1, whole.size(), stdout);
  std::fflush(stdout);
}

void print_facts_of(const Facts& facts) {
  wire::Header line(-1, facts.name, "facts");
  line.add("title", facts.title).add("meaning", facts.meaning).add("source", facts.source);
  line.add("minimum_ranks", std::int64_t{facts.minimum_ranks});
  line.add("maximum_ranks", std::int64_t{facts.maximum_ranks});
  line.add("bytes_moved", facts.bytes_moved).add("needs", facts.needs).add("options", facts.options);
  line.add("option_meanings", facts.option_meanings).add("kind", facts.kind);
  line.add("pattern", facts.pattern).add("headline", facts.headline);
  line.add("series_names", facts.series).add("unit", facts.unit);
  line.add("sized", facts.sized ? "yes" : "no").add("collective", facts.collective ? "yes" : "no");
  print_line("msgauge-facts " + line.line());
}

void print_coverage_of(const Facts& facts, const Coverage& coverage) {
  wire::Header line(-1, facts.name, "coverage");
  line.add("transport", chosen_name).add("how", word(coverage.kind));
  if (!coverage.algorithm.empty()) line.add("algorithm", coverage.algorithm);
  if (!coverage.reason.empty()) line.add("reason", coverage.reason);
  print_line("msgauge-coverage " + line.line());
}

// What this host's clock says, each time that somebody asks by a line.
void tell_clock() {
  for (int letter; (letter = std::getchar()) != EOF;)
    if (letter == '\n') print_line(std::to_string(monotonic_ns()));
}

// One line a rank, after a message has gone round all of them.
int say_hello(ChosenTransport& transport) {
  algorithms::dissemination_barrier(transport, transport.size());
  wire::Header line(-1, "launch", "hello");
  line.add("size", std::int64_t{transport.size()});
  describe_library(line, transport);
  line.add("transport", chosen_name);
  describe_rank(line, transport.rank());
  print_line("msgauge-hello " + line.line());
  return 0;
}

int measure(ChosenTransport& transport, const wire::Plan& plan, const std::string& samples) {
  if (transport.size() != plan.launch.ranks) {
    std::fprintf(stderr,
                 "msgauge: rank %d finds itself in a job of %d, but %d ranks were planned; "
                 "the launcher and the library it was compiled with may be of different stacks\n",
                 transport.rank(), transport.size(), plan.launch.ranks);
    return wrong_size;
  }
  Job<ChosenTransport>(transport, plan, linked_kernels(), chosen_name).perform(samples);
  return 0;
}

// A rank that fails takes the whole job with it, so that nobody waits for it for ever.
template <class Do>
int guarded(ChosenTransport& transport, Do action) {
  try {
    return action();
  } catch (const wire::WriteError& failure) {
    std::fprintf(stderr, "msgauge: %s\n", failure.what());
    transport.abort(not_written);
  } catch (const std::exception& failure) {
    std::fprintf(stderr, "msgauge: rank %d failed: %s\n", transport.rank(), failure.what());
    transport.abort(rank_failed);
  }
}

int run(int argc, char** argv) {
  const auto arguments = read_arguments(argc, argv);
  if (!arguments) {
    std::fprintf(stderr, "usage: worker --plan PLAN --samples SAMPLES | --hello | --facts | --coverage | --clock  [--ranks N]\n");
    return wrong_arguments;
  }
  if (arguments->facts || arguments->coverage) {
    for (const auto& kernel : linked_kernels()) {
      if (arguments->facts) print_facts_of(kernel.facts);
      else print_coverage_of(kernel.facts, kernel.coverage(Cell{}));
    }
    return 0;
  }
  if (arguments->clock) return tell_clock(), 0;
  wire::Plan plan;
  if (!arguments->hello) plan = wire::read_plan(arguments->plan);
  return chosen_transport::launch(argc, argv, [&](ChosenTransport& transport) {
    return guarded(transport, [&] {
      return arguments->hello ? say_hello(transport) : measure(transport, plan, arguments->samples);
    });
  });
}

}  // namespace
}  // namespace msgauge

int main(int argc, char** argv) {
  try {
    return msgauge::run(argc, argv);
  } catch (const msgauge::wire::PlanError& mistake) {
    std::fprintf(stderr, "msgauge: the plan cannot be carried out: %s\n", mistake.what());
    return msgauge::wrong_plan;
  } catch (const std::exception& failure) {
    std::fprintf(stderr, "msgauge: %s\n", failure.what());
    return msgauge::rank_failed;
  }
}
