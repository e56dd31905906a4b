#include "farm.hpp"

#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include <cmath>
#include <cstddef>
#include <utility>

#include "events.hpp"
#include "failure.hpp"
#include "lookup.hpp"

namespace taskfarm {
namespace {

// Up to its last field in version 1.0; a later one may add some behind it, and less is the size of no version.
constexpr std::size_t least_farm_options =
    offsetof(tf_farm_options, raise_descriptors) + sizeof(tf_farm_options::raise_descriptors);
constexpr std::int64_t taker_patience_ns = 100 * ns_per_ms;  // with a thread that is between two calls of next
constexpr const char* broadcast_refused = "the broadcast is not sent";

void check(const FarmOptions& o) {
  const auto need = [](bool good, const char* what) {
    if (!good) throw Failure(TF_INVALID, std::string("farm option ") + what);
  };
  need(o.max_attempts >= 1 && o.max_attempts <= 200, "max_attempts is not within 1 to 200");
  need(o.window <= 1024 && o.window_max >= 1 && o.window_max <= 1024,
       "window is beyond 1024, or window_max not within 1 to 1024");
  need(o.heartbeat_ms >= 1 && o.heartbeat_timeout_ms > o.heartbeat_ms, "heartbeat_timeout_ms must exceed heartbeat_ms");
  need(o.hello_timeout_ms >= 1 && o.max_half_open >= 1 && o.max_workers >= 1,
       "hello_timeout_ms, max_half_open or max_workers must be at least 1");
  need(o.high_water_tasks >= 1 && o.reorder_limit >= 1, "high_water_tasks or reorder_limit must be at least 1");
  need(o.max_frame_bytes >= 1024 && o.max_frame_bytes <= 0x7fffffff, "max_frame_bytes is not within 1 KiB to 2 GiB less a byte");
  need(o.straggler_factor == 0 || (o.straggler_factor >= 1 && std::isfinite(o.straggler_factor)),
       "straggler_factor is neither 0 nor a number from 1 on");
  need(o.spin_us >= -1, "spin_us is neither -1 nor a time");
  need(o.ordered == 0 || o.ordered == 1, "ordered is neither 0 nor 1");
  need(o.ring_bytes >= 4096 && o.ring_bytes <= (1U << 30) && (o.ring_bytes & (o.ring_bytes - 1)) == 0,
       "ring_bytes is no power of two from 4096 to 2^30");
}

// Anybody who reaches a plain TCP port could take tasks, or send results.
void check_security(const Url& url, const std::vector<Address>& addresses, const FarmOptions& options) {
  if (url.kind == Url::Kind::local && options.credentials.given())
    throw Failure(TF_SECURITY, "unix://" + url.path + ": TLS is for tcp://; a unix socket is kept to its user already");
  if (url.kind == Url::Kind::tcp && !options.credentials.given() && !all_loopback(addresses))
    throw Failure(TF_SECURITY, "tcp://" + url.shown_host() + ": not a loopback address, and no credentials are given; make a key "
                               "with: taskfarm key FILE, and give it to both sides as key_file");
}

}  // namespace

FarmOptions::FarmOptions(const tf_farm_options* given) {
  tf_farm_options_init(this);
  if (given != nullptr) {
    if (given->size < least_farm_options || given->size > sizeof(tf_farm_options))
      throw Failure(TF_INVALID, "tf_farm_options.size is wrong; begin with tf_farm_options_init");
    std::memcpy(static_cast<tf_farm_options*>(this), given, given->size);
  }
  credentials = {optional_file(key_file, "key_file"), optional_file(certificate_file, "certificate_file"),
                 optional_file(certificate_key_file, "certificate_key_file"), optional_file(ca_file, "ca_file")};
  journal_path = optional_file(journal, "journal");
  check(*this);
}

Farm::Farm(const std::string& text, const FarmOptions& options, std::int64_t patience_with_names_ns)
    : options_(options), scratch_(256 * 1024) {
  const Url url = parse_url(text);
  // Once: what is bound is what was checked.
  const std::vector<Address> addresses = addresses_within(url, patience_with_names_ns);
  check_security(url, addresses, options_);
  if (options_.credentials.given()) tls_ = std::make_unique<TlsContext>(options_.credentials, true);
  options_.shared_memory &= url.shared_memory;
  farm_id_ = random_identity();
  host_ = host_key();
  make_room_for_own_descriptors();
  epoll_.reset(epoll_create1(EPOLL_CLOEXEC));
  doorbell_.reset(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  notice_.reset(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (!epoll_.open() || !doorbell_.open() || !notice_.open()) fail_system("epoll or eventfd");
  if (!options_.journal_path.empty()) recover();
  listener_ = listen_on(url, addresses.front());
  watch(epoll_.get(), listener_.fd.get(), key_listener);
  watch(epoll_.get(), doorbell_.get(), key_doorbell);
  watch(epoll_.get(), notice_.get(), key_notice);
  if (options_.shared_memory != 0) share_memory(url.kind == Url::Kind::tcp);
  now_ = last_epoll_ns_ = idle_since_ns_ = now_ns();
}

Farm::~Farm() {
  listener_.end();
  while (graveyard_) graveyard_ = std::move(graveyard_->next_dead);
}

tf_code Farm::submit_many(const tf_buffer* tasks, std::size_t count, std::uint32_t deadline_ms, std::int64_t timeout_ms,
                          std::uint64_t& first, std::size_t& accepted) {
  made_here_.need("farm");
  check_tasks(tasks, count);
  Lock lock(mutex_);
  first = tasks_.end();
  if (closing_) return TF_CLOSED;
  const std::int64_t deadline = deadline_ms == 0 ? never : now_ns() + deadline_ms * ns_per_ms;
  if (count > 0 && over_high_water(tasks[0].bytes)) {
    dispatch();
    const tf_code code = wait_for_room(lock, tasks[0].bytes, moment_after(timeout_ms));
    if (code == TF_AGAIN) {
      tell_of_room();
      arm_for_poll();
    }
    if (code != TF_OK) return code;
    first = tasks_.end();
  }
  accepted = accept_tasks(tasks, count, deadline);
  if (!idle_.empty() || !room_.empty()) now_ = now_ns();  // the last turn may be long ago: none is sent before it was there
  dispatch();
  flush_dirty();
  // Who sleeps in the loop has a timer more, or idle workers to look after.
  if (reactor_sleeps_ && (deadline != never || options_.straggler_factor > 0 || withholds())) wake_reactor();
  arm_for_poll();
  if (accepted < count) tell_of_room();
  return accepted == count ? TF_OK : TF_AGAIN;
}

// The next tf_next makes room where the one before gave results: who polls is to call it, though nothing else has come.
void Farm::tell_of_room() {
  if (polled_ && !handed_out_.empty()) wake_reactor();
}

void Farm::check_tasks(const tf_buffer* tasks, std::size_t count) const {
  for (std::size_t i = 0; i < count; ++i) {
    if (tasks[i].data == nullptr && tasks[i].bytes > 0)
      throw Failure(TF_INVALID, "a task of " + std::to_string(tasks[i].bytes) + " bytes has no data: NULL");
    if (tasks[i].bytes > options_.max_frame_bytes)
      throw Failure(TF_TOOBIG, "a task of " + std::to_string(tasks[i].bytes) + " bytes is beyond max_frame_bytes (" +
                                   std::to_string(options_.max_frame_bytes) + ")");
  }
}

// As many as there is room for; none when memory or the journal fails, and nobody was given one of them before.
std::size_t Farm::accept_tasks(const tf_buffer* tasks, std::size_t count, std::int64_t deadline_ns) {
  constexpr const char* refused = "none of the tasks is accepted";
  std::size_t fitting = 0, bytes = 0;
  while (fitting < count && !over_high_water(bytes + tasks[fitting].bytes, fitting)) bytes += tasks[fitting++].bytes;
  if (fitting > 0 && journal_ && !reserve_journal(bytes, fitting)) journal_failed(refused);
  const std::size_t buffered = journal_ ? journal_->buffered() : 0;
  std::size_t accepted = 0;
  try {
    for (; accepted < fitting; ++accepted) accept_task(tasks[accepted], deadline_ns);
    if (accepted > 0 && journal_ && !write_journal()) journal_failed(refused);
  } catch (...) {
    for (; accepted > 0; --accepted) take_back_last();
    if (journal_) journal_->drop_buffered_from(buffered);
    throw;
  }
  return accepted;
}

// One more beside these tasks, which are to have so many bytes together.
bool Farm::over_high_water(std::size_t bytes, std::size_t tasks) const {
  tasks += tasks_.size();
  return tasks >= options_.high_water_tasks || (tasks > 0 && bytes_held_ + bytes > options_.high_water_bytes);
}

// Waiting helps only while tasks are under way, or another thread takes the results: it is in next, or between two calls.
tf_code Farm::wait_for_room(Lock& lock, std::size_t bytes, std::int64_t until) {
  Taker seen = taker_;
  std::int64_t back_by = now_ns() + taker_patience_ns;
  while (over_high_water(bytes)) {
    const std::int64_t now = now_ns();
    if (closing_) return TF_CLOSED;
    if (std::exchange(seen, taker_) != taker_) back_by = now + taker_patience_ns;
    const bool comes_back = taker_.calls > 0 && taker_.thread != std::this_thread::get_id() && now < back_by;
    const bool alone = !comes_back && !reactor_busy_;
    if (now >= until || (!unfinished() && waiters_ == 0 && alone)) return TF_AGAIN;
    if (tasks_.size() - queued_ - assigned_ >= options_.high_water_tasks && alone) return TF_AGAIN;
    ++want_room_;
    step(lock, comes_back ? std::min(until, back_by) : until);
    --want_room_;
    if (!ready_.empty() && over_high_water(bytes) && waiters_ == 0 && !reactor_busy_ && !comes_back) return TF_AGAIN;
  }
  return closing_ ? TF_CLOSED : TF_OK;  // the end makes room too
}

// Of tasks that ended while they waited the queue still has the ids, of more and more where no worker comes to its front.
void Farm::forget_ended() {
  if (queue_.size() < 2 * queued_ + 1024) return;
  std::erase_if(queue_, [this](std::uint64_t id) {
    const Task* task = tasks_.find(id);
    return task == nullptr || task->state != Task::State::queued;
  });
}

// All that can fail comes first.
void Farm::accept_task(const tf_buffer& buffer, std::int64_t deadline_ns) {
  forget_ended();
  Payload payload(payloads_, {static_cast<const char*>(buffer.data), buffer.bytes});
  const std::uint64_t id = tasks_.create();
  try {
    if (deadline_ns != never) add_deadline(deadline_ns, id);
    if (journal_) journal_->add({RecordType::task, 0, id, milliseconds_left(deadline_ns), payload.view()});
    queue_.push_back(id);
  } catch (...) {
    tasks_.take_back(id);
    throw;
  }
  Task& task = *tasks_.find(id);
  task.payload = std::move(payload);
  task.deadline_ns = deadline_ns;
  bytes_held_ += buffer.bytes;
  ++queued_;
  ++counts_.submitted;
}

void Farm::take_back_last() {
  const std::uint64_t id = queue_.back();
  bytes_held_ -= tasks_.find(id)->payload.size();
  tasks_.take_back(id);
  queue_.pop_back();
  --queued_;
  --counts_.submitted;
}

// An id that was taken back is given again, so what a deadline was for is told by its moment too.
void Farm::add_deadline(std::int64_t moment_ns, std::uint64_t id) {
  deadlines_.forget_others(tasks_.size(), [this](std::uint64_t other, std::int64_t moment) { return awaits(other, moment); });
  deadlines_.add(moment_ns, id);
}

bool Farm::awaits(std::uint64_t id, std::int64_t moment_ns) {
  const Task* task = tasks_.find(id);
  return task != nullptr && task->state != Task::State::finished && task->deadline_ns == moment_ns;
}

tf_code Farm::next(tf_result* results, std::size_t max, std::int64_t timeout_ms, std::size_t& count) {
  made_here_.need("farm");
  Lock lock(mutex_);
  count = 0;
  if (closing_) return TF_CLOSED;
  taker_ = {std::this_thread::get_id(), taker_.calls + 1};
  forget_handed_out();
  if (max == 0) return TF_OK;
  // Who takes results one by one, and takes his time, must not keep the workers waiting for the loop.
  if (!ready_.empty() && !reactor_busy_ && now_ns() - turned_ns_ > ns_per_ms) step(lock, 0);
  std::int64_t until = 0;  // the clock is read only when there is something to wait for
  while (ready_.empty()) {
    if (closing_) return TF_CLOSED;
    if (timeout_ms < 0 && tasks_.size() == handed_out_.size()) return TF_IDLE;  // another thread may have had the last
    if (until == 0) {
      until = timeout_ms == 0 ? 1 : moment_after(timeout_ms);
    } else if (until != never && now_ns() >= until) {
      give_to_all();
      arm_for_poll();
      return TF_TIMEOUT;
    }
    step(lock, until);
  }
  if (closing_) return TF_CLOSED;  // the farm and its results may be gone before the caller looks at them
  try {
    count = hand_out(results, max);
  } catch (...) {
    arm_for_poll();
    throw;
  }
  arm_for_poll();
  return TF_OK;
}

std::size_t Farm::hand_out(tf_result* results, std::size_t max) {
  const std::size_t count = std::min<std::size_t>(max, ready_.size());
  handed_out_.reserve(count);
  if (journal_) record_handing_out(count);
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t id = ready_.front();
    ready_.pop_front();
    const Task& task = *tasks_.find(id);
    results[i] = {id,          task.payload.data(), task.payload.size(), static_cast<tf_status>(task.status),
                  task.attempt, task.worker,         task.redelivered};
    handed_out_.push_back(id);
  }
  counts_.delivered += count;
  return count;
}

// What the journal does not have yet, a later coordinator would have done again: it is not handed out either.
void Farm::record_handing_out(std::size_t count) {
  record([&] {
    for (std::size_t i = 0; i < count; ++i) journal_->add({RecordType::handed_out, 0, ready_[i], 0, {}});
  }, "results are held back until it can be");
}

// What the farm is about to do. In a file that is written anew it is not yet, as it is not done.
template <class F>
void Farm::record(F&& add, const char* what) {
  const std::size_t buffered = journal_->buffered();
  try {
    add();
    if (journal_->write()) return;
    const int reason = errno;
    journal_->drop_buffered_from(buffered);
    errno = reason;
    if (!relieve_journal()) journal_failed(what);
    add();
    if (!journal_->write()) journal_failed(what);
  } catch (...) {
    journal_->drop_buffered_from(buffered);
    throw;
  }
}

// The results of the last call have been used: the caller came back.
void Farm::forget_handed_out() {
  if (handed_out_.empty()) return;
  while (!handed_out_.empty()) {
    const std::uint64_t id = handed_out_.back();
    if (journal_) journal_->add({RecordType::delivered, 0, id, 0, {}});
    const std::size_t bytes = tasks_.find(id)->payload.size();
    bytes_held_ -= bytes;
    result_bytes_ -= bytes;
    tasks_.remove(id);
    handed_out_.pop_back();
  }
  keep_journal();
  if (waiters_ > 0) changed_.notify_all();
  if (want_room_ > 0) wake_reactor();  // who wants it may be asleep in the loop
}

void Farm::broadcast(const std::string& key, std::string_view data) {
  made_here_.need("farm");
  if (key.empty() || key.size() > 255) throw Failure(TF_INVALID, "the key of a broadcast has 1 to 255 bytes");
  if (data.data() == nullptr && !data.empty())
    throw Failure(TF_INVALID, "a broadcast of " + std::to_string(data.size()) + " bytes has no data: NULL");
  if (data.size() > options_.max_frame_bytes - 2 - key.size())
    throw Failure(TF_TOOBIG, "a broadcast of " + std::to_string(data.size()) + " bytes, with its key and two more, is beyond "
                             "max_frame_bytes (" + std::to_string(options_.max_frame_bytes) + ")");
  Lock lock(mutex_);
  const auto key_bytes = static_cast<std::uint16_t>(key.size());
  std::string body(reinterpret_cast<const char*>(&key_bytes), sizeof key_bytes);
  body.append(key).append(data);
  if (journal_ && !reserve_journal(body.size(), 1)) journal_failed(broadcast_refused);
  const Broadcast made{broadcast_versions_ + 1, Payload(payloads_, body)};
  Broadcast& entry = broadcasts_.try_emplace(key, made).first->second;
  if (journal_) record_broadcast(key, made, entry.version == made.version);
  if (entry.version != made.version) broadcast_bytes_ -= entry.payload.size();
  broadcast_bytes_ += made.payload.size();
  entry = made;
  ++broadcast_versions_;
  for (const auto& peer : peers_)
    if (peer && peer->state == Peer::State::open) serve(*peer, [&] {
      peer->owed.insert(key);
      if (peer->out.empty()) give_owed(*peer);
    });
  flush_dirty();
}

// Of each key the last version alone: those that were made while the worker took nothing would lie here all together.
void Farm::give_owed(Peer& peer) {
  for (const std::string& key : peer.owed) {
    const Broadcast& last = broadcasts_.at(key);
    send(peer, {.type = FrameType::broadcast, .value = last.version}, last.payload);
  }
  peer.owed.clear();
}

void Farm::record_broadcast(const std::string& key, const Broadcast& made, bool first) {
  try {
    record([&] { journal_->add({RecordType::broadcast, 0, made.version, 0, made.payload.view()}); }, broadcast_refused);
  } catch (...) {
    if (first) broadcasts_.erase(key);
    throw;
  }
}

tf_code Farm::cancel(std::uint64_t id, bool only_queued) {
  made_here_.need("farm");
  Lock lock(mutex_);
  Task* task = tasks_.find(id);
  if (task == nullptr || task->state == Task::State::finished) return TF_NOTFOUND;
  if (only_queued && task->state == Task::State::assigned) return TF_BUSY;
  end_cancelled(id, *task);
  return TF_OK;
}

void Farm::end_cancelled(std::uint64_t id, Task& task) {
  finish(id, task, TF_CANCELLED, {});
  if (task.copies > 0) cancel_copies(id, task);
  if (journal_ && !write_journal()) ++counts_.journal_errors;
  flush_dirty();
  wake_reactor();
  arm_for_poll();
}

// Who holds it answers by skipped, or by a result where it had begun: only then is it known how the task ends.
tf_code Farm::recall(std::uint64_t id) {
  made_here_.need("farm");
  Lock lock(mutex_);
  Task* task = tasks_.find(id);
  if (task == nullptr || task->state == Task::State::finished) return TF_NOTFOUND;
  if (task->state != Task::State::assigned) return end_cancelled(id, *task), TF_OK;
  if (task->recalled) return TF_BUSY;
  task->recalled = true;
  send_cancels(id);
  flush_dirty();
  wake_reactor();
  arm_for_poll();
  return TF_BUSY;
}

tf_code Farm::rerun(std::uint64_t id) {
  made_here_.need("farm");
  Lock lock(mutex_);
  Task* task = tasks_.find(id);
  if (task == nullptr || task->state == Task::State::finished) return TF_NOTFOUND;
  if (task->state == Task::State::queued) return TF_OK;  // it will run on a worker anyway
  if (task->recalled || task->copies == most_copies) return TF_AGAIN;
  Worker* worker = worker_with_room(true);
  if (worker == nullptr) return TF_AGAIN;
  now_ = now_ns();
  ++counts_.reruns;
  serve(*worker->peer, [&] { assign(*worker, id, *task); });
  flush_dirty();
  return TF_OK;
}

int Farm::fd() {
  made_here_.need("farm");
  Lock lock(mutex_);
  if (!polled_) {
    Descriptor ticker(timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK));
    if (!ticker.open()) fail_system("timerfd_create");
    const itimerspec each{{0, 50 * 1'000'000}, {0, 50 * 1'000'000}};  // silence, deadlines: found this late at most
    timerfd_settime(ticker.get(), 0, &each, nullptr);
    watch(epoll_.get(), ticker.get(), key_ticker);
    ticker_ = std::move(ticker);
    polled_ = true;
  }
  arm_for_poll();
  return epoll_.get();
}

tf_code Farm::close(std::int64_t timeout_ms) {
  Lock lock(mutex_);
  const std::int64_t until = moment_after(timeout_ms);
  while (unfinished() && !waits_for_takers() && !closing_ && now_ns() < until) step(lock, until);
  const bool all = !unfinished() && ready_.empty();
  forget_handed_out();
  closing_ = true;
  changed_.notify_all();
  wake_reactor();
  for (const auto& peer : peers_)
    if (peer && (peer->state == Peer::State::open || peer->state == Peer::State::monitor))
      send(*peer, {.type = FrameType::goodbye});
  flush_dirty();
  listener_.end();
  local_listener_.end();
  // Idle workers go at once; a connection closed with unread bytes would be reset, and could lose the goodbye.
  const std::int64_t patience = now_ns() + 300 * ns_per_ms;
  while (connected_ > 0 && now_ns() < patience) step(lock, patience);
  give_slice_back();
  return all ? TF_OK : TF_TIMEOUT;
}

// Whatever failed in `close`: who waits in a call of this farm comes out of it before the farm is freed.
void Farm::send_callers_home() {
  Lock lock(mutex_);
  closing_ = true;
  while (reactor_busy_ || waiters_ > 0) {
    wake_reactor();
    changed_.notify_all();
    ++waiters_;
    changed_.wait_for(lock, std::chrono::milliseconds(10));
    --waiters_;
  }
}

}  // namespace taskfarm
