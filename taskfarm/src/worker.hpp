// The worker's side. The caller's thread takes tasks and answers; a thread of its own sends heartbeats and sees the
// coordinator go, however long a task takes.
// worker.cpp: tasks and answers; worker_connection.cpp: connecting and connecting again; heartbeat.cpp: the thread.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "backoff.hpp"
#include "buffer.hpp"
#include "clock.hpp"
#include "dial.hpp"
#include "frame.hpp"
#include "hello.hpp"
#include "process.hpp"
#include "shared_memory.hpp"
#include "short_tasks.hpp"
#include "socket.hpp"
#include "taskfarm.h"
#include "tls.hpp"

namespace taskfarm {

struct WorkerOptions : tf_worker_options {
  std::string worker_name;
  Credentials credentials;
  explicit WorkerOptions(const tf_worker_options* given);
};

// What connecting gives: the same for workers and monitors.
struct Connection {
  std::unique_ptr<Dial> dial;
  Descriptor fd;
  std::unique_ptr<TlsSession> tls;
  Welcome welcome;
  SharedDescriptors shared;
  bool authenticated = false, greeted = false;
  std::string received;  // of the welcome
  Descriptor side;       // asks for the shared memory
  std::int64_t asks_until_ns = 0;
};

// Asked several times a second while this thread connects, where it is set: whether it is to give up. Python looks after its
// signals there.
inline thread_local bool (*gives_up)() = nullptr;

class Connector {
 public:
  Connector(const std::string& url, const WorkerOptions& options, Role role);
  // Tries until `until_ns`. What an attempt has come to by then is gone on with in the next call, until the deadline. Raises
  // Failure when refused, or (TF_TIMEOUT) when nobody answers in time.
  Connection connect(std::int64_t deadline_ns, std::int64_t until_ns = never);
  const Url& url() const { return url_; }

 private:
  Connection try_once(std::int64_t deadline_ns, std::int64_t until_ns);
  void advance(std::int64_t deadline_ns, std::int64_t until_ns);
  void begin(Connection& connection, std::int64_t deadline_ns);
  void shake_hands(Connection& connection, std::int64_t deadline_ns);
  void say_hello(Connection& connection);
  void await_welcome(Connection& connection, std::int64_t deadline_ns);
  void attach(Connection& connection, std::int64_t deadline_ns);
  bool ask_for_memory(Connection& connection);

  std::string text_;
  Url url_;
  const WorkerOptions& options_;
  Role role_;
  Identity identity_;
  std::unique_ptr<TlsContext> tls_;
  Connection under_way_;  // ends before tls_
};

class WorkerSide {
 public:
  WorkerSide(const std::string& url, const WorkerOptions& options);
  ~WorkerSide();
  WorkerSide(const WorkerSide&) = delete;

  tf_code recv(tf_task& task, std::int64_t timeout_ms);
  tf_code reply(const void* data, std::size_t bytes) { return answer(FrameType::result, data, bytes); }
  tf_code fail(const void* data, std::size_t bytes) { return answer(FrameType::failure, data, bytes); }
  tf_code context(const std::string& key, const void** data, std::size_t* bytes, std::uint64_t* version) const;
  tf_code run(tf_worker* handle, tf_function function, void* user);
  void leave();
  bool elsewhere() const { return made_here_.elsewhere(); }  // in a child, which must not even end it
  bool authenticated() const { return authenticated_; }
  std::uint32_t farms() const { return farms_; }
  const char* transport() const;

 private:
  enum class Wait { arrived, timeout, lost };
  struct Context {
    std::uint64_t version = 0;
    std::string bytes;
  };

  // worker.cpp
  bool take_next(tf_task& task);  // handles frames until a task; false when there is no whole frame
  void begin(const Frame& frame, tf_task& task);
  void release_current();
  Parsed next_frame(Frame& frame);
  void look_ahead();
  void consume(std::size_t bytes);
  void store_context(const Frame& frame);
  std::string_view input();
  Wait wait_for_input(std::int64_t until);
  bool gives_way_first() const;
  Wait wait_for_ring(std::int64_t until);
  Wait wait_for_socket(std::int64_t until);
  void collect_from_ring(std::size_t bytes);
  void give_back_space();
  void make_space(std::size_t bytes);
  void read_ahead();
  bool more_is_on_its_way();
  void read_what_has_come();
  ssize_t read_socket(bool block);
  tf_code answer(FrameType type, const void* data, std::size_t bytes);
  bool send_frame(const Header& header, const void* data);
  bool send_by_ring(const Header& header, const void* data);
  bool put_in_ring(const char* data, std::size_t bytes);
  bool flush_socket(std::int64_t until);
  void ring_doorbell();

  // worker_connection.cpp
  void adopt(Connection connection);
  std::unique_ptr<Segment> open_rings(Connection& connection);
  void meet(const Identity& farm);
  enum class Return { back, not_yet, given_up };
  Return reconnect(std::int64_t until);
  void keep(const Header& header, const void* data);
  void send_kept();
  void plan_return();
  void plan_rest();
  bool rest(std::int64_t until);
  bool goodbye_waits();
  void drop_connection();
  void set_ranks(std::uint64_t ranks);

  // heartbeat.cpp
  void heartbeat();
  void watch_connection(int fd, std::uint64_t generation, std::int64_t timeout_ns, bool unsent);
  void beat();
  void bear_stall();
  bool say_what_runs(std::uint64_t task);  // under write_; false when it was not put down
  void announce_long_task();
  void end_if_abandoned();
  void clear_out();   // under write_
  bool write_some();  // under write_; false when the connection is broken
  void wake_heartbeat();

  MadeHere made_here_;
  WorkerOptions options_;
  Connector connector_;

  // Shared with the heartbeat thread, under write_.
  std::mutex write_;
  Descriptor fd_;
  std::unique_ptr<TlsSession> tls_;
  std::string out_;
  std::size_t out_done_ = 0;
  std::uint64_t generation_ = 0;
  std::atomic<bool> lost_{false}, hang_up_seen_{false}, stop_{false}, heartbeat_sleeps_long_{false};
  std::atomic<std::uint64_t> current_{0}, sequence_{0};
  std::int64_t heartbeat_ns_ = 1000 * ns_per_ms;
  std::uint32_t patience_ms_ = 0;  // of the kernel, with a coordinator that takes nothing
  bool bears_stall_ = false;
  Descriptor control_;
  std::thread heartbeat_thread_;

  // Of the heartbeat thread.
  std::int64_t last_beat_ns_ = 0, lost_since_ns_ = 0;
  std::uint64_t seen_sequence_ = 0, announced_sequence_ = 0;
  int idle_ticks_ = 0;

  // Of the caller's thread.
  bool authenticated_ = false, ended_ = false, given_up_ = false, holding_ = false;
  std::unique_ptr<Segment> segment_;
  SharedBoard board_;
  Descriptor doorbell_;
  std::uint32_t slot_ = 0;
  RingConsumer tasks_;
  RingProducer results_;
  Buffer in_;
  std::size_t in_begin_ = 0, in_end_ = 0, scanned_ = 0;
  std::vector<std::pair<std::uint64_t, std::uint16_t>> cancelled_;
  std::map<std::string, Context> contexts_;
  Identity farm_{};
  std::uint32_t farms_ = 0;
  std::uint64_t versions_of_former_ = 0, last_version_ = 0;  // of broadcasts: one number is one broadcast for who keeps them
  Header current_header_{};
  std::size_t current_bytes_ = 0;
  bool has_task_ = false, padded_ = false;
  std::string kept_;  // the frame of an answer that found no coordinator
  static constexpr std::int64_t long_enough_to_be_cancelled_ns = 100'000;  // a look costs a hundredth of it
  std::int64_t started_ns_ = 0, last_service_ns_ = 0, spin_ns_ = 0;
  std::int64_t stands_since_ns_ = 0;  // this connection
  bool answered_ = false, proven_ = false;  // on it; and the coordinator went on afterwards
  Backoff rest_;  // before the next one
  std::int64_t looks_until_ns_ = 0, looked_ns_ = 0, rests_until_ns_ = 0;  // for its coordinator; 0: it has one
  bool looks_longer_ = false;
  UsualService usual_service_;  // which answers may wait, and how to wait
  ShortLook look_{1500, 32, usable_cores()};
  GivingWay giving_way_{usable_cores()};
  StayingAwake staying_awake_;
  std::uint64_t ranks_ = 0;  // on this host
  std::int64_t slice_ns_ = least_slice_ns;
  std::uint64_t max_frame_ = 0;
};

}  // namespace taskfarm
