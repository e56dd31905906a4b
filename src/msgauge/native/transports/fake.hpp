// Ranks inside one process in a time of their own: every message costs what a LogGP model says, plus seeded noise, and
// nothing else does. The same seed gives the same numbers to the last bit, however busy the machine is.
//
// MSGAUGE_FAKE="L=1000,o_s=200,..." sets the model (fake_model.hpp lists all names); `--ranks N` the number of ranks;
// MSGAUGE_PACE=1.02 the machine: all costs of all stacks are so many times as large.
// Ranks are coroutines; the one with the earliest clock runs, so what it sees of the others is what it would have seen.
#pragma once

#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "../command_line.hpp"
#include "../transport.hpp"
#include "fake_model.hpp"

namespace msgauge::transports::fake {

inline constexpr std::string_view capabilities = "send recv isend irecv wait test sendrecv ssend any_source any_tag clock";

// One side of a message until the other side meets it.
struct Half {
  bool done = false;
  std::int64_t time_ns = 0;  // when it is (or, for a receive, may first be) complete
  int peer = 0;
  int tag = 0;
  std::size_t bytes = 0;
  void* into = nullptr;              // a receive's buffer
  const void* from = nullptr;        // a rendezvous sender's buffer
  std::vector<unsigned char> copy;   // an eager message's bytes, when they matter
  bool rendezvous = false;
  bool carries = true;               // its bytes matter
  int waiter = -1;                   // the rank to wake
  std::shared_ptr<Half> sender;      // of a rendezvous message on its way
};

inline constexpr int anyone = -1;  // as a source, or as a tag

// Whether a receive wants this message.
inline bool fits(const Half& receive, const Half& message) {
  return (receive.peer == anyone || receive.peer == message.peer) &&
         (receive.tag == anyone || receive.tag == message.tag);
}

// The ranks, their clocks and what is under way between them.
class World {
 public:
  World(int size, const Model& model) : model_(model), ranks_(static_cast<std::size_t>(size)) {}

  int size() const { return static_cast<int>(ranks_.size()); }
  const Model& model() const { return model_; }
  void kernel(std::string_view name) {
    const auto found = model_.slow.find(name);
    slowed_ = found == model_.slow.end() ? 1.0 : found->second;
  }
  void contents(int rank, bool matter) { at(rank).contents = matter; }

  // Runs body(rank) in every rank until all have come back.
  int run(std::function<int(int)> body) {
    body_ = std::move(body);
    for (int rank = 0; rank < size(); ++rank) start(rank);
    for (;;) {
      const int next = earliest();
      if (next < 0) break;
      current_ = next;
      swapcontext(&home_, &at(next).context);
    }
    int code = 0;
    for (const auto& one : ranks_) {
      if (!one.ended) throw TransportError("every rank waits for a message that nobody sends");
      code = std::max(code, one.code);
    }
    return code;
  }

  // Seeds the noise: levels of the launch and of its round, then a stream of its own for every rank.
  void begin(const Launch& launch) {
    if (begun_) return;
    begun_ = true;
    launch_ = launch;
    level_ = model_.level(launch);
    for (int rank = 0; rank < size(); ++rank)
      at(rank).noise = Noise(launch.seed * 1'000'003U + static_cast<std::uint64_t>(rank) + 1U);
  }

  std::int64_t& clock(int rank) { return at(rank).clock_ns; }

  // A synchronous send is a rendezvous, however short it is.
  std::shared_ptr<Half> isend(int rank, const void* from, std::size_t bytes, int dest, int tag,
                              bool synchronous = false) {
    auto& me = at(rank);
    misbehave(rank);
    auto half = std::make_shared<Half>();
    half->peer = dest;
    half->tag = tag;
    half->bytes = bytes;
    half->waiter = rank;
    half->rendezvous = synchronous || bytes > static_cast<std::size_t>(model_.eager);
    const auto& cost = model_.segment(half->rendezvous);
    // A request to send is short and waits for no bytes of others; those it announces do, in handshake().
    const auto begin = half->rendezvous ? me.clock_ns : std::max(me.clock_ns, me.free_ns);
    me.clock_ns = begin + scaled(cost.o_s) + model_.delay_ns;
    auto message = std::make_shared<Half>();
    message->peer = rank;
    message->tag = tag;
    message->bytes = bytes;
    message->rendezvous = half->rendezvous;
    message->carries = me.contents || bytes <= small;
    const auto latency = scaled(cost.L * me.noise.factor(model_.noise)) + me.noise.spike(model_) + (dest > rank ? model_.uphill_ns : 0);
    if (half->rendezvous) {
      message->from = from;
      message->sender = half;
      message->time_ns = me.clock_ns + latency;
    } else {
      const auto wire_ns = scaled(cost.G * static_cast<double>(bytes > 0 ? bytes - 1 : 0));
      me.free_ns = begin + std::max(scaled(cost.g), me.clock_ns - begin) + wire_ns;
      message->time_ns = me.clock_ns + latency + wire_ns;
      keep_copy(*message, from, rank);
      half->done = true;
      half->time_ns = me.clock_ns;
    }
    deliver(dest, std::move(message));
    return half;
  }

  std::shared_ptr<Half> irecv(int rank, void* into, std::size_t bytes, int source, int tag) {
    auto half = std::make_shared<Half>();
    half->peer = source;
    half->tag = tag;
    half->bytes = bytes;
    half->into = into;
    half->waiter = rank;
    half->time_ns = at(rank).clock_ns;
    auto& waiting = at(rank).arrived;
    const auto found = std::find_if(waiting.begin(), waiting.end(), [&](const auto& one) {
      return fits(*half, *one);
    });
    if (found == waiting.end()) {
      at(rank).posted.push_back(half);
    } else {
      meet(rank, *half, **found);
      waiting.erase(found);
    }
    return half;
  }

  void wait(int rank, Half& half) {
    while (!half.done) block(rank);
    at(rank).clock_ns = std::max(at(rank).clock_ns, half.time_ns);
  }

  // Asking costs a little time, so that asking again and again moves the clock.
  bool test(int rank, Half& half) {
    at(rank).clock_ns += model_.poll_ns;
    give_way(rank);
    if (!half.done || half.time_ns > at(rank).clock_ns) return false;
    return true;
  }

  void give_way(int rank) { swapcontext(&at(rank).context, &home_); }

 private:
  struct Rank {
    ucontext_t context{};
    std::unique_ptr<unsigned char[]> stack;
    std::int64_t clock_ns = 0;
    std::int64_t free_ns = 0;     // when its link takes the next message
    std::int64_t intake_ns = 0;   // when it can take in the next message
    bool blocked = false, ended = false, contents = true;
    int code = 0;
    Noise noise{1};
    std::deque<std::shared_ptr<Half>> arrived, posted;
  };
  static constexpr std::size_t stack_bytes = 512 * 1024;

  Rank& at(int rank) { return ranks_[static_cast<std::size_t>(rank)]; }
  std::int64_t scaled(double ns) const { return static_cast<std::int64_t>(ns * level_ * slowed_ + 0.5); }

  void start(int rank) {
    auto& one = at(rank);
    one.stack.reset(new unsigned char[stack_bytes]);
    getcontext(&one.context);
    one.context.uc_stack.ss_sp = one.stack.get();
    one.context.uc_stack.ss_size = stack_bytes;
    one.context.uc_link = &home_;
    const auto address = reinterpret_cast<std::uintptr_t>(this);
    makecontext(&one.context, reinterpret_cast<void (*)()>(&World::enter), 2, static_cast<unsigned>(address >> 32),
                static_cast<unsigned>(address & 0xFFFFFFFFU));
  }

  static void enter(unsigned high, unsigned low) {
    auto* world = reinterpret_cast<World*>((static_cast<std::uintptr_t>(high) << 32) | low);
    const int rank = world->current_;
    world->at(rank).code = world->body_(rank);
    world->at(rank).ended = true;
  }

  int earliest() const {
    int best = -1;
    for (int rank = 0; rank < size(); ++rank) {
      const auto& one = ranks_[static_cast<std::size_t>(rank)];
      if (one.ended || one.blocked) continue;
      if (best < 0 || one.clock_ns < ranks_[static_cast<std::size_t>(best)].clock_ns) best = rank;
    }
    return best;
  }

  void block(int rank) {
    at(rank).blocked = true;
    give_way(rank);
  }

  // What tests ask for: this launch dies, or hangs, at this point.
  void misbehave(int rank) {
    if (rank != size() - 1 || !begun_ || ++sends_ < 50) return;
    if (model_.crash == launch_.round + 1) std::abort();
    while (model_.hang == launch_.round + 1) pause();
  }

  void keep_copy(Half& message, const void* from, int rank) {
    if (!message.carries) return;
    const auto* bytes = static_cast<const unsigned char*>(from);
    message.copy.assign(bytes, bytes + message.bytes);
    mark_corrupt(message.copy.data(), message.bytes, rank);
  }

  void mark_corrupt(unsigned char* bytes, std::size_t count, int rank) {
    if (model_.wrong_bytes && begun_ && at(rank).contents && rank == 0 && count > 0) bytes[count / 2] ^= 0x10;
  }

  void deliver(int dest, std::shared_ptr<Half> message) {
    auto& posted = at(dest).posted;
    const auto found = std::find_if(posted.begin(), posted.end(), [&](const auto& one) {
      return fits(*one, *message);
    });
    if (found == posted.end()) {
      at(dest).arrived.push_back(std::move(message));
    } else {
      meet(dest, **found, *message);
      posted.erase(found);
    }
  }

  // A message and the receive that wants it: moves the bytes, and says when either side is done.
  void meet(int rank, Half& receive, Half& message) {
    if (message.bytes > receive.bytes) throw TransportError("a message is longer than the buffer it is received into");
    auto& me = at(rank);
    const auto& cost = model_.segment(message.rendezvous);
    auto arrival = message.time_ns;
    if (message.rendezvous) arrival = handshake(receive, message, cost);
    else if (!message.copy.empty()) std::memcpy(receive.into, message.copy.data(), message.bytes);
    const auto begin = std::max({arrival, receive.time_ns, me.intake_ns});
    me.intake_ns = begin + std::max(scaled(cost.g), scaled(cost.o_r));
    receive.time_ns = begin + scaled(cost.o_r);
    finish(receive);
  }

  // Ready to send, clear to send, then the bytes: the sender is held until they are on the wire.
  std::int64_t handshake(Half& receive, Half& message, const Segment& cost) {
    if (message.carries && message.bytes > 0) {
      std::memcpy(receive.into, message.from, message.bytes);
      mark_corrupt(static_cast<unsigned char*>(receive.into), message.bytes, message.peer);
    }
    auto& sender = at(message.peer);
    const auto cleared = std::max(message.time_ns, receive.time_ns) + scaled(cost.L);
    const auto begin = std::max(cleared, sender.free_ns) + scaled(cost.o_s);
    const auto gone = begin + scaled(cost.G * static_cast<double>(message.bytes > 0 ? message.bytes - 1 : 0));
    sender.free_ns = std::max(gone, begin + scaled(cost.g));
    message.sender->time_ns = gone;
    finish(*message.sender);
    return gone + scaled(cost.L);
  }

  void finish(Half& half) {
    half.done = true;
    auto& owner = at(half.waiter);
    if (owner.blocked) {
      owner.blocked = false;
      owner.clock_ns = std::max(owner.clock_ns, earliest_wake(half));
    }
  }

  // A rank that waits for another request goes back to sleep at once; its clock must not move for that.
  std::int64_t earliest_wake(const Half& half) const { return std::min(half.time_ns, ranks_[static_cast<std::size_t>(half.waiter)].clock_ns); }

  static constexpr std::size_t small = 4096;  // messages up to this always carry their bytes: they may be control

  Model model_;
  std::vector<Rank> ranks_;
  std::function<int(int)> body_;
  ucontext_t home_{};
  int current_ = 0;
  bool begun_ = false;
  Launch launch_;
  double level_ = 1.0, slowed_ = 1.0;
  std::int64_t sends_ = 0;
};

// One rank's view.
class Transport {
 public:
  using Request = std::shared_ptr<Half>;
  static constexpr int any_source = anyone;
  static constexpr int any_tag = anyone;

  Transport(World& world, int rank) : world_(&world), rank_(rank) {}

  int rank() const { return rank_; }
  int size() const { return world_->size(); }
  std::string library() const { return "msgauge fake " + world_->model().text; }
  [[noreturn]] void abort(int code) {
    std::fflush(nullptr);
    std::_Exit(code);
  }

  void send(const void* from, std::size_t bytes, int dest, int tag) {
    auto half = world_->isend(rank_, from, bytes, dest, tag);
    world_->wait(rank_, *half);
  }
  void ssend(const void* from, std::size_t bytes, int dest, int tag) {
    auto half = world_->isend(rank_, from, bytes, dest, tag, true);
    world_->wait(rank_, *half);
  }
  void recv(void* into, std::size_t bytes, int source, int tag) {
    auto half = world_->irecv(rank_, into, bytes, source, tag);
    world_->wait(rank_, *half);
  }
  Request isend(const void* from, std::size_t bytes, int dest, int tag) {
    return world_->isend(rank_, from, bytes, dest, tag);
  }
  Request irecv(void* into, std::size_t bytes, int source, int tag) {
    return world_->irecv(rank_, into, bytes, source, tag);
  }
  void wait(Request& request) { world_->wait(rank_, *request); }
  bool test(Request& request) { return world_->test(rank_, *request); }
  void sendrecv(const void* from, std::size_t out_bytes, int dest, void* into, std::size_t in_bytes, int source,
                int tag) {
    auto in = irecv(into, in_bytes, source, tag);
    auto out = isend(from, out_bytes, dest, tag);
    wait(out);
    wait(in);
  }

  // Reading the clock costs time here as everywhere.
  std::int64_t now_ns() { return world_->model().own_time(rank_, world_->clock(rank_) += world_->model().clock_ns); }
  void wait_until(std::int64_t time_ns) {
    auto& clock = world_->clock(rank_);
    clock = std::max(clock, world_->model().world_time(rank_, time_ns));
    if (rank_ == world_->model().straggler && waits_++ % world_->model().straggler_every == 0)
      clock += world_->model().straggler_ns;  // the system had something else for it to do
    world_->give_way(rank_);
  }

  // Ranks with clocks of their own stand for hosts.
  std::string clock_identity() const {
    return world_->model().one_clock() ? "simulated" : "rank " + std::to_string(rank_);
  }

  void begin(const Launch& launch) { world_->begin(launch); }
  void contents(bool matter) { world_->contents(rank_, matter); }
  void kernel(std::string_view name) { world_->kernel(name); }

 private:
  World* world_;
  int rank_;
  std::int64_t waits_ = 0;
};

template <class Body>
int launch(int argc, char** argv, Body body) {
  const char* text = std::getenv("MSGAUGE_FAKE");
  Model model = Model::parse(text ? text : "");
  if (const char* pace = std::getenv("MSGAUGE_PACE")) model.pace = std::max(std::strtod(pace, nullptr), 0.01);
  World world(ranks_wanted(argc, argv) + (model.wrong_size ? 1 : 0), model);
  return world.run([&](int rank) {
    Transport transport(world, rank);
    return body(transport);
  });
}

}  // namespace msgauge::transports::fake
