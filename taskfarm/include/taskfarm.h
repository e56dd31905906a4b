/* taskfarm: a coordinator hands tasks to workers; nothing is lost, nothing is delivered twice, nothing hangs.
 *
 * Plain C, no exception crosses this interface. Every function that can fail returns a tf_code; zero is success, positive
 * codes are states that a caller meets in normal use (TF_AGAIN, TF_TIMEOUT, TF_CLOSED ...), negative codes are errors.
 * tf_error() has the text of the last error of the calling thread: what, where, and a remedy.
 *
 * A coordinator (tf_farm) may be used by several threads. Each tf_next ends the time for which the results of the one before
 * may be read, whichever thread called it. tf_close ends the waits of other threads (TF_CLOSED) before it frees the farm; calls
 * that do not wait must have returned, and no call may begin after it. A worker (tf_worker) belongs to one thread. In a child that fork made, farms, workers and monitors of
 * its parent cannot be used: every call is an error (TF_INVALID) and changes nothing, those that free them too, but what only
 * reads (tf_context, tf_url, tf_transport); the child may make its own.
 * The coordinator works inside its caller's calls: tf_next and blocking submits run the loop. Times are in milliseconds;
 * a negative timeout waits without end, zero does not wait.
 */
#ifndef TASKFARM_H
#define TASKFARM_H

#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define TF_API __attribute__((visibility("default")))
#else
#define TF_API
#endif

#if defined(__GNUC__) /* with -std=c90 too, where `inline` is no keyword */
#define TF_INLINE static __inline__
#else
#define TF_INLINE static inline
#endif

#ifdef __cplusplus
extern "C" {
#endif

#define TF_VERSION_MAJOR 1
#define TF_VERSION_MINOR 0
#define TF_PROTOCOL_VERSION 1

typedef struct tf_farm tf_farm;
typedef struct tf_worker tf_worker;

typedef enum tf_code {
  TF_OK = 0,
  TF_AGAIN = 1,    /* the high-water mark is reached: call tf_next, then submit again, whether or not it gave results */
  TF_TIMEOUT = 2,  /* the time given has passed */
  TF_CLOSED = 3,   /* the other side, or this one, has ended the work */
  TF_NOTFOUND = 4, /* no such task or key */
  TF_BUSY = 5,     /* a worker has the task */
  TF_IDLE = 6,     /* no task is outstanding, so an endless wait would never end */
  TF_INVALID = -1, /* an argument or option is wrong */
  TF_SYSTEM = -2,  /* the operating system refused something */
  TF_SECURITY = -3,/* refused: credentials are missing, wrong or too open */
  TF_PROTOCOL = -4,/* the other side does not speak this protocol or version */
  TF_TOOBIG = -5,  /* larger than max_frame_bytes */
  TF_NOMEMORY = -6,
  TF_JOURNAL = -7  /* the journal cannot be written now; it may be again, and what it has is kept */
} tf_code;

typedef enum tf_status {
  TF_DONE = 0,      /* data: what the worker replied */
  TF_FAILED = 1,    /* data: the message of tf_fail */
  TF_DEAD = 2,      /* dead letter; data: one line for each attempt with its reason */
  TF_CANCELLED = 3, /* no data */
  TF_EXPIRED = 4    /* the deadline passed; no data */
} tf_status;

/* Fill with tf_farm_options_init, then change what you need. */
typedef struct tf_farm_options {
  size_t size;                 /* set by tf_farm_options_init; tells versions of this struct apart */
  uint32_t max_attempts;       /* 3: how often a task may take a worker down before it becomes a dead letter */
  uint32_t window;             /* 0: tuned by round trip against service time; else tasks in flight for each worker */
  uint32_t window_max;         /* 16: upper bound of the tuned window */
  uint32_t ordered;            /* 0; 1: results come in the order of submission */
  uint32_t reorder_limit;      /* 4096: tasks that may be given out beyond the oldest without a result when ordered; only that one
                                  where results beyond high_water_bytes wait for it */
  uint32_t heartbeat_ms;       /* 1000 */
  uint32_t heartbeat_timeout_ms; /* 5000: a worker that is silent this long is dead */
  uint32_t grace_ms;           /* 30000: a worker that returns within this time is the same worker */
  uint32_t hello_timeout_ms;   /* 5000: time from accept to a whole hello */
  uint32_t max_half_open;      /* 512: connections without a whole hello; beyond it the oldest is closed */
  uint32_t max_workers;        /* 4096 */
  uint64_t high_water_tasks;   /* 1 Mi + 64 Ki: tasks submitted and not yet taken; what tf_next gave counts until its next call */
  uint64_t high_water_bytes;   /* 1 GiB: their bytes, and those of results not yet taken */
  uint64_t max_frame_bytes;    /* 256 MiB */
  uint32_t shared_memory;      /* 1: used when a worker is on the same host */
  uint32_t ring_bytes;         /* 65536 for each direction and worker; a power of two, 4096 at least */
  int32_t spin_us;             /* -1: 50 where ranks <= cores, else by the length of tasks; or the time to spin before blocking */
  double straggler_factor;     /* 0: off; else re-run a task that takes this many times the usual, once the queue is empty */
  const char *key_file;        /* TLS 1.3 with a pre-shared key; a file of mode 0600 with 64 hexadecimal digits */
  const char *certificate_file;/* TLS 1.3 with certificates of both sides (PEM); all three are needed */
  const char *certificate_key_file;
  const char *ca_file;
  const char *journal;         /* file; a coordinator that finds one goes on where it ended */
  uint32_t journal_sync;       /* 0; 1: fdatasync after each write, for power failures */
  uint32_t raise_descriptors;  /* 1: when descriptors run out, the process's soft limit is raised to its hard limit */
} tf_farm_options;

typedef struct tf_task_options {
  size_t size;          /* sizeof(tf_task_options); less is refused, so that no deadline is overlooked */
  uint32_t deadline_ms; /* 0: none; else from submission to result; 49 days (UINT32_MAX) at most */
} tf_task_options;

typedef struct tf_buffer {
  const void *data;
  size_t bytes;
} tf_buffer;

typedef struct tf_result {
  uint64_t id;
  const void *data; /* valid until the next tf_next on this farm */
  size_t bytes;
  tf_status status;
  uint32_t attempts;    /* how often the task was given to a worker */
  uint32_t worker;      /* number of the worker that replied, or had it last; 0 when none did */
  uint32_t redelivered; /* 1: it had been handed out before the coordinator was restarted, without a later call */
} tf_result;

typedef struct tf_statistics {
  uint64_t submitted, delivered, done, failed, dead, cancelled, expired; /* the last five: how tasks ended, those of `ready` too */
  uint64_t queued, in_flight, ready;                                     /* now */
  uint64_t bytes_held;
  uint64_t workers, workers_idle, workers_shared_memory, workers_away, half_open, monitors; /* now; away: lost, and may return */
  uint64_t workers_joined, workers_lost, workers_left, reconnects, silent;
  uint64_t attempts_lost;   /* tasks that had started on a worker that died, and is not back within grace_ms */
  uint64_t requeued;        /* tasks given back to the queue, started or not */
  uint64_t reruns, stolen;  /* copies for stragglers; unstarted tasks taken back from a busy worker */
  uint64_t late_results;    /* results of a task that had ended already */
  uint64_t foreign_results; /* results for a task that this worker does not hold: refused */
  uint64_t refused;         /* connections refused before they were workers, for any reason */
  uint64_t refused_hello, refused_slow, refused_half_open, refused_credentials, refused_version;
  uint64_t protocol_errors; /* workers dropped for a frame that breaks the protocol */
  uint64_t hostile_indices; /* of these: indices in shared memory out of range */
  uint64_t recovered;       /* tasks taken over from the journal */
  uint64_t journal_errors;
} tf_statistics;

typedef struct tf_worker_info {
  uint32_t number;
  uint32_t pid;
  char name[64];
  char transport[8]; /* tcp, unix, tls, shm */
  uint32_t connected, window, in_flight, reconnects;
  uint64_t completed;
  uint64_t running;      /* task it is known to run; 0 when not known */
  uint64_t silent_ms;    /* since its last sign of life */
  double service_us, round_trip_us;
} tf_worker_info;

TF_API const char *tf_error(void);
TF_API const char *tf_code_name(int code);
TF_API uint32_t tf_version(void);

TF_API void tf_farm_options_init(tf_farm_options *options);
/* The host's name is looked up once, for 10 s at most: TF_SYSTEM when no name server has told by then. */
TF_API int tf_listen(const char *url, const tf_farm_options *options, tf_farm **farm);
TF_API const char *tf_url(tf_farm *farm); /* with the port that the system chose; owned by the farm */
/* Accepts a task, or returns TF_AGAIN when the mark is still reached after timeout_ms; before that where only tf_next can make
 * room, and no other thread is in it or comes back to it within 100 ms, so that no wait is for ever. What the last tf_next gave is
 * let go by the next one, which may make room and give nothing: submit again after each. Never drops. A negative code: the task
 * is not accepted, and *id is 0; TF_JOURNAL: it may be later. `options` may be NULL, and `id`. */
TF_API int tf_submit(tf_farm *farm, const void *data, size_t bytes, const tf_task_options *options, int64_t timeout_ms,
                     uint64_t *id);
/* Accepts the first *accepted tasks; their ids are first_id, first_id + 1, ... It waits for the first task only: TF_AGAIN comes
 * at once when some were accepted and the mark is reached. A negative code: none is accepted. */
TF_API int tf_submit_many(tf_farm *farm, const tf_buffer *tasks, size_t count, const tf_task_options *options,
                          int64_t timeout_ms, uint64_t *first_id, size_t *accepted);
/* Up to max results; TF_TIMEOUT when none came. TF_IDLE, at once, when the timeout is negative and no task
 * is outstanding. TF_JOURNAL when the journal cannot be written: what it does not have is held back until it can be,
 * and each call tries. */
TF_API int tf_next(tf_farm *farm, tf_result *results, size_t max, int64_t timeout_ms, size_t *count);
TF_API int tf_broadcast(tf_farm *farm, const char *key, const void *data, size_t bytes);
/* The task ends as TF_CANCELLED. TF_BUSY with only_queued when a worker has it; one whose worker is lost, or away, waits for
   another again, and a result that comes nevertheless is ignored. TF_NOTFOUND when it has ended. */
TF_API int tf_cancel(tf_farm *farm, uint64_t id, int only_queued);
/* The task is not to begin any more. TF_OK: no worker has it, and it ends as TF_CANCELLED. TF_BUSY: its worker is told. It ends as
 * TF_CANCELLED where that had not begun it, or is lost, else as it would have; a coordinator that is restarted with its journal
 * before does not know of it, and has the task done. TF_NOTFOUND when it has ended. */
TF_API int tf_recall(tf_farm *farm, uint64_t id);
/* One copy more of a task that a worker has, now and on another worker; the first result counts. TF_AGAIN where no other worker has
 * room, or the task was recalled: none is made later. A queued task gets none, as it will run anyway, and TF_OK. */
TF_API int tf_rerun(tf_farm *farm, uint64_t id);
/* Later versions may add fields at the end of both structs; the size says how many of them the caller knows. */
TF_API int tf_stats_sized(tf_farm *farm, tf_statistics *statistics, size_t size);
TF_API int tf_workers_sized(tf_farm *farm, tf_worker_info *workers, size_t max, size_t *count, size_t size);
TF_INLINE int tf_stats(tf_farm *farm, tf_statistics *statistics) {
  return tf_stats_sized(farm, statistics, sizeof *statistics);
}
/* With workers NULL, *count is how many there are. */
TF_INLINE int tf_workers(tf_farm *farm, tf_worker_info *workers, size_t max, size_t *count) {
  return tf_workers_sized(farm, workers, max, count, sizeof *workers);
}
/* Readable when tf_next with timeout 0 has something to do, be it to make the room that a submission wanted (TF_AGAIN); the
 * farm's own descriptor, to be polled (level-triggered) and not closed. It is so every 50 ms too: without results then. */
TF_API int tf_fd(tf_farm *farm);
/* Waits up to timeout_ms for outstanding tasks, but not for those that wait until results are taken (high_water_bytes); sends
 * every worker home, frees the farm and the results of the last tf_next. TF_TIMEOUT when tasks, or results not taken, were left. */
TF_API int tf_close(tf_farm *farm, int64_t timeout_ms);

typedef struct tf_worker_options {
  size_t size;
  const char *name;               /* NULL: the host's name */
  uint32_t connect_timeout_ms;    /* 30000: for the first connection, retried */
  uint32_t reconnect_timeout_ms;  /* 10000: after a connection is lost; then tf_recv returns TF_CLOSED */
  uint32_t lost_exit_ms;          /* 0: never; else end the process when the coordinator is gone that long in a task */
  uint32_t shared_memory;         /* 1 */
  int32_t spin_us;                /* -1 */
  uint64_t max_frame_bytes;       /* 2 GiB; a larger task ends the connection, so the coordinator's is to be no more */
  const char *key_file, *certificate_file, *certificate_key_file, *ca_file;
} tf_worker_options;

typedef struct tf_task {
  uint64_t id;
  uint32_t attempt;     /* 1 the first time */
  const void *data;     /* valid until the next tf_recv */
  size_t bytes;
} tf_task;

typedef int (*tf_function)(void *user, tf_worker *worker, const tf_task *task);

TF_API void tf_worker_options_init(tf_worker_options *options);
/* TF_CLOSED: the coordinator is there, and ends. */
TF_API int tf_connect(const char *url, const tf_worker_options *options, tf_worker **worker);
/* A worker whose connection is lost looks for its coordinator in tf_recv, for reconnect_timeout_ms at most. tf_recv says
 * TF_TIMEOUT meanwhile when its time is over, and the next call goes on where it was. */
TF_API int tf_recv(tf_worker *worker, tf_task *task, int64_t timeout_ms);
/* Neither waits for a coordinator that is gone: the answer is kept (TF_OK), and tf_recv sends it when it has found the
 * coordinator again (tf_leave does not: the task runs elsewhere then). TF_CLOSED: it has ended, and wants none. One that is
 * there but takes nothing may be waited for, by shared memory with an answer that the ring has no room for. */
TF_API int tf_reply(tf_worker *worker, const void *data, size_t bytes);
TF_API int tf_fail(tf_worker *worker, const char *message, size_t bytes);
/* The bytes broadcast under key; valid until the next tf_recv. TF_NOTFOUND when there are none. The version is another one for
 * each broadcast. */
TF_API int tf_context(tf_worker *worker, const char *key, const void **data, size_t *bytes, uint64_t *version);
/* recv and function, until the coordinator ends (TF_OK) or is lost (TF_CLOSED). A function that returns without a reply, or
 * non-zero before one, has failed. */
TF_API int tf_run(tf_worker *worker, tf_function function, void *user);
TF_API int tf_authenticated(tf_worker *worker); /* 1: unix socket of the same user, or TLS */
TF_API const char *tf_transport(tf_worker *worker);
/* How many farms it has served: 1, and one more each time that it comes back and finds another one, whose coordinator began anew
 * without the journal of the former. What that one broadcast is forgotten, and an answer that was kept for it. */
TF_API uint32_t tf_farms(tf_worker *worker);
/* Leaves; tasks not started go back without counting, one that was started and not answered counts as a lost attempt. Frees
 * the worker. */
TF_API int tf_leave(tf_worker *worker);

/* For taskfarm top: connects as a monitor and returns the next statistics as JSON text, valid until the next call. TF_CLOSED when
 * the coordinator says that it ends; TF_SYSTEM when the connection is lost, as to one that is killed. */
typedef struct tf_monitor tf_monitor;
TF_API int tf_monitor_open(const char *url, const tf_worker_options *options, tf_monitor **monitor);
TF_API int tf_monitor_next(tf_monitor *monitor, int64_t timeout_ms, const char **json, size_t *bytes);
TF_API void tf_monitor_close(tf_monitor *monitor);
/* Writes a new key file of mode 0600; fails when it exists. */
TF_API int tf_make_key(const char *path);

#ifdef __cplusplus
}
#endif
#endif
