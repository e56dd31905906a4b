// The loop: what came is read, tasks are given out, then each peer that has something to get is written to once.
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>

#include "events.hpp"
#include "farm.hpp"

namespace taskfarm {
namespace {

constexpr std::int64_t epoll_at_least_each_ns = 50'000;  // while the rings alone keep the loop busy
constexpr std::uint64_t in_caches = 8 << 20;
constexpr std::size_t partial_kept = 4096;

void drain(int fd) {
  std::uint64_t count;
  [[maybe_unused]] const ssize_t got = ::read(fd, &count, sizeof count);
}

}  // namespace

// One turn, by this thread or by the one that is in the loop already.
void Farm::step(Lock& lock, std::int64_t until) {
  if (!reactor_busy_) {
    const Turn mine(*this);
    return turn(lock, until);
  }
  ++waiters_;
  const std::int64_t wait_ns = until == never ? 100 * ns_per_ms : std::clamp<std::int64_t>(until - now_ns(), 0, 100 * ns_per_ms);
  changed_.wait_for(lock, std::chrono::nanoseconds(wait_ns));
  --waiters_;
}

void Farm::turn(Lock& lock, std::int64_t until) {
  const std::size_t ready_before = ready_.size();
  flush_dirty();
  if (!retries_.empty()) feed();  // of workers who could not be written to
  while (graveyard_) graveyard_ = std::move(graveyard_->next_dead);
  if (orphans_) find_orphans();
  const bool rings = shared_peers_ > 0 && (poll_rings() || look_at_rings(until));
  now_ = now_ns();
  if (!rings || now_ - last_epoll_ns_ > epoll_at_least_each_ns) {
    const int events = wait_for_events(lock, rings || ready_.size() > ready_before ? 0 : until);
    if (events > 0 || rings) idle_since_ns_ = now_;
    if (shared_peers_ > 0) poll_rings();
    check_silence();
  } else {
    idle_since_ns_ = now_;
  }
  run_timers();
  circle_.settle(now_);
  widen_in_vain(until == 0);
  dispatch();
  keep_journal();
  flush_dirty();
  turned_ns_ = now_ns();  // not its beginning: a long turn, over many workers, is not a caller who takes his time
}

void Farm::handle_event(std::uint64_t key, std::uint32_t events) {
  if (key == key_listener) return accept_from(listener_.fd, false);
  if (key == key_local_listener) return accept_from(local_listener_.fd, true);
  if (key == key_doorbell) return drain(doorbell_.get());
  if (key == key_notice) return drain(notice_.get());
  if (key == key_ticker) return drain(ticker_.get());
  if (key >= peers_.size() || !peers_[key]) return;
  Peer& peer = *peers_[key];
  serve(peer, [&] {
    if ((events & EPOLLOUT) != 0) go_on_writing(peer);
    if (peer.state == Peer::State::closed) return;  // a broken one is read, to be lost
    if (peer.state == Peer::State::handshake) shake_hands(peer);
    else if ((events & ~static_cast<std::uint32_t>(EPOLLOUT)) != 0) read_peer(peer);
  });
  feed();
}

// Who has answered gets more before the next one is read, so that he works meanwhile; still one write a peer and turn.
void Farm::feed() {
  if (queued_ == 0) return;
  dispatch();
  flush_dirty();
}

void Farm::read_peer(Peer& peer) {
  if (peer.state == Peer::State::broken) return lose(peer, "no memory for what it sent, or was to get");
  do {
    const std::size_t most = peer.worker == nullptr ? hello_limit + header_bytes : scratch_.size();
    const ssize_t got = receive(peer, scratch_.data(), most);
    if (got > 0) {
      peer.last_seen_ns = now_;
      take_bytes(peer, peer.partial, scratch_.data(), static_cast<std::size_t>(got));
    } else if (got == 0) {
      return lose(peer, "connection closed");
    } else if (errno != EAGAIN && errno != EINTR) {
      return lose(peer, peer.tls && !peer.tls->reason.empty() ? peer.tls->reason : std::strerror(errno));
    } else {
      return;
    }
  } while (!peer.over() && peer.tls && peer.tls->pending());
}

ssize_t Farm::receive(Peer& peer, char* data, std::size_t bytes) {
  return peer.tls ? peer.tls->read(data, bytes) : recv(peer.fd.get(), data, bytes, MSG_DONTWAIT);
}

// `partial` is the stream's own: heartbeats come by the socket while a long result comes by the ring. It takes no more than
// the frame it holds is short of: hundreds of workers that each keep room for a whole read would fill the memory.
void Farm::take_bytes(Peer& peer, std::string& partial, const char* data, std::size_t bytes) {
  while (!partial.empty() && bytes > 0) {
    const std::size_t part = std::min(bytes, missing_of_frame(partial));
    partial.append(data, part);
    data += part;
    bytes -= part;
    const std::size_t used = take_frames(peer, partial.data(), partial.size());
    if (peer.over()) return;
    if (used == 0) continue;
    if (partial.capacity() > partial_kept) std::string().swap(partial);  // an assignment would keep the memory
    else partial.clear();
  }
  const std::size_t used = take_frames(peer, data, bytes);
  if (!peer.over() && used < bytes) partial.assign(data + used, bytes - used);
}

// The bytes that whole frames took.
std::size_t Farm::take_frames(Peer& peer, const char* data, std::size_t bytes) {
  const char* at = data;
  const char* const end = data + bytes;
  Frame frame;
  while (!peer.over()) {
    const bool known = peer.worker != nullptr;
    const Parsed parsed = take_frame(at, end, known ? options_.max_frame_bytes : hello_limit, frame);
    if (parsed == Parsed::incomplete) break;
    if (parsed == Parsed::frame) {
      on_frame(peer, frame);
    } else if (known) {
      drop_for_protocol(peer, parsed == Parsed::oversize ? "a frame beyond max_frame_bytes" : "a frame of no known type");
    } else {
      refuse(peer, counts_.refused_hello, "no hello");
    }
  }
  return static_cast<std::size_t>(at - data);
}

// Whether any worker had something.
bool Farm::poll_rings() {
  bool any = false;
  Board& board = *board_;
  if (now_ - last_look_at_all_ns_ > shared_sleep_ns) {  // whatever became of their bits
    last_look_at_all_ns_ = now_;
    for (std::size_t slot = 0; slot < peers_.size(); ++slot)
      if (peers_[slot] && peers_[slot]->shared) read_ring(*peers_[slot]);
  }
  const std::size_t words = std::min<std::size_t>((peers_.size() + 63) / 64, board_slots / 64);
  for (std::size_t word = 0; word < words; ++word) {
    if (board.bits[word].load(std::memory_order_relaxed) == 0) continue;
    std::uint64_t bits = board.bits[word].exchange(0, std::memory_order_acq_rel);
    for (; bits != 0; bits &= bits - 1) {
      const std::size_t slot = word * 64 + static_cast<std::size_t>(__builtin_ctzll(bits));
      if (slot >= peers_.size() || !peers_[slot] || !peers_[slot]->shared) continue;
      any = true;
      read_ring(*peers_[slot]);
      feed();
    }
  }
  return any;
}

void Farm::read_ring(Peer& peer) {
  peer.reading_ring = true;
  serve(peer, [&] {
    if (!peer.out.empty()) go_on_writing(peer);  // it may have made room
    take_from_ring(peer);
  });
  peer.reading_ring = false;
}

// One ring at most, so that a worker who writes without pause delays the others by no more.
void Farm::take_from_ring(Peer& peer) {
  for (std::uint64_t taken = 0; !peer.over();) {
    const auto available = peer.results.available();
    if (!available) {
      ++counts_.hostile_indices;
      return drop_for_protocol(peer, "an impossible index in shared memory");
    }
    if (*available == 0) return;
    const char* data = peer.results.data();
    if (!peer.ring_partial.empty()) {
      take_bytes(peer, peer.ring_partial, data, *available);
      if (peer.over()) return;
      peer.results.consume(*available);
      taken += *available;
    } else {
      std::size_t used = take_frames(peer, data, *available);
      if (peer.over()) return;
      if (used < *available && *available - used > peer.results.capacity() / 4) {  // the rest may not fit in the ring
        peer.ring_partial.assign(data + used, *available - used);
        used = *available;
      }
      if (used == 0) return;
      peer.results.consume(used);
      taken += used;
    }
    std::atomic_thread_fence(std::memory_order_seq_cst);
    auto& sleeps = peer.segment->control().worker_sleeps;
    if (sleeps.load(std::memory_order_relaxed) == waits_for_room) {
      sleeps.store(0, std::memory_order_relaxed);
      futex_wake(sleeps);
    }
    if (taken >= peer.results.capacity()) {  // in the next turn
      (*board_).bits[peer.slot / 64].fetch_or(1ULL << (peer.slot % 64), std::memory_order_relaxed);
      return;
    }
  }
}

void Farm::send(Peer& peer, const Header& header, std::string_view payload) {
  serve(peer, [&] { put(peer, header, payload); });
}

void Farm::put(Peer& peer, Header whole, std::string_view payload) {
  whole.length = static_cast<std::uint32_t>(payload.size());
  mark_dirty(peer);
  if (peer.shared && peer.out.empty()) {
    if (peer.pads && rings_exceed_caches()) peer.tasks.go_back_for((header_bytes + payload.size()) * peer.worker->limit);
    const auto room = peer.tasks.room();
    if (room && *room >= header_bytes + payload.size()) {
      peer.tasks.put(&whole, header_bytes);
      peer.tasks.put(payload.data(), payload.size());
      return;
    }
  }
  peer.out.add(whole, payload);
}

void Farm::send(Peer& peer, const Header& header, const Payload& payload) {
  if (peer.shared && payload.size() + header_bytes <= peer.results.capacity() / 2) return send(peer, header, payload.view());
  serve(peer, [&] {
    Header whole = header;
    whole.length = static_cast<std::uint32_t>(payload.size());
    mark_dirty(peer);
    peer.out.add(whole, payload);
  });
}

// While they fit, going round in them is faster: what the other side has read need not be taken from its cache.
bool Farm::rings_exceed_caches() const { return std::uint64_t{2} * shared_peers_ * options_.ring_bytes > in_caches; }

void Farm::mark_dirty(Peer& peer) {
  if (peer.dirty) return;
  dirty_.push_back(&peer);
  peer.dirty = true;
}

void Farm::flush_dirty() {
  for (std::size_t i = 0; i < dirty_.size(); ++i) {  // losing a peer may make others dirty
    Peer& peer = *dirty_[i];
    peer.dirty = false;
    if (!peer.over()) serve(peer, [&] {
      flush(peer);
      if (!peer.owed.empty() && peer.out.empty() && !peer.over()) give_owed(peer);  // and it is dirty again
    });
  }
  dirty_.clear();
}

// Now, where its worker may get more tasks as soon as that is done.
void Farm::go_on_writing(Peer& peer) {
  mark_dirty(peer);
  if (!peer.over() && peer.is_congested()) flush(peer);
}

void Farm::flush(Peer& peer) {
  const bool was_congested = peer.is_congested();
  peer.shared ? flush_ring(peer) : flush_socket(peer);
  if (was_congested && peer.worker != nullptr && !peer.is_congested()) list_if_room(*peer.worker);
}

void Farm::flush_socket(Peer& peer) {
  while (!peer.out.empty()) {
    ssize_t sent;
    if (peer.tls) {
      const std::string_view front = peer.out.front();
      sent = peer.tls->write(front.data(), front.size(), peer.out.more_than(front.size()));
    } else {
      iovec parts[64];
      msghdr message{};
      message.msg_iov = parts;
      message.msg_iovlen = static_cast<std::size_t>(peer.out.gather(parts, 64));
      sent = message.msg_iovlen == 1 ? ::send(peer.fd.get(), parts[0].iov_base, parts[0].iov_len, MSG_DONTWAIT | MSG_NOSIGNAL)
                                     : sendmsg(peer.fd.get(), &message, MSG_DONTWAIT | MSG_NOSIGNAL);
    }
    if (sent > 0) {
      peer.out.take(static_cast<std::size_t>(sent));
    } else if (errno == EAGAIN) {
      return await_write(peer, true);
    } else if (errno != EINTR) {
      const std::string reason = std::strerror(errno);
      read_peer(peer);  // results that it sent before it died
      if (!peer.over()) lose(peer, reason);
      return;
    }
  }
  if (peer.waits_for_write) await_write(peer, false);
}

void Farm::flush_ring(Peer& peer) {
  SegmentControl& control = peer.segment->control();
  while (!peer.out.empty()) {
    const auto room = peer.tasks.room();
    if (!room) {
      ++counts_.hostile_indices;
      return drop_for_protocol(peer, "an impossible index in shared memory");
    }
    if (*room == 0) {
      if (control.coordinator_waits.exchange(1, std::memory_order_relaxed) == 1) break;
      std::atomic_thread_fence(std::memory_order_seq_cst);
      continue;  // it may have made room just before it could see the flag
    }
    const std::string_view front = peer.out.front();
    const std::size_t count = std::min<std::size_t>(*room, front.size());
    peer.tasks.put(front.data(), count);
    peer.out.take(count);
  }
  peer.tasks.publish();
  std::atomic_thread_fence(std::memory_order_seq_cst);
  if (control.worker_sleeps.load(std::memory_order_relaxed) != 0) {
    control.worker_sleeps.store(0, std::memory_order_relaxed);
    futex_wake(control.worker_sleeps);
  }
  if (spin_ns() > 0) peer.tasks.fetch_ahead();
}

void Farm::await_write(Peer& peer, bool wanted) {
  if (peer.waits_for_write == wanted) return;
  peer.waits_for_write = wanted;
  epoll_event event{};
  event.events = EPOLLIN | (wanted ? EPOLLOUT : 0U);
  event.data.u64 = peer.slot;
  epoll_ctl(epoll_.get(), EPOLL_CTL_MOD, peer.fd.get(), &event);
}

}  // namespace taskfarm
