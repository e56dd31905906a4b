// taskfarm for C++20: the C interface with destructors, exceptions and views. Header only.
#pragma once

#if __cplusplus <= 201703L
#error "taskfarm.hpp needs C++20: compile with -std=c++20. taskfarm.h is for C and for older C++"
#endif

#include <algorithm>
#include <chrono>
#include <concepts>
#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "taskfarm.h"

namespace taskfarm {

using Milliseconds = std::chrono::milliseconds;
inline constexpr Milliseconds without_end{-1};

// What the library refused: code() is a tf_code.
class Error : public std::runtime_error {
 public:
  explicit Error(int code) : Error(code, tf_error()) {}
  Error(int code, const std::string& text) : std::runtime_error(text), code_(code) {}
  int code() const { return code_; }

 private:
  int code_;
};

// Negative codes become exceptions; the others are states, returned.
inline int checked(int code) {
  if (code < 0) throw Error(code);
  return code;
}

// For the C interface, where a zero byte ends a text: what stands behind one would be left out, and the key be another.
inline const char* whole(const std::string& text) {
  const auto end = text.find('\0');
  if (end != text.npos) throw Error(TF_INVALID, "there is a zero byte in '" + text.substr(0, end) + "...'");
  return text.c_str();
}

// A farm_options{} has the defaults of the library.
struct farm_options : tf_farm_options {
  farm_options() { tf_farm_options_init(this); }
};
struct worker_options : tf_worker_options {
  worker_options() { tf_worker_options_init(this); }
};

// 0: none. Refused where the C interface would keep the lower half of the number alone.
inline tf_task_options task_options(Milliseconds deadline) {
  if (deadline.count() < 0 || deadline.count() > UINT32_MAX)
    throw Error(TF_INVALID, "a deadline of " + std::to_string(deadline.count()) +
                                " ms is not within 0 (none) to 4294967295 (49 days)");
  return {sizeof(tf_task_options), static_cast<std::uint32_t>(deadline.count())};
}

inline std::string_view bytes_of(const tf_result& result) { return {static_cast<const char*>(result.data), result.bytes}; }
inline std::string_view bytes_of(const tf_task& task) { return {static_cast<const char*>(task.data), task.bytes}; }

// Their ids are first_id, first_id + 1, ...
struct accepted {
  std::uint64_t first_id = 0;
  std::size_t count = 0;
};

class farm {
 public:
  explicit farm(const std::string& url, const farm_options& options = {}) { checked(tf_listen(whole(url), &options, &farm_)); }
  farm(farm&& other) noexcept : farm_(std::exchange(other.farm_, nullptr)), results_(std::move(other.results_)) {}
  farm& operator=(farm&& other) noexcept {
    std::swap(farm_, other.farm_);
    std::swap(results_, other.results_);
    return *this;
  }
  ~farm() { tf_close(farm_, 0); }

  std::string url() const { return tf_url(farm_); }

  // The task's id; nothing when the high-water mark is still reached after the timeout. A deadline has 49 days at most. Raises
  // Error with TF_CLOSED when another thread closes the farm: to take results and submit again would never succeed.
  std::optional<std::uint64_t> submit(std::string_view task, Milliseconds timeout = without_end, Milliseconds deadline = {}) {
    const tf_task_options options = task_options(deadline);
    std::uint64_t id = 0;
    if (unless_closed(tf_submit(farm_, task.data(), task.size(), &options, timeout.count(), &id)) != TF_OK) return std::nullopt;
    return id;
  }

  // The first so many tasks that there was room for; it waits for the first one only. Raises as submit does: then none is
  // accepted.
  accepted submit_many(std::span<const std::string_view> tasks, Milliseconds timeout = without_end, Milliseconds deadline = {}) {
    const tf_task_options options = task_options(deadline);
    std::vector<tf_buffer> buffers;
    buffers.reserve(tasks.size());
    for (const std::string_view task : tasks) buffers.push_back({task.data(), task.size()});
    accepted found;
    unless_closed(
        tf_submit_many(farm_, buffers.data(), buffers.size(), &options, timeout.count(), &found.first_id, &found.count));
    return found;
  }

  // Up to `most` results, valid until the next call; none when none came in time or no task is outstanding.
  std::span<const tf_result> next(Milliseconds timeout = without_end, std::size_t most = 256) {
    results_.resize(most);
    std::size_t count = 0;
    checked(tf_next(farm_, results_.data(), most, timeout.count(), &count));
    return {results_.data(), count};
  }

  void broadcast(const std::string& key, std::string_view data) {
    checked(tf_broadcast(farm_, whole(key), data.data(), data.size()));
  }
  bool cancel(std::uint64_t id, bool only_queued = false) { return checked(tf_cancel(farm_, id, only_queued)) == TF_OK; }
  bool recall(std::uint64_t id) { return checked(tf_recall(farm_, id)) == TF_OK; }
  bool rerun(std::uint64_t id) { return checked(tf_rerun(farm_, id)) == TF_OK; }
  int fd() { return checked(tf_fd(farm_)); }

  tf_statistics stats() const {
    tf_statistics statistics{};
    checked(tf_stats(farm_, &statistics));
    return statistics;
  }

  // Who works for it now. One that comes between the two calls waits for the next look.
  std::vector<tf_worker_info> workers() const {
    std::size_t count = 0;
    checked(tf_workers(farm_, nullptr, 0, &count));
    std::vector<tf_worker_info> found(count);
    checked(tf_workers(farm_, found.data(), found.size(), &count));
    found.resize(std::min(count, found.size()));
    return found;
  }

  // Whether every task had ended and its result was taken.
  bool close(Milliseconds timeout) {
    const int code = tf_close(farm_, timeout.count());
    farm_ = nullptr;  // not before: other threads may be about to wait
    return checked(code) == TF_OK;
  }

 private:
  static int unless_closed(int code) {
    if (code == TF_CLOSED) throw Error(code, "the farm is being closed");
    return checked(code);
  }

  tf_farm* farm_ = nullptr;
  std::vector<tf_result> results_;
};

class worker {
 public:
  explicit worker(const std::string& url, const worker_options& options = {}) {
    if (const int code = tf_connect(whole(url), &options, &worker_); code != TF_OK) throw Error(code);  // a timeout, too
  }
  worker(worker&& other) noexcept : worker_(std::exchange(other.worker_, nullptr)), closed_(other.closed_) {}
  worker& operator=(worker&& other) noexcept {
    std::swap(worker_, other.worker_);
    std::swap(closed_, other.closed_);
    return *this;
  }
  ~worker() { tf_leave(worker_); }

  // The next task, valid until the next call; nothing when none came in time, or the work has ended (see closed()).
  std::optional<tf_task> recv(Milliseconds timeout = without_end) {
    tf_task task{};
    const int code = checked(tf_recv(worker_, &task, timeout.count()));
    closed_ = code == TF_CLOSED;
    return code == TF_OK ? std::optional(task) : std::nullopt;
  }
  bool closed() const { return closed_; }
  void reply(std::string_view data) { checked(tf_reply(worker_, data.data(), data.size())); }
  void fail(std::string_view message) { checked(tf_fail(worker_, message.data(), message.size())); }

  std::optional<std::string_view> context(const std::string& key) const {
    const void* data = nullptr;
    std::size_t bytes = 0;
    if (tf_context(worker_, whole(key), &data, &bytes, nullptr) != TF_OK) return std::nullopt;
    return std::string_view(static_cast<const char*>(data), bytes);
  }

  // Answers tasks with function(view) until the coordinator ends; an exception is the task's failure, and so is an answer that
  // is too big. The answer is text or bytes: of a number a string would take the one character.
  template <class F>
    requires std::convertible_to<std::invoke_result_t<F&, std::string_view>, std::string_view>
  void run(F&& function) {
    while (const auto task = recv()) {
      std::string answer;
      bool failed = true;
      try {
        answer = function(bytes_of(*task));
        failed = false;
      } catch (const std::exception& error) {
        answer = error.what();
      } catch (...) {
        answer = "an exception that is no std::exception";
      }
      answer_with(answer, failed);
    }
  }

 private:
  void answer_with(std::string_view text, bool failed) {
    try {
      failed ? fail(text) : reply(text);
    } catch (const Error& error) {
      if (error.code() != TF_TOOBIG) throw;
      fail(error.what());
    }
  }

  tf_worker* worker_ = nullptr;
  bool closed_ = false;
};

}  // namespace taskfarm
