// ZeroMQ: each rank pulls all that comes from one socket, and pushes to each other rank through one of its own, made on
// first use. ZeroMQ has no tags: an envelope before the bytes names source and tag. MSGAUGE_ZEROMQ says over what: tcp
// or ipc. Ranks sleep in zmq_msg_recv, as the library does by itself, unless told otherwise. Started by
// execution/local_launcher.py.
#pragma once

#include <sched.h>
#include <zmq.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "../transport.hpp"
#include "matching.hpp"
#include "bootstrap.hpp"

namespace msgauge::transports::zeromq {

inline constexpr std::string_view capabilities = "send recv isend irecv wait test sendrecv probe any_source any_tag";

// Goes before the bytes of every message, in the same frame.
struct Envelope {
  std::int32_t source;
  std::int32_t tag;
};

[[noreturn]] inline void give_up(const char* what) { throw TransportError(std::string(what) + ": " + zmq_strerror(zmq_errno())); }

// A context and the sockets that go with it, closed before it.
class Sockets {
 public:
  explicit Sockets(const Bootstrap& own) : peers_(static_cast<std::size_t>(own.size)), context_(zmq_ctx_new()) {
    if (!context_) give_up("no ZeroMQ context can be made");
    inbox_ = made(ZMQ_PULL);
    const bool ipc = environment("MSGAUGE_ZEROMQ") == "ipc";
    transport_ = ipc ? "ipc" : "tcp";
    if (own.size == 1) return;
    const Rendezvous rendezvous(own);
    // A name that begins with @ is abstract: it stands in no file system.
    const auto wish = ipc ? "ipc://@msgauge-" + own.token + "-" + std::to_string(own.rank)
                          : "tcp://" + rendezvous.address() + ":*";
    if (zmq_bind(inbox_, wish.c_str()) != 0) give_up("cannot bind the inbox");
    std::array<char, 256> endpoint{};
    std::size_t length = endpoint.size();
    if (zmq_getsockopt(inbox_, ZMQ_LAST_ENDPOINT, endpoint.data(), &length) != 0) give_up("no endpoint");
    places_ = rendezvous.meet(endpoint.data());
  }
  Sockets(const Sockets&) = delete;
  Sockets& operator=(const Sockets&) = delete;
  ~Sockets() {
    for (void* socket : peers_)
      if (socket) zmq_close(socket);
    zmq_close(inbox_);
    zmq_ctx_term(context_);
  }

  void* inbox() const { return inbox_; }
  const std::string& transport() const { return transport_; }
  void* to(int rank) {
    auto& socket = peers_[static_cast<std::size_t>(rank)];
    if (!socket) {
      socket = made(ZMQ_PUSH);
      if (zmq_connect(socket, places_[static_cast<std::size_t>(rank)].c_str()) != 0) give_up("cannot connect");
    }
    return socket;
  }

 private:
  // Without a limit to what is queued: a sender that stopped at one would not take in what others send. What is queued
  // at the end is still sent for some seconds.
  void* made(int type) const {
    void* socket = zmq_socket(context_, type);
    if (!socket) give_up("no ZeroMQ socket can be made");
    const int unlimited = 0, linger_ms = 5'000;
    zmq_setsockopt(socket, ZMQ_SNDHWM, &unlimited, sizeof unlimited);
    zmq_setsockopt(socket, ZMQ_RCVHWM, &unlimited, sizeof unlimited);
    zmq_setsockopt(socket, ZMQ_LINGER, &linger_ms, sizeof linger_ms);
    return socket;
  }

  std::vector<void*> peers_;
  std::vector<std::string> places_;
  std::string transport_;
  void* context_;
  void* inbox_ = nullptr;
};

class Transport {
 public:
  struct Request {
    std::unique_ptr<Receive> receive;  // null: a send, which is done as soon as ZeroMQ has queued it
  };
  static constexpr int any_source = anyone;
  static constexpr int any_tag = anyone;

  explicit Transport(const Bootstrap& membership)
      : own_(membership),
        waiting_(environment("MSGAUGE_WAIT").empty() ? Waiting::sleep : own_.waiting()),
        sockets_(own_) {}

  int rank() const { return own_.rank; }
  int size() const { return own_.size; }
  std::string library() const {
    int major = 0, minor = 0, patch = 0;
    zmq_version(&major, &minor, &patch);
    return "ZeroMQ " + std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(patch) + ", over " +
           sockets_.transport();
  }
  Settings settings() const { return {{"transport", sockets_.transport()}, {"wait", name_of(waiting_)}}; }
  [[noreturn]] void abort(int code) {
    std::fflush(nullptr);
    std::_Exit(code);
  }

  void send(const void* from, std::size_t bytes, int dest, int tag) {
    if (dest == own_.rank) return mailbox_.deliver(dest, tag, from, bytes);
    zmq_msg_t message;
    if (zmq_msg_init_size(&message, sizeof(Envelope) + bytes) != 0) give_up("no room for a message");
    auto* data = static_cast<unsigned char*>(zmq_msg_data(&message));
    const Envelope envelope{own_.rank, tag};
    std::memcpy(data, &envelope, sizeof envelope);
    if (bytes > 0) std::memcpy(data + sizeof envelope, from, bytes);
    while (zmq_msg_send(&message, sockets_.to(dest), 0) < 0)
      if (zmq_errno() != EINTR) give_up("cannot send");
  }

  void recv(void* into, std::size_t bytes, int source, int tag) {
    Receive one{into, bytes, source, tag};
    mailbox_.post(one);
    finish(one.done);
  }

  Request isend(const void* from, std::size_t bytes, int dest, int tag) {
    send(from, bytes, dest, tag);
    return {};
  }

  Request irecv(void* into, std::size_t bytes, int source, int tag) {
    Request request{std::make_unique<Receive>(Receive{into, bytes, source, tag})};
    mailbox_.post(*request.receive);
    return request;
  }

  void wait(Request& request) {
    if (request.receive) finish(request.receive->done);
  }

  bool test(Request& request) {
    while (request.receive && !request.receive->done)
      if (!accept(ZMQ_DONTWAIT)) return false;
    return true;
  }

  void sendrecv(const void* from, std::size_t out_bytes, int dest, void* into, std::size_t in_bytes, int source,
                int tag) {
    Receive in{into, in_bytes, source, tag};
    mailbox_.post(in);
    send(from, out_bytes, dest, tag);
    finish(in.done);
  }

  std::size_t probe(int source, int tag) {
    for (;;) {
      if (const auto* found = mailbox_.peek(source, tag)) return found->data.size();
      look();
    }
  }

 private:
  static constexpr int spins_between_yields = 32;

  void finish(const bool& done) {
    while (!done) look();
  }

  void look() {
    if (waiting_ == Waiting::sleep) {
      accept(0);
      return;
    }
    const int looks = waiting_ == Waiting::spin ? spins_between_yields : 1;
    for (int spin = 0; spin < looks; ++spin)
      if (accept(ZMQ_DONTWAIT)) return;
    sched_yield();
  }

  // Takes one message in, and hands it to whom it concerns. False: there was none.
  bool accept(int flags) {
    zmq_msg_t message;
    zmq_msg_init(&message);
    const int got = zmq_msg_recv(&message, sockets_.inbox(), flags);
    if (got < 0 && (zmq_errno() == EAGAIN || zmq_errno() == EINTR)) return false;
    if (got < 0) give_up("cannot receive");
    const auto bytes = zmq_msg_size(&message);
    const auto* data = static_cast<const unsigned char*>(zmq_msg_data(&message));
    if (bytes < sizeof(Envelope)) throw TransportError("a message came without an envelope");
    Envelope envelope;
    std::memcpy(&envelope, data, sizeof envelope);
    mailbox_.deliver(envelope.source, envelope.tag, data + sizeof envelope, bytes - sizeof envelope);
    zmq_msg_close(&message);
    return true;
  }

  const Bootstrap own_;
  const Waiting waiting_;
  Sockets sockets_;
  Mailbox mailbox_;
};

template <class Body>
int launch(int, char**, Body body) {
  allow_many_files();
  Transport transport(Bootstrap::from_environment());
  return body(transport);
}

}  // namespace msgauge::transports::zeromq
