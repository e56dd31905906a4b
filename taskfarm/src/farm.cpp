#include "farm.hpp"

#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "events.hpp"
#include "failure.hpp"

namespace taskfarm {
namespace {

std::string text_or_empty(const char* text) { return text == nullptr ? "" : text; }

void check(const FarmOptions& o) {
  const auto need = [](bool good, const char* what) {
    if (!good) throw Failure(TF_INVALID, std::string("farm option ") + what);
  };
  need(o.max_attempts >= 1 && o.max_attempts <= 200, "max_attempts is not within 1 to 200");
  need(o.window <= 1024 && o.window_max >= 1 && o.window_max <= 1024, "window or window_max is beyond 1024");
  need(o.heartbeat_ms >= 1 && o.heartbeat_timeout_ms > o.heartbeat_ms, "heartbeat_timeout_ms must exceed heartbeat_ms");
  need(o.hello_timeout_ms >= 1 && o.max_half_open >= 1 && o.max_workers >= 1, "of admission must be at least 1");
  need(o.high_water_tasks >= 1 && o.reorder_limit >= 1, "high_water_tasks or reorder_limit must be at least 1");
  need(o.max_frame_bytes >= 1024 && o.max_frame_bytes <= 0x7fffffff, "max_frame_bytes is not within 1 KiB to 2 GiB");
  need(o.straggler_factor == 0 || o.straggler_factor >= 1, "straggler_factor is neither 0 nor at least 1");
  need(o.ring_bytes >= 4096 && o.ring_bytes <= (1U << 30) && (o.ring_bytes & (o.ring_bytes - 1)) == 0,
       "ring_bytes is no power of two from 4096 to 2^30");
}

// Anybody who reaches a plain TCP port could take tasks, or send results.
void check_security(const Url& url, const FarmOptions& options) {
  if (url.kind == Url::Kind::local && options.credentials.given())
    throw Failure(TF_SECURITY, "unix://" + url.path + ": TLS is for tcp://; a unix socket is kept to its user already");
  if (url.kind == Url::Kind::tcp && !options.credentials.given() && !is_loopback(url))
    throw Failure(TF_SECURITY, "tcp://" + url.host + ": not a loopback address, and no credentials are given; "
                               "make a key with: taskfarm key FILE, and give it to both sides as key_file");
}

}  // namespace

FarmOptions::FarmOptions(const tf_farm_options* given) {
  tf_farm_options_init(this);
  if (given != nullptr) {
    if (given->size == 0 || given->size > sizeof(tf_farm_options))
      throw Failure(TF_INVALID, "tf_farm_options.size is wrong; begin with tf_farm_options_init");
    std::memcpy(static_cast<tf_farm_options*>(this), given, given->size);
  }
  credentials = {text_or_empty(key_file), text_or_empty(certificate_file), text_or_empty(certificate_key_file),
                 text_or_empty(ca_file)};
  journal_path = text_or_empty(journal);
  check(*this);
}

Farm::Farm(const std::string& text, const FarmOptions& options) : options_(options), scratch_(256 * 1024) {
  const Url url = parse_url(text);
  check_security(url, options_);
  if (options_.credentials.given()) tls_ = std::make_unique<TlsContext>(options_.credentials, true);
  options_.shared_memory &= url.shared_memory;
  farm_id_ = random_identity();
  host_ = host_key();
  epoll_.reset(epoll_create1(EPOLL_CLOEXEC));
  doorbell_.reset(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  notice_.reset(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (!epoll_.open() || !doorbell_.open() || !notice_.open()) fail_system("epoll or eventfd");
  if (!options_.journal_path.empty()) recover();
  listener_ = listen_on(url);
  watch(epoll_.get(), listener_.fd.get(), key_listener);
  watch(epoll_.get(), doorbell_.get(), key_doorbell);
  watch(epoll_.get(), notice_.get(), key_notice);
  if (options_.shared_memory != 0) {
    board_ = SharedBoard::create();
    has_board_ = true;
    if (url.kind == Url::Kind::tcp) {
      const Identity name = random_identity();
      std::string path = "@taskfarm-";
      for (const unsigned char byte : name) path += {"0123456789abcdef"[byte >> 4], "0123456789abcdef"[byte & 15]};
      Url local;
      local.kind = Url::Kind::local;
      local.path = path;
      local_listener_ = listen_on(local);
      watch(epoll_.get(), local_listener_.fd.get(), key_local_listener);
    }
  }
  now_ = last_epoll_ns_ = idle_since_ns_ = now_ns();
}

Farm::~Farm() {
  if (!listener_.unlink.empty()) unlink(listener_.unlink.c_str());
}

// What the journal of a coordinator that ended in any way still holds is taken over, and the file written anew.
void Farm::recover() {
  journal_ = std::make_unique<Journal>(options_.journal_path, options_.journal_sync != 0);
  const std::int64_t now = now_ns();
  journal_->read([&](const Record& r) {
    if (r.type == RecordType::farm) {
      if (r.payload.size() == farm_id_.size()) std::memcpy(farm_id_.data(), r.payload.data(), farm_id_.size());
      if (r.id > tasks_.end()) tasks_.start_at(r.id);
    } else if (r.type == RecordType::task && r.id >= tasks_.end()) {
      Task& task = *tasks_.find(tasks_.create(r.id));
      task.payload = Payload(payloads_, r.payload);
      if (r.value > 0) task.deadline_ns = now + static_cast<std::int64_t>(r.value) * ns_per_ms;
    } else if (r.type == RecordType::broadcast && r.payload.size() >= 2) {
      std::uint16_t key_bytes;
      std::memcpy(&key_bytes, r.payload.data(), 2);
      if (r.payload.size() < 2U + key_bytes) return;
      broadcasts_[std::string(r.payload.substr(2, key_bytes))] = {r.id, Payload(payloads_, r.payload)};
      broadcast_versions_ = std::max(broadcast_versions_, r.id);
    } else if (Task* task = tasks_.find(r.id); task != nullptr) {
      if (r.type == RecordType::result) {
        task->payload = Payload(payloads_, r.payload);
        task->state = Task::State::finished;
        task->status = r.status;
        task->attempt = static_cast<std::uint16_t>(r.value);
      } else if (r.type == RecordType::handed_out) {
        task->redelivered = true;
      } else if (r.type == RecordType::suspected) {
        ++task->suspected;
        task->alone = true;
        if (!task->reasons) task->reasons = std::make_unique<std::string>();
        *task->reasons += r.payload;
      } else if (r.type == RecordType::delivered) {
        tasks_.remove(r.id);
      }
    }
  });
  const std::uint64_t next = tasks_.end();
  ordered_next_ = next;
  journal_->rewrite([&] {
    // The first task id of what follows is not known to `create` otherwise; the next one stands at the end.
    journal_->add({RecordType::farm, 0, 0, 0, {reinterpret_cast<const char*>(farm_id_.data()), farm_id_.size()}});
    for (const auto& [key, b] : broadcasts_) journal_->add({RecordType::broadcast, 0, b.version, 0, b.payload.view()});
    for (std::uint64_t id = tasks_.begin(); id < next; ++id) {
      Task* task = tasks_.find(id);
      if (task == nullptr) continue;
      ++counts_.recovered;
      bytes_held_ += task->payload.size();
      if (ordered_next_ == next) ordered_next_ = id;
      const bool finished = task->state == Task::State::finished;
      const std::uint64_t left_ms =
          task->deadline_ns == never ? 0 : static_cast<std::uint64_t>(task->deadline_ns - now) / ns_per_ms + 1;
      journal_->add({RecordType::task, 0, id, left_ms, finished ? std::string_view{} : task->payload.view()});
      if (task->reasons)
        for (int i = 0; i < task->suspected; ++i)
          journal_->add({RecordType::suspected, 0, id, 0, i == 0 ? std::string_view(*task->reasons) : ""});
      if (finished) {
        journal_->add({RecordType::result, task->status, id, task->attempt, task->payload.view()});
        if (task->redelivered) journal_->add({RecordType::handed_out, 0, id, 0, {}});
        result_bytes_ += task->payload.size();
        if (options_.ordered == 0) ready_.push_back(id);
      } else {
        queue_.push_back(id);
        ++queued_;
        if (task->deadline_ns != never) deadlines_.emplace(task->deadline_ns, id);
      }
    }
    journal_->add({RecordType::farm, 0, next, 0, {}});
  });
  counts_.submitted = next - 1;
  counts_.delivered = counts_.submitted - counts_.recovered;
  if (options_.ordered != 0) make_ready();
}

tf_code Farm::submit_many(const tf_buffer* tasks, std::size_t count, std::uint32_t deadline_ms, std::int64_t timeout_ms,
                          std::uint64_t& first, std::size_t& accepted) {
  Lock lock(mutex_);
  accepted = 0;
  first = tasks_.end();
  if (closing_) return TF_CLOSED;
  for (std::size_t i = 0; i < count; ++i)
    if (tasks[i].bytes > options_.max_frame_bytes)
      throw Failure(TF_TOOBIG, "a task of " + std::to_string(tasks[i].bytes) + " bytes is beyond max_frame_bytes (" +
                                   std::to_string(options_.max_frame_bytes) + ")");
  const std::int64_t until = moment_after(timeout_ms);
  const std::int64_t deadline = deadline_ms == 0 ? never : now_ns() + deadline_ms * ns_per_ms;
  tf_code code = TF_OK;
  for (; accepted < count; ++accepted) {
    if (over_high_water(tasks[accepted].bytes)) {
      dispatch();
      code = accepted > 0 ? TF_AGAIN : wait_for_room(lock, tasks[0].bytes, until);
      if (code != TF_OK) break;
      first = tasks_.end();
    }
    accept_task(tasks[accepted], deadline);
  }
  if (accepted > 0 && journal_ && !journal_->write()) {
    ++counts_.journal_errors;
    throw Failure(TF_SYSTEM, "the journal cannot be written: " + std::string(std::strerror(errno)) +
                                 "; the tasks are accepted but would not survive a restart");
  }
  dispatch();
  flush_dirty();
  if (reactor_sleeps_ && deadline != never) wake_reactor();
  arm_for_poll();
  return accepted == count ? TF_OK : code;
}

bool Farm::over_high_water(std::size_t bytes) const {
  return tasks_.size() >= options_.high_water_tasks ||
         (tasks_.size() > 0 && bytes_held_ + bytes > options_.high_water_bytes);
}

// Waiting helps only while tasks are under way, or another thread takes the results.
tf_code Farm::wait_for_room(Lock& lock, std::size_t bytes, std::int64_t until) {
  while (over_high_water(bytes)) {
    if (closing_) return TF_CLOSED;
    if (now_ns() >= until || (!unfinished() && waiters_ == 0 && !reactor_busy_)) return TF_AGAIN;
    if (tasks_.size() - queued_ - assigned_ >= options_.high_water_tasks && !reactor_busy_) return TF_AGAIN;
    step(lock, until);
    if (!ready_.empty() && over_high_water(bytes) && waiters_ == 0 && !reactor_busy_) return TF_AGAIN;
  }
  return TF_OK;
}

void Farm::accept_task(const tf_buffer& buffer, std::int64_t deadline_ns) {
  const std::uint64_t id = tasks_.create();
  Task& task = *tasks_.find(id);
  task.payload = Payload(payloads_, {static_cast<const char*>(buffer.data), buffer.bytes});
  task.deadline_ns = deadline_ns;
  if (deadline_ns != never) deadlines_.emplace(deadline_ns, id);
  bytes_held_ += buffer.bytes;
  queue_.push_back(id);
  ++queued_;
  ++counts_.submitted;
  if (journal_) {
    const std::uint64_t left_ms =
        deadline_ns == never ? 0 : static_cast<std::uint64_t>((deadline_ns - now_) / ns_per_ms) + 1;
    journal_->add({RecordType::task, 0, id, left_ms, task.payload.view()});
  }
}

tf_code Farm::next(tf_result* results, std::size_t max, std::int64_t timeout_ms, std::size_t& count) {
  Lock lock(mutex_);
  count = 0;
  forget_handed_out();
  if (max == 0) return TF_OK;
  // Who takes results one by one, and takes his time, must not keep the workers waiting for the loop.
  if (!ready_.empty() && !reactor_busy_ && now_ns() - turned_ns_ > ns_per_ms) step(lock, 0);
  std::int64_t until = 0;  // the clock is read only when there is something to wait for
  while (ready_.empty()) {
    if (closing_) return TF_CLOSED;
    if (timeout_ms < 0 && tasks_.size() == 0) return TF_IDLE;
    if (until == 0) {
      until = timeout_ms == 0 ? 1 : moment_after(timeout_ms);
    } else if (until != never && now_ns() >= until) {
      arm_for_poll();
      return TF_TIMEOUT;
    }
    step(lock, until);
  }
  count = hand_out(results, max);
  arm_for_poll();
  return TF_OK;
}

std::size_t Farm::hand_out(tf_result* results, std::size_t max) {
  std::size_t count = 0;
  for (; count < max && !ready_.empty(); ++count) {
    const std::uint64_t id = ready_.front();
    ready_.pop_front();
    const Task& task = *tasks_.find(id);
    results[count] = {id,          task.payload.data(), task.payload.size(), static_cast<tf_status>(task.status),
                      task.attempt, task.worker,         task.redelivered};
    handed_out_.push_back(id);
    if (journal_) journal_->add({RecordType::handed_out, 0, id, 0, {}});
  }
  counts_.delivered += count;
  if (journal_ && !journal_->write()) ++counts_.journal_errors;
  return count;
}

// The results of the last call have been used: the caller came back.
void Farm::forget_handed_out() {
  if (handed_out_.empty()) return;
  for (const std::uint64_t id : handed_out_) {
    const std::size_t bytes = tasks_.find(id)->payload.size();
    bytes_held_ -= bytes;
    result_bytes_ -= bytes;
    tasks_.remove(id);
    if (journal_) journal_->add({RecordType::delivered, 0, id, 0, {}});
  }
  handed_out_.clear();
  if (journal_ && !journal_->write()) ++counts_.journal_errors;
  if (waiters_ > 0) changed_.notify_all();
}

void Farm::broadcast(const std::string& key, std::string_view data) {
  if (key.empty() || key.size() > 255) throw Failure(TF_INVALID, "the key of a broadcast has 1 to 255 bytes");
  Lock lock(mutex_);
  if (data.size() + 2 + key.size() > options_.max_frame_bytes)
    throw Failure(TF_TOOBIG, "a broadcast of " + std::to_string(data.size()) + " bytes is beyond max_frame_bytes");
  const auto key_bytes = static_cast<std::uint16_t>(key.size());
  std::string body(reinterpret_cast<const char*>(&key_bytes), sizeof key_bytes);
  body.append(key).append(data);
  Broadcast& entry = broadcasts_[key];
  entry = {++broadcast_versions_, Payload(payloads_, body)};
  if (journal_) {
    journal_->add({RecordType::broadcast, 0, entry.version, 0, entry.payload.view()});
    if (!journal_->write()) ++counts_.journal_errors;
  }
  for (const auto& peer : peers_)
    if (peer && peer->state == Peer::State::open)
      send(*peer, {.type = FrameType::broadcast, .value = entry.version}, entry.payload);
  flush_dirty();
}

tf_code Farm::cancel(std::uint64_t id, bool only_queued) {
  Lock lock(mutex_);
  Task* task = tasks_.find(id);
  if (task == nullptr || task->state == Task::State::finished) return TF_NOTFOUND;
  if (only_queued && (task->state == Task::State::assigned || task->attempt > 0)) return TF_BUSY;
  if (task->copies > 0) cancel_copies(id, *task);
  finish(id, *task, TF_CANCELLED, {});
  if (journal_ && !journal_->write()) ++counts_.journal_errors;
  flush_dirty();
  wake_reactor();
  arm_for_poll();
  return TF_OK;
}

tf_code Farm::rerun(std::uint64_t id) {
  Lock lock(mutex_);
  Task* task = tasks_.find(id);
  if (task == nullptr || task->state == Task::State::finished) return TF_NOTFOUND;
  if (task->state == Task::State::queued) return TF_OK;  // it will run on a worker anyway
  Worker* worker = worker_with_room(true);
  if (worker == nullptr) return TF_AGAIN;
  ++counts_.reruns;
  assign(*worker, id, *task);
  flush_dirty();
  return TF_OK;
}

int Farm::fd() {
  Lock lock(mutex_);
  if (!polled_) {
    polled_ = true;
    ticker_.reset(timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK));
    if (!ticker_.open()) fail_system("timerfd_create");
    const itimerspec each{{0, 50 * 1'000'000}, {0, 50 * 1'000'000}};  // silence, deadlines: found this late at most
    timerfd_settime(ticker_.get(), 0, &each, nullptr);
    watch(epoll_.get(), ticker_.get(), key_ticker);
  }
  arm_for_poll();
  return epoll_.get();
}

tf_code Farm::close(std::int64_t timeout_ms) {
  Lock lock(mutex_);
  const std::int64_t until = moment_after(timeout_ms);
  while (unfinished() && now_ns() < until) step(lock, until);
  const bool all = !unfinished() && ready_.empty();
  forget_handed_out();
  closing_ = true;
  wake_reactor();
  for (const auto& peer : peers_)
    if (peer && (peer->state == Peer::State::open || peer->state == Peer::State::monitor))
      send(*peer, {.type = FrameType::goodbye});
  listener_.fd.reset();
  local_listener_.fd.reset();
  // Idle workers go at once; a connection closed with unread bytes would be reset, and could lose the goodbye.
  const std::int64_t patience = std::min(until, now_ns() + 300 * ns_per_ms);
  const std::int64_t at_least = now_ns() + 300 * ns_per_ms;
  while ((connected_ > 0 || waiters_ > 0) && now_ns() < std::max(patience, at_least)) step(lock, at_least);
  give_slice_back();
  return all ? TF_OK : TF_TIMEOUT;
}

}  // namespace taskfarm
