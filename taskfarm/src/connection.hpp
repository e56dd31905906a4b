// One connection of the coordinator, and the worker behind it. A worker outlives its connection by the grace period.
#pragma once

#include <algorithm>
#include <deque>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "frame.hpp"
#include "hello.hpp"
#include "out_queue.hpp"
#include "shared_memory.hpp"
#include "socket.hpp"
#include "tls.hpp"

namespace taskfarm {

struct Worker;

inline constexpr std::size_t enough_unsent = 32768;  // bytes; what is sent in one call otherwise

struct Peer {
  enum class State { handshake, hello, attach, upgrading, open, monitor, broken, closed } state = State::hello;
  bool over() const { return state == State::broken || state == State::closed; }  // broken: about to be lost (faults.cpp)
  Descriptor fd;
  std::unique_ptr<TlsSession> tls;
  bool local = false;          // a unix socket
  std::int64_t since_ns = 0;   // of its acceptance
  std::string partial;         // the beginning of a frame whose rest has not come, on the socket
  std::string ring_partial;    // the same on the ring
  OutQueue out;
  bool is_congested() const { return out.more_than(enough_unsent); }
  std::set<std::string> owed;  // keys of broadcasts that wait until what stands before them is written, or for the next task
  bool dirty = false;          // on the list of peers to flush
  bool waits_for_write = false;
  std::unique_ptr<Segment> segment;
  bool shared = false;         // tasks and results go through the segment
  bool pads = false;           // it knows frames of padding
  std::uint32_t slot = 0;
  Identity token{};
  RingProducer tasks;
  RingConsumer results;
  bool reading_ring = false;   // a frame that ends the connection must not have the ring read again
  Worker* worker = nullptr;
  std::int64_t last_seen_ns = 0;
  bool left = false;           // by its own will
  std::uint64_t left_with = 0; // the task that it had started then
  std::unique_ptr<Peer> next_dead;
};

// A task that a worker holds.
struct Assigned {
  std::uint64_t id = 0;
  std::int64_t sent_ns = 0;
  std::uint64_t end_of_frame = 0;  // in bytes of the peer's queue: started at the earliest when they are all handed on
  std::uint16_t attempt = 0;
  bool behind_others = false;      // was not first when it was sent, so its time says nothing about the round trip
  bool taken_back = false;         // cancelled, and another worker has it: not among the copies of the task
  bool blamed = false;             // had started when the connection ended: counts against the task until the worker is back
};

struct Worker {
  std::uint32_t number = 0;
  Identity identity{};
  Hello hello;
  Peer* peer = nullptr;        // null while away
  std::deque<Assigned> window; // in the order in which they were sent
  std::deque<Assigned> former; // held when the connection was lost: their results still count
  std::uint32_t limit = 1;
  bool in_idle_list = false, in_room_list = false;
  bool fills = true;           // gets more until its window is full
  bool holding = false;        // may hold back results of short tasks
  bool alone = false;          // its one task must have no company
  bool has_left = false;       // of its own will: nobody waits for it
  std::uint64_t running = 0;   // that its heartbeat named last
  std::uint64_t completed = 0;
  std::uint32_t reconnects = 0;
  std::uint64_t told_ranks = 0;  // of its host, in its welcome or since
  std::int64_t away_since_ns = 0;
  double service_ns = 0, round_trip_ns = 0;  // moving averages; 0: not known

  bool holds(std::uint64_t id) const {
    return id != 0 && std::any_of(window.begin(), window.end(), [&](const Assigned& a) { return a.id == id; });
  }
};

}  // namespace taskfarm
