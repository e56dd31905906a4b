// Tasks out, results in. The first result of a task counts; whatever comes after it is counted and forgotten.
#include <algorithm>

#include "farm.hpp"

namespace taskfarm {
namespace {

constexpr double smoothing = 0.125;
constexpr double giving_ns = 5'000;  // a task to a worker of its own: a call to the system, and a switch of processes
constexpr std::uint32_t most_losses = 50;  // a task that no worker survives, and none is seen to start, ends here
constexpr std::uint64_t short_service_ns = 10'000;
constexpr double window_worth_it = 0.02;  // below this ratio of round trip to service time one task in flight is enough

void smooth(double& average, double sample) {
  average = average == 0 ? sample : average + smoothing * (sample - average);
}

// Behind other tasks none is sent before those are on their way: what lies here as a whole can be given to others, and a
// cancel would come behind it.
bool has_room(const Worker& worker) {
  return worker.peer != nullptr && worker.peer->state == Peer::State::open && !worker.alone &&
         worker.window.size() < worker.limit && (worker.window.empty() || !worker.peer->is_congested());
}

}  // namespace

// Tasks that are done sooner than they are given go to one worker together, where so many wait and more than there are idle
// workers: else who submits some hundred at a time would have each of them written to another worker by a call of its own,
// with all windows empty.
void Farm::dispatch() {
  double together = recent_service_.known() ? giving_ns / recent_service_.ns() : 1;
  if (static_cast<double>(queued_) < together || queued_ <= idle_.size()) together = 1;
  const bool few = few_may_do();
  Worker* worker = nullptr;
  queue_is_held_ = false;
  while (queued_ > 0 && (!idle_.empty() || !room_.empty())) {
    if (withholds_for_results()) return;
    const std::uint64_t id = next_queued();
    if (id == 0) return void(queue_is_held_ = true);
    Task& task = *tasks_.find(id);
    const bool goes_on = worker != nullptr && !task.alone && has_room(*worker) &&
                         static_cast<double>(worker->window.size()) < together;
    // Those at work may have got so many by now that no more are left than workers are idle: nobody looks after these.
    if (!goes_on) worker = worker_with_room(task.alone, few && queued_ > idle_.size());
    auto& source = retries_.empty() ? queue_ : retries_;
    if (worker == nullptr) return;
    serve(*worker->peer, [&] { assign(*worker, id, task); });
    if (task.state != Task::State::queued && source.front() == id) source.pop_front();
    if (Peer* peer = worker->peer; peer != nullptr) serve(*peer, [&] { go_on_writing(*peer); });
  }
}

// So many bytes of results lie there that no more are asked for until some are taken.
bool Farm::withholds_for_results() const {
  return result_bytes_ > options_.high_water_bytes && (options_.ordered == 0 || !ready_.empty());
}

// The id at the front of the queue; ids of tasks that ended meanwhile (cancelled, expired) are dropped. 0: none may go out. In
// order, where that many bytes of results wait for the oldest task, it is that one or none.
std::uint64_t Farm::next_queued() {
  if (options_.ordered != 0 && result_bytes_ > options_.high_water_bytes) {
    const Task* oldest = tasks_.find(ordered_next_);
    return oldest != nullptr && oldest->state == Task::State::queued ? ordered_next_ : 0;
  }
  for (auto* source : {&retries_, &queue_}) {
    while (!source->empty()) {
      const std::uint64_t id = source->front();
      const Task* task = tasks_.find(id);
      if (task != nullptr && task->state == Task::State::queued) {
        const bool too_far = options_.ordered != 0 && id >= ordered_next_ + options_.reorder_limit;
        return too_far ? 0 : id;
      }
      source->pop_front();
    }
  }
  return 0;
}

// Where many more workers than cores wait for many more short tasks, those that are at work already get them: each worker more
// would cost a switch of processes for each of its tasks. Not while somebody polls fd(), who may not come back soon.
bool Farm::few_may_do() const {
  return queued_ > idle_.size() && !polled_ && ranks_here_ > connected_ && gives_way_first();
}

bool Farm::enough_at_work() const { return circle_.is_full(connected_ - std::min<std::size_t>(idle_.size(), connected_)); }

// For a caller who has waited in vain and may not come back soon.
void Farm::give_to_all() {
  if (!withholds()) return;
  circle_.open(now_ns());
  dispatch();
  flush_dirty();
}

// The list may hold workers that are not idle any more.
Worker* Farm::take_idle(bool last) {
  while (!idle_.empty()) {
    Worker* worker = last ? idle_.back() : idle_.front();
    last ? idle_.pop_back() : idle_.pop_front();
    worker->in_idle_list = false;
    if (worker->peer != nullptr && worker->peer->state == Peer::State::open && worker->window.empty()) return worker;
  }
  return nullptr;
}

// A worker without a task, else (unless idle_only) one with room. Of few the one that answered last, whom nobody has to wake;
// where enough are at work none that has done all it had, though its window had room before.
Worker* Farm::worker_with_room(bool idle_only, bool few) {
  const bool enough = few && enough_at_work();
  if (idle_only || !enough)
    if (Worker* worker = take_idle(few)) return worker;
  while (!idle_only && !room_.empty()) {
    Worker* worker = room_.front();
    room_.pop_front();
    worker->in_room_list = false;
    if (has_room(*worker) && !(enough && worker->window.empty())) return worker;
  }
  return nullptr;
}

// A window is filled up when half of it is free, not task by task: else what once came apart (a worker that lost its core
// between two answers) stays apart, and in the end each task of a window of 16 costs a call to the system of its own.
void Farm::list_if_room(Worker& worker) {
  if (worker.peer == nullptr || worker.peer->state != Peer::State::open) return;
  if (worker.window.size() <= worker.limit / 2) worker.fills = true;
  if (worker.window.size() >= worker.limit) worker.fills = false;
  if (worker.window.empty()) {
    if (!worker.in_idle_list) idle_.push_back(&worker);
    worker.in_idle_list = true;
  } else if (!worker.alone && worker.fills) {
    if (!worker.in_room_list) room_.push_back(&worker);
    worker.in_room_list = true;
  }
}

// The window comes first: what is in there is given back when the rest fails.
void Farm::assign(Worker& worker, std::uint64_t id, Task& task) {
  const bool behind = !worker.window.empty();
  worker.window.push_back({.id = id, .sent_ns = now_, .attempt = static_cast<std::uint16_t>(task.attempt + 1),
                           .behind_others = behind});
  if (task.state == Task::State::queued) {
    --queued_;
    ++assigned_;
  }
  task.state = Task::State::assigned;
  ++task.attempt;
  ++task.copies;
  task.worker = worker.number;
  if (!behind) worker.alone = task.alone;
  Peer& peer = *worker.peer;
  if (!peer.owed.empty()) give_owed(peer);  // a task sees what was broadcast before it
  send(peer, {.type = FrameType::task, .attempt = task.attempt, .task = id}, task.payload);
  worker.window.back().end_of_frame = peer.out.added();
  list_if_room(worker);
}

void Farm::on_frame(Peer& peer, const Frame& frame) {
  switch (peer.state) {
    case Peer::State::hello:
      return on_hello(peer, frame);
    case Peer::State::attach:
      return on_attach(peer, frame);
    case Peer::State::upgrading:
      if (frame.header.type == FrameType::ready) return on_ready(peer, frame);
      if (frame.header.type == FrameType::heartbeat) return;
      return drop_for_protocol(peer, "a frame before ready");
    case Peer::State::open:
      return on_worker_frame(peer, frame);
    case Peer::State::monitor:
    case Peer::State::handshake:
      return refuse(peer, counts_.refused_hello, "a monitor sends nothing");
    case Peer::State::broken:
    case Peer::State::closed:
      return;
  }
}

void Farm::on_worker_frame(Peer& peer, const Frame& frame) {
  Worker& worker = *peer.worker;
  switch (frame.header.type) {
    case FrameType::result:
      return on_result(worker, frame, TF_DONE);
    case FrameType::failure:
      return on_result(worker, frame, TF_FAILED);
    case FrameType::skipped:
      return on_skipped(worker, frame.header);
    case FrameType::heartbeat:
      peer.last_seen_ns = now_;
      worker.running = frame.header.task;
      return;
    case FrameType::padding:
      return;
    case FrameType::leave:
      peer.left = true;
      peer.left_with = frame.header.task;
      return lose(peer, "the worker left");
    default:
      return drop_for_protocol(peer, "a frame that workers do not send");
  }
}

// One that nobody cancelled stays where it is: put first, it would be blamed for the end of this connection in the place of the
// one that had started.
void Farm::on_skipped(Worker& worker, const Header& header) {
  for (const auto* held : {&worker.window, &worker.former})
    for (const Assigned& a : *held) {
      if (a.id != header.task || a.attempt != header.attempt) continue;
      const Task* task = tasks_.find(a.id);
      if (!a.taken_back && task != nullptr && task->state == Task::State::assigned && !task->recalled)
        return drop_for_protocol(*worker.peer, "a task skipped that was not cancelled");
    }
  Assigned found;
  if (!take_assigned(worker, header, found)) return;
  Task* task = tasks_.find(found.id);
  if (task != nullptr && task->state == Task::State::assigned && task->recalled && !found.taken_back) {
    if (task->copies > 0) --task->copies;
    if (task->copies == 0) finish(found.id, *task, TF_CANCELLED, {});
  }
  list_if_room(worker);
}

void Farm::on_result(Worker& worker, const Frame& frame, tf_status status) {
  Payload answer(payloads_, {frame.payload, frame.header.length});  // first: without memory for it the task is not answered
  Assigned assigned;
  if (!take_assigned(worker, frame.header, assigned)) {
    ++counts_.foreign_results;
    return;
  }
  worker.holding = (frame.header.flags & flag_holding) != 0;
  if (worker.window.empty()) worker.alone = false;
  ++worker.completed;
  answers_came_ = true;
  learn_times(worker, assigned, frame.header.value);
  Task* task = tasks_.find(assigned.id);
  if (task == nullptr || task->state == Task::State::finished) {
    ++counts_.late_results;
  } else {
    if (task->copies > 0 && task->state == Task::State::assigned && !assigned.taken_back) --task->copies;
    task->worker = worker.number;
    finish(assigned.id, *task, status, std::move(answer));
    if (task->copies > 0) cancel_copies(assigned.id, *task);
  }
  list_if_room(worker);
}

// Only what this worker was given, and has not answered, counts: in its window, or before its connection was lost.
bool Farm::take_assigned(Worker& worker, const Header& header, Assigned& found) {
  const auto matches = [&](const Assigned& a) { return a.id == header.task && a.attempt == header.attempt; };
  if (!worker.window.empty() && matches(worker.window.front())) {
    found = worker.window.front();
    worker.window.pop_front();
    return true;
  }
  if (const auto at = std::find_if(worker.window.begin(), worker.window.end(), matches); at != worker.window.end()) {
    found = *at;
    worker.window.erase(at);
    return true;
  }
  const auto at = std::find_if(worker.former.begin(), worker.former.end(), matches);
  if (at == worker.former.end()) return false;
  found = *at;
  found.behind_others = true;
  worker.former.erase(at);
  // It is held no longer by anybody connected: the loss took its copy off already.
  Task* task = tasks_.find(found.id);
  if (task != nullptr && task->state == Task::State::assigned && !found.taken_back) ++task->copies;
  return true;
}

// The window covers the round trip: enough tasks that the worker never waits for one, no more, since what waits at a busy
// worker could run elsewhere.
void Farm::learn_times(Worker& worker, const Assigned& assigned, std::uint64_t service_ns) {
  // Rings are looked at before the clock is: a pause of the caller would be missing here. Of short tasks a turn misses little.
  if (service_ns > short_service_ns && service_ns > static_cast<std::uint64_t>(now_ - assigned.sent_ns)) now_ = now_ns();
  const auto turnaround = static_cast<double>(now_ - assigned.sent_ns);
  const double service = std::min(static_cast<double>(service_ns), turnaround);
  smooth(worker.service_ns, std::max(service, 100.0));
  smooth(usual_service_ns_, std::max(service, 100.0));
  recent_service_.learn(std::max(service, 100.0));
  if (!assigned.behind_others) smooth(worker.round_trip_ns, std::max(turnaround - service, 1000.0));
  if (options_.window > 0) return;
  const double ratio = worker.round_trip_ns / worker.service_ns;
  const double wanted = ratio < window_worth_it ? 1 : 2 + ratio;
  const double grown = std::min({wanted, worker.limit * 2.0, static_cast<double>(options_.window_max)});
  worker.limit = std::max(1U, static_cast<std::uint32_t>(grown));
}

// What can fail comes first; what fails behind it is done again by find_orphans.
void Farm::finish(std::uint64_t id, Task& task, tf_status status, Payload payload) {
  if (journal_) journal_->add({RecordType::result, static_cast<std::uint8_t>(status), id, task.attempt, payload.view()});
  if (options_.ordered == 0) ready_.push_back(id);
  if (task.state == Task::State::queued) --queued_;
  if (task.state == Task::State::assigned) --assigned_;
  bytes_held_ += payload.size();
  bytes_held_ -= task.payload.size();
  result_bytes_ += payload.size();
  task.payload = std::move(payload);
  task.state = Task::State::finished;
  task.status = static_cast<std::uint8_t>(status);
  std::uint64_t* const counters[] = {&counts_.done, &counts_.failed, &counts_.dead, &counts_.cancelled, &counts_.expired};
  ++*counters[status];
  if (options_.ordered == 0) return;
  try {
    make_ready();
  } catch (const std::exception&) {
    orphans_ = true;
  }
}

// In order: the oldest undelivered task first. reorder_limit bounds how many finished ones can be waiting behind it.
void Farm::make_ready() {
  for (; ordered_next_ < tasks_.end(); ++ordered_next_) {
    const Task* task = tasks_.find(ordered_next_);
    if (task == nullptr) continue;
    if (task->state != Task::State::finished) return;
    ready_.push_back(ordered_next_);
  }
}

void Farm::cancel_copies(std::uint64_t id, Task& task) {
  send_cancels(id);
  task.copies = 0;
}

void Farm::send_cancels(std::uint64_t id) {
  for (const auto& [identity, worker] : workers_)
    for (const Assigned& held : worker->window)
      if (held.id == id && worker->peer != nullptr)
        send(*worker->peer, {.type = FrameType::cancel, .attempt = held.attempt, .task = id});
}

// A task that nobody holds any more: once more, or at its end.
void Farm::settle(std::uint64_t id, Task& task, const std::string& reason) {
  if (task.recalled) return finish(id, task, TF_CANCELLED, {});
  if (task.suspected < options_.max_attempts && task.lost < std::max(most_losses, options_.max_attempts))
    return requeue(id, task);
  std::string reasons = task.reasons ? *task.reasons : "";
  if (task.suspected < options_.max_attempts)
    reasons += "lost with " + std::to_string(task.lost) + " workers, the last: " + reason + "\n";
  finish(id, task, TF_DEAD, Payload(payloads_, reasons));
}

void Farm::requeue(std::uint64_t id, Task& task) {
  retries_.push_front(id);
  task.state = Task::State::queued;
  --assigned_;
  ++queued_;
  ++counts_.requeued;
}

}  // namespace taskfarm
