// Messages over streams of bytes between every two ranks: what tcp, unix and shm share. An envelope goes before each
// message; who receives sorts the bytes out by source and tag.
//
// `Lines` brings the streams: rank by rank `write` and `read` (-1 and errno EAGAIN: not now), `ready` (which ranks have
// something to say or room to take something, slept for if wished), `writing` (tell me of room), `remove`. Whoever waits
// also takes in what others send, so that large messages both ways cannot block each other.
#pragma once

#include <sched.h>
#include <sys/uio.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "../clock.hpp"
#include "../transport.hpp"
#include "matching.hpp"
#include "bootstrap.hpp"

namespace msgauge::transports {

// Goes before every message, in the sender's byte order (all ranks are of one architecture).
struct Envelope {
  std::uint64_t bytes;
  std::int32_t tag;
  std::int32_t mark;
};
inline constexpr std::int32_t envelope_mark = 0x6D736721;

// A send that its stream has not taken whole.
struct Send {
  Envelope envelope{};
  const unsigned char* from = nullptr;
  std::size_t left_envelope = 0;
  std::size_t left = 0;
  bool done = false;
};

struct LineEvent {
  int rank;
  bool readable, writable;
};

template <class Lines>
class StreamTransport {
 public:
  struct Request {
    int peer = -1;
    std::unique_ptr<Receive> receive;
    std::unique_ptr<Send> send;
  };
  static constexpr int any_source = anyone;
  static constexpr int any_tag = anyone;

  explicit StreamTransport(const Bootstrap& membership)
      : own_(membership),
        waiting_(own_.waiting()),
        looks_before_sleep_(waiting_ == Waiting::sleep && environment("MSGAUGE_WAIT").empty() ? 8 : 0),
        lines_(own_, waiting_),
        peers_(static_cast<std::size_t>(own_.size)) {}
  StreamTransport(const StreamTransport&) = delete;
  StreamTransport& operator=(const StreamTransport&) = delete;

  int rank() const { return own_.rank; }
  int size() const { return own_.size; }
  std::string library() const { return "msgauge " + std::string(Lines::name); }
  Settings settings() const { return {{"wait", looks_before_sleep_ > 0 ? "yield, then block" : name_of(waiting_)}}; }
  [[noreturn]] void abort(int code) {
    std::fflush(nullptr);
    std::_Exit(code);
  }

  void send(const void* from, std::size_t bytes, int dest, int tag) {
    if (dest != own_.rank && at(dest).sends.empty() && bytes <= short_bytes && send_short(from, bytes, dest, tag)) return;
    Send one;
    post(one, from, bytes, dest, tag);
    finish(one.done, dest);
  }

  void recv(void* into, std::size_t bytes, int source, int tag) {
    Receive one{into, bytes, source, tag};
    mailbox_.post(one);
    finish(one.done, source);
  }

  Request isend(const void* from, std::size_t bytes, int dest, int tag) {
    Request request{dest, nullptr, std::make_unique<Send>()};
    post(*request.send, from, bytes, dest, tag);
    return request;
  }

  Request irecv(void* into, std::size_t bytes, int source, int tag) {
    Request request{source, std::make_unique<Receive>(Receive{into, bytes, source, tag}), nullptr};
    mailbox_.post(*request.receive);
    return request;
  }

  void wait(Request& request) { finish(done(request), request.peer); }

  bool test(Request& request) {
    if (!done(request)) progress(false);
    return done(request);
  }

  void sendrecv(const void* from, std::size_t out_bytes, int dest, void* into, std::size_t in_bytes, int source,
                int tag) {
    Receive in{into, in_bytes, source, tag};
    mailbox_.post(in);
    send(from, out_bytes, dest, tag);
    finish(in.done, source);
  }

  std::size_t probe(int source, int tag) {
    for (;;) {
      if (const auto* found = mailbox_.peek(source, tag)) return found->data.size();
      if (waiting_ == Waiting::yield) sched_yield();
      progress(waiting_ == Waiting::sleep);
    }
  }

 private:
  static constexpr std::size_t ahead_bytes = 16 * 1024;  // read at once before it is known what it is
  static constexpr std::size_t short_bytes = 2048;       // copied behind their envelope, for one plain write
  static constexpr int spins_between_rounds = 32;
  static constexpr std::int64_t patience_ns = 50'000'000;

  // What is kept of each peer.
  struct Peer {
    std::unique_ptr<unsigned char[]> ahead;  // bytes read ahead; made when the first come
    std::size_t held = 0;                    // bytes of a split envelope at its front
    Arrival arrival;
    std::deque<Send*> sends;
    bool closed = false;
  };

  Peer& at(int rank) { return peers_[static_cast<std::size_t>(rank)]; }
  static const bool& done(const Request& request) { return request.send ? request.send->done : request.receive->done; }

  // --- sending -------------------------------------------------------------------------------------------------------

  // Envelope and bytes in one go. False: nothing was sent.
  bool send_short(const void* from, std::size_t bytes, int dest, int tag) {
    unsigned char packet[sizeof(Envelope) + short_bytes];
    const Envelope envelope{bytes, tag, envelope_mark};
    std::memcpy(packet, &envelope, sizeof envelope);
    if (bytes > 0) std::memcpy(packet + sizeof envelope, from, bytes);
    const auto length = sizeof envelope + bytes;
    const iovec whole[1] = {{packet, length}};
    const auto sent = lines_.write(dest, whole, 1);
    if (sent == static_cast<ssize_t>(length)) return true;
    if (sent < 0) {
      if (errno == EAGAIN || errno == EINTR) return false;
      lost(dest);
    }
    Send rest;
    prepare(rest, from, bytes, tag);
    advance(rest, static_cast<std::size_t>(sent));
    enqueue(rest, dest);
    finish(rest.done, dest);
    return true;
  }

  static void prepare(Send& one, const void* from, std::size_t bytes, int tag) {
    one.envelope = {bytes, tag, envelope_mark};
    one.from = static_cast<const unsigned char*>(from);
    one.left_envelope = sizeof(Envelope);
    one.left = bytes;
    one.done = false;
  }

  void post(Send& one, const void* from, std::size_t bytes, int dest, int tag) {
    if (dest == own_.rank) {
      mailbox_.deliver(dest, tag, from, bytes);
      one.done = true;
      return;
    }
    prepare(one, from, bytes, tag);
    enqueue(one, dest);
  }

  void enqueue(Send& one, int dest) {
    at(dest).sends.push_back(&one);
    ++unsent_;
    if (at(dest).sends.size() == 1) push(dest);
  }

  static void advance(Send& one, std::size_t sent) {
    const auto of_envelope = std::min(sent, one.left_envelope);
    one.left_envelope -= of_envelope;
    one.from += sent - of_envelope;
    one.left -= sent - of_envelope;
    one.done = one.left_envelope == 0 && one.left == 0;
  }

  // Gives the stream as much as it takes of what waits to be sent.
  void push(int dest) {
    auto& peer = at(dest);
    while (!peer.sends.empty()) {
      Send& one = *peer.sends.front();
      auto* envelope = reinterpret_cast<unsigned char*>(&one.envelope) + (sizeof(Envelope) - one.left_envelope);
      const iovec parts[2] = {{envelope, one.left_envelope}, {const_cast<unsigned char*>(one.from), one.left}};
      const bool begun = one.left_envelope == 0;
      const auto sent = lines_.write(dest, parts + begun, 2 - begun);
      if (sent < 0 && errno == EINTR) continue;
      if (sent < 0 && errno == EAGAIN) return lines_.writing(dest, true);
      if (sent < 0) lost(dest);
      advance(one, static_cast<std::size_t>(sent));
      if (!one.done) continue;
      peer.sends.pop_front();
      --unsent_;
    }
    lines_.writing(dest, false);
  }

  // --- receiving -----------------------------------------------------------------------------------------------------

  // Takes in what the stream has; `sleep`: waits until it has something. False: it had nothing.
  bool pull(int source, bool sleep = false) {
    auto& peer = at(source);
    if (peer.closed) return false;
    if (!peer.ahead) peer.ahead.reset(new unsigned char[ahead_bytes]);
    for (bool any = false;; any = true) {
      const bool direct = peer.arrival.missing >= ahead_bytes;
      auto* into = direct ? peer.arrival.place : peer.ahead.get() + peer.held;
      const auto room = direct ? peer.arrival.missing : ahead_bytes - peer.held;
      const auto got = lines_.read(source, into, room, sleep && !any);
      if (got < 0 && (errno == EAGAIN || errno == EINTR)) return any;
      if (got <= 0) return hang_up(source);
      if (direct) {
        move_on(peer.arrival, static_cast<std::size_t>(got));
      } else {
        take_apart(source, peer.held + static_cast<std::size_t>(got));
      }
      if (static_cast<std::size_t>(got) < room) return true;
    }
  }

  static void move_on(Arrival& arrival, std::size_t bytes) {
    arrival.place += bytes;
    arrival.missing -= bytes;
    if (arrival.missing == 0) Mailbox::end(arrival);
  }

  // A peer that ends while nothing is owed is no failure; one that dies in the middle is.
  bool hang_up(int source) {
    auto& peer = at(source);
    if (peer.arrival.missing > 0 || peer.held > 0 || mailbox_.expects(source) || !peer.sends.empty()) lost(source);
    peer.closed = true;
    lines_.remove(source);
    return false;
  }

  // Sorts the bytes read ahead into messages. An envelope that is split waits at the front of the buffer.
  void take_apart(int source, std::size_t end) {
    auto& peer = at(source);
    const auto* bytes = peer.ahead.get();
    std::size_t taken = 0;
    peer.held = 0;
    while (taken < end) {
      if (peer.arrival.missing == 0) {
        if (end - taken < sizeof(Envelope)) break;
        Envelope envelope;
        std::memcpy(&envelope, bytes + taken, sizeof envelope);
        if (envelope.mark != envelope_mark) throw TransportError("rank " + std::to_string(source) + " sent no envelope");
        taken += sizeof envelope;
        mailbox_.begin(peer.arrival, source, envelope.tag, envelope.bytes);
        if (peer.arrival.missing == 0) Mailbox::end(peer.arrival);
      } else {
        const auto part = std::min(peer.arrival.missing, end - taken);
        std::memcpy(peer.arrival.place, bytes + taken, part);
        taken += part;
        move_on(peer.arrival, part);
      }
    }
    if (taken < end) {
      peer.held = end - taken;
      std::memmove(peer.ahead.get(), bytes + taken, peer.held);
    }
  }

  // --- waiting -------------------------------------------------------------------------------------------------------

  // Until `done`, which depends on what one rank does (or anyone).
  void finish(const bool& done, int rank) {
    if (done) return;
    if (rank == own_.rank) throw TransportError("a rank waits for a message from itself that it never sent");
    if (waiting_ == Waiting::sleep) return sleep_for(done, rank);
    std::int64_t tired_ns = 0;
    while (!done) {
      const int looks = waiting_ == Waiting::spin ? spins_between_rounds : 1;
      for (int spin = 0; spin < looks && !done; ++spin) rank == anyone ? progress(false) : look_at(rank);
      if (done) return;
      // Two ranks that the system has put on one core would otherwise each spin out their time slices: 2 ms a message.
      sched_yield();
      bool tired = false;
      if (waiting_ == Waiting::spin) {
        const auto now = monotonic_ns();
        if (tired_ns == 0) tired_ns = now + patience_ns;
        tired = now > tired_ns;
      }
      if (rank != anyone && at(rank).closed) lost(rank);
      progress(tired);
    }
  }

  void look_at(int rank) {
    if (!pull(rank) && at(rank).closed) lost(rank);
  }

  // Ranks that share a processor first let the others run: mostly the message is there then, and nobody had to be woken.
  // Where this one message is all that matters, one system call both sleeps for it and takes it.
  void sleep_for(const bool& done, int rank) {
    for (int looks = 0; looks < looks_before_sleep_; ++looks) {
      rank == anyone || unsent_ > 0 ? progress(false) : look_at(rank);
      if (done) return;
      sched_yield();
    }
    while (!done) {
      if (rank == anyone) {
        progress(true);
        continue;
      }
      const bool alone = Lines::can_sleep_on_one && unsent_ == 0;
      pull(rank, alone);
      if (done) return;
      if (at(rank).closed) lost(rank);
      if (!alone) progress(true);
    }
  }

  void progress(bool sleep) {
    for (const auto& event : lines_.ready(sleep)) {
      if (event.readable) pull(event.rank);
      if (event.writable) push(event.rank);
    }
  }

  [[noreturn]] void lost(int rank) {
    throw TransportError("the connection to rank " + std::to_string(rank) + " broke: " +
                         (errno != 0 && errno != EAGAIN ? std::strerror(errno) : "it ended early"));
  }

  const Bootstrap own_;
  const Waiting waiting_;
  const int looks_before_sleep_;
  Lines lines_;
  Mailbox mailbox_;
  std::vector<Peer> peers_;
  std::size_t unsent_ = 0;
};

}  // namespace msgauge::transports
