// The C interface for Python: bytes in, bytes out. What is convenient stands in the package, in Python.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <algorithm>
#include <deque>
#include <map>
#include <string>
#include <vector>

#include "connecting.hpp"
#include "docstrings.hpp"
#include "exchange.hpp"
#include "results.hpp"
#include "settings.hpp"
#include "taskfarm.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace {

using namespace taskfarm_python;

class Coordinator {
 public:
  Coordinator(nb::handle url, const nb::dict& options) {
    tf_farm_options_init(&options_);
    each_option(options, "farm", [this](const std::string& name, nb::handle value) { set(name, value); });
    const std::string text = address_of(url);
    const char* const address = whole(text);
    int code;
    {
      const Outside outside;  // a name server may be slow
      code = tf_listen(address, &options_, farm_.place());
    }
    if (code != TF_OK) check_signals();
    checked(code);
  }
  Coordinator(const Coordinator&) = delete;
  ~Coordinator() { close(0); }
  nb::object url() { return as_python_text(tf_url(Use(farm_).get())); }

  std::uint64_t submit(nb::handle data, nb::handle deadline_ms, std::int64_t timeout_ms) {
    const View view(data);
    const Deadline deadline(deadline_of(deadline_ms));
    std::uint64_t id = 0;
    Use use(farm_);
    const auto give = [&](std::int64_t part) {
      const tf_task_options options{sizeof options, deadline.left_ms()};
      return tf_submit(use.get(), view.data(), view.size(), &options, part, &id);
    };
    int code = give(0);
    if (code == TF_AGAIN && timeout_ms != 0)
      code = patiently(use, timeout_ms, [&](auto part) { return submitted_within(part, [&] { return give(part); }); });
    return taken_or_closed(code), id;
  }

  nb::tuple submit_many(const nb::list& tasks, nb::handle deadline_ms, std::int64_t timeout_ms) {
    std::vector<View> views;
    std::vector<tf_buffer> buffers;
    views.reserve(tasks.size());
    for (nb::handle task : tasks) {
      views.emplace_back(task);
      buffers.push_back({views.back().data(), views.back().size()});
    }
    const Deadline deadline(deadline_of(deadline_ms));
    std::uint64_t first = 0;
    std::size_t accepted = 0;
    Use use(farm_);
    const int code = patiently(use, timeout_ms, [&](std::int64_t part) {
      const auto give = [&] {
        const tf_task_options options{sizeof options, deadline.left_ms()};
        return tf_submit_many(use.get(), buffers.data(), buffers.size(), &options, part, &first, &accepted);
      };
      const int got = submitted_within(part, give);
      return got == TF_TIMEOUT && (accepted > 0 || timeout_ms == 0) ? int{TF_AGAIN} : got;  // a part is told at once
    });
    taken_or_closed(code);
    return nb::make_tuple(first, accepted);
  }

  // For the pump: as submit_many without waiting, and `sinks` has the sink of each accepted task when an exception of a signal's
  // handler can come.
  nb::tuple submit_to(nb::dict sinks, nb::handle sink, const nb::list& tasks, nb::handle deadline_ms) {
    const nb::tuple answer = submit_many(tasks, deadline_ms, 0);
    const auto first = nb::cast<std::uint64_t>(answer[0]), end = first + nb::cast<std::uint64_t>(answer[1]);
    for (std::uint64_t id = first; id < end; ++id) sinks[nb::int_(id)] = sink;
    return answer;
  }

  // A list of (id, status, bytes, attempts, worker, redelivered); None when the farm is closed. A wait without end gives
  // an empty list when no task is outstanding.
  nb::object next(std::size_t max, std::int64_t timeout_ms) {
    if (taking_) raise(TF_INVALID, "next is for one thread at a time: the results of one call end with the next");
    const Taking taking(taking_);
    Use use(farm_);
    if (fetch(use, max, timeout_ms) == TF_CLOSED) return nb::none();
    return results_.list(max);
  }

  // For the pump: the results that come go to `taken` with their sinks (Results::deliver), in one step that no exception of a
  // signal's handler can come into, under the lock of `sinks`. How many came; -1 where another thread is about it.
  long take(const nb::dict& sinks, nb::handle taken, nb::handle lock, std::size_t max, std::int64_t timeout_ms) {
    if (taking_) return -1;
    const Taking taking(taking_);
    Use use(farm_);
    if (fetch(use, max, timeout_ms) == TF_CLOSED) return 0;
    const Locked locked(lock);
    return static_cast<long>(results_.deliver(sinks, taken));
  }

  void broadcast(const std::string& key, nb::handle data) {
    const View view(data);
    checked(tf_broadcast(Use(farm_).get(), whole(key), view.data(), view.size()));
  }
  int cancel(std::uint64_t id, bool only_queued) { return checked(tf_cancel(Use(farm_).get(), id, only_queued)); }
  int recall(std::uint64_t id) { return checked(tf_recall(Use(farm_).get(), id)); }
  int rerun(std::uint64_t id) { return checked(tf_rerun(Use(farm_).get(), id)); }
  int fileno() { return checked(tf_fd(Use(farm_).get())); }

  nb::dict stats() {
    tf_statistics s{};
    checked(tf_stats(Use(farm_).get(), &s));
    nb::dict out;
#define PUT(name) out[#name] = s.name;
    PUT(submitted) PUT(delivered) PUT(done) PUT(failed) PUT(dead) PUT(cancelled) PUT(expired) PUT(queued) PUT(in_flight)
    PUT(ready) PUT(bytes_held) PUT(workers) PUT(workers_idle) PUT(workers_shared_memory) PUT(workers_away) PUT(half_open)
    PUT(monitors) PUT(workers_joined) PUT(workers_lost) PUT(workers_left) PUT(reconnects) PUT(silent) PUT(attempts_lost)
    PUT(requeued) PUT(reruns) PUT(stolen) PUT(late_results) PUT(foreign_results) PUT(refused) PUT(refused_hello)
    PUT(refused_slow) PUT(refused_half_open) PUT(refused_credentials) PUT(refused_version) PUT(protocol_errors)
    PUT(hostile_indices) PUT(recovered) PUT(journal_errors)
#undef PUT
    return out;
  }

  nb::list workers() {
    std::size_t count = 0;
    const Use use(farm_);
    checked(tf_workers(use.get(), nullptr, 0, &count));
    std::vector<tf_worker_info> infos(count + 16);
    checked(tf_workers(use.get(), infos.data(), infos.size(), &count));
    nb::list out;
    for (std::size_t i = 0; i < count; ++i) {
      const tf_worker_info& w = infos[i];
      nb::dict row;
      row["name"] = w.name;
      row["transport"] = w.transport;
      row["connected"] = w.connected != 0;
#define PUT(name) row[#name] = w.name;
      PUT(number) PUT(pid) PUT(window) PUT(in_flight) PUT(reconnects) PUT(completed) PUT(running) PUT(silent_ms)
      PUT(service_us) PUT(round_trip_us)
#undef PUT
      out.append(row);
    }
    return out;
  }

  std::uint64_t high_water_bytes() const { return options_.high_water_bytes; }

  bool close(std::int64_t timeout_ms) {
    tf_farm* farm = farm_.take();
    const Outside outside;
    return tf_close(farm, timeout_ms) == TF_OK;
  }

 private:
  using Use = Handle<tf_farm>::Use;
  struct Taking {
    explicit Taking(bool& now) : now(now) { now = true; }
    ~Taking() { now = false; }
    bool& now;
  };
  int fetch(Use& use, std::size_t max, std::int64_t timeout_ms) {
    return results_.fetch(max, [&](tf_result* places, std::size_t most, std::size_t* count) {
      return patiently(use, timeout_ms, [&](std::int64_t part) {
        const int got = tf_next(use.get(), places, most, part, count);
        // A slice is a bounded wait, for which the library has no TF_IDLE.
        return got == TF_TIMEOUT && timeout_ms < 0 && nothing_outstanding(use.get()) ? int{TF_IDLE} : got;
      });
    });
  }
  static int taken_or_closed(int code) {
    if (code == TF_CLOSED) raise(TF_CLOSED, "the farm is closed");
    return checked(code);
  }
  static bool nothing_outstanding(tf_farm* farm) {
    tf_statistics now;
    return tf_stats(farm, &now) == TF_OK && now.queued + now.in_flight + now.ready == 0;
  }

  void set(const std::string& key, nb::handle value) {
#define OPTION(name) \
  if (key == #name) { options_.name = nb::cast<decltype(options_.name)>(value); return; }
    OPTION(max_attempts) OPTION(window) OPTION(window_max) OPTION(ordered) OPTION(reorder_limit) OPTION(heartbeat_ms)
    OPTION(heartbeat_timeout_ms) OPTION(grace_ms) OPTION(hello_timeout_ms) OPTION(max_half_open) OPTION(max_workers)
    OPTION(high_water_tasks) OPTION(high_water_bytes) OPTION(max_frame_bytes) OPTION(shared_memory) OPTION(ring_bytes)
    OPTION(spin_us) OPTION(straggler_factor) OPTION(journal_sync) OPTION(raise_descriptors)
#undef OPTION
#define OPTION(name)                                                   \
  if (key == #name) {                                                  \
    if (!value.is_none()) options_.name = keep(text_of(value)); \
    return;                                                            \
  }
    OPTION(key_file) OPTION(certificate_file) OPTION(certificate_key_file) OPTION(ca_file) OPTION(journal)
#undef OPTION
    raise(TF_INVALID, "unknown farm option: " + key);
  }

  const char* keep(std::string text) {
    texts_.push_back(std::move(text));
    return whole(texts_.back());
  }

  tf_farm_options options_;
  std::deque<std::string> texts_;  // its elements do not move
  Handle<tf_farm> farm_{"the farm is closed"};
  Results results_;
  bool taking_ = false;
};

class Worker {
 public:
  Worker(nb::handle url, const nb::dict& options) : settings_(settings_of(options)) {
    const std::string text = address_of(url);
    const char* const address = whole(text);
    const tf_worker_options* const chosen = settings_.fill();
    connected([&] { return tf_connect(address, chosen, worker_.place()); });
  }
  Worker(const Worker&) = delete;
  ~Worker() { leave(); }

  // (id, attempt, bytes), or None when nothing came in time; raises Error(closed) when the work has ended.
  nb::object recv(std::int64_t timeout_ms) {
    tf_task task{};
    const int code = receive(task, timeout_ms);
    if (code == TF_TIMEOUT) return nb::none();
    if (code == TF_CLOSED) raise(TF_CLOSED, "the coordinator has ended, or is lost");
    return nb::make_tuple(task.id, task.attempt, nb::bytes(task.data, task.bytes));
  }
  bool reply(nb::handle data) { return checked(answer(View(data), false)) == TF_OK; }
  bool fail(nb::handle data) { return checked(answer(View(data), true)) == TF_OK; }

  // (version, bytes); the same object until another version comes, since each task may ask for it.
  nb::object context(const std::string& key) {
    const void* data = nullptr;
    std::size_t bytes = 0;
    std::uint64_t version = 0;
    const Use use(worker_);
    if (tf_context(use.get(), whole(key), &data, &bytes, &version) != TF_OK) return nb::none();
    auto& [known, object] = contexts_[key];
    if (!object.is_valid() || known != version) {
      known = version;
      object = nb::bytes(data, bytes);
    }
    return nb::make_tuple(version, object);
  }

  // Answers tasks with handler(bytes) until the coordinator ends; that it is lost is raised. An exception of the handler, of any
  // kind, is the task's failure: its bytes are those of on_error(exception). What on_error raises ends the work.
  void run(nb::handle handler, nb::handle on_error) {
    tf_task task{};
    while (receive(task, -1) == TF_OK) {
      nb::object data = nb::bytes(task.data, task.bytes);
      check_signals();  // those that came while there was no task must not end this one
      running_ = true;
      nb::object result = nb::steal(or_stay([] {}, [&] { return PyObject_CallOneArg(handler.ptr(), data.ptr()); }));
      running_ = false;
      const bool failed = !result.is_valid();
      if (failed) result = on_error(nb::python_error().value());
      checked(answer_or_fail(result, failed));
    }
    // No task comes any more, so tf_run returns at once, and tells an end from a loss.
    const int code = tf_run(Use(worker_).get(), [](void*, tf_worker*, const tf_task*) { return 0; }, nullptr);
    if (code == TF_CLOSED)
      raise(TF_CLOSED, "the coordinator was lost, and has not taken this worker back; a longer reconnect_timeout_ms "
                       "(--reconnect-timeout) survives longer cuts");
    checked(code);
  }
  bool running() const { return running_; }
  bool authenticated() { return tf_authenticated(Use(worker_).get()) != 0; }
  std::string transport() { return tf_transport(Use(worker_).get()); }
  std::uint32_t farms() { return tf_farms(Use(worker_).get()); }
  void leave() {
    tf_worker* worker = worker_.take();
    const Outside outside;
    tf_leave(worker);
  }

 private:
  using Use = Handle<tf_worker>::Use;
  int receive(tf_task& task, std::int64_t timeout_ms) {
    Use use(worker_);
    return patiently(use, timeout_ms, [&](std::int64_t part) { return tf_recv(use.get(), &task, part); });
  }
  // An answer waits for room while the coordinator is busy, which may be a thread of this process that wants the GIL.
  int answer(const View& view, bool failed) {
    Use use(worker_);
    const Outside outside(use);
    return failed ? tf_fail(use.get(), static_cast<const char*>(view.data()), view.size())
                  : tf_reply(use.get(), view.data(), view.size());
  }
  // What is no bytes in one piece, and what is too big, be it a failure, is a failure that says so; the worker goes on.
  int answer_or_fail(nb::handle result, bool failed) {
    std::string reason;
    try {
      const int code = answer(View(result), failed);
      if (code != TF_TOOBIG) return code;
      reason = failed ? std::string("what the function raised cannot be told: ") + tf_error() : tf_error();
    } catch (const nb::python_error& error) {
      reason = std::string("the function returned no bytes: ") + nb::str(error.value()).c_str();
    }
    return answer(View(nb::bytes(reason.data(), reason.size())), true);
  }
  WorkerSettings settings_;
  Handle<tf_worker> worker_{"the worker has left"};
  std::map<std::string, std::pair<std::uint64_t, nb::object>> contexts_;
  bool running_ = false;
};

class MonitorView {
 public:
  MonitorView(nb::handle url, const nb::dict& options) : settings_(settings_of(options)) {
    const std::string text = address_of(url);
    const char* const address = whole(text);
    const tf_worker_options* const chosen = settings_.fill();
    connected([&] { return tf_monitor_open(address, chosen, monitor_.place()); });
  }
  MonitorView(const MonitorView&) = delete;
  ~MonitorView() { tf_monitor_close(monitor_.take()); }
  // JSON text, or None when none came in time; raises Error(closed) when the coordinator has ended.
  nb::object next(std::int64_t timeout_ms) {
    const char* json = nullptr;
    std::size_t bytes = 0;
    Handle<tf_monitor>::Use use(monitor_);
    const int code =
        patiently(use, timeout_ms, [&](std::int64_t part) { return tf_monitor_next(use.get(), part, &json, &bytes); });
    if (code == TF_TIMEOUT) return nb::none();
    if (code == TF_CLOSED) raise(TF_CLOSED, "the coordinator has ended");
    // The address in it may have any bytes.
    return nb::steal(PyUnicode_DecodeUTF8(json, static_cast<Py_ssize_t>(bytes), "replace"));
  }

 private:
  WorkerSettings settings_;
  Handle<tf_monitor> monitor_{"the monitor is closed"};
};

}  // namespace

// nanobind keeps one registry of types for the whole process: a second interpreter that made its own would leave the first
// one's farms without theirs. So what it makes of the module's name gets another, and is called by the first one alone.
#define PyInit__core init_core
NB_MODULE(_core, m) {
  nb::set_leak_warnings(false);  // a child of fork that ends would tell of its parent's farms, which it must leave alone
  m.def("set_error_type", [](nb::handle type) { error_type = nb::object(nb::borrow(type)).release().ptr(); });
  m.def("make_key", [](const std::string& path) { checked(tf_make_key(whole(path))); }, "path"_a);
  m.def("code_name", [](int code) { return std::string(tf_code_name(code)); }, "code"_a);
  namespace says = docstrings;
  nb::class_<Coordinator>(m, "Coordinator", says::coordinator)
      .def(nb::init<nb::handle, const nb::dict&>(), "url"_a, "options"_a = nb::dict())
      .def_prop_ro("url", &Coordinator::url, says::coordinator_url)
      .def_prop_ro("high_water_bytes", &Coordinator::high_water_bytes, says::high_water_bytes)
      .def("submit", &Coordinator::submit, "data"_a, "deadline_ms"_a = 0, "timeout_ms"_a = -1, says::submit)
      .def("submit_many", &Coordinator::submit_many, "tasks"_a, "deadline_ms"_a = 0, "timeout_ms"_a = -1, says::submit_many)
      .def("submit_to", &Coordinator::submit_to, "sinks"_a, "sink"_a, "tasks"_a, "deadline_ms"_a, says::submit_to)
      .def("next", &Coordinator::next, "max"_a = 256, "timeout_ms"_a = -1, says::next)
      .def("take", &Coordinator::take, "sinks"_a, "taken"_a, "lock"_a, "max"_a, "timeout_ms"_a, says::take)
      .def("broadcast", &Coordinator::broadcast, "key"_a, "data"_a, says::broadcast)
      .def("cancel", &Coordinator::cancel, "id"_a, "only_queued"_a = false, says::cancel)
      .def("recall", &Coordinator::recall, "id"_a, says::recall)
      .def("rerun", &Coordinator::rerun, "id"_a, says::rerun)
      .def("fileno", &Coordinator::fileno, says::fileno)
      .def("stats", &Coordinator::stats, says::stats)
      .def("workers", &Coordinator::workers, says::workers)
      .def("close", &Coordinator::close, "timeout_ms"_a = 10000, says::close);
  nb::class_<Worker>(m, "Worker", says::worker)
      .def(nb::init<nb::handle, const nb::dict&>(), "url"_a, "options"_a = nb::dict())
      .def("recv", &Worker::recv, "timeout_ms"_a = -1, says::recv)
      .def("reply", &Worker::reply, "data"_a, says::reply)
      .def("fail", &Worker::fail, "data"_a, says::fail)
      .def("context", &Worker::context, "key"_a, says::context)
      .def("run", &Worker::run, "handler"_a, "on_error"_a, says::run)
      .def_prop_ro("running", &Worker::running, says::running)
      .def_prop_ro("authenticated", &Worker::authenticated, says::authenticated)
      .def_prop_ro("transport", &Worker::transport, says::transport)
      .def_prop_ro("farms", &Worker::farms, says::farms)
      .def("leave", &Worker::leave, says::leave);
  nb::class_<MonitorView>(m, "Monitor", says::monitor)
      .def(nb::init<nb::handle, const nb::dict&>(), "url"_a, "options"_a = nb::dict())
      .def("next", &MonitorView::next, "timeout_ms"_a = -1, says::monitor_next);
}
#undef PyInit__core

PyMODINIT_FUNC PyInit__core() {
  if (PyInterpreterState_GetID(PyInterpreterState_Get()) == 0) return init_core();
  PyErr_SetString(PyExc_ImportError, "taskfarm works in the main interpreter alone; use a farm from there, or start a process");
  return nullptr;
}
