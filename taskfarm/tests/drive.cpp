// Measures a farm of echo workers that connect to it: drive URL WORKERS BYTES WINDOW TASKS [KEY_FILE or -] [DEPTH]
// Prints the address, waits for so many workers, then prints microseconds a task: passed, and of the coordinator's processor.
// DEPTH tasks are outstanding all the time; without it all are submitted at the beginning.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <string>
#include <vector>

#include "taskfarm.h"

namespace {

using Clock = std::chrono::steady_clock;
constexpr auto patience = std::chrono::seconds(100);

void need(int code) {
  if (code == TF_OK) return;
  std::fprintf(stderr, "drive: %s: %s\n", tf_code_name(code), tf_error());
  std::exit(1);
}

double processor_us() {
  timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) * 1e6 + static_cast<double>(t.tv_nsec) / 1e3;
}

struct Cost {
  double passed_us = 0, processor_us = 0;
};

class Load {
 public:
  Load(tf_farm* farm, std::size_t bytes) : farm_(farm), payload_(bytes, 'x'), results_(256) {}

  void submit(std::size_t tasks) {
    if (buffers_.size() < tasks) buffers_.assign(tasks, {payload_.data(), payload_.size()});
    std::size_t accepted = 0;
    need(tf_submit_many(farm_, buffers_.data(), tasks, nullptr, -1, nullptr, &accepted));
    if (accepted != tasks) std::exit(3);
  }

  // So many results, in batches; every answer is compared. As many are submitted anew when the queue is to stay as long.
  void take(std::size_t tasks, bool refill) {
    for (std::size_t done = 0; done < tasks;) {
      std::size_t count = 0;
      need(tf_next(farm_, results_.data(), results_.size(), -1, &count));
      for (std::size_t i = 0; i < count; ++i)
        if (results_[i].status != TF_DONE || results_[i].bytes != payload_.size() ||
            std::memcmp(results_[i].data, payload_.data(), payload_.size()) != 0)
          std::exit(3);
      done += count;
      if (refill) submit(count);
    }
  }

  template <class Work>
  Cost measure(std::size_t tasks, Work&& work) {
    const auto start = Clock::now();
    const double processor = processor_us();
    work();
    const std::chrono::duration<double, std::micro> took = Clock::now() - start;
    const auto n = static_cast<double>(tasks);
    return {took.count() / n, (processor_us() - processor) / n};
  }

 private:
  tf_farm* farm_;
  std::string payload_;
  std::vector<tf_result> results_;
  std::vector<tf_buffer> buffers_;
};

void await_workers(tf_farm* farm, std::size_t workers) {
  const auto give_up = Clock::now() + patience;
  for (;;) {
    tf_result none;
    std::size_t count = 0;
    tf_next(farm, &none, 1, 10, &count);
    tf_statistics stats;
    need(tf_stats(farm, &stats));
    if (stats.workers_idle >= workers) return;
    if (Clock::now() < give_up) continue;
    std::fprintf(stderr, "drive: %llu of %zu workers came in time; half-open %llu, refused %llu\n",
                 static_cast<unsigned long long>(stats.workers_idle), workers,
                 static_cast<unsigned long long>(stats.half_open), static_cast<unsigned long long>(stats.refused));
    std::exit(4);
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 6) return std::fprintf(stderr, "usage: drive URL WORKERS BYTES WINDOW TASKS [KEY_FILE or -] [DEPTH]\n"), 2;
  const auto workers = std::strtoull(argv[2], nullptr, 10);
  const auto bytes = std::strtoull(argv[3], nullptr, 10), tasks = std::strtoull(argv[5], nullptr, 10);
  const auto depth = argc > 7 ? std::strtoull(argv[7], nullptr, 10) : 0;
  tf_farm_options options;
  tf_farm_options_init(&options);
  options.window = static_cast<std::uint32_t>(std::atoi(argv[4]));
  options.key_file = argc > 6 && std::strcmp(argv[6], "-") != 0 ? argv[6] : nullptr;
  tf_farm* farm = nullptr;
  need(tf_listen(argv[1], &options, &farm));
  std::printf("%s\n", tf_url(farm));
  std::fflush(stdout);
  await_workers(farm, workers);
  Load load(farm, bytes);
  const std::size_t warm = tasks / 10 + workers;
  load.submit(depth > 0 ? depth : warm);
  load.take(warm, depth > 0);
  const Cost cost = load.measure(tasks, [&] {
    if (depth == 0) load.submit(tasks);
    load.take(tasks, depth > 0);
  });
  std::printf("%.3f %.3f\n", cost.passed_us, cost.processor_us);
  std::fflush(stdout);
  tf_close(farm, depth > 0 ? 0 : 1000);
}
