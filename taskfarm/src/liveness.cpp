// What ends: connections, workers, deadlines, patience.
#include <algorithm>
#include <cstring>

#include <sys/epoll.h>
#include <sys/socket.h>

#include "events.hpp"
#include "farm.hpp"

namespace taskfarm {
namespace {

constexpr std::size_t least_away = 1024;  // so many are remembered in any case
constexpr std::size_t most_former = 2048;  // of one worker; more than the largest window
constexpr std::size_t most_of_name = sizeof(tf_worker_info::name) - 1;  // in the reason of a lost attempt, as in statistics
constexpr std::int64_t straggler_check_each_ns = 10 * ns_per_ms;
constexpr std::int64_t steal_after_ns = 2 * ns_per_ms;

// The task whose answer there was no memory for, if it is an answer.
std::uint64_t answered_in_part(const Peer& peer) {
  const std::string& partial = peer.ring_partial.empty() ? peer.partial : peer.ring_partial;
  Header header{};
  if (partial.size() >= header_bytes) std::memcpy(&header, partial.data(), header_bytes);
  return header.task;
}

}  // namespace

// A connection has ended. Its worker stays known for the grace period; its tasks go to others at once.
void Farm::lose(Peer& peer, const std::string& reason, Loss how) {
  if (peer.state == Peer::State::closed) return;
  if (peer.worker == nullptr) {
    half_open_.remove(&peer);
    if (peer.state != Peer::State::monitor && peer.state != Peer::State::attach) {
      ++counts_.refused;
      ++counts_.refused_hello;
    }
    return close_peer(peer);
  }
  if (peer.shared && !peer.reading_ring && !peer.over()) {
    read_ring(peer);  // results that it finished before it died
    if (peer.state == Peer::State::closed) return;
  }
  Worker& worker = *peer.worker;
  const std::string who = "worker " + std::to_string(worker.number) + " (" + worker.hello.name.substr(0, most_of_name) + ", pid " +
                          std::to_string(worker.hello.pid) + "): " + reason;
  const bool explained = peer.left || peer.over();  // by its own will, or for want of memory
  const Blame blame = how == Loss::replaced               ? Blame::none
                      : how == Loss::dropped || explained ? Blame::for_good
                                                          : Blame::until_back;
  take_back(worker, started_task(peer, worker, how == Loss::silent), who, !explained, blame);
  if (peer.left) ++counts_.workers_left;
  else if (!closing_) ++counts_.workers_lost;
  worker.peer = nullptr;
  worker.has_left = peer.left;
  worker.away_since_ns = now_;
  --connected_;
  if (--ranks_on_host_[worker.hello.host] == 0) ranks_on_host_.erase(worker.hello.host);
  if (worker.hello.host == host_) --ranks_here_;
  close_peer(peer);
  announce_ranks();
}

void Farm::drop_for_protocol(Peer& peer, const std::string& reason) {
  if (peer.state == Peer::State::closed) return;
  ++counts_.protocol_errors;
  if (peer.shared) {  // what it wrote there is not believed any more
    peer.shared = false;
    --shared_peers_;
  }
  lose(peer, "dropped: " + reason, Loss::dropped);
}

void Farm::close_peer(Peer& peer) {
  if (peer.state == Peer::State::closed) return;
  if (peer.state == Peer::State::monitor) --monitors_;
  if (peer.shared) --shared_peers_;
  peer.shared = false;
  peer.state = Peer::State::closed;
  peer.fd.reset();  // and out of epoll with it
  free_slots_.push_back(peer.slot);  // there is room for all
  std::unique_ptr<Peer> dead = std::move(peers_[peer.slot]);
  dead->next_dead = std::move(graveyard_);
  graveyard_ = std::move(dead);
}

// The task that this worker had started, as far as can be known; 0: none, or not known. Shared memory tells exactly, and so
// does who leaves.
// On a socket the worker answers in order, so it is the first one open, unless the worker holds back answers.
std::uint64_t Farm::started_task(const Peer& peer, const Worker& worker, bool silent) const {
  if (worker.window.empty()) return 0;
  if (peer.over()) return worker.holds(answered_in_part(peer)) ? answered_in_part(peer) : 0;
  if (peer.shared) {
    const std::uint64_t id = peer.segment->control().running.load(std::memory_order_acquire);
    return worker.holds(id) ? id : 0;
  }
  if (peer.left) return worker.holds(peer.left_with) ? peer.left_with : 0;
  if (worker.holds(worker.running)) return worker.running;
  const Assigned& first = worker.window.front();
  if (silent || peer.out.taken() < first.end_of_frame) return 0;
  return worker.holding && worker.window.size() > 1 ? 0 : first.id;
}

// Every task of the worker goes back to the front of the queue, in order; `started` counts against its attempts where it is
// blamed. What fails on the way leaves the rest in the window, for the next time.
void Farm::take_back(Worker& worker, std::uint64_t started, const std::string& reason, bool counts, Blame blame) {
  forget_former(worker);
  while (!worker.window.empty()) {
    const Assigned held = worker.window.back();
    worker.former.push_front(held);
    Task* task = tasks_.find(held.id);
    bool unheld = false;
    const bool guilty = held.id == started;
    if (task != nullptr && task->state == Task::State::assigned && (guilty || !held.taken_back)) {
      unheld = count_loss(held, *task, guilty && blame != Blame::none, reason);
      worker.former.front().blamed = guilty && blame == Blame::until_back;
      if (counts || guilty) {
        ++task->lost;
        task->alone = guilty || started == 0;
      }
    }
    worker.window.pop_back();
    if (unheld) settle(held.id, *task, reason);
  }
  worker.alone = false;
}

// Whether nobody else holds the task. All that can fail comes first.
bool Farm::count_loss(const Assigned& held, Task& task, bool guilty, const std::string& reason) {
  if (guilty) {
    const std::string line = "attempt " + std::to_string(held.attempt) + ": " + reason + "\n";
    if (!task.reasons) task.reasons = std::make_unique<std::string>();
    task.reasons->reserve(task.reasons->size() + line.size());
    if (journal_) journal_->add({RecordType::suspected, 0, held.id, 0, line});
    *task.reasons += line;
    ++task.suspected;
    ++counts_.attempts_lost;
  }
  if (held.taken_back) return false;
  if (task.copies > 0) --task.copies;
  return task.copies == 0;
}

// A worker that is back was not taken down by what it had started: that was its connection. How often a task was lost at all
// still counts (most_losses), else one that no connection survives would go round for ever.
void Farm::pardon(Worker& worker) {
  for (Assigned& held : worker.former) {
    if (!held.blamed) continue;
    Task* task = tasks_.find(held.id);
    if (task != nullptr && task->state != Task::State::finished) {
      if (journal_) journal_->add({RecordType::pardoned, 0, held.id, held.attempt, {}});
      task->pardon(held.attempt);
    }
    held.blamed = false;
    --counts_.attempts_lost;
  }
}

// Of what the worker held before: the results of tasks that have ended count no more, and the rest is bounded.
void Farm::forget_former(Worker& worker) {
  std::erase_if(worker.former, [this](const Assigned& held) {
    const Task* task = tasks_.find(held.id);
    return task == nullptr || task->state == Task::State::finished;
  });
  if (worker.former.size() > most_former) worker.former.resize(most_former);  // the oldest are at the end
}

void Farm::run_timers() {
  if (now_ >= next_timer()) {
    expire_half_open();
    expire_deadlines();
    if (listeners_paused_ && now_ >= resume_listening_ns_ && listener_.fd.open()) resume_listening();
    if (monitors_ > 0 && now_ >= next_monitor_ns_) tell_monitors();
    if (now_ >= next_straggler_check_ns_) help_stragglers();
  }
}

std::int64_t Farm::next_timer() const {
  std::int64_t next = std::min(next_silence_check_ns_, resume_listening_ns_);
  if (!half_open_.empty())
    next = std::min(next, half_open_.front()->since_ns + options_.hello_timeout_ms * ns_per_ms + 1);
  next = std::min(next, deadlines_.next_ns());
  if (monitors_ > 0) next = std::min(next, next_monitor_ns_);
  if (!idle_.empty() && nothing_to_give() && assigned_ > 0) next = std::min(next, next_straggler_check_ns_);
  return next;
}

// Who seems silent is read from before he is given up: a coordinator that was itself asleep, or has not come to everybody
// for long, accuses nobody.
void Farm::check_silence() {
  if (now_ < next_silence_check_ns_) return;
  next_silence_check_ns_ = now_ + std::max<std::int64_t>(patience_ns() / 20, ns_per_ms);
  for (std::size_t slot = 0; slot < peers_.size(); ++slot) {
    if (!seems_silent(slot)) continue;
    Peer& peer = *peers_[slot];
    serve(peer, [&] {
      read_peer(peer);
      if (!seems_silent(slot)) return;
      ++counts_.silent;
      lose(peer, "no heartbeat for " + std::to_string((now_ - peer.last_seen_ns) / ns_per_ms) + " ms", Loss::silent);
    });
  }
  expire_grace();
}

bool Farm::seems_silent(std::size_t slot) const {
  const Peer* peer = peers_[slot].get();
  return peer != nullptr && peer->worker != nullptr && now_ - peer->last_seen_ns > patience_ns();
}

void Farm::expire_deadlines() {
  for (; deadlines_.next_ns() <= now_; deadlines_.pop()) {
    const std::uint64_t id = deadlines_.next_id();
    if (!awaits(id, deadlines_.next_ns())) continue;
    Task* task = tasks_.find(id);
    finish(id, *task, TF_EXPIRED, {});
    if (task->copies > 0) cancel_copies(id, *task);
  }
}

void Farm::expire_grace() { forget_away_since(now_ - options_.grace_ms * ns_per_ms - 1); }

// Workers that come under ever new names and go would fill the memory within their grace: of very many the older half is gone.
void Farm::forget_away() {
  if (workers_.size() <= connected_ + std::max<std::size_t>(least_away, options_.max_workers)) return;
  std::vector<std::int64_t> since;
  for (const auto& [identity, worker] : workers_)
    if (worker->peer == nullptr) since.push_back(worker->away_since_ns);
  std::nth_element(since.begin(), since.begin() + static_cast<std::ptrdiff_t>(since.size() / 2), since.end());
  forget_away_since(std::min(since[since.size() / 2], now_ - 1));  // not the one that comes
}

void Farm::forget_away_since(std::int64_t moment_ns) {
  for (auto at = workers_.begin(); at != workers_.end();) {
    Worker* worker = at->second.get();
    if (worker->peer == nullptr && worker->away_since_ns <= moment_ns) {
      if (worker->in_idle_list) std::erase(idle_, worker);
      if (worker->in_room_list) std::erase(room_, worker);
      at = workers_.erase(at);
    } else {
      ++at;
    }
  }
}

// What waits behind a long task is no copy any more once another worker has it: should that one die, it waits for nobody.
void Farm::take_from(Worker& worker, Assigned& held, Task& task) {
  held.taken_back = true;
  --task.copies;
  send(*worker.peer, {.type = FrameType::cancel, .attempt = held.attempt, .task = held.id});
}

// With nothing to give and workers idle: tasks that wait behind a long one go to the idle; on request also copies of tasks
// that take unusually long. The first result counts.
void Farm::help_stragglers() {
  next_straggler_check_ns_ = now_ + straggler_check_each_ns;
  if (!nothing_to_give() || assigned_ == 0) return;
  const double late_after = options_.straggler_factor * usual_service_ns_;
  for (const auto& [identity, worker] : workers_) {
    if (worker->peer == nullptr || worker->window.empty() || now_ - worker->window.front().sent_ns < steal_after_ns) continue;
    for (std::size_t i = worker->window.size(); i-- > 0;) {
      Assigned& held = worker->window[i];
      Task* task = tasks_.find(held.id);
      if (held.taken_back || task == nullptr || task->state != Task::State::assigned || task->copies != 1 || task->recalled)
        continue;
      if (task->suspected >= options_.max_attempts) continue;  // who holds it may still finish it; nobody else gets it
      const bool late = late_after > 0 && usual_service_ns_ > 0 && static_cast<double>(now_ - held.sent_ns) > late_after;
      if (i == 0 && !late) continue;
      Worker* helper = worker_with_room(true);
      if (helper == nullptr) return;
      serve(*helper->peer, [&] { assign(*helper, held.id, *task); });
      if (task->copies > 1) ++(i == 0 ? counts_.reruns : counts_.stolen);
      if (task->copies > 1 && i > 0) take_from(*worker, held, *task);
    }
  }
}

}  // namespace taskfarm
