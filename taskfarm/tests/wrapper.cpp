// What the wrapper for C++ adds to the C interface.
#include <doctest/doctest.h>

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <stdexcept>
#include <string>
#include <thread>

#include "taskfarm.hpp"

using namespace std::chrono_literals;

namespace {

std::string refusal(taskfarm::farm& farm, taskfarm::Milliseconds deadline) {
  try {
    farm.submit("task", 0ms, deadline);
  } catch (const taskfarm::Error& error) {
    CHECK(error.code() == TF_INVALID);
    return error.what();
  }
  return "";
}

template <class Answer>
concept is_an_answer = requires(taskfarm::worker& worker, Answer (*function)(std::string_view)) { worker.run(function); };

static_assert(is_an_answer<std::string> && is_an_answer<const std::string&> && is_an_answer<std::string_view>);
static_assert(is_an_answer<const char*>);
static_assert(!is_an_answer<double> && !is_an_answer<int> && !is_an_answer<char> && !is_an_answer<void>);

}  // namespace

TEST_CASE("a deadline that the C interface cannot hold is refused; the longest it can hold is kept") {
  taskfarm::farm farm("unix://@taskfarm-wrapper-" + std::to_string(getpid()));
  for (const std::int64_t ms : {-1L, 1L << 32, (1L << 32) + 1, INT64_MAX})
    CHECK(refusal(farm, taskfarm::Milliseconds(ms)) ==
          "a deadline of " + std::to_string(ms) + " ms is not within 0 (none) to 4294967295 (49 days)");
  CHECK(refusal(farm, 60 * 24h).find("5184000000 ms") != std::string::npos);
  CHECK(farm.stats().submitted == 0);
  CHECK(farm.submit("task", 0ms, taskfarm::Milliseconds(UINT32_MAX)) == 1);
  CHECK(farm.next(20ms).empty());
  CHECK(farm.stats().queued == 1);
}

TEST_CASE("the longest deadline of the C interface has not passed at once") {
  tf_farm* farm = nullptr;
  REQUIRE(tf_listen(("unix://@taskfarm-longest-" + std::to_string(getpid())).c_str(), nullptr, &farm) == TF_OK);
  const tf_task_options longest{sizeof longest, UINT32_MAX};
  std::uint64_t id = 0;
  CHECK(tf_submit(farm, "x", 1, &longest, 0, &id) == TF_OK);
  tf_result result;
  std::size_t count = 0;
  CHECK(tf_next(farm, &result, 1, 20, &count) == TF_TIMEOUT);
  CHECK(tf_cancel(farm, id, 1) == TF_OK);
  tf_close(farm, 0);
}

TEST_CASE("a key with a zero byte in it is refused, and not taken for a shorter one") {
  taskfarm::farm farm("unix://@taskfarm-zero-" + std::to_string(getpid()));
  try {
    farm.broadcast(std::string("key\0more", 8), "data");
    CHECK(false);
  } catch (const taskfarm::Error& error) {
    CHECK(error.code() == TF_INVALID);
  }
}

TEST_CASE("an answer that is too big, and whatever a function throws, are failures, and the worker goes on") {
  const std::string url = "unix://@taskfarm-too-big-" + std::to_string(getpid());
  taskfarm::farm_options options;
  options.max_frame_bytes = 4096;
  taskfarm::farm farm(url, options);
  int ends = 0;
  std::thread working([&] {
    taskfarm::worker worker(url);
    try {
      worker.run([](std::string_view task) -> std::string {
        if (task == "odd") throw 42;
        if (task == "words") throw std::runtime_error(std::string(5000, 'x'));
        return std::string(task == "big" ? 5000 : 5, 'x');
      });
      ++ends;
    } catch (const taskfarm::Error&) {
    }
  });
  for (const char* task : {"big", "words", "odd", "small"}) farm.submit(task);
  int found[2] = {0, 0};
  while (found[0] + found[1] < 4) {
    const auto results = farm.next(5s);
    if (results.empty()) break;
    for (const tf_result& result : results) ++found[result.status == TF_FAILED];
  }
  CHECK(found[0] == 1);
  CHECK(found[1] == 3);
  CHECK(farm.stats().workers_lost + farm.stats().workers_left == 0);
  farm.close(0ms);
  working.join();
  CHECK(ends == 1);
}

TEST_CASE("many tasks are accepted as far as there is room; those who work are told of; a worker may be moved") {
  const std::string url = "unix://@taskfarm-many-" + std::to_string(getpid());
  taskfarm::farm_options options;
  options.high_water_tasks = 3;
  taskfarm::farm farm(url, options);
  const std::string_view tasks[] = {"a", "bb", "", "dddd"};
  const taskfarm::accepted found = farm.submit_many(tasks, 0ms);
  CHECK(found.first_id == 1);
  CHECK(found.count == 3);
  CHECK(farm.submit_many(tasks, 0ms).count == 0);
  CHECK_THROWS_AS(farm.submit_many(tasks, 0ms, -1ms), taskfarm::Error);
  CHECK(farm.workers().empty());
  std::thread working([&] {
    taskfarm::worker_options called;
    called.name = "one";
    taskfarm::worker worker(url);
    worker = taskfarm::worker(url, called);
    worker.run([](std::string_view task) { return std::to_string(task.size()); });
  });
  std::size_t got = 0;
  while (got < 3) {
    const auto results = farm.next(5s);
    if (results.empty()) break;
    for (const tf_result& result : results) got += taskfarm::bytes_of(result) == std::to_string(tasks[result.id - 1].size());
  }
  CHECK(got == 3);
  const auto at_work = farm.workers();
  CHECK(std::any_of(at_work.begin(), at_work.end(), [](const tf_worker_info& one) { return one.name == std::string("one"); }));
  farm.close(0ms);
  working.join();
}

TEST_CASE("who waits for room in a farm that another thread closes is told so, and not to take results and come again") {
  taskfarm::farm_options options;
  options.high_water_tasks = 1;
  taskfarm::farm farm("unix://@taskfarm-closing-" + std::to_string(getpid()), options);
  CHECK(farm.submit("first") == 1);
  int code = TF_OK;
  std::thread waiting([&] {
    try {
      farm.submit("second");
    } catch (const taskfarm::Error& error) {
      code = error.code();
    }
  });
  std::this_thread::sleep_for(100ms);
  CHECK(!farm.close(0ms));
  waiting.join();
  CHECK(code == TF_CLOSED);
}
