// A worker that does what it is told, and nothing by itself: frames over a socket or through rings, without a thread or a wait,
// so that it and the coordinator live in one thread of a test.
#pragma once

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>

#include "clock.hpp"
#include "hello.hpp"
#include "shared_memory.hpp"
#include "dial.hpp"

namespace taskfarm {

class ScriptedWorker {
 public:
  struct Held {
    std::uint64_t id = 0;
    std::uint16_t attempt = 0;
    bool cancelled = false;
    bool blamed = false;  // for the end of a connection, until the worker is back
  };
  struct Arrival {
    std::uint64_t id;
    std::uint16_t attempt;
    std::string payload;
    std::uint64_t broadcasts;  // the latest version that had come before it
  };
  enum class Stage { connected, greeted, attaching, ready, gone };

  ScriptedWorker(const std::string& url, const Identity& identity, bool wants_rings)
      : url_(parse_url(url)), identity_(identity), wants_rings_(wants_rings), fd_(Dial(url_).wait(never)) {
    tune_socket(fd_.get(), 5000);
  }

  Stage stage() const { return stage_; }
  bool shared() const { return segment_ != nullptr; }
  bool has_unsent() const { return !out_.empty(); }
  std::deque<Held>& window() { return window_; }
  const std::map<std::string, std::string>& contexts() const { return contexts_; }
  std::uint64_t running() const { return running_; }
  bool holding() const { return holding_; }
  bool refused() const { return refused_; }

  // Hello, whole or its first bytes.
  void greet(std::size_t most = SIZE_MAX) {
    Hello hello;
    hello.features = wants_rings_ ? feature_shared_memory : 0;
    hello.identity = identity_;
    hello.host = host_key();
    hello.pid = 7;
    hello.name = "scripted";
    const std::string bytes = frame_bytes({.type = FrameType::hello}, encode(hello));
    put(std::string_view(bytes).substr(0, most));
    stage_ = Stage::greeted;
  }

  void beat(std::uint64_t task) {
    write_socket(frame_bytes({.type = FrameType::heartbeat, .task = task}, {}));
    running_ = task;
  }

  // Of a task, whether or not this worker holds it.
  static std::string answer_to(const Held& held, FrameType type, std::string_view payload, bool holds = false) {
    const std::uint8_t flags = holds ? flag_holding : 0;
    return frame_bytes({.type = type, .flags = flags, .attempt = held.attempt, .task = held.id, .value = 1000}, payload);
  }
  void put(std::string_view bytes) {
    out_ += bytes;
    send_out();
  }
  void holds_back(bool holds) { holding_ = holds; }
  void start(std::uint64_t task) {
    if (segment_) segment_->control().running.store(task);
  }
  std::uint64_t started() const { return segment_ ? segment_->control().running.load() : 0; }

  // Whatever has come; whether there was anything. `arrived` gets the tasks.
  template <class F>
  bool pump(F&& arrived) {
    bool any = read_socket();
    if (stage_ == Stage::attaching) any |= finish_attaching();
    if (segment_) any |= read_ring();
    take_frames(arrived);
    return send_out() || any;
  }

  void die() {
    fd_.reset();
    stage_ = Stage::gone;
  }

 private:
  bool send_out() {
    if (out_.empty() || stage_ == Stage::gone) return false;
    const std::size_t before = out_.size();
    if (segment_) put_in_ring();
    else write_socket({});
    return out_.size() != before;
  }

  void write_socket(const std::string& at_once) {
    if (!at_once.empty()) {  // of heartbeats, beside the ring
      if (!segment_) out_ += at_once;
      else [[maybe_unused]] const ssize_t sent = ::send(fd_.get(), at_once.data(), at_once.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
    }
    while (!segment_ && !out_.empty()) {
      const ssize_t sent = ::send(fd_.get(), out_.data(), out_.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
      if (sent <= 0) return;
      out_.erase(0, static_cast<std::size_t>(sent));
    }
  }

  void put_in_ring() {
    const std::size_t count = std::min<std::size_t>(results_.room().value_or(0), out_.size());
    results_.put(out_.data(), count);
    out_.erase(0, count);
    results_.publish();
    (*board_).bits[slot_ / 64].fetch_or(1ULL << (slot_ % 64));
    std::uint32_t sleeps = 1;
    if ((*board_).coordinator_sleeps.compare_exchange_strong(sleeps, 0)) ring_bell();
  }

  void ring_bell() {
    const std::uint64_t one = 1;
    [[maybe_unused]] const ssize_t wrote = ::write(doorbell_.get(), &one, sizeof one);
  }

  bool read_socket() {
    if (stage_ == Stage::gone) return false;
    bool any = false;
    for (char part[4096];;) {
      SharedDescriptors found;
      const ssize_t got = receive_descriptors(fd_.get(), part, sizeof part, MSG_DONTWAIT, found);
      if (found.segment.open()) descriptors_ = std::move(found);
      if (got == 0 || (got < 0 && errno != EAGAIN)) stage_ = Stage::gone;
      if (got <= 0) return any || got == 0;
      any = true;
      in_.append(part, static_cast<std::size_t>(got));
    }
  }

  bool read_ring() {
    const std::size_t count = tasks_.available().value_or(0);
    if (count == 0) return false;
    in_.append(tasks_.data(), count);
    tasks_.consume(count);
    auto& waits = segment_->control().coordinator_waits;
    if (waits.exchange(0) != 0) {
      (*board_).bits[slot_ / 64].fetch_or(1ULL << (slot_ % 64));
      ring_bell();
    }
    return true;
  }

  template <class F>
  void take_frames(F&& arrived) {
    const char* at = in_.data();
    Frame frame;
    while (take_frame(at, in_.data() + in_.size(), 1 << 30, frame) == Parsed::frame) {
      switch (frame.header.type) {
        case FrameType::welcome: on_welcome(*decode_welcome(frame.view())); break;
        case FrameType::refuse: refused_ = true; break;
        case FrameType::broadcast: on_broadcast(frame); break;
        case FrameType::task:
          window_.push_back({frame.header.task, frame.header.attempt});
          arrived(Arrival{frame.header.task, frame.header.attempt, std::string(frame.view()), broadcasts_});
          break;
        case FrameType::cancel:
          for (Held& held : window_)
            if (held.id == frame.header.task && held.attempt == frame.header.attempt) held.cancelled = true;
          break;
        default: break;
      }
    }
    in_.erase(0, static_cast<std::size_t>(at - in_.data()));
  }

  void on_broadcast(const Frame& frame) {
    std::uint16_t bytes;
    std::memcpy(&bytes, frame.payload, sizeof bytes);
    contexts_[std::string(frame.view().substr(2, bytes))] = std::string(frame.view().substr(2U + bytes));
    broadcasts_ = std::max(broadcasts_, frame.header.value);
  }

  void on_welcome(const Welcome& welcome) {
    ring_bytes_ = welcome.ring_bytes;
    slot_ = welcome.slot;
    if (ring_bytes_ == 0) return be_ready();
    if (descriptors_.segment.open()) return open_rings();
    Url local;
    local.kind = Url::Kind::local;
    local.path = welcome.local_name;
    side_ = Dial(local).wait(never);
    const std::string_view token(reinterpret_cast<const char*>(welcome.token.data()), welcome.token.size());
    const std::string bytes = frame_bytes({.type = FrameType::attach}, token);
    [[maybe_unused]] const ssize_t sent = ::send(side_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
    stage_ = Stage::attaching;
  }

  bool finish_attaching() {
    char byte;
    const ssize_t got = receive_descriptors(side_.get(), &byte, 1, MSG_DONTWAIT, descriptors_);
    if (got < 0) return false;
    side_.reset();
    descriptors_.segment.open() ? open_rings() : be_ready();
    return true;
  }

  void open_rings() {
    segment_ = std::make_unique<Segment>(Segment::open(std::move(descriptors_.segment), ring_bytes_));
    board_ = SharedBoard::open(std::move(descriptors_.board));
    doorbell_ = std::move(descriptors_.doorbell);
    tasks_ = {&segment_->control().tasks, segment_->task_data(), ring_bytes_};
    results_ = {&segment_->control().results, segment_->result_data(), ring_bytes_};
    be_ready();
  }

  void be_ready() {
    const std::uint8_t flags = segment_ ? flag_shared_memory | flag_padding : 0;
    const std::string bytes = frame_bytes({.type = FrameType::ready, .flags = flags}, {});
    [[maybe_unused]] const ssize_t sent = ::send(fd_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
    stage_ = Stage::ready;
  }

  Url url_;
  Identity identity_;
  bool wants_rings_, refused_ = false, holding_ = false;
  Stage stage_ = Stage::connected;
  Descriptor fd_, side_, doorbell_;
  SharedDescriptors descriptors_;
  std::unique_ptr<Segment> segment_;
  SharedBoard board_;
  std::uint32_t ring_bytes_ = 0, slot_ = 0;
  RingConsumer tasks_;
  RingProducer results_;
  std::string in_, out_;
  std::deque<Held> window_;
  std::map<std::string, std::string> contexts_;
  std::uint64_t broadcasts_ = 0, running_ = 0;
};

}  // namespace taskfarm
