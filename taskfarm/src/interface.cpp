// The C interface: exceptions become codes and a text of the calling thread.
#include <algorithm>
#include <cstring>
#include <memory>
#include <new>
#include <string>
#include <string_view>

#include "failure.hpp"
#include "farm.hpp"
#include "monitor.hpp"
#include "worker.hpp"

struct tf_farm {
  taskfarm::Farm farm;
};
struct tf_worker {
  taskfarm::WorkerSide side;
};
struct tf_monitor {
  taskfarm::Monitor monitor;
};

namespace {

thread_local std::string last_error;

int failed(int code, std::string_view text, std::string_view more = {}) noexcept {
  try {
    last_error.assign(text).append(more);
  } catch (...) {
    last_error = "no memory";  // so short that it needs none
  }
  return code;
}

template <class F>
int guarded(F&& body) noexcept {
  try {
    return body();
  } catch (const taskfarm::Failure& failure) {
    return failed(failure.code, failure.what());
  } catch (const std::bad_alloc&) {
    return failed(TF_NOMEMORY, "no memory");
  } catch (const std::exception& error) {
    return failed(TF_SYSTEM, error.what());
  } catch (...) {
    return failed(TF_SYSTEM, "an unknown exception");
  }
}

int missing(const char* what) { return failed(TF_INVALID, what, " is NULL"); }

// What a child got by fork stays as it is: its parent goes on with it.
template <class T>
bool is_of_another_process(const T& thing, const char* what) {
  return thing.elsewhere() && failed(TF_INVALID, what, " belongs to the process that made it, and this one is its child by fork") != 0;
}

// What a caller was compiled with may be shorter, or longer, than what this library knows.
void copy_part(void* to, std::size_t to_bytes, const void* from, std::size_t from_bytes) {
  std::memset(to, 0, to_bytes);
  std::memcpy(to, from, std::min(to_bytes, from_bytes));
}

}  // namespace

extern "C" {

const char* tf_error(void) { return last_error.c_str(); }

const char* tf_code_name(int code) {
  switch (code) {
    case TF_OK: return "ok";
    case TF_AGAIN: return "again";
    case TF_TIMEOUT: return "timeout";
    case TF_CLOSED: return "closed";
    case TF_NOTFOUND: return "not found";
    case TF_BUSY: return "busy";
    case TF_IDLE: return "idle";
    case TF_INVALID: return "invalid argument";
    case TF_SYSTEM: return "system error";
    case TF_SECURITY: return "refused for security";
    case TF_PROTOCOL: return "protocol error";
    case TF_TOOBIG: return "too big";
    case TF_NOMEMORY: return "no memory";
    case TF_JOURNAL: return "the journal cannot be written";
    default: return "unknown code";
  }
}

uint32_t tf_version(void) { return TF_VERSION_MAJOR << 16 | TF_VERSION_MINOR; }

void tf_farm_options_init(tf_farm_options* o) {
  if (o == nullptr) return;
  std::memset(o, 0, sizeof *o);
  o->size = sizeof *o;
  o->max_attempts = 3;
  o->window_max = 16;
  o->reorder_limit = 4096;
  o->heartbeat_ms = 1000;
  o->heartbeat_timeout_ms = 5000;
  o->grace_ms = 30000;
  o->hello_timeout_ms = 5000;
  o->max_half_open = 512;
  o->max_workers = 4096;
  o->high_water_tasks = (1U << 20) + (1U << 16);
  o->high_water_bytes = 1ULL << 30;
  o->max_frame_bytes = 256ULL << 20;
  o->shared_memory = 1;
  o->ring_bytes = 65536;
  o->spin_us = -1;
  o->raise_descriptors = 1;
}

int tf_listen(const char* url, const tf_farm_options* options, tf_farm** farm) {
  if (url == nullptr || farm == nullptr) return missing("url or farm");
  *farm = nullptr;
  return guarded([&] {
    *farm = new tf_farm{{url, taskfarm::FarmOptions(options)}};
    return TF_OK;
  });
}

const char* tf_url(tf_farm* farm) { return farm == nullptr ? "" : farm->farm.url().c_str(); }

int tf_submit(tf_farm* farm, const void* data, size_t bytes, const tf_task_options* options, int64_t timeout_ms,
              uint64_t* id) {
  const tf_buffer task{data, bytes};
  uint64_t first = 0;
  size_t accepted = 0;
  const int code = tf_submit_many(farm, &task, 1, options, timeout_ms, &first, &accepted);
  if (id != nullptr) *id = accepted == 1 ? first : 0;
  return code;
}

int tf_submit_many(tf_farm* farm, const tf_buffer* tasks, size_t count, const tf_task_options* options,
                   int64_t timeout_ms, uint64_t* first_id, size_t* accepted) {
  uint64_t nowhere = 0;
  size_t nothing = 0;
  uint64_t& first = first_id != nullptr ? *first_id : nowhere;
  size_t& taken = accepted != nullptr ? *accepted : nothing;
  first = taken = 0;
  if (farm == nullptr || (tasks == nullptr && count > 0)) return missing("farm or tasks");
  if (options != nullptr && options->size < sizeof(tf_task_options))
    return failed(TF_INVALID, "tf_task_options.size is wrong; give sizeof(tf_task_options)");
  return guarded([&] {
    const uint32_t deadline_ms = options == nullptr ? 0 : options->deadline_ms;
    return farm->farm.submit_many(tasks, count, deadline_ms, timeout_ms, first, taken);
  });
}

int tf_next(tf_farm* farm, tf_result* results, size_t max, int64_t timeout_ms, size_t* count) {
  if (farm == nullptr || results == nullptr || count == nullptr) return missing("farm, results or count");
  *count = 0;
  return guarded([&] { return farm->farm.next(results, max, timeout_ms, *count); });
}

int tf_broadcast(tf_farm* farm, const char* key, const void* data, size_t bytes) {
  if (farm == nullptr || key == nullptr) return missing("farm or key");
  return guarded([&] { return farm->farm.broadcast(key, {static_cast<const char*>(data), bytes}), TF_OK; });
}

int tf_cancel(tf_farm* farm, uint64_t id, int only_queued) {
  if (farm == nullptr) return missing("farm");
  return guarded([&] { return farm->farm.cancel(id, only_queued != 0); });
}

int tf_recall(tf_farm* farm, uint64_t id) {
  if (farm == nullptr) return missing("farm");
  return guarded([&] { return farm->farm.recall(id); });
}

int tf_rerun(tf_farm* farm, uint64_t id) {
  if (farm == nullptr) return missing("farm");
  return guarded([&] { return farm->farm.rerun(id); });
}

int tf_stats_sized(tf_farm* farm, tf_statistics* statistics, size_t size) {
  if (farm == nullptr || statistics == nullptr) return missing("farm or statistics");
  return guarded([&] {
    const tf_statistics now = farm->farm.statistics();
    copy_part(statistics, size, &now, sizeof now);
    return TF_OK;
  });
}

int tf_workers_sized(tf_farm* farm, tf_worker_info* workers, size_t max, size_t* count, size_t size) {
  if (farm == nullptr || count == nullptr) return missing("farm or count");
  return guarded([&] {
    const auto infos = farm->farm.workers();
    *count = workers == nullptr ? infos.size() : std::min(max, infos.size());
    for (size_t i = 0; workers != nullptr && i < *count; ++i)
      copy_part(reinterpret_cast<char*>(workers) + i * size, size, &infos[i], sizeof infos[i]);
    return TF_OK;
  });
}

int tf_fd(tf_farm* farm) {
  if (farm == nullptr) return missing("farm");
  return guarded([&] { return farm->farm.fd(); });
}

int tf_close(tf_farm* farm, int64_t timeout_ms) {
  if (farm == nullptr) return TF_OK;
  if (is_of_another_process(farm->farm, "this farm")) return TF_INVALID;
  const std::unique_ptr<tf_farm> owned(farm);
  const int code = guarded([&] { return owned->farm.close(timeout_ms); });
  owned->farm.send_callers_home();
  return code;
}

void tf_worker_options_init(tf_worker_options* o) {
  if (o == nullptr) return;
  std::memset(o, 0, sizeof *o);
  o->size = sizeof *o;
  o->connect_timeout_ms = 30000;
  o->reconnect_timeout_ms = 10000;
  o->shared_memory = 1;
  o->spin_us = -1;
  o->max_frame_bytes = 0x7fffffff;
}

int tf_connect(const char* url, const tf_worker_options* options, tf_worker** worker) {
  if (url == nullptr || worker == nullptr) return missing("url or worker");
  *worker = nullptr;
  return guarded([&] {
    *worker = new tf_worker{{url, taskfarm::WorkerOptions(options)}};
    return TF_OK;
  });
}

int tf_recv(tf_worker* worker, tf_task* task, int64_t timeout_ms) {
  if (worker == nullptr || task == nullptr) return missing("worker or task");
  return guarded([&] { return worker->side.recv(*task, timeout_ms); });
}

int tf_reply(tf_worker* worker, const void* data, size_t bytes) {
  if (worker == nullptr || (data == nullptr && bytes > 0)) return missing("worker or data");
  return guarded([&] { return worker->side.reply(data, bytes); });
}

int tf_fail(tf_worker* worker, const char* message, size_t bytes) {
  if (worker == nullptr || (message == nullptr && bytes > 0)) return missing("worker or message");
  return guarded([&] { return worker->side.fail(message, bytes); });
}

int tf_context(tf_worker* worker, const char* key, const void** data, size_t* bytes, uint64_t* version) {
  if (worker == nullptr || key == nullptr) return missing("worker or key");
  return guarded([&] { return worker->side.context(key, data, bytes, version); });
}

int tf_run(tf_worker* worker, tf_function function, void* user) {
  if (worker == nullptr || function == nullptr) return missing("worker or function");
  return guarded([&] { return worker->side.run(worker, function, user); });
}

int tf_authenticated(tf_worker* worker) { return worker != nullptr && worker->side.authenticated() ? 1 : 0; }
uint32_t tf_farms(tf_worker* worker) { return worker == nullptr ? 0 : worker->side.farms(); }
const char* tf_transport(tf_worker* worker) { return worker == nullptr ? "" : worker->side.transport(); }

int tf_leave(tf_worker* worker) {
  if (worker == nullptr) return TF_OK;
  if (is_of_another_process(worker->side, "this worker")) return TF_INVALID;
  const std::unique_ptr<tf_worker> owned(worker);
  return guarded([&] { return owned->side.leave(), TF_OK; });
}

int tf_monitor_open(const char* url, const tf_worker_options* options, tf_monitor** monitor) {
  if (url == nullptr || monitor == nullptr) return missing("url or monitor");
  *monitor = nullptr;
  return guarded([&] {
    *monitor = new tf_monitor{{url, taskfarm::WorkerOptions(options)}};
    return TF_OK;
  });
}

int tf_monitor_next(tf_monitor* monitor, int64_t timeout_ms, const char** json, size_t* bytes) {
  if (monitor == nullptr || json == nullptr || bytes == nullptr) return missing("monitor, json or bytes");
  return guarded([&] {
    std::string_view text;
    const int code = monitor->monitor.next(timeout_ms, text);
    *json = text.data();
    *bytes = text.size();
    return code;
  });
}

void tf_monitor_close(tf_monitor* monitor) {
  if (monitor != nullptr && !monitor->monitor.elsewhere()) delete monitor;
}

int tf_make_key(const char* path) {
  if (path == nullptr) return missing("path");
  return guarded([&] { return taskfarm::make_key_file(path), TF_OK; });
}

}  // extern "C"
