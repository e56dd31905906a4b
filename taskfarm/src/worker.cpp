#include "worker.hpp"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <utility>

#include "failure.hpp"

namespace taskfarm {
namespace {

// Up to its last field in version 1.0, as that of the coordinator's options.
constexpr std::size_t least_worker_options = offsetof(tf_worker_options, ca_file) + sizeof(tf_worker_options::ca_file);
constexpr std::size_t hold_at_most = 32768;  // bytes
constexpr std::size_t first_buffer = 65536;
constexpr std::size_t most_kept = std::size_t{16} << 20;  // of the buffer, once what needed more is done
constexpr std::int64_t longest_rest_ms = 1000;
constexpr double waits_for_rest = 0.02;  // of the time of the last task
constexpr std::int64_t look_at_rings_each_ns = 50'000;
constexpr std::uint64_t least_frame_limit = 1024;  // as the coordinator's; with less no task would come, again and again

}  // namespace

WorkerOptions::WorkerOptions(const tf_worker_options* given) {
  tf_worker_options_init(this);
  if (given != nullptr) {
    if (given->size < least_worker_options || given->size > sizeof(tf_worker_options))
      throw Failure(TF_INVALID, "tf_worker_options.size is wrong; begin with tf_worker_options_init");
    std::memcpy(static_cast<tf_worker_options*>(this), given, given->size);
  }
  if (max_frame_bytes < least_frame_limit) throw Failure(TF_INVALID, "worker option max_frame_bytes is less than 1 KiB");
  worker_name = name == nullptr ? host_name() : name;
  credentials = {optional_file(key_file, "key_file"), optional_file(certificate_file, "certificate_file"),
                 optional_file(certificate_key_file, "certificate_key_file"), optional_file(ca_file, "ca_file")};
}

WorkerSide::WorkerSide(const std::string& url, const WorkerOptions& options)
    : options_(options), connector_(url, options_, Role::worker), in_(first_buffer),
      rest_(0, std::min<std::int64_t>(longest_rest_ms, options.reconnect_timeout_ms / 2) * ns_per_ms) {
  control_.reset(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (!control_.open()) fail_system("eventfd");
  adopt(connector_.connect(moment_after(options_.connect_timeout_ms)));
  heartbeat_thread_ = std::thread([this] { heartbeat(); });
}

WorkerSide::~WorkerSide() {
  stop_ = true;
  wake_heartbeat();
  if (heartbeat_thread_.joinable()) heartbeat_thread_.join();
  give_slice_back();
}

tf_code WorkerSide::recv(tf_task& task, std::int64_t timeout_ms) {
  made_here_.need("worker");
  if (has_task_) throw Failure(TF_INVALID, "tf_recv before the last task was answered; call tf_reply or tf_fail first");
  release_current();
  if (last_service_ns_ >= long_enough_to_be_cancelled_ns || hang_up_seen_) read_ahead();
  std::int64_t until = 0;
  for (;;) {
    if (ended_) return TF_CLOSED;
    if (take_next(task)) return TF_OK;
    if (ended_) return TF_CLOSED;
    if (until == 0) until = timeout_ms == 0 ? 1 : moment_after(timeout_ms);
    switch (flush_socket(until) ? wait_for_input(until) : Wait::lost) {
      case Wait::arrived:
        proven_ = answered_;
        break;
      case Wait::timeout:
        return TF_TIMEOUT;
      case Wait::lost:
        switch (reconnect(until)) {
          case Return::back:
            break;
          case Return::not_yet:
            return TF_TIMEOUT;
          case Return::given_up:
            return TF_CLOSED;
        }
    }
  }
}

bool WorkerSide::take_next(tf_task& task) {
  Frame frame;
  look_ahead();
  while (!ended_ && !lost_) {  // what the coordinator gave before the connection ended, it has given to others since
    const Parsed parsed = next_frame(frame);
    if (parsed == Parsed::incomplete) return false;
    if (parsed != Parsed::frame) {
      lost_ = true;  // the connection is of no use; another one may be
      return false;
    }
    const Header& header = frame.header;
    const std::pair key{header.task, header.attempt};
    const auto cancelled = std::find(cancelled_.begin(), cancelled_.end(), key);
    switch (header.type) {
      case FrameType::task:
        if (cancelled == cancelled_.end()) return begin(frame, task), true;
        send_frame({.type = FrameType::skipped, .attempt = header.attempt, .task = header.task}, nullptr);
        break;
      case FrameType::cancel:  // of a task before it: skipped, or answered meanwhile
        if (cancelled != cancelled_.end()) cancelled_.erase(cancelled);
        break;
      case FrameType::broadcast:
        store_context(frame);
        break;
      case FrameType::tune:
        set_ranks(header.value);
        break;
      case FrameType::goodbye:
        ended_ = true;
        break;
      case FrameType::padding:
        padded_ = true;  // results go back as tasks do
        break;
      default:
        break;  // of a later minor version
    }
    consume(header_bytes + header.length);
  }
  return false;
}

// From here on the task has started: where the coordinator can see it (shared memory) it is written down first.
void WorkerSide::begin(const Frame& frame, tf_task& task) {
  current_header_ = frame.header;
  current_bytes_ = header_bytes + frame.header.length;
  has_task_ = true;
  current_.store(frame.header.task, std::memory_order_relaxed);
  if (segment_) {
    segment_->control().running.store(frame.header.task, std::memory_order_release);
  } else {
    sequence_.fetch_add(1, std::memory_order_seq_cst);
    if (heartbeat_sleeps_long_.load(std::memory_order_seq_cst)) wake_heartbeat();
  }
  task = {frame.header.task, frame.header.attempt, frame.payload, frame.header.length};
  started_ns_ = now_ns();
}

void WorkerSide::release_current() {
  if (current_bytes_ == 0) return;
  consume(current_bytes_);
  current_bytes_ = 0;
}

std::string_view WorkerSide::input() {
  if (in_begin_ < in_end_ || !segment_) return {in_.data() + in_begin_, in_end_ - in_begin_};
  const auto available = tasks_.available();
  if (!available) {
    lost_ = true;
    return {};
  }
  return {tasks_.data(), *available};
}

Parsed WorkerSide::next_frame(Frame& frame) {
  const std::string_view bytes = input();
  const char* at = bytes.data();
  return take_frame(at, at + bytes.size(), max_frame_, frame);
}

// Cancellations overtake the tasks that they are for: all that has come is looked through before one is begun.
void WorkerSide::look_ahead() {
  const std::string_view bytes = input();
  if (bytes.size() <= scanned_) return;
  const char* at = bytes.data() + scanned_;
  Frame frame;
  while (take_frame(at, bytes.data() + bytes.size(), max_frame_, frame) == Parsed::frame)
    if (frame.header.type == FrameType::cancel) cancelled_.emplace_back(frame.header.task, frame.header.attempt);
  scanned_ = static_cast<std::size_t>(at - bytes.data());
}

void WorkerSide::consume(std::size_t bytes) {
  scanned_ -= std::min(scanned_, bytes);
  if (in_begin_ < in_end_ || !segment_) {
    in_begin_ += bytes;
    if (in_begin_ == in_end_) in_begin_ = in_end_ = 0;
    return;
  }
  tasks_.consume(bytes);
  std::atomic_thread_fence(std::memory_order_seq_cst);
  auto& waits = segment_->control().coordinator_waits;
  if (waits.load(std::memory_order_relaxed) != 0 && waits.exchange(0) != 0) ring_doorbell();
}

void WorkerSide::store_context(const Frame& frame) {
  std::uint16_t key_bytes = 0;
  if (frame.header.length >= 2) std::memcpy(&key_bytes, frame.payload, 2);
  if (frame.header.length < 2U + key_bytes) return;
  const std::string_view rest = frame.view().substr(2);
  const std::uint64_t version = versions_of_former_ + frame.header.value;
  contexts_[std::string(rest.substr(0, key_bytes))] = {version, std::string(rest.substr(key_bytes))};
  last_version_ = std::max(last_version_, version);
}

WorkerSide::Wait WorkerSide::wait_for_input(std::int64_t until) {
  return segment_ ? wait_for_ring(until) : wait_for_socket(until);
}

// Between short tasks, where ranks share cores and nobody has said how to wait.
bool WorkerSide::gives_way_first() const {
  return spin_ns_ == 0 && options_.spin_us < 0 && usual_service_.is_short();
}

// What a large task needed, once nothing of it is left and the next one has not come.
void WorkerSide::give_back_space() {
  if (in_begin_ < in_end_ || in_.size() <= most_kept) return;
  Buffer(first_buffer).swap(in_);
  in_begin_ = in_end_ = 0;
}

// Room for so many bytes at in_end_. No task is held by the caller now, so its bytes may move.
void WorkerSide::make_space(std::size_t bytes) {
  if (bytes <= first_buffer) give_back_space();
  if (in_.size() - in_end_ >= bytes) return;
  std::memmove(in_.data(), in_.data() + in_begin_, in_end_ - in_begin_);
  in_end_ -= in_begin_;
  in_begin_ = 0;
  if (in_.size() - in_end_ < bytes) in_.resize(std::max(in_.size() * 2, in_end_ + bytes));
}

WorkerSide::Wait WorkerSide::wait_for_socket(std::int64_t until) {
  make_space(first_buffer / 2);
  const std::int64_t spin_until = spin_ns_ > 0 ? now_ns() + spin_ns_ : 0;
  bool gives_way = gives_way_first() && giving_way_.is_wise();
  const std::int64_t awake_until = gives_way ? std::min(until, staying_awake_.until()) : 0;
  for (bool looked_already = false;;) {
    if (lost_) return Wait::lost;
    if (gives_way) {  // before the first look, which would be in vain: what comes answers what this worker has just sent
      giving_way_.give_way(ranks_);
      gives_way = now_ns() < awake_until;
      if (!gives_way && looked_already) staying_awake_.looked_in_vain();
    }
    const bool looks = gives_way || (spin_until != 0 && now_ns() < spin_until);
    const ssize_t got = read_socket(!looks && until == never && !tls_);
    if (got > 0) {
      if (gives_way) staying_awake_.found();
      in_end_ += static_cast<std::size_t>(got);
      return Wait::arrived;
    }
    if (got == 0) return Wait::lost;
    if (errno == EINTR) continue;
    if (errno != EAGAIN) return Wait::lost;
    if (looks) {
      looked_already = true;
      continue;
    }
    const std::int64_t now = now_ns();
    if (now >= until) return Wait::timeout;
    pollfd wait{fd_.get(), POLLIN, 0};
    poll(&wait, 1, milliseconds_until(until, now));
  }
}

// While a task ran, those behind it may have been taken back, which the coordinator says behind all that it sent before. So
// all that has come is read, and the rest of a frame whose beginning has come: it is waited for as long as the round trip of a
// task may take that waits for none.
void WorkerSide::read_ahead() {
  const std::int64_t until = now_ns() + static_cast<std::int64_t>(static_cast<double>(last_service_ns_) * waits_for_rest);
  for (;;) {
    read_what_has_come();
    look_ahead();
    if (lost_ || !more_is_on_its_way()) return;
    const std::int64_t left = until - now_ns();
    if (left <= 0) return;
    pollfd wait{segment_ ? -1 : fd_.get(), POLLIN, 0};
    const timespec rest{0, std::min<std::int64_t>(left, segment_ ? look_at_rings_each_ns : ns_per_ms)};
    ppoll(&wait, 1, &rest, nullptr);
  }
}

bool WorkerSide::more_is_on_its_way() {
  return input().size() > scanned_ || (segment_ && segment_->control().coordinator_waits.load(std::memory_order_relaxed) != 0);
}

void WorkerSide::read_what_has_come() {
  if (segment_) {  // whole frames stay where they are, unless others may wait behind them for room
    const auto available = tasks_.available();
    if (!available) lost_ = true;
    else if (*available > 0 && (in_begin_ < in_end_ || more_is_on_its_way())) collect_from_ring(*available);
    return;
  }
  for (;;) {
    make_space(4096);
    const ssize_t got = read_socket(false);
    if (got < 0 && errno == EINTR) continue;
    if (got == 0 || (got < 0 && errno != EAGAIN)) lost_ = true;
    if (got <= 0) return;
    in_end_ += static_cast<std::size_t>(got);
  }
}

ssize_t WorkerSide::read_socket(bool block) {
  char* place = in_.data() + in_end_;
  const std::size_t room = in_.size() - in_end_;
  if (!tls_) return ::recv(fd_.get(), place, room, block ? 0 : MSG_DONTWAIT);
  const std::lock_guard guard(write_);
  return tls_->read(place, room);
}

tf_code WorkerSide::answer(FrameType type, const void* data, std::size_t bytes) {
  made_here_.need("worker");
  if (!has_task_) throw Failure(TF_INVALID, "there is no task to answer; tf_recv gives one");
  if (bytes > max_frame_)
    throw Failure(TF_TOOBIG, "an answer of " + std::to_string(bytes) + " bytes is beyond max_frame_bytes (" +
                                 std::to_string(max_frame_) + ")");
  last_service_ns_ = now_ns() - started_ns_;
  usual_service_.learn(static_cast<double>(last_service_ns_));
  const Header header{.length = static_cast<std::uint32_t>(bytes), .type = type, .attempt = current_header_.attempt,
                      .task = current_header_.task, .value = static_cast<std::uint64_t>(last_service_ns_)};
  const bool sent = send_frame(header, data);  // without memory for it the task is still there to be answered
  if (!sent) keep(header, data);
  has_task_ = false;
  if (segment_) segment_->control().running.store(0, std::memory_order_release);
  current_.store(0, std::memory_order_relaxed);
  answered_ = sent;
  return sent || !ended_ ? TF_OK : TF_CLOSED;
}

// Answers of short tasks wait for those of the tasks that have come with them; the flag says so before it is done, since
// the coordinator then no longer knows which task a dead worker had started.
bool WorkerSide::send_frame(const Header& header, const void* data) {
  if (lost_) return false;
  if (segment_) return send_by_ring(header, data);
  Header whole = header;
  const bool may_hold = usual_service_.is_short() && in_end_ - in_begin_ > current_bytes_;
  if (usual_service_.is_short()) whole.flags |= flag_holding;
  const std::lock_guard guard(write_);
  out_.reserve(out_.size() + header_bytes + header.length);  // what can fail: a header alone would take what follows for its payload
  out_.append(reinterpret_cast<const char*>(&whole), header_bytes);
  if (header.length > 0) out_.append(static_cast<const char*>(data), header.length);
  if (holding_ && may_hold && out_.size() < hold_at_most) return true;
  holding_ = (whole.flags & flag_holding) != 0;
  if (!write_some()) return false;
  if (!out_.empty()) wake_heartbeat();  // it sends the rest while the next task runs
  return true;
}

// What the coordinator has not taken by then goes on its way later, by the heartbeats' thread at the latest.
bool WorkerSide::flush_socket(std::int64_t until) {
  if (segment_) return !lost_;
  for (;;) {
    {
      const std::lock_guard guard(write_);
      if (lost_) return false;
      if (!write_some()) return true;  // what the coordinator sent before it went is still to be read
      if (out_.empty()) return true;
    }
    const std::int64_t now = now_ns();
    if (now >= until) return true;
    pollfd wait{fd_.get(), POLLOUT, 0};
    poll(&wait, 1, milliseconds_until(std::min(until, now + 100 * ns_per_ms), now));
  }
}

tf_code WorkerSide::context(const std::string& key, const void** data, std::size_t* bytes, std::uint64_t* version) const {
  const auto at = contexts_.find(key);
  if (at == contexts_.end()) return TF_NOTFOUND;
  if (data != nullptr) *data = at->second.bytes.data();
  if (bytes != nullptr) *bytes = at->second.bytes.size();
  if (version != nullptr) *version = at->second.version;
  return TF_OK;
}

tf_code WorkerSide::run(tf_worker* handle, tf_function function, void* user) {
  tf_task task;
  tf_code code;
  while ((code = recv(task, -1)) == TF_OK) {
    const int outcome = function(user, handle, &task);
    if (!has_task_) continue;
    const std::string message = outcome != 0 ? "the function returned " + std::to_string(outcome)
                                             : "the function did not reply";
    fail(message.data(), message.size());
  }
  return ended_ ? TF_OK : code;
}

void WorkerSide::leave() {
  if (!ended_ && !lost_) {
    Header header{.type = FrameType::leave};
    if (has_task_) header.attempt = current_header_.attempt, header.task = current_header_.task;
    send_frame(header, nullptr);
    flush_socket(never);
  }
}

const char* WorkerSide::transport() const {
  if (segment_) return "shm";
  return tls_ ? "tls" : connector_.url().kind == Url::Kind::local ? "unix" : "tcp";
}

}  // namespace taskfarm
