// How the loop waits for what comes, and how it is woken.
#include <sys/epoll.h>
#include <unistd.h>

#include <algorithm>

#include "events.hpp"
#include "farm.hpp"

namespace taskfarm {
namespace {

constexpr int events_at_once = 64;  // results of more workers would leave the caches before they are handed out
constexpr std::int64_t patience_with_few_ns = 4 * ns_per_ms;  // more than the time that strangers may have the cores at once

}  // namespace

// While tasks are kept for those who are at work already (few_may_do) it sleeps a millisecond at most: they may have got long
// tasks.
int Farm::wait_for_events(Lock& lock, std::int64_t until) {
  epoll_event events[events_at_once];
  std::int64_t wake = std::min(until, next_timer());
  const bool gives_way = gives_way_first() && giving_way_.is_wise();
  const bool stays_awake = now_ - idle_since_ns_ < (gives_way ? awake_ns : spin_ns());
  int timeout = stays_awake ? 0 : milliseconds_until(wake, now_);
  const bool sleeps = timeout != 0;
  if (sleeps && withholds()) timeout = 1;
  if (sleeps && shared_peers_ > 0) {
    say_that_it_sleeps();
    if (poll_rings()) timeout = 0;
    else timeout = std::min(timeout < 0 ? 1 << 30 : timeout, static_cast<int>(shared_sleep_ns / ns_per_ms));
    flush_dirty();
  }
  int count;
  if (timeout == 0) {
    count = epoll_wait(epoll_.get(), events, events_at_once, 0);
  } else {
    reactor_sleeps_ = true;
    lock.unlock();
    count = epoll_wait(epoll_.get(), events, events_at_once, timeout);
    lock.lock();
    reactor_sleeps_ = false;
  }
  if (sleeps && shared_peers_ > 0) (*board_).coordinator_sleeps.store(0, std::memory_order_relaxed);
  now_ = last_epoll_ns_ = now_ns();
  for (int i = 0; i < count; ++i) handle_event(events[i].data.u64, events[i].events);
  if (gives_way && stays_awake && count <= 0) {  // the next turn looks again
    lock.unlock();
    if (shared_peers_ > 0) ask_for_slice(least_slice_ns);  // by sockets more is done at once when it comes later
    giving_way_.give_way(ranks_here_);
    lock.lock();
  } else if (stays_awake && count <= 0 && spin_ns() > awake_ns) {  // it may be long, and other threads have calls to make
    lock.unlock();
    pause_processor();
    lock.lock();
  }
  return std::max(count, 0);
}

// Heartbeats of many workers come all the time, and say nothing of those at work. A caller who takes his time over the
// results that lie there waits for none.
void Farm::widen_in_vain(bool caller_was_away) {
  if (answers_came_) answered_ns_ = now_;
  answers_came_ = false;
  if (now_ - answered_ns_ <= patience_with_few_ns || !withholds()) return;
  caller_was_away ? circle_.open(now_) : circle_.widen(now_);
}

// A short look for who waits; for whoever has results to take, or does not wait, there is none.
bool Farm::look_at_rings(std::int64_t until) {
  return ready_.empty() && until > now_ && gives_way_first() && look_.finds([this] { return poll_rings(); });
}

void Farm::wake_reactor() {
  if (reactor_sleeps_ || polled_) ring(notice_);
}

// Before the last look: who sets a bit behind it sees that the bell is to be rung.
void Farm::say_that_it_sleeps() {
  (*board_).coordinator_sleeps.store(1, std::memory_order_relaxed);
  std::atomic_thread_fence(std::memory_order_seq_cst);
}

// Somebody polls fd(): what is ready already must make it readable, and the rings must ring.
void Farm::arm_for_poll() {
  if (!polled_) return;
  if (shared_peers_ > 0) {
    say_that_it_sleeps();
    if (poll_rings()) dispatch();
    flush_dirty();
  }
  if (!ready_.empty()) wake_reactor();
}

// Between short tasks, where ranks share cores and nobody has said how to wait.
bool Farm::gives_way_first() const {
  return options_.spin_us < 0 && assigned_ > 0 && ranks_here_ > 1 && spin_ns() == 0 && recent_service_.is_short();
}

// Spinning pays only when the one waited for runs on another core meanwhile.
std::int64_t Farm::spin_ns() const {
  if (options_.spin_us >= 0) return options_.spin_us * 1000LL;
  static const unsigned cores = usable_cores();
  return connected_ > 0 && ranks_here_ > 1 && ranks_here_ <= cores ? awake_ns : 0;
}

}  // namespace taskfarm
