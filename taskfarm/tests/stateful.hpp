// A coordinator, workers that do what they are told, and the model of what must come of it: one step after another.
#pragma once

#include <unistd.h>

#include <chrono>
#include <deque>
#include <filesystem>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "promise_model.hpp"

namespace taskfarm {

struct Scene {
  std::string url, folder;
  bool rings = false, journal = false, ordered = false, planted = false;
  unsigned seed = 1;
};

class Stateful {
 public:
  explicit Stateful(const Scene& scene);
  ~Stateful();
  void run(int steps);
  const std::deque<std::string>& story() const { return story_; }
  std::size_t tasks() { return model_.tasks().size(); }

 private:
  using Held = ScriptedWorker::Held;
  using Stage = ScriptedWorker::Stage;
  struct Place {  // a worker, over all its connections
    Identity identity{};
    std::unique_ptr<ScriptedWorker> peer;
    std::deque<Held> former;  // held when a connection was lost
    bool joined = false;
  };

  unsigned below(unsigned bound) { return static_cast<unsigned>(random_() % bound); }
  bool one_in(unsigned bound) { return below(bound) == 0; }
  void tell(std::string what);

  // stateful.cpp
  void start(const std::string& journal);
  void settle();
  bool pump();
  bool turn();
  void agree();
  void compare();
  void step();
  void break_a_promise();
  void drain();

  // steps.cpp
  void submit();
  void answer();
  void answer_former();
  void answer_foreign();
  void skip();
  void say_what_runs();
  void die(bool after_answer);
  void leave();
  void break_protocol();
  void connect();
  void loiter();
  void broadcast();
  void cancel();
  void rerun();
  void restart();

  Place* someone(bool with_tasks);
  std::string bytes();
  void send_answer(Place& place, std::size_t which);
  enum class Blame { none, until_back, for_good };
  void lose(Place& place, std::uint64_t started, Blame blame);
  void pardon(Place& place);
  std::uint64_t started_on(const Place& place, bool leaves, bool dropped) const;
  bool held_by_others(std::uint64_t id, const Held* than) const;
  bool assigned(std::uint64_t id) const;
  void bind(Place& place, std::unique_ptr<ScriptedWorker> peer);

  Scene scene_;
  std::mt19937 random_;
  tf_farm_options options_{};
  tf_farm* farm_ = nullptr;
  std::string url_, journal_;
  PromiseModel model_;
  std::vector<Place> places_;
  std::unique_ptr<ScriptedWorker> replaced_;  // by its own new connection
  std::deque<Held> answered_;  // lately
  std::deque<std::string> story_;
  std::uint64_t before_ = 0;   // tasks that had ended before this coordinator began
  int journals_ = 0;
};

}  // namespace taskfarm
