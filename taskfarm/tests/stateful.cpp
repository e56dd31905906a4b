// Steps by chance, the farm compared with the model after each: stateful TRANSPORT STEPS SEED [SEEDS]
// TRANSPORT: unix, tcp, shm or tcp-shm. Ends with 1, and the last steps, where the farm did what docs/promises.md does not say.
// With TASKFARM_PLANTED=1 a task is cancelled behind the model's back, which must see it.
#include "stateful.hpp"

#include <cstdio>
#include <cstdlib>
#include <fstream>

namespace taskfarm {

Stateful::Stateful(const Scene& scene) : scene_(scene), random_(scene.seed), model_(scene.ordered, 1 + scene.seed % 3) {
  tf_farm_options_init(&options_);
  options_.max_attempts = 1 + scene.seed % 3;
  options_.ordered = scene.ordered ? 1 : 0;
  options_.reorder_limit = one_in(2) ? 4096 : 1 + below(20);
  options_.window = below(5);
  options_.high_water_tasks = one_in(3) ? 5 + below(40) : 1000;
  options_.straggler_factor = one_in(4) ? 1 + below(20) : 0;
  options_.ring_bytes = 4096U << below(3);
  options_.grace_ms = 3'600'000;
  options_.heartbeat_timeout_ms = 3'600'000;
  options_.heartbeat_ms = 1'000'000;
  start(scene_.journal ? scene_.folder + "/journal" : "");
}

Stateful::~Stateful() {
  places_.clear();
  if (farm_ != nullptr) tf_close(farm_, 0);
}

void Stateful::tell(std::string what) {
  story_.push_back(std::move(what));
  if (story_.size() > 60) story_.pop_front();
}

void Stateful::start(const std::string& journal) {
  journal_ = journal;
  options_.journal = journal.empty() ? nullptr : journal_.c_str();
  const int code = tf_listen(scene_.url.c_str(), &options_, &farm_);
  must(code == TF_OK, "listen: " + std::string(tf_error()));
  url_ = std::string(tf_url(farm_)) + (scene_.rings ? "" : "?shm=off");
  before_ = 0;
  for (const auto& task : model_.tasks()) before_ += task.confirmed || task.ended;
}

// Everybody reads and writes once.
bool Stateful::pump() {
  bool any = false;
  for (Place& place : places_)
    if (place.peer) any |= place.peer->pump([&](const ScriptedWorker::Arrival& arrival) { model_.given(arrival); });
  return any;
}

bool Stateful::turn() {
  const bool any = pump();
  tf_result results[64];
  std::size_t count = 0;
  const int code = tf_next(farm_, results, one_in(3) ? 1 + below(3) : 64, 0, &count);
  must(code >= 0, "next: " + std::string(tf_error()));
  model_.confirm();
  for (std::size_t i = 0; i < count; ++i) model_.delivered(results[i]);
  return any || count > 0;
}

// Until nothing happens any more, nor will by a deadline soon.
void Stateful::settle() {
  for (int quiet = 0; quiet < 3;) {
    quiet = turn() ? 0 : quiet + 1;
    const std::int64_t next = model_.expire(now_ns() - ns_per_ms);
    if (next < now_ns() + 5 * ns_per_ms) std::this_thread::sleep_for(std::chrono::milliseconds(1)), quiet = 0;
  }
}

// By TCP what was sent may take a moment.
void Stateful::agree() {
  for (const std::int64_t patience = now_ns() + 500 * ns_per_ms;;) {
    settle();
    try {
      return compare();
    } catch (const std::logic_error&) {
      if (!scene_.url.starts_with("tcp") || now_ns() > patience) throw;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }
}

void Stateful::compare() {
  tf_statistics s{};
  must(tf_stats(farm_, &s) == TF_OK, "stats");
  const auto sums = model_.sums();
  const auto equal = [](std::uint64_t found, std::uint64_t wanted, const char* what) {
    must(found == wanted, std::string(what) + " is " + std::to_string(found) + " and not " + std::to_string(wanted));
  };
  equal(s.submitted, model_.tasks().size(), "submitted");
  equal(s.delivered + s.ready + s.queued + s.in_flight, s.submitted, "the sum of delivered, ready, queued and in_flight");
  equal(s.queued + s.in_flight, sums.outstanding, "queued + in_flight");
  equal(s.ready, sums.ended, "ready");
  std::uint64_t ended = 0, present = 0;
  for (const auto& task : model_.tasks()) ended += task.ended;
  equal(s.done + s.failed + s.dead + s.cancelled + s.expired, ended - before_, "the sum of how tasks ended");
  for (Place& place : places_) present += place.peer && place.peer->stage() != Stage::gone;
  equal(s.workers, present, "workers");
  equal(s.attempts_lost, model_.counted.attempts_lost, "attempts_lost");
  if (model_.raced == 0) equal(s.late_results + s.foreign_results, model_.counted.unwanted, "late_results + foreign_results");
  equal(s.protocol_errors, model_.counted.protocol_errors, "protocol_errors");
  equal(s.workers_lost, model_.counted.lost, "workers_lost");
  equal(s.workers_left, model_.counted.left, "workers_left");
  equal(s.reconnects, model_.counted.reconnects, "reconnects");
  equal(s.workers_joined, model_.counted.joined, "workers_joined");
  equal(s.half_open, 0, "half_open");
  bool dead = false;
  for (std::uint64_t id = 1; id <= model_.tasks().size(); ++id)
    dead |= !model_.of(id).confirmed && model_.of(id).status == TF_DEAD;
  if (!dead) equal(s.bytes_held, sums.bytes, "bytes_held");
  for (Place& place : places_)
    if (place.peer && place.peer->stage() == Stage::ready)
      must(place.peer->contexts() == model_.broadcasts, "every worker has the last broadcast of each key");
}

void Stateful::step() {
  replaced_.reset();
  const unsigned kind = below(100);
  if (places_.size() < 3) connect();
  else if (kind < 25) submit();
  else if (kind < 58) answer();
  else if (kind < 62) connect();
  else if (kind < 65) answer_former();
  else if (kind < 68) answer_foreign();
  else if (kind < 73) skip();
  else if (kind < 77) say_what_runs();
  else if (kind < 80) die(false);
  else if (kind < 82) die(true);
  else if (kind < 84) leave();
  else if (kind < 85) break_protocol();
  else if (kind < 87) loiter();
  else if (kind < 90) broadcast();
  else if (kind < 95) cancel();
  else if (kind < 98) rerun();
  else if (kind < 99) restart();
  else std::this_thread::sleep_for(std::chrono::milliseconds(1 + below(4)));  // then tasks behind others move
}

// Whoever is there answers until nothing is left.
void Stateful::drain() {
  tell("drain");
  for (int patience = 100'000; model_.sums().outstanding > 0; --patience) {
    must(patience > 0, "a task is stuck");
    if (someone(false) == nullptr) connect();
    else if (one_in(3)) skip();
    else answer();
    agree();
  }
  must(model_.sums().ended == 0, "results are left");
}

void Stateful::break_a_promise() {
  for (std::uint64_t id = 1; id <= model_.tasks().size(); ++id)
    if (model_.outstanding(id)) return void(tf_cancel(farm_, id, 0));
}

void Stateful::run(int steps) {
  for (int i = 0; i < steps; ++i) {
    step();
    agree();
    if (scene_.planted && i >= steps / 2) break_a_promise();
    if (i % 300 == 299) drain();
  }
  drain();
  places_.clear();
  replaced_.reset();
  must(tf_close(std::exchange(farm_, nullptr), 1000) == TF_OK, "close");
}

}  // namespace taskfarm

namespace {

std::size_t open_descriptors() {
  std::size_t count = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) ++count;
  return count;
}

std::string text_of(const taskfarm::Scene& scene) {
  return scene.url + " seed " + std::to_string(scene.seed) + (scene.journal ? " journal" : "") +
         (scene.ordered ? " ordered" : "");
}

// How many tasks there were; none where it went wrong.
std::size_t play(const taskfarm::Scene& scene, int steps) {
  taskfarm::Stateful farm(scene);
  try {
    farm.run(steps);
  } catch (const std::exception& error) {
    for (const std::string& line : farm.story()) std::printf("  %s\n", line.c_str());
    std::printf("%s: %s\n", text_of(scene).c_str(), error.what());
    return 0;
  }
  return farm.tasks();
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 4) return std::fprintf(stderr, "stateful unix|tcp|shm|tcp-shm STEPS SEED [SEEDS]\n"), 2;
  const std::string transport = arguments[1];
  const int steps = std::atoi(arguments[2]), first = std::atoi(arguments[3]), seeds = count > 4 ? std::atoi(arguments[4]) : 1;
  std::string folder = std::filesystem::temp_directory_path() / "taskfarm-stateful-XXXXXX";
  if (mkdtemp(folder.data()) == nullptr) return 2;
  const std::size_t descriptors = open_descriptors();
  std::size_t tasks = 0;
  for (int seed = first; seed < first + seeds; ++seed) {
    taskfarm::Scene scene;
    scene.folder = folder;
    scene.rings = transport.ends_with("shm");
    const std::string off = scene.rings ? "" : "?shm=off";
    scene.url = transport.starts_with("tcp") ? "tcp://127.0.0.1:0" + off : "unix://" + scene.folder + "/farm.sock" + off;
    scene.seed = static_cast<unsigned>(seed);
    scene.ordered = seed % 3 == 0;
    scene.journal = seed % 2 == 0;
    scene.planted = std::getenv("TASKFARM_PLANTED") != nullptr;
    const std::size_t played = play(scene, steps);
    tasks += played;
    std::filesystem::remove_all(folder);
    if (played == 0) return 1;
    std::filesystem::create_directory(folder);
    if (open_descriptors() != descriptors) return std::printf("%s: descriptors are left\n", text_of(scene).c_str()), 1;
  }
  std::filesystem::remove_all(folder);
  std::printf("{\"transport\":\"%s\",\"seeds\":%d,\"steps\":%d,\"tasks\":%zu}\n", transport.c_str(), seeds, seeds * steps, tasks);
  return 0;
}
