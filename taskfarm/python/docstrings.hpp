// What help() says of the classes of taskfarm._core. Times are in milliseconds; each call that fails raises taskfarm.Error, whose
// `code` is one of taskfarm.h and whose text says what, where, and a remedy.
#pragma once

namespace docstrings {

inline constexpr const char* coordinator =
    "The coordinator of a farm: Coordinator(url, {option: value}), as tf_listen of the C interface.\n\n"
    "Several threads may use it; `next` is for one at a time. url: tcp://host:port (0: any port) or unix:///path; the options\n"
    "are the fields of tf_farm_options.";
inline constexpr const char* coordinator_url = "The address that workers join, with the port that the system chose.";
inline constexpr const char* submit =
    "The id of the new task; 0 when it was not accepted, since the high-water mark is still reached after timeout_ms.\n\n"
    "A negative timeout waits without end, but 0 comes at once too where only `next` can make room and no other thread\n"
    "is in it: take results, then submit again; those of one `next` count until the next one. Ids begin with 1.";
inline constexpr const char* submit_many =
    "(first id, how many): the first tasks were accepted, by ids in succession; it waits for the first one only, as\n"
    "`submit` does, and none may be accepted.";
inline constexpr const char* submit_to =
    "For taskfarm's own pump: as `submit_many` without waiting; `sinks` has `sink` for each id before anything can come between.";
inline constexpr const char* next =
    "Up to `max` results: a list of (id, status, bytes, attempts, worker, redelivered), as in tf_result.\n\n"
    "Empty when none came within timeout_ms or, with a negative timeout, when no task is outstanding; None when another\n"
    "thread closes the farm meanwhile. Raises Error (TF_JOURNAL) while the journal cannot be written.";
inline constexpr const char* take = "For taskfarm's own pump: as `next`, but each result goes to `taken` with its sink, under `lock`.";
inline constexpr const char* broadcast =
    "Give every worker, those that join later too, bytes under a key, which `Worker.context` reads; again: in its place.";
inline constexpr const char* cancel =
    "Cancel a task, which is then delivered with the status TF_CANCELLED: 0, or a code of taskfarm.h.\n\n"
    "TF_NOTFOUND when it has ended; with only_queued TF_BUSY when a worker has it.";
inline constexpr const char* recall =
    "Have a task not begin any more: 0 when no worker has it, and it ends as TF_CANCELLED; TF_BUSY when its worker is told.\n\n"
    "Then it ends as TF_CANCELLED where that had not begun it, or is lost, else as it would have.";
inline constexpr const char* rerun = "Have one copy more of a task run on another worker; the first result counts. 0, or a code of taskfarm.h.";
inline constexpr const char* high_water_bytes = "The option of this name: bytes of tasks and of results that were not taken.";
inline constexpr const char* fileno = "A descriptor for select or asyncio: readable when `next` with a timeout of 0 has something to do.";
inline constexpr const char* stats = "The counters of the farm by name, as in tf_statistics; times in their names' units, memory in bytes.";
inline constexpr const char* workers =
    "A dict for each worker, as in tf_worker_info: name, transport, tasks completed and in flight, silent_ms, service_us,\n"
    "round_trip_us.";
inline constexpr const char* close =
    "Wait up to timeout_ms for outstanding tasks, send every worker home and free the farm; ends the `next` of other threads.\n\n"
    "False when tasks, or results that nobody took, were left. Again: nothing, and True.";

inline constexpr const char* worker =
    "A worker of a farm: Worker(url, {option: value}), as tf_connect of the C interface. It belongs to one thread.\n\n"
    "The options are the fields of tf_worker_options. Raises Error when there is no coordinator in time, or it refuses.";
inline constexpr const char* recv =
    "The next task: (id, attempt, bytes), the first attempt being 1; None when none came within timeout_ms.\n\n"
    "A negative timeout waits without end. A lost coordinator is looked for meanwhile. Raises Error (TF_CLOSED) when the\n"
    "work has ended.";
inline constexpr const char* reply =
    "Answer the task of the last `recv` with bytes. False when the coordinator has ended and wants none.\n\n"
    "It does not wait for a coordinator that is gone: the answer is sent when `recv` has found it again.";
inline constexpr const char* fail = "As `reply`, but the task has failed: it is delivered with TF_FAILED and these bytes, and not tried again.";
inline constexpr const char* context =
    "(version, bytes) of the last `Coordinator.broadcast` under that key, or None; each broadcast has another version.";
inline constexpr const char* run =
    "Answer tasks with handler(bytes) until the work has ended. Error (CLOSED): the coordinator is lost.\n\n"
    "An exception of the handler, SystemExit too, is the task's failure, with the bytes of on_error(exception); what on_error\n"
    "raises ends the work.";
inline constexpr const char* running = "Whether the handler of `run` is in a task now.";
inline constexpr const char* authenticated = "Whether the coordinator has shown who it is: a unix socket of the same user, or TLS.";
inline constexpr const char* transport = "How bytes travel: shm, unix, tcp or tls.";
inline constexpr const char* farms =
    "How many farms it has served: 1, and one more each time that it comes back to a coordinator that began anew.";
inline constexpr const char* leave =
    "Leave the farm: tasks not started go back without counting, one that was started and not answered counts as a lost attempt.";

inline constexpr const char* monitor =
    "Looks at a farm, as `taskfarm top` does: Monitor(url, {option: value}), with the options of a worker.";
inline constexpr const char* monitor_next =
    "The next statistics as JSON text; None when none came within timeout_ms. Raises Error (TF_CLOSED) when the farm has ended.";

}  // namespace docstrings
