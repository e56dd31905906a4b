// A stream of bytes from a peer to a real coordinator, through its own loop: accepted, read, judged, answered, forgotten.
// The first byte says how the stream is cut into pieces, and what the peer is before it begins: a stranger, a worker that
// has joined, one that has been given tasks, or one in shared memory.
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "frame.hpp"
#include "hello.hpp"
#include "shared_memory.hpp"
#include "taskfarm.h"

using namespace taskfarm;

namespace {

constexpr std::size_t most_pieces = 64, tasks_each = 3;
constexpr int inputs_each = 500;  // then a new coordinator: what one input leaves must not matter to a million
enum class Kind { stranger, joined, busy, shared };

[[noreturn]] void wrong(const char* what) {
  std::fprintf(stderr, "the coordinator: %s (%s)\n", what, tf_error());
  std::abort();
}

void need(bool good, const char* what) {
  if (!good) wrong(what);
}

class Coordinator {
 public:
  Coordinator() : name_("@taskfarm-fuzz-" + std::to_string(getpid())) {
    tf_farm_options options;
    tf_farm_options_init(&options);
    options.grace_ms = 0;
    options.max_frame_bytes = 2048;
    options.ring_bytes = 4096;
    options.window = tasks_each;
    options.spin_us = 0;
    need(tf_listen(("unix://" + name_).c_str(), &options, &farm_) == TF_OK, "does not listen");
  }
  ~Coordinator() { tf_close(farm_, 0); }
  Coordinator(const Coordinator&) = delete;

  const std::string& name() const { return name_; }
  void submit() {
    for (std::size_t i = 0; i < tasks_each; ++i) {
      std::uint64_t id = 0;
      need(tf_submit(farm_, "task", 4, nullptr, 0, &id) == TF_OK, "takes no task");
      outstanding_.push_back(id);
    }
  }
  void turn() {
    tf_result results[8];
    std::size_t count = 0;
    if (tf_next(farm_, results, 8, 0, &count) < 0) wrong("an error of its own");
    for (std::size_t i = 0; i < count; ++i) {
      const auto found = std::find(outstanding_.begin(), outstanding_.end(), results[i].id);
      need(found != outstanding_.end(), "a result that nobody asked for, or a second one");
      outstanding_.erase(found);
      for (std::size_t at = 0; at < results[i].bytes; ++at) sum_ += static_cast<const unsigned char*>(results[i].data)[at];
    }
  }
  // The peer has gone: so must all that was known of it, and every task comes to an end.
  void forget() {
    tf_statistics statistics{};
    for (int turns = 0; turns == 0 || statistics.workers + statistics.half_open + statistics.monitors > 0; ++turns) {
      need(turns < 1000, "does not let go of a peer");
      turn();
      tf_stats(farm_, &statistics);
    }
    for (const std::uint64_t id : std::vector(outstanding_)) tf_cancel(farm_, id, 0);
    for (int turns = 0; !outstanding_.empty(); ++turns) {
      need(turns < 1000, "a task does not end");
      turn();
    }
  }

 private:
  std::string name_;
  tf_farm* farm_ = nullptr;
  std::vector<std::uint64_t> outstanding_;
  std::size_t sum_ = 0;  // every byte of a result can be read
};

class Peer {
 public:
  explicit Peer(Coordinator& coordinator) : coordinator_(coordinator), socket_(::socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0)) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    const std::string& name = coordinator.name();
    std::memcpy(address.sun_path + 1, name.data() + 1, name.size() - 1);
    const auto bytes = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + name.size());
    need(connect(socket_.get(), reinterpret_cast<const sockaddr*>(&address), bytes) == 0, "cannot be reached");
  }

  void join(bool shared) {
    Hello hello;
    hello.features = shared ? feature_shared_memory : 0;
    hello.identity = {1, 2, 3};
    hello.host = host_key();
    put({.type = FrameType::hello}, encode(hello));
    SharedDescriptors descriptors;
    char welcome[hello_limit + header_bytes];
    while (receive_descriptors(socket_.get(), welcome, sizeof welcome, MSG_DONTWAIT, descriptors) < 0) coordinator_.turn();
    const auto told = decode_welcome({welcome + header_bytes, reinterpret_cast<Header*>(welcome)->length});
    need(told.has_value(), "no welcome");
    if (descriptors.segment.open()) {
      segment_ = std::make_unique<Segment>(Segment::open(std::move(descriptors.segment), told->ring_bytes));
      board_ = SharedBoard::open(std::move(descriptors.board));
      ring_ = {&segment_->control().results, segment_->result_data(), told->ring_bytes};
      slot_ = told->slot;
    }
    put({.type = FrameType::ready, .flags = segment_ ? flag_shared_memory : std::uint8_t{0}}, "");
    coordinator_.turn();
  }

  // A piece of the stream. By the ring at most what has room there.
  void say(std::string_view bytes) {
    if (!segment_) {
      [[maybe_unused]] const ssize_t sent = send(socket_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
      return;
    }
    const auto room = ring_.room();
    if (!room) return;  // its own indices, which nobody but the coordinator has touched
    ring_.put(bytes.data(), std::min<std::size_t>(*room, bytes.size()));
    ring_.publish();
    (*board_).bits[slot_ / 64].fetch_or(std::uint64_t{1} << slot_ % 64);
  }
  // Any index, instead of the one that is right.
  void lie(std::uint64_t index) {
    if (!segment_) return;
    segment_->control().results.tail.store(index);
    segment_->control().tasks.head.store(index / 3);
    (*board_).bits[slot_ / 64].fetch_or(std::uint64_t{1} << slot_ % 64);
  }

 private:
  void put(Header header, std::string_view payload) {
    header.length = static_cast<std::uint32_t>(payload.size());
    const std::string bytes = std::string(reinterpret_cast<const char*>(&header), header_bytes).append(payload);
    need(send(socket_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(bytes.size()), "is full");
  }

  Coordinator& coordinator_;
  Descriptor socket_;
  std::unique_ptr<Segment> segment_;
  SharedBoard board_;
  RingProducer ring_;
  std::uint32_t slot_ = 0;
};

Coordinator& coordinator_of_now() {
  static std::unique_ptr<Coordinator> coordinator;
  static int inputs = 0;
  if (inputs++ % inputs_each == 0) {
    coordinator.reset();
    coordinator = std::make_unique<Coordinator>();
  }
  return *coordinator;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t bytes) {
  if (bytes < 1) return 0;
  Coordinator& coordinator = coordinator_of_now();
  const auto kind = static_cast<Kind>(data[0] >> 6);
  const std::string_view stream(reinterpret_cast<const char*>(data) + 1, bytes - 1);
  const std::size_t step = std::max<std::size_t>(1 + data[0] % 32, stream.size() / most_pieces);
  {
    Peer peer(coordinator);
    if (kind != Kind::stranger) peer.join(kind == Kind::shared);
    if (kind == Kind::busy || kind == Kind::shared) coordinator.submit();
    for (std::size_t at = 0; at < stream.size(); at += step) {
      peer.say(stream.substr(at, step));
      coordinator.turn();
    }
    if ((data[0] & 32) != 0 && stream.size() >= sizeof(std::uint64_t)) {
      std::uint64_t index;
      std::memcpy(&index, stream.data() + stream.size() - sizeof index, sizeof index);
      peer.lie(index);
      coordinator.turn();
    }
  }
  coordinator.forget();
  return 0;
}
