// Which deaths are still to come: each way in each state equally often, so that a run which ends has met every one.
#pragma once

#include <array>
#include <atomic>
#include <random>
#include <string>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED 1
#else
#define SANITIZED 0
#endif

constexpr const char* ways[] = {"exit", "abort", "SIGKILL", "SIGSTOP", "segv", "oom"};
constexpr const char* states[] = {"idle", "receiving", "task", "reply"};
enum Way { by_exit, by_abort, by_kill, by_stop, by_segv, by_oom, way_count };
enum State { idle, receiving, in_task, in_reply, state_count };
constexpr int cell_count = int{way_count} * int{state_count};

// Lies in memory that all processes share.
class DeathPlan {
 public:
  explicit DeathPlan(int kills) : left_(kills) {
    for (int i = 0; i < cell_count; ++i) to_come_[at(i)] = kills / cell_count + (i < kills % cell_count ? 1 : 0);
  }

  // A death that nobody else dies, by chance; it must be met or put back. -1: there is none at the moment.
  int take(std::mt19937& random) {
    const int first = static_cast<int>(random() % cell_count);
    for (int i = 0; i < cell_count; ++i) {
      const int cell = (first + i) % cell_count;
      for (int count = to_come_[at(cell)].load(); count > 0;)
        if (to_come_[at(cell)].compare_exchange_weak(count, count - 1)) return cell;
    }
    return -1;
  }
  void put_back(int cell) { ++to_come_[at(cell)]; }
  void met(int cell) {
    ++met_[at(cell)];
    --left_;
  }
  int left() const { return left_.load(); }

  std::string table() const {
    std::string text;
    for (int cell = 0; cell < cell_count; ++cell)
      text += (cell == 0 ? "\"" : ", \"") + std::string(ways[cell / state_count]) + " " + states[cell % state_count] +
              "\": " + std::to_string(met_[at(cell)].load());
    return text;
  }
  int count() const {
    int sum = 0;
    for (int way = 0; way < way_count; ++way) sum += count(static_cast<Way>(way));
    return sum;
  }
  int count(Way way) const {
    int sum = 0;
    for (int state = 0; state < state_count; ++state) sum += met_[at(int{way} * int{state_count} + state)].load();
    return sum;
  }

 private:
  static std::size_t at(int cell) { return static_cast<std::size_t>(cell); }
  std::atomic<int> left_;
  std::array<std::atomic<int>, cell_count> to_come_{}, met_{};
};
