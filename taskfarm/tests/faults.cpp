// What no test of two healthy processes meets: memory that fails, calls that meet the end of their farm, wrong arguments.
#include <doctest/doctest.h>
#include <openssl/err.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <map>
#include <new>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include <unistd.h>

#include "deadlines.hpp"
#include "scripted_worker.hpp"
#include "taskfarm.h"

using namespace taskfarm;

namespace {

thread_local bool in_library = false;  // only what this thread allocates there fails
thread_local long failures_from = 0, failures_left = 0;

bool fails_now() { return in_library && failures_left > 0 && failures_from-- <= 0 && failures_left-- > 0; }

template <class F>
int in_the_library(F&& call) {
  in_library = true;
  const int code = call();
  in_library = false;
  return code;
}

std::string address(const char* what) { return "unix://@taskfarm-unit-" + std::string(what) + std::to_string(getpid()); }

template <class F>
double milliseconds_of(F&& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

void echo_until_the_end(const std::string& url, const char* key_file) {
  tf_worker_options options;
  tf_worker_options_init(&options);
  options.reconnect_timeout_ms = 3000;
  options.key_file = key_file;
  tf_worker* worker = nullptr;
  if (tf_connect(url.c_str(), &options, &worker) != TF_OK) return;
  tf_task task;
  while (tf_recv(worker, &task, -1) == TF_OK) tf_reply(worker, task.data, task.bytes);
  tf_leave(worker);
}

}  // namespace

void* operator new(std::size_t bytes) {
  void* const found = fails_now() ? nullptr : std::malloc(bytes == 0 ? 1 : bytes);
  if (found == nullptr) throw std::bad_alloc();
  return found;
}
void operator delete(void* place) noexcept { std::free(place); }
void operator delete(void* place, std::size_t) noexcept { std::free(place); }

namespace {

// Batches of tasks through one worker while allocations of the coordinator fail from `nth` on; whether one did.
bool delivers_while_memory_fails(const std::string& url, const tf_farm_options& options, long nth, long failures) {
  tf_farm* farm = nullptr;
  REQUIRE(tf_listen(url.c_str(), &options, &farm) == TF_OK);
  std::thread worker(echo_until_the_end, url, nullptr);
  std::map<std::uint64_t, int> delivered;
  std::uint64_t submitted = 0;
  tf_result results[8];
  failures_from = nth;
  failures_left = failures;
  for (const std::size_t bytes : {8, 3000, 200'000}) {
    const std::string text(bytes, 'x');
    const std::vector<tf_buffer> batch(12, {text.data(), text.size()});
    std::uint64_t first = 0;
    std::size_t accepted = 0;
    const tf_task_options deadline{sizeof deadline, 3'600'000};
    const auto submit = [&] { return tf_submit_many(farm, batch.data(), batch.size(), &deadline, 0, &first, &accepted); };
    while (in_the_library(submit) != TF_OK) CHECK(accepted == 0);
    CHECK(first == submitted + 1);
    submitted += accepted;
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(8);
    while (delivered.size() < submitted && std::chrono::steady_clock::now() < end) {
      std::size_t count = 0;
      in_the_library([&] { return tf_next(farm, results, 8, 10, &count); });
      for (std::size_t i = 0; i < count; ++i) {
        ++delivered[results[i].id];
        CHECK(results[i].status == TF_DONE);
        CHECK(results[i].bytes == bytes);
      }
    }
    CHECK(delivered.size() == submitted);
    if (delivered.size() < submitted) break;
  }
  for (const auto& [id, times] : delivered) CHECK(times == 1);
  const bool fired = failures_left < failures;
  failures_left = 0;
  CHECK(tf_close(farm, 1000) == TF_OK);
  worker.join();
  return fired;
}

}  // namespace

TEST_CASE("whichever allocation of the coordinator fails, no task is lost, doubled or stuck") {
  tf_farm_options options;
  tf_farm_options_init(&options);
  options.max_attempts = 200;
  for (const char* transport : {"?shm=off", ""})
    for (const std::uint32_t ordered : {0U, 1U})
      for (const long failures : {1L, 6L}) {  // after many in a row the worker, which pauses longer each time, gives up
        CAPTURE(transport);
        CAPTURE(failures);
        options.ordered = ordered;
        long nth = 0;
        while (delivers_while_memory_fails(address("memory") + transport, options, nth, failures) && nth < 400) nth += 1 + nth / 8;
        CHECK(nth > 20);
      }
}

// Tasks for one window while an allocation of the coordinator fails, for a worker that takes them and does nothing else; whether
// one did. They come, or the loop lets the connection go: else it would look at that again in each turn, and take all of a core.
bool lets_go_while_memory_fails(const std::string& url, const tf_farm_options& options, long nth) {
  tf_farm* farm = nullptr;
  REQUIRE(tf_listen(url.c_str(), &options, &farm) == TF_OK);
  ScriptedWorker worker(url, Identity{}, false);
  worker.greet();
  tf_statistics seen{};
  std::size_t count = 0;
  tf_result results[8];
  bool came = false;
  const auto take_turn = [&] {
    in_the_library([&] { return tf_next(farm, results, 8, 5, &count); });
    worker.pump([&](const ScriptedWorker::Arrival&) { came = true; });
    REQUIRE(tf_stats(farm, &seen) == TF_OK);
  };
  for (int turns = 0; turns < 500 && seen.workers_idle == 0; ++turns) take_turn();
  REQUIRE(seen.workers_idle == 1);
  const std::string text(1000, 'x');
  const std::vector<tf_buffer> batch(options.window, {text.data(), text.size()});
  failures_from = nth;
  failures_left = 1;
  const auto submit = [&] { return tf_submit_many(farm, batch.data(), batch.size(), nullptr, 0, nullptr, &count); };
  while (in_the_library(submit) != TF_OK) CHECK(count == 0);
  for (int turns = 0; turns < 100 && !came && seen.workers > 0; ++turns) take_turn();
  CHECK((came || seen.workers == 0));
  const bool fired = failures_left == 0;
  failures_left = 0;
  tf_close(farm, 0);
  return fired;
}

// Answers one task while an allocation of its reply fails, and once more where that was said; whether one did.
bool answers_while_memory_fails(tf_worker* worker, long nth, int& code) {
  tf_task task;
  code = tf_recv(worker, &task, 10'000);
  if (code != TF_OK) return false;
  const std::string answer(static_cast<const char*>(task.data), task.bytes);
  failures_from = nth;
  failures_left = 1;
  code = in_the_library([&] { return tf_reply(worker, answer.data(), answer.size()); });
  failures_left = 0;
  if (code != TF_NOMEMORY) return false;
  code = tf_reply(worker, answer.data(), answer.size());
  return true;
}

TEST_CASE("a connection for which memory failed is let go, also where its worker does not come back") {
  tf_farm_options options;
  tf_farm_options_init(&options);
  options.window = 64;
  long nth = options.window;  // the payloads come first
  while (lets_go_while_memory_fails(address("let-go"), options, nth) && nth < 400) ++nth;
  CHECK(nth > options.window);
}

TEST_CASE("a reply that finds no memory can be given again, and takes no other answer with it") {
  const std::string url = address("reply") + "?shm=off";
  tf_farm* farm = nullptr;
  REQUIRE(tf_listen(url.c_str(), nullptr, &farm) == TF_OK);
  const std::string text(5000, 'x');
  const long tasks = 6;
  for (long i = 0; i < tasks; ++i) tf_submit(farm, text.data(), text.size(), nullptr, 0, nullptr);
  int failed = 0, code = TF_OK;
  std::thread answering([&] {
    tf_worker* worker = nullptr;
    if (tf_connect(url.c_str(), nullptr, &worker) != TF_OK) return;
    for (long i = 0; i < tasks && code == TF_OK; ++i) failed += answers_while_memory_fails(worker, i % 3, code);
    tf_task none;
    while (tf_recv(worker, &none, -1) == TF_OK) {}
    tf_leave(worker);
  });
  tf_result result;
  for (long i = 0; i < tasks; ++i) {
    std::size_t count = 0;
    if (tf_next(farm, &result, 1, 10'000, &count) != TF_OK) break;
    CHECK(std::string(static_cast<const char*>(result.data), result.bytes) == text);
  }
  tf_close(farm, 0);
  answering.join();
  CHECK(code == TF_OK);
  CHECK(failed > 0);
}

TEST_CASE("tf_close ends the waits of other threads, and frees the farm when they have left") {
  for (const bool with_worker : {false, true}) {
    const std::string url = address("close");
    tf_farm* farm = nullptr;
    REQUIRE(tf_listen(url.c_str(), nullptr, &farm) == TF_OK);
    std::thread worker;
    if (with_worker) worker = std::thread(echo_until_the_end, url, nullptr);
    tf_submit(farm, "x", 1, nullptr, 0, nullptr);
    int codes[3] = {-100, -100, -100};
    std::vector<std::thread> waiting;
    for (int& code : codes)
      waiting.emplace_back([&code, farm] {
        tf_result result;
        std::size_t count = 0;
        while ((code = tf_next(farm, &result, 1, 60'000, &count)) == TF_OK) {}
      });
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    CHECK(milliseconds_of([&] { tf_close(farm, 0); }) < 5000);
    for (std::thread& thread : waiting) thread.join();
    for (const int code : codes) CHECK(code == TF_CLOSED);
    if (worker.joinable()) worker.join();
  }
}

TEST_CASE("no bytes where there should be some are an error, and say that nothing was accepted") {
  tf_farm* farm = nullptr;
  REQUIRE(tf_listen(address("null").c_str(), nullptr, &farm) == TF_OK);
  std::uint64_t id = 7;
  std::size_t accepted = 7;
  CHECK(tf_submit(farm, nullptr, 8, nullptr, 0, &id) == TF_INVALID);
  CHECK(id == 0);
  const tf_buffer tasks[] = {{"x", 1}, {nullptr, 1}};
  CHECK(tf_submit_many(farm, tasks, 2, nullptr, 0, &id, &accepted) == TF_INVALID);
  CHECK(accepted == 0);
  CHECK(tf_broadcast(farm, "key", nullptr, 8) == TF_INVALID);
  CHECK(tf_submit(farm, nullptr, 0, nullptr, 0, &id) == TF_OK);
  CHECK(id == 1);
  tf_close(farm, 0);
}

TEST_CASE("callers that know fewer or more fields of the statistics get those that both know") {
  tf_farm* farm = nullptr;
  REQUIRE(tf_listen(address("sizes").c_str(), nullptr, &farm) == TF_OK);
  tf_submit(farm, "x", 1, nullptr, 0, nullptr);
  std::vector<std::uint64_t> fields(100, 77);
  CHECK(tf_stats_sized(farm, reinterpret_cast<tf_statistics*>(fields.data()), 8) == TF_OK);
  CHECK(fields[0] == 1);
  CHECK(fields[1] == 77);
  CHECK(tf_stats_sized(farm, reinterpret_cast<tf_statistics*>(fields.data()), 800) == TF_OK);
  CHECK(fields[0] == 1);
  CHECK(fields[99] == 0);
  tf_close(farm, 0);
}

TEST_CASE("options of a size that no version had are refused, be it by the coordinator or by a worker") {
  tf_farm_options options;
  tf_farm_options_init(&options);
  tf_worker_options worker_options;
  tf_worker_options_init(&worker_options);
  tf_farm* farm = nullptr;
  tf_worker* worker = nullptr;
  for (const std::size_t size : {std::size_t{0}, sizeof(std::size_t), sizeof options / 2, sizeof options + 8}) {
    options.size = size;
    CHECK(tf_listen("tcp://127.0.0.1:0", &options, &farm) == TF_INVALID);
  }
  for (const std::size_t size : {std::size_t{4}, sizeof worker_options / 2, sizeof worker_options + 8}) {
    worker_options.size = size;
    CHECK(tf_connect("tcp://127.0.0.1:1", &worker_options, &worker) == TF_INVALID);
  }
  CHECK((farm == nullptr && worker == nullptr));
}

TEST_CASE("deadlines come in order, and those of tasks that ended are not kept") {
  Deadlines deadlines;
  std::mt19937_64 random(5);
  std::map<std::uint64_t, std::int64_t> living;
  std::size_t most = 0;
  for (std::uint64_t id = 1; id <= 100'000; ++id) {
    const auto moment = static_cast<std::int64_t>(random() >> 2);
    deadlines.forget_others(living.size(), [&](std::uint64_t other, std::int64_t at) {
      const auto found = living.find(other);
      return found != living.end() && found->second == at;
    });
    deadlines.add(moment, id);
    living[id] = moment;
    if (living.size() > 500) living.erase(living.begin());
    most = std::max(most, deadlines.size());
  }
  CHECK(most < 3000);
  std::size_t found = 0;
  std::int64_t last = 0;
  for (; deadlines.next_ns() != never; deadlines.pop()) {
    CHECK(deadlines.next_ns() >= last);
    last = deadlines.next_ns();
    found += living.contains(deadlines.next_id());
  }
  CHECK(found == living.size());
}

TEST_CASE("recv keeps its timeout while the coordinator does not read a large answer") {
  const std::string url = address("slow") + "?shm=off";
  tf_farm* farm = nullptr;
  REQUIRE(tf_listen(url.c_str(), nullptr, &farm) == TF_OK);
  tf_submit(farm, "x", 1, nullptr, 0, nullptr);
  bool has_task = false;
  double waited = 0;
  std::thread worker([&] {
    tf_worker* side = nullptr;
    tf_task task;
    if (tf_connect(url.c_str(), nullptr, &side) != TF_OK || tf_recv(side, &task, -1) != TF_OK) return;
    const std::string answer(20'000'000, 'x');
    has_task = true;
    tf_reply(side, answer.data(), answer.size());
    waited = milliseconds_of([&] { CHECK(tf_recv(side, &task, 100) == TF_TIMEOUT); });
    while (tf_recv(side, &task, -1) == TF_OK) {}
    tf_leave(side);
  });
  tf_result result;
  std::size_t count = 0;
  tf_statistics now{};
  while (tf_stats(farm, &now) == TF_OK && now.in_flight == 0) tf_next(farm, &result, 1, 1, &count);
  std::this_thread::sleep_for(std::chrono::milliseconds(1500));
  while (count == 0) tf_next(farm, &result, 1, 100, &count);
  CHECK(result.bytes == 20'000'000);
  tf_close(farm, 1000);
  worker.join();
  CHECK(has_task);
  CHECK(waited >= 90);
  CHECK(waited < 800);
}

TEST_CASE("what others left in OpenSSL's queue of errors ends no connection") {
  const std::string key = "key-of-unit-test." + std::to_string(getpid());
  REQUIRE(tf_make_key(key.c_str()) == TF_OK);
  tf_farm_options options;
  tf_farm_options_init(&options);
  options.key_file = key.c_str();
  tf_farm* farm = nullptr;
  REQUIRE(tf_listen("tcp://127.0.0.1:0?shm=off", &options, &farm) == TF_OK);
  std::thread worker(echo_until_the_end, std::string(tf_url(farm)) + "?shm=off", key.c_str());
  tf_result result;
  tf_statistics now{};
  for (int round = 0; round < 20; ++round) {
    tf_submit(farm, "x", 1, nullptr, 0, nullptr);
    for (std::size_t count = 0; count == 0;) {
      ERR_raise(ERR_LIB_USER, 1);
      REQUIRE(tf_next(farm, &result, 1, 20, &count) >= 0);
    }
  }
  tf_stats(farm, &now);
  CHECK(now.workers_lost + now.refused == 0);
  ERR_clear_error();
  tf_close(farm, 1000);
  worker.join();
  unlink(key.c_str());
}
