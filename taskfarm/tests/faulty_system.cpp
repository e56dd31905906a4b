// A farm and its workers on a system whose calls fail now and then:
// faulty_system URL TASKS SEED HARMLESS COSTLY MEMORY [JOURNAL [KEY_FILE]]
// One in HARMLESS calls is short, interrupted or in vain, one in COSTLY fails, and so does one in MEMORY allocations within a
// call of the library; 0: none. Prints one JSON line; ends with 1 when a task was lost, doubled, wrong or stuck, when a call of
// the interface did neither what it should nor say why, or descriptors are left. With TASKFARM_PLANTED=1 a task is
// cancelled, which must be seen as a wrong end. TASKFARM_HEARTBEAT_MS: of the farm, for who looks at what waits for one.
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <map>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "failing_calls.hpp"
#include "taskfarm.h"

namespace {

using failing_calls::calling;
using Clock = std::chrono::steady_clock;
constexpr std::size_t outstanding_at_most = 300;
constexpr auto patience = std::chrono::seconds(20);  // without any result

struct Tally {
  std::size_t done = 0, doubled = 0, wrong = 0, refused = 0, errors = 0;
  bool stuck = false;
  Clock::duration longest{};  // without a result
};

std::atomic<bool> over{false};
std::atomic<long> connections{0};

std::string task_of(std::uint64_t number) {
  const std::size_t bytes = number % 50 == 0 ? 150'000 : number % 7 == 0 ? 5000 : 8 + number % 60;
  std::string task(bytes, static_cast<char>('a' + number % 26));
  std::memcpy(task.data(), &number, sizeof number);
  return task;
}

std::string answer_to(std::string_view task) {
  std::string answer(task);
  for (char& c : answer) c = static_cast<char>(c + 1);
  return answer;
}

// Comes back as another worker where it has to end.
void work(const std::string& url, const char* key_file) {
  tf_worker_options options;
  tf_worker_options_init(&options);
  options.key_file = key_file;
  options.connect_timeout_ms = options.reconnect_timeout_ms = 500;
  while (!over) {
    tf_worker* worker = nullptr;
    if (calling([&] { return tf_connect(url.c_str(), &options, &worker); }) != TF_OK) {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
      continue;
    }
    ++connections;
    tf_task task;
    int code = TF_OK;
    while (!over && (code == TF_OK || code == TF_TIMEOUT)) {
      code = calling([&] { return tf_recv(worker, &task, task.id % 3 == 0 ? 100 : -1); });
      if (code != TF_OK) continue;
      const std::string answer = answer_to({static_cast<const char*>(task.data), task.bytes});
      const auto reply = [&] { return tf_reply(worker, answer.data(), answer.size()); };
      while ((code = calling(reply)) == TF_NOMEMORY) {}
    }
    tf_leave(worker);
  }
}

void check(const tf_result& result, std::map<std::uint64_t, bool>& open, Tally& tally) {
  const auto at = open.find(result.id);
  if (at == open.end()) {
    ++tally.doubled;
    return;
  }
  open.erase(at);
  const std::string wanted = answer_to(task_of(result.id));
  const bool right = result.status == TF_DONE && wanted == std::string_view(static_cast<const char*>(result.data), result.bytes);
  if (!right) std::fprintf(stderr, "task %llu: status %d: %.*s\n", static_cast<unsigned long long>(result.id), result.status,
                           static_cast<int>(std::min<std::size_t>(result.bytes, 900)), static_cast<const char*>(result.data));
  right ? ++tally.done : ++tally.wrong;
}

// One more, by its number; whether it was accepted.
bool submit(tf_farm* farm, std::uint64_t number, std::map<std::uint64_t, bool>& open, Tally& tally) {
  const std::string task = task_of(number);
  std::uint64_t id = 0;
  const int code = calling([&] { return tf_submit(farm, task.data(), task.size(), nullptr, 0, &id); });
  if (code < 0) ++tally.refused;
  if (code != TF_OK) return false;
  if (id != number) ++tally.wrong;
  open[id] = true;
  return true;
}

// What is seldom called, and must not change how tasks end.
void use_the_rest(tf_farm* farm, const std::map<std::uint64_t, bool>& open, unsigned choice, Tally& tally) {
  tf_statistics s{};
  std::size_t found = 0;
  std::vector<tf_worker_info> infos(8);
  int code = TF_OK;
  if (choice % 4 == 0) code = calling([&] { return tf_broadcast(farm, "key", "context", 7); });
  if (choice % 4 == 1 && !open.empty()) code = calling([&] { return tf_rerun(farm, open.begin()->first); });
  if (choice % 4 == 2) code = calling([&] { return tf_stats(farm, &s); });
  if (choice % 4 == 3) code = calling([&] { return tf_workers(farm, infos.data(), infos.size(), &found); });
  if (code < 0) ++tally.refused;
}

Tally count(tf_farm* farm, std::uint64_t tasks) {
  Tally tally;
  std::map<std::uint64_t, bool> open;
  std::vector<tf_result> results(64);
  auto give_up = Clock::now() + patience;
  std::mt19937 random(5);
  bool planted = std::getenv("TASKFARM_PLANTED") != nullptr;
  for (std::uint64_t next = 1; next <= tasks || !open.empty();) {
    for (unsigned burst = random() % 40; burst > 0 && next <= tasks && open.size() < outstanding_at_most; --burst) {
      if (!submit(farm, next, open, tally)) break;
      ++next;
      if (planted && next > 100) planted = tf_cancel(farm, next - 1, 0) != TF_OK;
    }
    if (random() % 20 == 0) use_the_rest(farm, open, random(), tally);
    std::size_t got = 0;
    const std::size_t most = 1 + random() % results.size();
    const auto timeout = static_cast<int>(random() % 20);
    if (calling([&] { return tf_next(farm, results.data(), most, timeout, &got); }) < 0) ++tally.errors;
    for (std::size_t i = 0; i < got; ++i) check(results[i], open, tally);
    if (got == 0) tally.longest = std::max(tally.longest, Clock::now() - (give_up - patience));
    else give_up = Clock::now() + patience;
    if (Clock::now() < give_up) continue;
    tally.stuck = true;
    break;
  }
  return tally;
}

// What it is stuck in.
void tell(tf_farm* farm, const tf_statistics& s) {
  std::fprintf(stderr, "queued %llu, in flight %llu, ready %llu, workers %llu, half open %llu\n",
               static_cast<unsigned long long>(s.queued), static_cast<unsigned long long>(s.in_flight),
               static_cast<unsigned long long>(s.ready), static_cast<unsigned long long>(s.workers),
               static_cast<unsigned long long>(s.half_open));
  std::vector<tf_worker_info> infos(1000);
  std::size_t found = 0;
  tf_workers(farm, infos.data(), infos.size(), &found);
  for (std::size_t i = 0; i < found; ++i)
    if (infos[i].connected != 0)
      std::fprintf(stderr, "worker %u (%s): window %u, in flight %u, running %llu, silent %llu ms\n", infos[i].number,
                   infos[i].transport, infos[i].window, infos[i].in_flight, static_cast<unsigned long long>(infos[i].running),
                   static_cast<unsigned long long>(infos[i].silent_ms));
}

std::size_t open_descriptors() {
  std::size_t found = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) ++found;
  return found;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 7)
    return std::fprintf(stderr, "usage: faulty_system URL TASKS SEED HARMLESS COSTLY MEMORY [JOURNAL [KEY_FILE]]\n"), 2;
  const auto number = [&](int at) { return static_cast<unsigned>(std::strtoul(argv[at], nullptr, 10)); };
  tf_farm_options options;
  tf_farm_options_init(&options);
  options.max_attempts = 200;
  options.ordered = number(3) % 2;
  options.journal = argc > 7 && *argv[7] != 0 ? argv[7] : nullptr;
  options.journal_sync = number(3) % 3 == 0;
  options.key_file = argc > 8 ? argv[8] : nullptr;
  if (const char* ms = std::getenv("TASKFARM_HEARTBEAT_MS")) {
    options.heartbeat_ms = static_cast<std::uint32_t>(std::strtoul(ms, nullptr, 10));
    options.heartbeat_timeout_ms = 2 * options.heartbeat_ms;
  }
  const std::size_t before = open_descriptors();
  tf_farm* farm = nullptr;
  if (tf_listen(argv[1], &options, &farm) != TF_OK) return std::fprintf(stderr, "%s\n", tf_error()), 2;
  const std::string off = std::strstr(argv[1], "shm=off") != nullptr ? "?shm=off" : "";
  const std::string url = tf_url(farm) + off;
  failing_calls::begin(number(3), {number(4), number(5), number(6)});
  std::vector<std::thread> workers;
  for (int i = 0; i < 4; ++i) workers.emplace_back(work, url, options.key_file);
  const auto start = Clock::now();
  const Tally tally = count(farm, number(2));
  const std::chrono::duration<double> took = Clock::now() - start;
  over = true;
  tf_statistics s{};
  tf_stats(farm, &s);
  if (tally.stuck) tell(farm, s);
  calling([&] { return tf_close(farm, 2000); });
  for (std::thread& worker : workers) worker.join();
  failing_calls::end();
  const std::size_t left = open_descriptors() - before;
  const bool good = tally.done == number(2) && tally.doubled + tally.wrong == 0 && !tally.stuck && left == 0;
  std::printf("{\"url\": \"%s\", \"good\": %s, \"done\": %zu, \"doubled\": %zu, \"wrong\": %zu, \"stuck\": %s, \"faults\": %lu, "
              "\"faults_of_memory\": %lu, \"connections\": %ld, \"workers_lost\": %llu, \"refused\": %zu, \"errors\": %zu, "
              "\"descriptors_left\": %zu, \"longest_ms\": %.0f, \"seconds\": %.1f}\n",
              argv[1], good ? "true" : "false", tally.done, tally.doubled, tally.wrong, tally.stuck ? "true" : "false",
              failing_calls::happened(), failing_calls::of_memory(), connections.load(),
              static_cast<unsigned long long>(s.workers_lost), tally.refused, tally.errors, left,
              std::chrono::duration<double, std::milli>(tally.longest).count(), took.count());
  return good ? 0 : 1;
}
