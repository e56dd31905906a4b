// Many more workers than cores: short tasks are done by those that are at work already, and still nobody waits in vain.
#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <future>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include <sys/wait.h>
#include <unistd.h>

#include "clock.hpp"
#include "hello.hpp"
#include "scripted_worker.hpp"
#include "short_tasks.hpp"
#include "taskfarm.h"

using namespace taskfarm;

namespace {

constexpr std::int64_t each_byte_ns = 75 * ns_per_ms;  // of a long task

int work(void*, tf_worker* worker, const tf_task* task) {
  if (task->bytes > 0) std::this_thread::sleep_for(std::chrono::nanoseconds(each_byte_ns) * task->bytes);
  tf_reply(worker, nullptr, 0);
  return 0;
}

// So many workers, each a thread, with so many tasks in flight.
class Crowd {
 public:
  Crowd(const std::string& url, std::size_t count, std::uint32_t window = 1, std::uint32_t heartbeat_ms = 1000) {
    tf_farm_options options;
    tf_farm_options_init(&options);
    options.window = window;
    options.heartbeat_ms = heartbeat_ms;
    REQUIRE(tf_listen(url.c_str(), &options, &farm_) == TF_OK);
    for (std::size_t i = 0; i < count; ++i) threads_.emplace_back([url] {
      tf_worker* worker = nullptr;
      if (tf_connect(url.c_str(), nullptr, &worker) != TF_OK) return;
      tf_run(worker, work, nullptr);
      tf_leave(worker);
    });
    while (statistics().workers_idle < count) take(10);
  }
  ~Crowd() {
    tf_close(farm_, 0);
    for (std::thread& thread : threads_) thread.join();
  }

  void submit(std::size_t tasks, std::size_t bytes) {
    const std::vector<tf_buffer> buffers(tasks, tf_buffer{"long", bytes});
    std::size_t accepted = 0;
    REQUIRE(tf_submit_many(farm_, buffers.data(), tasks, nullptr, 0, nullptr, &accepted) == TF_OK);
  }

  // The workers of the results that came within a call.
  std::vector<std::uint32_t> take(std::int64_t timeout_ms, std::size_t most = 64) {
    tf_result results[64];
    std::size_t count = 0;
    tf_next(farm_, results, std::min<std::size_t>(most, 64), timeout_ms, &count);
    std::vector<std::uint32_t> workers;
    for (std::size_t i = 0; i < count; ++i) workers.push_back(results[i].worker);
    return workers;
  }

  std::vector<std::uint32_t> take_all(std::size_t tasks) {
    std::vector<std::uint32_t> workers;
    while (workers.size() < tasks) {
      const auto more = take(-1, tasks - workers.size());
      workers.insert(workers.end(), more.begin(), more.end());
    }
    return workers;
  }

  // Known for short tasks, a hundred for each worker, it has done as many again; three long ones for each are left.
  void come_to_long_tasks(std::size_t workers) {
    const std::size_t tasks = 100 * workers;
    submit(tasks, 0);
    take_all(tasks);
    submit(tasks, 0);
    submit(3 * workers, 4);
    take_all(tasks);
  }

  tf_statistics statistics() {
    tf_statistics now;
    REQUIRE(tf_stats(farm_, &now) == TF_OK);
    return now;
  }

 private:
  tf_farm* farm_ = nullptr;
  std::vector<std::thread> threads_;
};

// So many workers without a thread of their own, each with one task in flight, which answer when they are told to.
class SilentCrowd {
 public:
  SilentCrowd(const std::string& url, std::size_t count) {
    tf_farm_options options;
    tf_farm_options_init(&options);
    options.window = 1;
    REQUIRE(tf_listen(url.c_str(), &options, &farm_) == TF_OK);
    for (std::size_t i = 0; i < count; ++i) {
      const Identity identity{static_cast<unsigned char>(i >> 8), static_cast<unsigned char>(i)};
      workers_.push_back(std::make_unique<ScriptedWorker>(url, identity, false));
      workers_.back()->greet();
      for (; statistics().workers_idle <= i; take(0, 64)) at_work();
    }
  }
  ~SilentCrowd() { tf_close(farm_, 0); }

  void submit(std::size_t tasks) {
    const std::vector<tf_buffer> buffers(tasks, tf_buffer{});
    std::size_t accepted = 0;
    REQUIRE(tf_submit_many(farm_, buffers.data(), tasks, nullptr, 0, nullptr, &accepted) == TF_OK);
  }

  void take(std::int64_t timeout_ms, std::size_t most) {
    tf_result results[64];
    std::size_t count = 0;
    tf_next(farm_, results, most, timeout_ms, &count);
  }

  // How many hold a task.
  std::size_t at_work() {
    std::size_t count = 0;
    for (const auto& worker : workers_) {
      worker->pump([](auto&&) {});
      count += worker->window().empty() ? 0 : 1;
    }
    return count;
  }

  // Of three tasks for each, ns; a second at most.
  std::int64_t time_to_all_at_work(bool looks) {
    const std::int64_t start = now_ns();
    submit(3 * workers_.size());
    for (; at_work() < workers_.size() && now_ns() - start < 1000 * ns_per_ms; usleep(50))
      if (looks) take(0, 1);
    CHECK(at_work() == workers_.size());
    return now_ns() - start;
  }

  void answer() {
    for (const auto& worker : workers_)
      for (; !worker->window().empty(); worker->window().pop_front())
        worker->put(ScriptedWorker::answer_to(worker->window().front(), FrameType::result, {}));
  }

  void answer_all() {
    for (tf_statistics now = statistics(); now.submitted > now.delivered; now = statistics()) {
      at_work();
      answer();
      take(0, 64);
    }
  }

 private:
  tf_statistics statistics() {
    tf_statistics now;
    REQUIRE(tf_stats(farm_, &now) == TF_OK);
    return now;
  }

  tf_farm* farm_ = nullptr;
  std::vector<std::unique_ptr<ScriptedWorker>> workers_;
};

std::int64_t median(std::vector<std::int64_t> values) {
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2), values.end());
  return values[values.size() / 2];
}

std::size_t more_than_needed() { return 16 * usable_cores() + 20; }

std::vector<std::string> urls() {
  const std::string name = "unix://@taskfarm-few-" + std::to_string(getpid());
  return {name, name + "?shm=off"};
}

std::set<std::uint32_t> distinct(const std::vector<std::uint32_t>& workers, std::size_t from) {
  return {workers.begin() + static_cast<std::ptrdiff_t>(from), workers.end()};
}

}  // namespace

TEST_CASE("the circle of those at work widens with each wait in vain, opens at once, and closes again after a while") {
  Circle circle(2);
  CHECK_FALSE(circle.is_full(31));
  CHECK(circle.is_full(32));
  circle.widen(0);
  CHECK_FALSE(circle.is_full(63));
  CHECK(circle.is_full(64));
  circle.settle(ns_per_ms);
  CHECK_FALSE(circle.is_full(63));
  for (int i = 0; i < 70; ++i) circle.widen(0);
  CHECK_FALSE(circle.is_full(UINT32_MAX));
  circle.settle(1000 * ns_per_ms);
  CHECK(circle.is_full(32));
  circle.open(0);
  CHECK_FALSE(circle.is_full(UINT32_MAX));
}

TEST_CASE("many short tasks are done by few of many workers") {
  for (const std::string& url : urls())
    for (const std::uint32_t window : {1U, 16U}) {
      CAPTURE(url);
      CAPTURE(window);
      const std::size_t workers = more_than_needed(), tasks = 100 * workers * window;
      Crowd crowd(url, workers, window);
      std::size_t at_work = workers;
      for (int round = 0; round < 20 && at_work == workers; ++round) {  // others may take the cores for a while
        crowd.submit(tasks, 0);
        at_work = distinct(crowd.take_all(tasks - 2 * workers * window), tasks / 2).size();
        crowd.take_all(2 * workers * window);  // at the end all get something
      }
      CHECK(at_work < workers);
    }
}

TEST_CASE("long tasks behind many short ones are begun by all workers at once") {
  for (const std::string& url : urls())
    for (const std::uint32_t window : {1U, 16U}) {
      CAPTURE(url);
      CAPTURE(window);
      const std::size_t workers = more_than_needed();
      Crowd crowd(url, workers, window);
      crowd.come_to_long_tasks(workers);
      // Who waits for the first of a few would have the others asleep behind them.
      CHECK(distinct(crowd.take_all(workers), 0).size() == workers);
      crowd.take_all(2 * workers);
    }
}

TEST_CASE("who waits in vain, and goes, leaves no worker without a task") {
  for (const std::string& url : urls()) {
    CAPTURE(url);
    const std::size_t workers = more_than_needed();
    Crowd crowd(url, workers);
    crowd.come_to_long_tasks(workers);
    while (!crowd.take(0).empty()) {}
    CHECK(crowd.statistics().workers_idle == 0);
    crowd.take_all(3 * workers);
  }
}

TEST_CASE("heartbeats of many are no answers of those at work") {
  for (const std::string& url : urls()) {
    CAPTURE(url);
    const std::size_t workers = more_than_needed();
    Crowd crowd(url, workers, 1, 3);
    crowd.come_to_long_tasks(workers);
    CHECK(distinct(crowd.take_all(workers), 0).size() == workers);
    crowd.take_all(2 * workers);
  }
}

TEST_CASE("a caller who takes his time over short tasks has all workers begin the long ones") {
  for (const std::string& url : urls()) {
    CAPTURE(url);
    const std::size_t workers = more_than_needed(), tasks = 100 * workers;
    Crowd crowd(url, workers);
    crowd.submit(tasks, 0);
    crowd.take_all(tasks);
    crowd.submit(4 * workers, 0);
    crowd.submit(2 * workers, 4);
    constexpr std::size_t slowly = 80;  // longer than a long task takes
    for (std::size_t i = 0; i < slowly; ++i) {
      crowd.take_all(1);
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    crowd.take_all(4 * workers - slowly);
    CHECK(distinct(crowd.take_all(workers), 0).size() == workers);
    crowd.take_all(workers);
  }
}

// What the machine takes to have a sleeping thread run again; milliseconds where it is busy with other things.
std::int64_t time_to_wake() {
  std::promise<std::int64_t> called;
  std::int64_t took = 0;
  std::thread sleeper([&, call = called.get_future()]() mutable {
    const std::int64_t at = call.get();
    took = now_ns() - at;
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  called.set_value(now_ns());
  sleeper.join();
  return took;
}

// Whether workers begin as soon beside one who sleeps in the loop as the machine allows: told by a caller who looks after
// them by himself, and by a thread that is woken.
bool are_begun_at_once(SilentCrowd& crowd) {
  std::vector<std::int64_t> beside_one_asleep, alone, woken;
  for (int round = 0; round < 9; ++round) {
    crowd.submit(1);
    std::thread sleeper([&] { crowd.take(-1, 1); });
    std::this_thread::sleep_for(std::chrono::microseconds(120'000 + round * 1'110));  // all phases of those timers
    beside_one_asleep.push_back(crowd.time_to_all_at_work(false));
    crowd.answer();
    sleeper.join();
    crowd.answer_all();
    crowd.submit(1);
    alone.push_back(crowd.time_to_all_at_work(true));
    crowd.answer_all();
    woken.push_back(time_to_wake());
  }
  return median(beside_one_asleep) < 2 * (median(alone) + median(woken)) + ns_per_ms / 2;
}

// Who sleeps in the loop is woken by the coordinator's timers alone, each 10 ms: those workers say nothing by themselves.
// The late ones are late each time, whatever else the machine does.
TEST_CASE("tasks of another thread are begun by all workers at once while one sleeps in tf_next") {
  SilentCrowd crowd(urls().back(), more_than_needed());
  crowd.submit(1);
  crowd.answer_all();  // tasks are known to be short
  bool at_once = false;
  for (int attempt = 0; attempt < 15 && !at_once; ++attempt) at_once = are_begun_at_once(crowd);
  CHECK(at_once);
}

// Nothing but its own write tells the coordinator of the death, and nothing else would wake it soon.
TEST_CASE("a task written to an idle worker that has just died runs elsewhere at once") {
  const std::string url = urls().back();
  tf_farm_options options;
  tf_farm_options_init(&options);
  options.window = 1;
  options.heartbeat_ms = 100'000;
  options.heartbeat_timeout_ms = 400'000;
  tf_farm* farm = nullptr;
  REQUIRE(tf_listen(url.c_str(), &options, &farm) == TF_OK);
  tf_statistics now{};
  tf_result result;
  std::size_t count = 0;
  std::vector<pid_t> workers;
  for (std::size_t joined = 1; joined <= 2; ++joined) {
    workers.push_back(fork());
    if (workers.back() == 0) {
      tf_worker* worker = nullptr;
      if (tf_connect(url.c_str(), nullptr, &worker) == TF_OK) tf_run(worker, work, nullptr);
      _exit(0);
    }
    for (; now.workers_idle < joined; tf_stats(farm, &now)) tf_next(farm, &result, 1, 10, &count);
  }
  kill(workers[0], SIGKILL);
  waitpid(workers[0], nullptr, 0);
  REQUIRE(tf_submit(farm, nullptr, 0, nullptr, 0, nullptr) == TF_OK);
  const std::int64_t start = now_ns();
  CHECK(tf_next(farm, &result, 1, 5000, &count) == TF_OK);
  CHECK(now_ns() - start < 2000 * ns_per_ms);
  tf_close(farm, 0);
  waitpid(workers[1], nullptr, 0);
}
