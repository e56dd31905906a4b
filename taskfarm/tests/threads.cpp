// Calls of several threads on one farm, and its end beside them.
#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <ctime>
#include <string>
#include <thread>
#include <vector>

#include <poll.h>
#include <sys/resource.h>
#include <unistd.h>

#include "taskfarm.h"

namespace {

std::string address(const char* what) { return "unix://@taskfarm-threads-" + std::string(what) + std::to_string(getpid()); }

// With options as `choose` leaves them.
template <class F>
tf_farm* farm_at(const std::string& url, F choose) {
  tf_farm_options options;
  tf_farm_options_init(&options);
  choose(options);
  tf_farm* farm = nullptr;
  REQUIRE(tf_listen(url.c_str(), &options, &farm) == TF_OK);
  return farm;
}

// Answers with what `answer` makes of the task, which may take its time.
template <class F>
std::thread worker_at(const std::string& url, F answer) {
  return std::thread([url, answer] {
    tf_worker* worker = nullptr;
    if (tf_connect(url.c_str(), nullptr, &worker) != TF_OK) return;
    tf_task task;
    while (tf_recv(worker, &task, -1) == TF_OK) {
      const std::string text = answer(std::string(static_cast<const char*>(task.data), task.bytes));
      tf_reply(worker, text.data(), text.size());
    }
    tf_leave(worker);
  });
}

std::string after_half_a_second(const std::string& text) {
  if (text == "slow") std::this_thread::sleep_for(std::chrono::milliseconds(500));
  return text;
}

double processor_ms_of_this_thread() {
  timespec used;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
  return 1e3 * static_cast<double>(used.tv_sec) + 1e-6 * static_cast<double>(used.tv_nsec);
}

// Runs the loop until results are ready, and takes none: the mark is reached, and a submission waits for room.
void run_until_ready(tf_farm* farm, std::uint64_t count) {
  tf_statistics now{};
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(10);
  while (tf_stats(farm, &now) == TF_OK && now.ready < count && std::chrono::steady_clock::now() < end)
    tf_submit(farm, "at the mark", 11, nullptr, 20, nullptr);
  REQUIRE(now.ready == count);
}

}  // namespace

TEST_CASE("a thread that waits for results without end learns that another one has taken the last") {
  const std::string url = address("idle");
  tf_farm* farm = nullptr;
  REQUIRE(tf_listen(url.c_str(), nullptr, &farm) == TF_OK);
  tf_submit(farm, "slow", 4, nullptr, 0, nullptr);
  std::atomic<int> ended{0}, codes[2] = {-100, -100};
  std::vector<std::thread> taking;
  for (std::atomic<int>& code : codes)
    taking.emplace_back([&] {
      tf_result result;
      std::size_t count = 0;
      code = tf_next(farm, &result, 1, -1, &count);
      ++ended;
    });
  std::thread worker = worker_at(url, after_half_a_second);
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(5);
  while (ended < 2 && std::chrono::steady_clock::now() < end) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  CHECK(ended == 2);
  tf_close(farm, 0);
  for (std::thread& thread : taking) thread.join();
  CHECK(codes[0] + codes[1] == TF_OK + TF_IDLE);
  worker.join();
}

TEST_CASE("a submission that waits for room while the farm is closed is not accepted") {
  const std::string url = address("room");
  tf_farm* const farm = farm_at(url, [](tf_farm_options& options) { options.high_water_tasks = 2; });
  std::thread worker = worker_at(url, after_half_a_second);
  tf_submit(farm, "quick", 5, nullptr, 0, nullptr);
  tf_result result;
  std::size_t count = 0;
  REQUIRE(tf_next(farm, &result, 1, 5000, &count) == TF_OK);  // it has its place until the next call, or the end
  tf_submit(farm, "slow", 4, nullptr, 0, nullptr);
  std::uint64_t id = 7;
  int code = -100;
  std::thread submitting([&] { code = tf_submit(farm, "one more", 8, nullptr, -1, &id); });
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  tf_close(farm, 0);
  submitting.join();
  CHECK(code == TF_CLOSED);
  CHECK(id == 0);
  worker.join();
}

TEST_CASE("a submission that waits for room goes on as soon as another thread has made some") {
  const std::string url = address("made") + "?shm=off";  // by rings the loop wakes each 100 ms
  tf_farm* const farm = farm_at(url, [](tf_farm_options& options) { options.high_water_tasks = 2; });
  tf_submit(farm, "quick", 5, nullptr, 0, nullptr);
  tf_submit(farm, "slow", 4, nullptr, 0, nullptr);
  using Clock = std::chrono::steady_clock;
  Clock::time_point made, had;
  std::thread submitting([&] {
    CHECK(tf_submit(farm, "one more", 8, nullptr, -1, nullptr) == TF_OK);
    had = Clock::now();
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(100));  // now that thread is in the loop
  std::thread worker;
  std::thread later([&] {  // a result that came before somebody waits for it would end the other wait: TF_AGAIN
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    worker = worker_at(url, after_half_a_second);
  });
  tf_result result;
  std::size_t count = 0;
  CHECK(tf_next(farm, &result, 1, 5000, &count) == TF_OK);
  made = Clock::now();
  tf_next(farm, &result, 1, 300, &count);  // the first result is not needed any more; the slow task's is not there yet
  submitting.join();
  CHECK(had - made < std::chrono::milliseconds(60));  // else the next sign of life of the worker woke it
  later.join();
  tf_close(farm, 0);
  worker.join();
}

TEST_CASE("a submission waits for room while another thread takes results, also between two of its calls") {
  const std::string url = address("taker");
  tf_farm* const farm = farm_at(url, [](tf_farm_options& options) { options.high_water_tasks = 4; });
  std::thread worker = worker_at(url, [](const std::string& text) { return text; });
  constexpr int tasks = 300;
  std::atomic<int> got{0}, again{0};
  std::thread taking([&] {
    while (got < tasks) {
      tf_result result;
      std::size_t count = 0;
      tf_next(farm, &result, 1, 1000, &count);
      got += static_cast<int>(count);
      std::this_thread::sleep_for(std::chrono::milliseconds(1));  // with a result that it uses
    }
  });
  for (int i = 0; i < tasks;) tf_submit(farm, "task", 4, nullptr, 5000, nullptr) == TF_OK ? ++i : ++again;
  taking.join();
  CHECK(again == 0);
  while (tf_submit(farm, "task", 4, nullptr, 0, nullptr) == TF_OK) {}
  const auto begun = std::chrono::steady_clock::now();
  CHECK(tf_submit(farm, "more", 4, nullptr, -1, nullptr) == TF_AGAIN);  // that thread has ended
  CHECK(std::chrono::steady_clock::now() - begun < std::chrono::seconds(3));
  tf_close(farm, 0);
  worker.join();
}

namespace {

void await_idle(tf_farm* farm, std::uint32_t workers) {
  tf_statistics s{};
  tf_result none;
  std::size_t count = 0;
  while (tf_stats(farm, &s) == TF_OK && s.workers_idle < workers) tf_next(farm, &none, 1, 5, &count);
}

// From the submit of a task whose worker is stuck, while another thread waits for results, to the result of its re-run.
double seconds_to_rerun() {
  const std::string url = address("late");
  tf_farm* farm = farm_at(url, [](tf_farm_options& o) { o.straggler_factor = 2, o.heartbeat_timeout_ms = 20'000; });
  std::atomic<int> stuck{0};
  const auto answer = [&](const std::string& text) {
    if (text == "stuck" && stuck++ == 0) std::this_thread::sleep_for(std::chrono::seconds(2));
    return text;
  };
  std::thread workers[] = {worker_at(url, answer), worker_at(url, answer)};
  await_idle(farm, 2);
  tf_result result;
  std::size_t count = 0;
  for (int i = 0; i < 5; ++i) {
    tf_submit(farm, "quick", 5, nullptr, 0, nullptr);
    REQUIRE(tf_next(farm, &result, 1, 5000, &count) == TF_OK);
  }
  std::thread waiting([&] { tf_next(farm, &result, 1, 5000, &count); });
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  const auto begun = std::chrono::steady_clock::now();
  tf_submit(farm, "stuck", 5, nullptr, 0, nullptr);
  waiting.join();
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begun;
  CHECK(count == 1);
  tf_close(farm, 3000);
  for (std::thread& worker : workers) worker.join();
  return took.count();
}

}  // namespace

TEST_CASE("a re-run comes in time when another thread submits while one waits for results, and not before") {
  double fastest = seconds_to_rerun();  // of three at most, for other work may hold one up
  for (int i = 1; i < 3 && fastest >= 0.09; ++i) fastest = std::min(fastest, seconds_to_rerun());
  CHECK(fastest < 0.09);  // looked for each 10 ms; before, the loop slept for 100 now and then
  CHECK(fastest > 0.002);  // the wait before it was once taken for time of the task, which was run again at once
}

TEST_CASE("what passes between two calls is no part of the way of a task") {
  for (const char* way : {"", "?shm=off"}) {
    const std::string url = address("pause") + way;
    tf_farm* farm = farm_at(url, [](tf_farm_options&) {});
    std::thread worker = worker_at(url, [](const std::string& text) { return text; });
    tf_result result;
    std::size_t count = 0;
    for (int i = 0; i < 20; ++i) {
      tf_submit(farm, "quick", 5, nullptr, 0, nullptr);
      REQUIRE(tf_next(farm, &result, 1, 5000, &count) == TF_OK);
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    tf_worker_info one{};
    REQUIRE(tf_workers(farm, &one, 1, &count) == TF_OK);
    CHECK(one.round_trip_us < 10'000);  // it was 20,000
    tf_close(farm, 1000);
    worker.join();
  }
}

TEST_CASE("a task has taken its time whenever its result is looked at") {
  for (const char* way : {"", "?shm=off"}) {
    const std::string url = address("looked") + way;
    tf_farm* farm = farm_at(url, [](tf_farm_options& o) { o.straggler_factor = 15; });
    const auto answer = [](const std::string& text) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
      return text;
    };
    std::thread workers[] = {worker_at(url, answer), worker_at(url, answer)};
    await_idle(farm, 2);
    tf_result result;
    std::size_t count = 0;
    for (int i = 0; i < 25; ++i) {
      tf_submit(farm, "usual", 5, nullptr, 0, nullptr);
      std::this_thread::sleep_for(std::chrono::milliseconds(15));
      REQUIRE(tf_next(farm, &result, 1, 5000, &count) == TF_OK);
    }
    tf_submit(farm, "usual", 5, nullptr, 0, nullptr);  // and waited for: one in its usual time is not late
    REQUIRE(tf_next(farm, &result, 1, 5000, &count) == TF_OK);
    tf_worker_info two[2]{};
    REQUIRE(tf_workers(farm, two, 2, &count) == TF_OK);
    CHECK(std::max(two[0].service_us, two[1].service_us) > 9'000);  // it was 0.1 and more, by shared memory
    tf_statistics s{};
    REQUIRE(tf_stats(farm, &s) == TF_OK);
    CHECK(s.reruns == 0);
    tf_close(farm, 1000);
    for (std::thread& worker : workers) worker.join();
  }
}

TEST_CASE("a thread that spins for results on request keeps no other thread from its calls") {
  const std::string url = address("request");
  tf_farm* const farm = farm_at(url, [](tf_farm_options& options) { options.spin_us = 1'000'000; });
  tf_submit(farm, "slow", 4, nullptr, 0, nullptr);
  std::thread worker = worker_at(url, after_half_a_second);
  std::thread taking([&] {
    tf_result result;
    std::size_t count = 0;
    CHECK(tf_next(farm, &result, 1, 5000, &count) == TF_OK);
  });
  using Clock = std::chrono::steady_clock;
  const Clock::time_point end = Clock::now() + std::chrono::milliseconds(400);
  Clock::duration longest{};
  while (Clock::now() < end) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    const Clock::time_point begun = Clock::now();
    tf_statistics now;
    CHECK(tf_stats(farm, &now) == TF_OK);
    longest = std::max(longest, Clock::now() - begun);
  }
  CHECK(longest < std::chrono::milliseconds(200));
  taking.join();
  tf_close(farm, 0);
  worker.join();
}

TEST_CASE("an end that waits for tasks takes no processor time while results lie there that nobody takes") {
  const std::string url = address("spin");
  tf_farm* const farm = farm_at(url, [](tf_farm_options& options) { options.high_water_tasks = 2; });
  tf_submit(farm, "quick", 5, nullptr, 0, nullptr);
  tf_submit(farm, "slow", 4, nullptr, 0, nullptr);
  std::thread worker = worker_at(url, after_half_a_second);
  run_until_ready(farm, 1);
  const double before = processor_ms_of_this_thread();
  CHECK(tf_close(farm, 10'000) == TF_TIMEOUT);  // results were left
  CHECK(processor_ms_of_this_thread() - before < 100);
  worker.join();
}

TEST_CASE("an end does not wait for tasks that wait until results are taken") {
  const std::string url = address("full");
  tf_farm* const farm = farm_at(url, [](tf_farm_options& options) {
    options.high_water_bytes = 1000;
    options.high_water_tasks = 10;
  });
  std::thread worker = worker_at(url, [](const std::string&) { return std::string(2000, 'x'); });
  for (int i = 0; i < 10; ++i) tf_submit(farm, "task", 4, nullptr, 0, nullptr);
  run_until_ready(farm, 1);
  const auto begun = std::chrono::steady_clock::now();
  CHECK(tf_close(farm, 5000) == TF_TIMEOUT);  // with -1 it was without end
  CHECK(std::chrono::steady_clock::now() - begun < std::chrono::seconds(3));
  worker.join();
}

TEST_CASE("a descriptor to poll that could not be had is whole the next time") {
  tf_farm* farm = nullptr;
  REQUIRE(tf_listen(address("poll").c_str(), nullptr, &farm) == TF_OK);
  rlimit limit, low;
  REQUIRE(getrlimit(RLIMIT_NOFILE, &limit) == 0);
  const int next = dup(0);
  close(next);
  low = {static_cast<rlim_t>(next), limit.rlim_max};
  REQUIRE(setrlimit(RLIMIT_NOFILE, &low) == 0);
  CHECK(tf_fd(farm) == TF_SYSTEM);
  setrlimit(RLIMIT_NOFILE, &limit);
  pollfd wait{tf_fd(farm), POLLIN, 0};
  REQUIRE(wait.fd >= 0);
  const tf_task_options deadline{sizeof deadline, 100};
  tf_submit(farm, "late", 4, &deadline, 0, nullptr);
  tf_result result;
  std::size_t count = 0;
  for (int turns = 0; turns < 20 && count == 0; ++turns) {  // as who sleeps until there is something to do
    if (poll(&wait, 1, 500) == 0) break;
    tf_next(farm, &result, 1, 0, &count);
  }
  CHECK(count == 1);
  tf_close(farm, 0);
}

TEST_CASE("who polls hears of the room that the next tf_next makes, though nothing else comes") {
  tf_farm_options options;
  tf_farm_options_init(&options);
  options.high_water_tasks = 1;
  tf_farm* farm = nullptr;
  REQUIRE(tf_listen(address("room").c_str(), &options, &farm) == TF_OK);
  pollfd wait{tf_fd(farm), POLLIN, 0};
  int heard = 0;
  for (int round = 0; round < 20; ++round) {  // each 50 ms it is readable by itself: not in each round
    std::uint64_t id = 0;
    REQUIRE(tf_submit(farm, "task", 4, nullptr, 0, &id) == TF_OK);
    REQUIRE(tf_cancel(farm, id, 1) == TF_OK);
    std::this_thread::sleep_for(std::chrono::milliseconds(2));  // then tf_next turns the loop, which had been woken
    tf_result result;
    std::size_t count = 0;
    REQUIRE(tf_next(farm, &result, 1, 0, &count) == TF_OK);
    REQUIRE(tf_submit(farm, "more", 4, nullptr, 0, nullptr) == TF_AGAIN);
    heard += poll(&wait, 1, 0);
    REQUIRE(tf_next(farm, &result, 1, 0, &count) == TF_TIMEOUT);
  }
  CHECK(heard == 20);
  tf_close(farm, 0);
}
