// taskfarm: a coordinator (rank 0) and its workers. Tasks go through the library, over what MSGAUGE_TASKFARM says: shm, unix,
// tcp or tls. The library has no messages between ranks: what the worker needs of these to agree on a start and to gather
// samples goes over plain sockets, Unix ones within a computer and TCP between hosts. Started by execution/local_launcher.py.
#pragma once

#include <fcntl.h>
#include <taskfarm.h>
#include <unistd.h>

#include <array>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tcp.hpp"
#include "unix.hpp"

namespace msgauge::transports::taskfarm {

inline constexpr std::string_view capabilities =
    "send recv isend irecv wait test sendrecv probe any_source any_tag tasks";

inline void need(int code, const char* what) {
  if (code != TF_OK) throw TransportError(std::string(what) + ": " + tf_code_name(code) + ": " + tf_error());
}

// The lines beside the library: how all ranks of a launch can be reached, wherever they stand.
struct Address {
  static constexpr std::string_view name = "unix or tcp";

  static std::pair<int, std::vector<std::string>> meet_others(const Bootstrap& own, int backlog) {
    return own.one_computer() ? unix::Address::meet_others(own, backlog) : tcp::Address::meet_others(own, backlog);
  }
  static int connect(const std::string& place) {
    const bool port_follows = place.find(' ') != std::string::npos;
    return port_follows ? tcp::Address::connect(place) : unix::Address::connect(place);
  }
  static void prepare(int socket) { tcp::Address::prepare(socket); }  // changes nothing of a Unix socket
};

// The key of a launch. The library takes it from a file, so each rank has one for as long as it connects; to the workers it
// goes over the lines, for hosts need not share a folder. It hides nothing: TLS is there to be measured.
class Key {
 public:
  static constexpr std::size_t length = 65;  // 64 hexadecimal digits and the end of the line

  explicit Key(const Bootstrap& own) : path_("taskfarm-" + own.token + "-" + std::to_string(own.rank) + ".key") {}
  Key(const Key&) = delete;
  Key& operator=(const Key&) = delete;
  ~Key() { unlink(path_.c_str()); }
  const char* path() const { return path_.c_str(); }

  std::array<char, length> make() const {
    need(tf_make_key(path()), "no key");
    std::array<char, length> text{};
    const int file = open(path(), O_RDONLY | O_CLOEXEC);
    const bool whole = file >= 0 && read(file, text.data(), text.size()) == static_cast<ssize_t>(text.size());
    if (file >= 0) close(file);
    if (!whole) fail("the key cannot be read");
    return text;
  }

  void keep(const std::array<char, length>& text) const {
    const int file = open(path(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    const bool whole = file >= 0 && write(file, text.data(), text.size()) == static_cast<ssize_t>(text.size());
    if (file >= 0) close(file);
    if (!whole) fail("the key cannot be kept");
  }

 private:
  std::string path_;
};

class Transport : public StreamTransport<SocketLines<Address>> {
 public:
  explicit Transport(const Bootstrap& membership)
      : StreamTransport(membership), over_(environment("MSGAUGE_TASKFARM").empty() ? "shm" : environment("MSGAUGE_TASKFARM")) {
    if (membership.size == 1) return;
    std::optional<Key> key;
    if (over_ == "tls") share_key(key.emplace(membership));
    const char* key_file = key ? key->path() : nullptr;
    rank() == 0 ? listen(membership, key_file) : join(key_file);
    if (rank() == 0) meet_workers();
    else introduce();
  }
  ~Transport() {
    if (worker_ != nullptr) tf_leave(worker_);
    if (farm_ != nullptr) tf_close(farm_, 1000);
  }

  std::string library() const {
    const auto version = tf_version();
    return "taskfarm " + std::to_string(version >> 16) + "." + std::to_string(version & 0xffff) + ", tasks over " + over_;
  }
  Settings settings() const { return {{"transport", over_}}; }  // how ranks wait between tasks is the library's own affair

  void give(const void* from, std::size_t bytes, int count) {
    tasks_.assign(static_cast<std::size_t>(count), tf_buffer{from, bytes});
    std::size_t accepted = 0;
    need(tf_submit_many(farm_, tasks_.data(), tasks_.size(), nullptr, -1, nullptr, &accepted), "cannot submit");
    if (accepted != tasks_.size()) throw TransportError("not all tasks were accepted");
  }

  void share(const void* from, std::size_t bytes) { need(tf_broadcast(farm_, "packet", from, bytes), "cannot broadcast"); }

  TaskAnswer next_answer() {
    if (taken_ == came_) {
      taken_ = came_ = 0;
      need(tf_next(farm_, results_.data(), results_.size(), -1, &came_), "no answer");
    }
    const tf_result& result = results_[taken_++];
    if (result.status != TF_DONE) throw TransportError("a task was not done: " + std::string(word_of(result)));
    return {rank_of(result.worker), result.data, result.bytes};
  }

  std::size_t answers_at_hand() const { return came_ - taken_; }

  void take(void* into, std::size_t bytes) {
    if (take_at_most(into, bytes) != bytes) throw TransportError("a task of another size");
  }

  std::size_t take_at_most(void* into, std::size_t bytes) {
    tf_task task;
    need(tf_recv(worker_, &task, -1), "no task");
    if (task.bytes > bytes) throw TransportError("a task that is too large");
    if (task.bytes > 0) std::memcpy(into, task.data, task.bytes);
    return task.bytes;
  }

  void take_shared(void* into, std::size_t bytes) {
    const void* data = nullptr;
    std::size_t had = 0;
    need(tf_context(worker_, "packet", &data, &had, nullptr), "nothing was shared");
    if (had != bytes) throw TransportError("what was shared has another size");
    if (bytes > 0) std::memcpy(into, data, bytes);
  }

  void answer(const void* from, std::size_t bytes) { need(tf_reply(worker_, from, bytes), "cannot answer"); }

 private:
  static constexpr int url_tag = 32001, key_tag = 32002;
  static constexpr std::size_t longest_url = 200;

  void share_key(const Key& key) {
    std::array<char, Key::length> text{};
    if (rank() == 0) {
      text = key.make();
      for (int worker = 1; worker < size(); ++worker) send(text.data(), text.size(), worker, key_tag);
    } else {
      recv(text.data(), text.size(), 0, key_tag);
      key.keep(text);
    }
  }

  void listen(const Bootstrap& own, const char* key_file) {
    const bool tcp = over_ == "tcp" || over_ == "tls";
    const std::string off = over_ == "shm" ? "" : "?shm=off";
    const std::string wish = (tcp ? "tcp://" + own_address(own) + ":0" : "unix://@msgauge-taskfarm-" + own.token) + off;
    tf_farm_options options;
    tf_farm_options_init(&options);
    options.window = 16;
    options.max_attempts = 1;
    options.key_file = key_file;
    need(tf_listen(wish.c_str(), &options, &farm_), "cannot listen");
    std::string url = tf_url(farm_) + off;
    if (url.size() > longest_url) throw TransportError("the address is too long: " + url);
    url.resize(longest_url, '\0');
    for (int worker = 1; worker < size(); ++worker) send(url.data(), url.size(), worker, url_tag);
  }

  static std::string own_address(const Bootstrap& own) {
    return own.one_computer() ? own.host : Rendezvous(own).address();
  }

  void join(const char* key_file) {
    std::string url(longest_url, '\0');
    recv(url.data(), url.size(), 0, url_tag);
    tf_worker_options options;
    tf_worker_options_init(&options);
    options.key_file = key_file;
    need(tf_connect(url.c_str(), &options, &worker_), "cannot join");
    const bool as_asked = over_ == tf_transport(worker_);
    if (!as_asked) throw TransportError("the worker came by " + std::string(tf_transport(worker_)) + ", not " + over_);
  }

  // One task to each worker, who answers with its rank: afterwards the library's numbers of workers are known as ranks.
  void meet_workers() {
    const auto workers = static_cast<std::size_t>(size() - 1);
    results_.resize(workers * 16);
    for (tf_statistics s{}; s.workers_idle < workers;) {
      tf_result none;
      std::size_t count = 0;
      tf_next(farm_, &none, 1, 10, &count);
      need(tf_stats(farm_, &s), "no statistics");
    }
    give(nullptr, 0, size() - 1);
    ranks_.clear();
    for (std::size_t i = 0; i < workers; ++i) {
      tf_result result;
      std::size_t count = 0;
      need(tf_next(farm_, &result, 1, -1, &count), "no worker introduced itself");
      std::int32_t rank = 0;
      if (result.status != TF_DONE || result.bytes != sizeof rank) throw TransportError("a worker did not say its rank");
      std::memcpy(&rank, result.data, sizeof rank);
      if (ranks_.size() <= result.worker) ranks_.resize(result.worker + 1, 0);
      ranks_[result.worker] = rank;
    }
  }

  void introduce() {
    take(nullptr, 0);
    const std::int32_t own = rank();
    answer(&own, sizeof own);
  }

  int rank_of(std::uint32_t number) const {
    if (number >= ranks_.size() || ranks_[number] == 0) throw TransportError("an answer of a worker that nobody knows");
    return ranks_[number];
  }

  static std::string word_of(const tf_result& result) {
    return std::string(static_cast<const char*>(result.data), result.data == nullptr ? 0 : result.bytes);
  }

  std::string over_;
  tf_farm* farm_ = nullptr;
  tf_worker* worker_ = nullptr;
  std::vector<tf_buffer> tasks_;
  std::vector<tf_result> results_;
  std::size_t taken_ = 0, came_ = 0;
  std::vector<int> ranks_;  // by the library's number of the worker
};

template <class Body>
int launch(int, char**, Body body) {
  Transport transport(Bootstrap::from_environment());
  return body(transport);
}

}  // namespace msgauge::transports::taskfarm
