// The ways in which a kernel may send one message and receive one, by the words of its options. A transport that lacks
// one is refused with the reason: a message sent in another way would be another measurement.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "buffers.hpp"
#include "transport.hpp"

namespace msgauge {

enum class SendMode { standard, synchronous, buffered, ready, nonblocking, persistent, sendrecv };
enum class ReceiveMode { late, early, any_source, any_tag, probed };

inline constexpr std::string_view send_mode_names[] = {"standard",    "synchronous", "buffered", "ready",
                                                      "nonblocking", "persistent",  "sendrecv"};
inline constexpr std::string_view receive_mode_names[] = {"late", "early", "any-source", "any-tag", "probed"};

constexpr SendMode send_mode(std::string_view name) { return choice_named<SendMode>(send_mode_names, name); }
constexpr ReceiveMode receive_mode(std::string_view name) { return choice_named<ReceiveMode>(receive_mode_names, name); }

// Why a transport cannot send so; empty when it can.
template <Transport T>
constexpr std::string_view unsupported_reason(SendMode way, CacheMode cache) {
  switch (way) {
    case SendMode::standard: return "";
    case SendMode::synchronous: return HasSsend<T> ? "" : "this stack has no synchronous send";
    case SendMode::buffered: return HasBsend<T> ? "" : "this stack has no buffered send";
    case SendMode::ready: return HasRsend<T> ? "" : "this stack has no ready send";
    case SendMode::nonblocking: return HasIsend<T> && HasWait<T> ? "" : "this stack has no non-blocking send";
    case SendMode::sendrecv: return HasSendrecv<T> ? "" : "this stack has no combined send and receive";
    case SendMode::persistent:
      if (cache == CacheMode::rotate) return "a persistent request belongs to one buffer, which cannot rotate";
      return HasPersistent<T> ? "" : "this stack has no persistent requests";
  }
  return "";
}

template <Transport T>
constexpr std::string_view unsupported_reason(ReceiveMode way) {
  switch (way) {
    case ReceiveMode::late: return "";
    case ReceiveMode::early: return HasIrecv<T> && HasWait<T> ? "" : "this stack cannot post a receive in advance";
    case ReceiveMode::any_source: return HasAnySource<T> ? "" : "this stack cannot receive from any source";
    case ReceiveMode::any_tag: return HasAnyTag<T> ? "" : "this stack cannot receive any tag";
    case ReceiveMode::probed: return HasProbe<T> ? "" : "this stack has no probe";
  }
  return "";
}

// Sends one buffer to one peer in one way, and is done when the buffer may be used again.
template <Transport T>
class Sender {
 public:
  Sender(T& transport, SendMode way, Buffer& buffer, int peer, int tag)
      : transport_(transport), way_(way), buffer_(buffer), peer_(peer), tag_(tag) {}

  // Room for so many buffered messages under way; the persistent request.
  void open([[maybe_unused]] std::size_t under_way) {
    if constexpr (HasBsend<T>)
      if (way_ == SendMode::buffered) transport_.attach(under_way, buffer_.bytes());
    if constexpr (HasPersistent<T>)
      if (way_ == SendMode::persistent) request_.emplace(transport_.send_init(buffer_.data(), buffer_.bytes(), peer_, tag_));
  }

  void close() {
    if constexpr (HasBsend<T>)
      if (way_ == SendMode::buffered) transport_.detach();
    if constexpr (HasPersistent<T>)
      if (request_) transport_.release(*request_);
  }

  void send() {
    if (way_ == SendMode::standard || way_ == SendMode::sendrecv)
      transport_.send(buffer_.data(), buffer_.bytes(), peer_, tag_);
    else send_otherwise();
  }

 private:
  void send_otherwise() {
    if constexpr (HasSsend<T>)
      if (way_ == SendMode::synchronous) transport_.ssend(buffer_.data(), buffer_.bytes(), peer_, tag_);
    if constexpr (HasBsend<T>)
      if (way_ == SendMode::buffered) transport_.bsend(buffer_.data(), buffer_.bytes(), peer_, tag_);
    if constexpr (HasRsend<T>)
      if (way_ == SendMode::ready) transport_.rsend(buffer_.data(), buffer_.bytes(), peer_, tag_);
    if constexpr (HasIsend<T> && HasWait<T>) {
      if (way_ == SendMode::nonblocking) {
        auto request = transport_.isend(buffer_.data(), buffer_.bytes(), peer_, tag_);
        transport_.wait(request);
      }
    }
    if constexpr (HasPersistent<T>) {
      if (way_ == SendMode::persistent) {
        transport_.start(*request_);
        transport_.wait(*request_);
      }
    }
  }

  struct None {};
  template <class U>
  struct RequestOf {
    using type = None;
  };
  template <HasPersistent U>
  struct RequestOf<U> {
    using type = typename U::Request;
  };

  T& transport_;
  SendMode way_;
  Buffer& buffer_;
  int peer_, tag_;
  std::optional<typename RequestOf<T>::type> request_;
};

// Receives into one buffer from one peer in one way. An early receive is posted by `prepost`, before its message can have
// been sent; the other ways leave `prepost` empty.
template <Transport T>
class Receiver {
 public:
  Receiver(T& transport, ReceiveMode way, Buffer& buffer, int peer, int tag)
      : transport_(transport), way_(way), buffer_(buffer), peer_(peer), tag_(tag) {}

  bool early() const { return way_ == ReceiveMode::early; }

  void prepost() {
    if constexpr (HasIrecv<T> && HasWait<T>)
      if (early()) posted_[0] = transport_.irecv(buffer_.data(), buffer_.bytes(), peer_, tag_);
  }

  void receive() {
    if (way_ == ReceiveMode::late) transport_.recv(buffer_.data(), buffer_.bytes(), peer_, tag_);
    else receive_otherwise();
  }

 private:
  void receive_otherwise() {
    if constexpr (HasIrecv<T> && HasWait<T>)
      if (early()) transport_.wait(posted_[0]);
    if constexpr (HasAnySource<T>)
      if (way_ == ReceiveMode::any_source) transport_.recv(buffer_.data(), buffer_.bytes(), T::any_source, tag_);
    if constexpr (HasAnyTag<T>)
      if (way_ == ReceiveMode::any_tag) transport_.recv(buffer_.data(), buffer_.bytes(), peer_, T::any_tag);
    if constexpr (HasProbe<T>) {
      if (way_ == ReceiveMode::probed) {
        const auto bytes = transport_.probe(peer_, tag_);
        transport_.recv(buffer_.data(), bytes < buffer_.bytes() ? bytes : buffer_.bytes(), peer_, tag_);
      }
    }
  }

  T& transport_;
  ReceiveMode way_;
  Buffer& buffer_;
  int peer_, tag_;
  RequestRow<T, 1> posted_;
};

}  // namespace msgauge
