// UCX: one worker a rank, and its tag matching. The workers' addresses go round by execution/local_launcher.py; connections are
// made on first use. Source and tag of a message share UCX's 64-bit tag.
#pragma once

#include <sched.h>
#include <ucp/api/ucp.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "../clock.hpp"
#include "../transport.hpp"
#include "bootstrap.hpp"

namespace msgauge::transports::ucx {

inline constexpr std::string_view capabilities = "send recv isend irecv wait test ssend probe any_source any_tag";

inline void must(ucs_status_t status, const char* what) {
  if (status != UCS_OK) throw TransportError(std::string(what) + ": " + ucs_status_string(status));
}

inline std::string in_hex(const void* data, std::size_t bytes) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string text;
  for (std::size_t i = 0; i < bytes; ++i) {
    const auto byte = static_cast<const unsigned char*>(data)[i];
    text += {digits[byte >> 4U], digits[byte & 15U]};
  }
  return text;
}

inline std::string from_hex(const std::string& text) {
  std::string bytes;
  for (std::size_t i = 0; i + 1 < text.size(); i += 2)
    bytes += static_cast<char>(std::stoi(text.substr(i, 2), nullptr, 16));
  return bytes;
}

// A context and its one worker.
class Worker {
 public:
  explicit Worker(bool wakes) {
    ucp_config_t* config = nullptr;
    must(ucp_config_read(nullptr, nullptr, &config), "the settings of UCX cannot be read");
    ucp_params_t wanted{};
    wanted.field_mask = UCP_PARAM_FIELD_FEATURES;
    wanted.features = UCP_FEATURE_TAG | (wakes ? UCP_FEATURE_WAKEUP : 0);
    const auto made = ucp_init(&wanted, config, &context_);
    ucp_config_release(config);
    must(made, "UCX cannot start");
    ucp_worker_params_t single{};
    single.field_mask = UCP_WORKER_PARAM_FIELD_THREAD_MODE;
    single.thread_mode = UCS_THREAD_MODE_SINGLE;
    must(ucp_worker_create(context_, &single, &worker_), "no UCX worker can be made");
  }
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;
  ~Worker() {
    ucp_worker_destroy(worker_);
    ucp_cleanup(context_);
  }

  ucp_worker_h handle() const { return worker_; }

  std::string address() const {
    ucp_address_t* address = nullptr;
    std::size_t bytes = 0;
    must(ucp_worker_get_address(worker_, &address, &bytes), "a UCX worker has no address");
    auto text = in_hex(address, bytes);
    ucp_worker_release_address(worker_, address);
    return text;
  }

 private:
  ucp_context_h context_ = nullptr;
  ucp_worker_h worker_ = nullptr;
};

class Transport {
 public:
  struct Request {
    void* handle = nullptr;  // null: done
  };
  static constexpr int any_source = -1;
  static constexpr int any_tag = -1;

  explicit Transport(const Bootstrap& membership)
      : own_(membership),
        waiting_(own_.waiting()),
        worker_(waiting_ == Waiting::sleep),
        peers_(static_cast<std::size_t>(own_.size), nullptr),
        places_(meet(own_, worker_.address())) {}
  Transport(const Transport&) = delete;
  Transport& operator=(const Transport&) = delete;
  ~Transport() { close_all(); }

  int rank() const { return own_.rank; }
  int size() const { return own_.size; }
  std::string library() const {
    return "UCX " + std::string(ucp_get_version_string()) + ", transports " + transports();
  }
  Settings settings() const { return {{"transport", transports()}, {"wait", name_of(waiting_)}}; }
  [[noreturn]] void abort(int code) {
    std::fflush(nullptr);
    std::_Exit(code);
  }

  void send(const void* from, std::size_t bytes, int dest, int tag) {
    auto request = isend(from, bytes, dest, tag);
    wait(request);
  }
  void ssend(const void* from, std::size_t bytes, int dest, int tag) {
    const ucp_request_param_t plain{};
    Request request{checked(ucp_tag_send_sync_nbx(to(dest), from, bytes, label(own_.rank, tag), &plain))};
    wait(request);
  }
  void recv(void* into, std::size_t bytes, int source, int tag) {
    auto request = irecv(into, bytes, source, tag);
    wait(request);
  }
  Request isend(const void* from, std::size_t bytes, int dest, int tag) {
    const ucp_request_param_t plain{};
    return {checked(ucp_tag_send_nbx(to(dest), from, bytes, label(own_.rank, tag), &plain))};
  }
  Request irecv(void* into, std::size_t bytes, int source, int tag) {
    ucp_request_param_t wanted{};
    return {checked(ucp_tag_recv_nbx(worker_.handle(), into, bytes, label(source, tag), mask(source, tag), &wanted))};
  }

  void wait(Request& request) {
    while (!test(request)) rest();
  }

  bool test(Request& request) {
    if (!request.handle) return true;
    auto status = ucp_request_check_status(request.handle);
    if (status == UCS_INPROGRESS) {
      ucp_worker_progress(worker_.handle());
      status = ucp_request_check_status(request.handle);
    }
    if (status == UCS_INPROGRESS) return false;
    ucp_request_free(request.handle);
    request.handle = nullptr;
    must(status, "a message did not get through");
    return true;
  }

  std::size_t probe(int source, int tag) {
    ucp_tag_recv_info_t info{};
    while (!ucp_tag_probe_nb(worker_.handle(), label(source, tag), mask(source, tag), 0, &info))
      if (ucp_worker_progress(worker_.handle()) == 0) rest();
    return info.length;
  }

 private:
  static constexpr int spins_between_yields = 32;
  static constexpr std::int64_t patience_ns = 2'000'000'000;

  // The source in the high half, the tag in the low one; a mask of zeros leaves a half out of the matching.
  static ucp_tag_t label(int source, int tag) {
    return static_cast<ucp_tag_t>(static_cast<std::uint32_t>(source)) << 32U | static_cast<std::uint32_t>(tag);
  }
  static ucp_tag_t mask(int source, int tag) {
    return (source == any_source ? 0 : ucp_tag_t{0xffffffff} << 32U) | (tag == any_tag ? 0 : ucp_tag_t{0xffffffff});
  }

  static void* checked(ucs_status_ptr_t request) {
    if (UCS_PTR_IS_ERR(request)) must(UCS_PTR_STATUS(request), "UCX refused a message");
    return request;
  }

  ucp_ep_h to(int rank) {
    auto& peer = peers_[static_cast<std::size_t>(rank)];
    if (!peer) {
      const auto place = from_hex(places_[static_cast<std::size_t>(rank)]);
      ucp_ep_params_t wanted{};
      wanted.field_mask = UCP_EP_PARAM_FIELD_REMOTE_ADDRESS;
      wanted.address = reinterpret_cast<const ucp_address_t*>(place.data());
      must(ucp_ep_create(worker_.handle(), &wanted, &peer), "UCX cannot connect");
    }
    return peer;
  }

  // After a look that was in vain.
  void rest() {
    if (waiting_ == Waiting::sleep) {
      // Nothing may be left to do when the worker is told to wake us; it says so itself by being busy.
      if (ucp_worker_progress(worker_.handle()) == 0) ucp_worker_wait(worker_.handle());
      return;
    }
    if (waiting_ == Waiting::yield || ++looks_ % spins_between_yields == 0) sched_yield();
  }

  // Those that UCX may take from.
  static std::string transports() {
    const auto allowed = environment("UCX_TLS");
    return allowed.empty() ? "all" : allowed;
  }

  // What is under way goes out before the worker ends; a peer that is gone already must not hold us up.
  void close_all() {
    const ucp_request_param_t plain{};
    void* flushed = ucp_worker_flush_nbx(worker_.handle(), &plain);
    const auto limit = monotonic_ns() + patience_ns;
    if (!UCS_PTR_IS_PTR(flushed)) return;
    while (ucp_request_check_status(flushed) == UCS_INPROGRESS && monotonic_ns() < limit)
      if (ucp_worker_progress(worker_.handle()) == 0) sched_yield();
    ucp_request_free(flushed);
  }

  const Bootstrap own_;
  const Waiting waiting_;
  Worker worker_;
  std::vector<ucp_ep_h> peers_;
  std::vector<std::string> places_;
  unsigned looks_ = 0;
};

template <class Body>
int launch(int, char**, Body body) {
  allow_many_files();
  Transport transport(Bootstrap::from_environment());
  return body(transport);
}

}  // namespace msgauge::transports::ucx
