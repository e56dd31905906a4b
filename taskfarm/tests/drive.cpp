// Measures a farm of echo workers that connect to it: drive URL WORKERS BYTES WINDOW TASKS [KEY_FILE]
// Prints the address, waits for so many workers, then prints microseconds a task.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "taskfarm.h"

namespace {

void need(int code) {
  if (code == TF_OK) return;
  std::fprintf(stderr, "drive: %s: %s\n", tf_code_name(code), tf_error());
  std::exit(1);
}

// Tasks are submitted in one go and taken in batches; every answer is compared.
double run(tf_farm* farm, std::size_t bytes, std::size_t tasks) {
  const std::string payload(bytes, 'x');
  const std::vector<tf_buffer> all(tasks, {payload.data(), bytes});
  std::vector<tf_result> results(256);
  const auto start = std::chrono::steady_clock::now();
  std::size_t accepted = 0;
  need(tf_submit_many(farm, all.data(), tasks, nullptr, -1, nullptr, &accepted));
  for (std::size_t done = 0; done < tasks;) {
    std::size_t count = 0;
    need(tf_next(farm, results.data(), results.size(), -1, &count));
    for (std::size_t i = 0; i < count; ++i)
      if (results[i].status != TF_DONE || results[i].bytes != bytes || std::memcmp(results[i].data, payload.data(), bytes) != 0)
        std::exit(3);
    done += count;
  }
  const std::chrono::duration<double, std::micro> took = std::chrono::steady_clock::now() - start;
  return took.count() / static_cast<double>(tasks);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 6) return std::fprintf(stderr, "usage: drive URL WORKERS BYTES WINDOW TASKS [KEY_FILE]\n"), 2;
  const auto workers = std::strtoull(argv[2], nullptr, 10);
  const auto bytes = std::strtoull(argv[3], nullptr, 10), tasks = std::strtoull(argv[5], nullptr, 10);
  tf_farm_options options;
  tf_farm_options_init(&options);
  options.window = static_cast<std::uint32_t>(std::atoi(argv[4]));
  options.key_file = argc > 6 ? argv[6] : nullptr;
  tf_farm* farm = nullptr;
  need(tf_listen(argv[1], &options, &farm));
  std::printf("%s\n", tf_url(farm));
  std::fflush(stdout);
  tf_statistics stats{};
  while (stats.workers_idle < workers) {
    tf_result none;
    std::size_t count = 0;
    tf_next(farm, &none, 1, 10, &count);
    need(tf_stats(farm, &stats));
  }
  run(farm, bytes, tasks / 10 + workers);
  std::printf("%.3f\n", run(farm, bytes, tasks));
  tf_close(farm, 1000);
}
