// What the wrapper for C++ adds to the C interface.
#include <doctest/doctest.h>

#include <unistd.h>

#include <chrono>
#include <string>

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
