// The worker's second thread: signs of life while a task runs, and the end of the coordinator seen at once.
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <new>

#include "worker.hpp"

namespace taskfarm {
namespace {

constexpr std::int64_t tick_ns = 100 * ns_per_ms;  // while tasks come over a socket: finds those that take longer
constexpr int ticks_until_long_sleep = 10;
constexpr std::size_t long_answer = 1 << 20;
constexpr unsigned unanswered_at_most = 3;  // packets may be lost
constexpr int exit_status_abandoned = 75;  // EX_TEMPFAIL

}  // namespace

void WorkerSide::heartbeat() {
  while (!stop_) {
    int fd;
    std::uint64_t generation;
    std::int64_t beat_each;
    bool ticks, unsent;
    {
      const std::lock_guard guard(write_);
      fd = fd_.get();
      generation = generation_;
      beat_each = heartbeat_ns_;
      ticks = !segment_ && idle_ticks_ < ticks_until_long_sleep;
      unsent = !out_.empty();
    }
    const std::int64_t now = now_ns();
    std::int64_t timeout = std::max<std::int64_t>(last_beat_ns_ + beat_each - now, 0);
    if ((lost_ || hang_up_seen_) && options_.lost_exit_ms > 0) timeout = std::min(timeout, tick_ns);
    if (ticks) timeout = std::min(timeout, tick_ns);
    if (!ticks) {
      heartbeat_sleeps_long_.store(true, std::memory_order_seq_cst);
      if (sequence_.load(std::memory_order_seq_cst) != seen_sequence_) timeout = 0;
    }
    watch_connection(lost_ || hang_up_seen_ ? -1 : fd, generation, timeout, unsent);
    heartbeat_sleeps_long_.store(false, std::memory_order_seq_cst);
    if (stop_) return;
    end_if_abandoned();
    beat();
    announce_long_task();
  }
}

// Sleeps, and marks the connection lost when the other side ends it meanwhile. What is left of a long answer goes out as the
// other side takes it: the caller may be in its next task already.
void WorkerSide::watch_connection(int fd, std::uint64_t generation, std::int64_t timeout_ns, bool unsent) {
  pollfd waits[] = {{control_.get(), POLLIN, 0}, {fd, static_cast<short>(unsent ? POLLRDHUP | POLLOUT : POLLRDHUP), 0}};
  const int ready = poll(waits, 2, static_cast<int>((timeout_ns + ns_per_ms - 1) / ns_per_ms));
  if (ready <= 0) return;
  if (waits[0].revents != 0) {
    std::uint64_t count;
    [[maybe_unused]] const ssize_t got = read(control_.get(), &count, sizeof count);
  }
  if (waits[1].revents == 0) return;
  const std::lock_guard guard(write_);
  if (generation != generation_) return;  // another connection has the number meanwhile
  if (waits[1].revents == POLLOUT) {
    write_some();
  } else if (segment_) {
    lost_ = true;
    segment_->control().worker_sleeps.store(0);  // or a wait that begins just now would not see it
    futex_wake(segment_->control().worker_sleeps);
  } else {
    // What the coordinator sent before it ended is still to be read; the caller's thread will meet the end itself.
    hang_up_seen_ = true;
  }
}

void WorkerSide::beat() {
  const std::int64_t now = now_ns();
  const std::lock_guard guard(write_);
  if (now - last_beat_ns_ < heartbeat_ns_) return;
  last_beat_ns_ = now;
  if (!fd_.open() || lost_) return;
  say_what_runs(current_.load());
  bear_stall();
}

// The kernel gives up a connection whose other side takes nothing for as long as it may be silent, also while that side's kernel
// says that there is no room: a coordinator that computes would lose who has a long answer for it. Under write_.
void WorkerSide::bear_stall() {
  if (connector_.url().kind != Url::Kind::tcp) return;
  const Stall stall = stall_of(fd_.get());
  if (stall.stalled != bears_stall_) set_user_timeout(fd_.get(), stall.stalled ? 0 : patience_ms_);
  bears_stall_ = stall.stalled;
  if (stall.stalled && stall.unanswered >= unanswered_at_most && stall.silent_ms > patience_ms_)
    shutdown(fd_.get(), SHUT_RDWR);
}

// Behind a long answer that waits, which is a sign of life too, it might need as much memory again; and there may be none.
bool WorkerSide::say_what_runs(std::uint64_t task) {
  const Header header{.type = FrameType::heartbeat, .task = task};
  bool said = false;
  if (out_.size() < long_answer) {
    try {
      out_.append(reinterpret_cast<const char*>(&header), header_bytes);
      said = true;
    } catch (const std::bad_alloc&) {  // the next time, perhaps
    }
  }
  write_some();
  return said;
}

// A task that runs for longer than a tick is named to the coordinator, and answers held back behind it are sent.
void WorkerSide::announce_long_task() {
  const std::uint64_t sequence = sequence_.load(), current = current_.load();
  if (sequence != seen_sequence_) {
    seen_sequence_ = sequence;
    idle_ticks_ = 0;
    return;
  }
  if (current == 0) {
    ++idle_ticks_;
    return;
  }
  if (announced_sequence_ == sequence) return;
  const std::lock_guard guard(write_);
  if (!fd_.open() || lost_ || segment_ || say_what_runs(current)) announced_sequence_ = sequence;
}

void WorkerSide::end_if_abandoned() {
  if (!lost_ && !hang_up_seen_) {
    lost_since_ns_ = 0;
    return;
  }
  const std::int64_t now = now_ns();
  if (lost_since_ns_ == 0) lost_since_ns_ = now;
  if (options_.lost_exit_ms > 0 && current_.load() != 0 && now - lost_since_ns_ > options_.lost_exit_ms * ns_per_ms)
    _exit(exit_status_abandoned);
}

bool WorkerSide::write_some() {
  while (out_done_ < out_.size()) {
    const char* rest = out_.data() + out_done_;
    const std::size_t bytes = out_.size() - out_done_;
    const ssize_t sent = tls_ ? tls_->write(rest, bytes) : send(fd_.get(), rest, bytes, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (sent > 0) {
      out_done_ += static_cast<std::size_t>(sent);
    } else if (errno == EAGAIN) {
      return true;
    } else if (errno != EINTR) {
      shutdown(fd_.get(), SHUT_WR);  // want of memory may pass: what came next would be taken for the rest of a frame that was cut
      clear_out();
      return false;
    }
  }
  clear_out();
  return true;
}

void WorkerSide::clear_out() {
  out_done_ = 0;
  out_.clear();
  if (out_.capacity() > (1U << 20)) out_.shrink_to_fit();
}

void WorkerSide::wake_heartbeat() { ring(control_); }

}  // namespace taskfarm
