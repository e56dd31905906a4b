// One program, both sides: squares URL starts the coordinator, squares URL worker a worker.
#include <cstdio>
#include <string>

#include "taskfarm.hpp"

int main(int argc, char** argv) {
  if (argc > 2) {
    taskfarm::worker worker(argv[1]);
    worker.run([](std::string_view task) { return std::to_string(std::stoll(std::string(task)) * std::stoll(std::string(task))); });
    return 0;
  }
  taskfarm::farm farm(argc > 1 ? argv[1] : "unix://@squares");
  for (int i = 0; i < 100; ++i) farm.submit(std::to_string(i));
  long long sum = 0;
  for (int taken = 0; taken < 100;)
    for (const tf_result& result : farm.next()) {
      sum += std::stoll(std::string(taskfarm::bytes_of(result)));
      ++taken;
    }
  std::printf("sum of squares: %lld\n", sum);
  return farm.close(taskfarm::Milliseconds(1000)) ? 0 : 1;
}
