// Our own transport: processes joined pairwise by plain sockets. Messages match by source and tag in the order sent.
//
// Started by launchers/ranks.py, which sets MSGAUGE_RANK, MSGAUGE_SIZE, MSGAUGE_RENDEZVOUS=HOST:PORT and MSGAUGE_TOKEN.
// Where every rank has a core, waiting spins (and sleeps only after long silence); where ranks share cores it sleeps at
// once. Whoever waits also takes in what others send, so that large messages both ways cannot block each other.
#pragma once

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <sys/uio.h>

#include "../transport.hpp"
#include "../clock.hpp"
#include "tcp_mesh.hpp"
#include "tcp_peer.hpp"

namespace msgauge::transports::tcp {

inline constexpr std::string_view capabilities = "send recv isend irecv wait test sendrecv";

class Transport {
 public:
  struct Request {
    int peer = -1;
    std::unique_ptr<Receive> receive;
    std::unique_ptr<Send> send;
  };

  explicit Transport(Membership membership) : own_(std::move(membership)), peers_(static_cast<std::size_t>(own_.size)) {
    const auto sockets = connect_all(own_);
    watch_.open(own_.size);
    for (int rank = 0; rank < own_.size; ++rank) {
      auto& peer = at(rank);
      peer.socket = sockets[static_cast<std::size_t>(rank)];
      if (rank == own_.rank) continue;
      peer.ahead.reset(new unsigned char[ahead_bytes]);
      watch_.add(peer.socket, rank);
    }
    spins_ = own_.size <= own_.cores;
  }
  Transport(const Transport&) = delete;
  Transport& operator=(const Transport&) = delete;

  ~Transport() {
    for (auto& peer : peers_)
      if (peer.socket >= 0) close(peer.socket);
  }

  int rank() const { return own_.rank; }
  int size() const { return own_.size; }
  std::string library() const { return std::string("msgauge tcp, waiting by ") + (spins_ ? "spinning" : "sleeping"); }
  [[noreturn]] void abort(int code) {
    std::fflush(nullptr);
    std::_Exit(code);
  }
  void begin(const Launch& launch) { spins_ = own_.size <= launch.cores; }

  void send(const void* from, std::size_t bytes, int dest, int tag) {
    if (dest != own_.rank && at(dest).sends.empty() && bytes <= short_bytes && send_short(from, bytes, dest, tag)) return;
    Send one;
    post(one, from, bytes, dest, tag);
    finish(one.done, dest);
  }

  void recv(void* into, std::size_t bytes, int source, int tag) {
    Receive one{into, bytes, tag, false};
    post(one, source);
    finish(one.done, source);
  }

  Request isend(const void* from, std::size_t bytes, int dest, int tag) {
    Request request{dest, nullptr, std::make_unique<Send>()};
    post(*request.send, from, bytes, dest, tag);
    return request;
  }

  Request irecv(void* into, std::size_t bytes, int source, int tag) {
    Request request{source, std::make_unique<Receive>(Receive{into, bytes, tag, false}), nullptr};
    post(*request.receive, source);
    return request;
  }

  void wait(Request& request) { finish(request.send ? request.send->done : request.receive->done, request.peer); }

  bool test(Request& request) {
    const bool& done = request.send ? request.send->done : request.receive->done;
    if (!done) progress_all(0);
    return done;
  }

  void sendrecv(const void* from, std::size_t out_bytes, int dest, void* into, std::size_t in_bytes, int source,
                int tag) {
    Receive in{into, in_bytes, tag, false};
    post(in, source);
    send(from, out_bytes, dest, tag);
    finish(in.done, source);
  }

 private:
  static constexpr std::size_t ahead_bytes = 16 * 1024;  // read from the socket at once before it is known what it is
  static constexpr std::size_t short_bytes = 2048;       // copied behind their envelope, for one plain send call
  static constexpr int spins_between_rounds = 32;
  static constexpr std::int64_t patience_ns = 50'000'000;

  Peer& at(int rank) { return peers_[static_cast<std::size_t>(rank)]; }

  // --- sending -------------------------------------------------------------------------------------------------------

  // Envelope and bytes in one system call. False: nothing was sent.
  bool send_short(const void* from, std::size_t bytes, int dest, int tag) {
    unsigned char packet[sizeof(Envelope) + short_bytes];
    const Envelope envelope{bytes, tag, envelope_mark};
    std::memcpy(packet, &envelope, sizeof envelope);
    if (bytes > 0) std::memcpy(packet + sizeof envelope, from, bytes);
    const auto length = sizeof envelope + bytes;
    const auto sent = ::send(at(dest).socket, packet, length, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (sent == static_cast<ssize_t>(length)) return true;
    if (sent < 0) {
      if (errno == EAGAIN || errno == EINTR) return false;
      lost(dest);
    }
    Send rest;
    prepare(rest, from, bytes, tag);
    advance(rest, static_cast<std::size_t>(sent));
    at(dest).sends.push_back(&rest);
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
      send_to_self(from, bytes, tag);
      one.done = true;
      return;
    }
    prepare(one, from, bytes, tag);
    at(dest).sends.push_back(&one);
    if (at(dest).sends.size() == 1) push(dest);
  }

  static void advance(Send& one, std::size_t sent) {
    const auto of_envelope = std::min(sent, one.left_envelope);
    one.left_envelope -= of_envelope;
    one.from += sent - of_envelope;
    one.left -= sent - of_envelope;
    one.done = one.left_envelope == 0 && one.left == 0;
  }

  // Gives the socket as much as it takes of what waits to be sent.
  void push(int dest) {
    auto& peer = at(dest);
    while (!peer.sends.empty()) {
      Send& one = *peer.sends.front();
      iovec parts[2] = {
          {reinterpret_cast<unsigned char*>(&one.envelope) + (sizeof(Envelope) - one.left_envelope), one.left_envelope},
          {const_cast<unsigned char*>(one.from), one.left}};
      msghdr message{};
      message.msg_iov = parts;
      message.msg_iovlen = 2;
      const auto sent = sendmsg(peer.socket, &message, MSG_DONTWAIT | MSG_NOSIGNAL);
      if (sent < 0 && errno == EINTR) continue;
      if (sent < 0 && errno == EAGAIN) return watch_.writing(dest, true);
      if (sent < 0) lost(dest);
      advance(one, static_cast<std::size_t>(sent));
      if (one.done) peer.sends.pop_front();
    }
    watch_.writing(dest, false);
  }

  void send_to_self(const void* from, std::size_t bytes, int tag) {
    auto& peer = at(own_.rank);
    begin_message(peer, {bytes, tag, envelope_mark});
    if (bytes > 0) std::memcpy(peer.place, from, bytes);
    peer.missing = 0;
    end_message(peer);
  }

  // --- receiving -----------------------------------------------------------------------------------------------------

  void post(Receive& one, int source) {
    auto& peer = at(source);
    for (auto found = peer.unexpected.begin(); found != peer.unexpected.end(); ++found) {
      if ((*found)->tag != one.tag) continue;
      adopt(peer, **found, one);
      peer.unexpected.erase(found);
      return;
    }
    peer.posted.push_back(&one);
  }

  // Hands a message that came before its receive over to it; what is still missing goes to its buffer directly.
  void adopt(Peer& peer, Unexpected& early, Receive& one) {
    check_fits(early.bytes, one.bytes);
    const auto have = early.whole ? early.bytes : early.bytes - peer.missing;
    if (have > 0) std::memcpy(one.into, early.data.data(), have);
    one.done = early.whole;
    if (early.whole) return;
    peer.keeping = nullptr;
    peer.filling = &one;
    peer.place = static_cast<unsigned char*>(one.into) + have;
  }

  static void check_fits(std::size_t bytes, std::size_t room) {
    if (bytes > room)
      throw TransportError("a message of " + std::to_string(bytes) + " bytes came for a buffer of " +
                           std::to_string(room));
  }

  // Takes in what the socket has. False: it had nothing.
  bool pull(int source) {
    auto& peer = at(source);
    if (peer.closed) return false;
    for (bool any = false;; any = true) {
      const bool direct = peer.missing >= ahead_bytes;
      auto* into = direct ? peer.place : peer.ahead.get() + peer.held;
      const auto room = direct ? peer.missing : ahead_bytes - peer.held;
      const auto got = ::recv(peer.socket, into, room, MSG_DONTWAIT);
      if (got < 0 && (errno == EAGAIN || errno == EINTR)) return any;
      if (got <= 0) return hang_up(source);
      if (direct) {
        move_on(peer, static_cast<std::size_t>(got));
      } else {
        take_apart(source, peer.held + static_cast<std::size_t>(got));
      }
      if (static_cast<std::size_t>(got) < room && peer.missing == 0) return true;
    }
  }

  static void move_on(Peer& peer, std::size_t bytes) {
    peer.place += bytes;
    peer.missing -= bytes;
    if (peer.missing == 0) end_message(peer);
  }

  // A peer that ends while nothing is owed is no failure; one that dies in the middle is.
  bool hang_up(int source) {
    auto& peer = at(source);
    if (peer.missing > 0 || peer.held > 0 || !peer.posted.empty() || !peer.sends.empty()) lost(source);
    peer.closed = true;
    watch_.remove(source);
    return false;
  }

  // Sorts the bytes read ahead into messages. An envelope that is split waits at the front of the buffer.
  void take_apart(int source, std::size_t end) {
    auto& peer = at(source);
    const auto* bytes = peer.ahead.get();
    std::size_t done = 0;
    peer.held = 0;
    while (done < end) {
      if (peer.missing == 0) {
        if (end - done < sizeof(Envelope)) break;
        Envelope envelope;
        std::memcpy(&envelope, bytes + done, sizeof envelope);
        if (envelope.mark != envelope_mark) throw TransportError("rank " + std::to_string(source) + " sent no envelope");
        done += sizeof envelope;
        begin_message(peer, envelope);
        if (peer.missing == 0) end_message(peer);
      } else {
        const auto part = std::min(peer.missing, end - done);
        std::memcpy(peer.place, bytes + done, part);
        done += part;
        move_on(peer, part);
      }
    }
    if (done < end) {
      peer.held = end - done;
      std::memmove(peer.ahead.get(), bytes + done, peer.held);
    }
  }

  void begin_message(Peer& peer, const Envelope& envelope) {
    peer.missing = envelope.bytes;
    const auto found = std::find_if(peer.posted.begin(), peer.posted.end(),
                                    [&](const Receive* one) { return one->tag == envelope.tag; });
    if (found != peer.posted.end()) {
      check_fits(envelope.bytes, (*found)->bytes);
      peer.filling = *found;
      peer.place = static_cast<unsigned char*>((*found)->into);
      peer.posted.erase(found);
      return;
    }
    peer.unexpected.push_back(std::make_unique<Unexpected>());
    peer.keeping = peer.unexpected.back().get();
    peer.keeping->tag = envelope.tag;
    peer.keeping->bytes = envelope.bytes;
    peer.keeping->data.resize(envelope.bytes);
    peer.place = peer.keeping->data.data();
  }

  static void end_message(Peer& peer) {
    if (peer.filling) peer.filling->done = true;
    if (peer.keeping) peer.keeping->whole = true;
    peer.filling = nullptr;
    peer.keeping = nullptr;
  }

  // --- waiting -------------------------------------------------------------------------------------------------------

  // Until `done`: watches the one peer that matters closely, everyone now and then, and sleeps when told or tired.
  void finish(const bool& done, int rank) {
    if (done) return;
    if (rank == own_.rank) throw TransportError("a rank waits for a message from itself that it never sent");
    std::int64_t tired_ns = 0;
    while (!done) {
      for (int spin = 0; spin < (spins_ ? spins_between_rounds : 1) && !done; ++spin) pull(rank);
      if (done) return;
      int nap_ms = 0;
      if (!spins_) {
        nap_ms = -1;
      } else {
        // Two ranks that the system has put on one core would otherwise each spin out their time slices: 2 ms a message.
        sched_yield();
        const auto now = monotonic_ns();
        if (tired_ns == 0) tired_ns = now + patience_ns;
        if (now > tired_ns) nap_ms = -1;
      }
      if (at(rank).closed) lost(rank);
      progress_all(nap_ms);
    }
  }

  void progress_all(int nap_ms) {
    for (const auto& event : watch_.ready(nap_ms)) {
      if (event.readable) pull(event.rank);
      if (event.writable) push(event.rank);
    }
  }

  [[noreturn]] void lost(int rank) {
    throw TransportError("the connection to rank " + std::to_string(rank) + " broke: " +
                         (errno != 0 ? std::strerror(errno) : "it ended early"));
  }

  Membership own_;
  std::vector<Peer> peers_;
  Watch watch_;
  bool spins_ = true;
};

template <class Body>
int launch(int, char**, Body body) {
  Transport transport(Membership::from_environment());
  return body(transport);
}

}  // namespace msgauge::transports::tcp
