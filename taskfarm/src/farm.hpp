// The coordinator. One object, one lock; its parts stand in files of their own:
// farm.cpp the interface, reactor.cpp the loop, waiting.cpp how it waits, admission.cpp new connections, dispatch.cpp tasks out
// and results in, liveness.cpp losses and time, faults.cpp what fails in between, recovery.cpp the journal, report.cpp what can
// be seen.
#pragma once

#include <condition_variable>
#include <exception>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

#include "buffer.hpp"
#include "connection.hpp"
#include "deadlines.hpp"
#include "journal.hpp"
#include "process.hpp"
#include "short_tasks.hpp"
#include "task_table.hpp"
#include "taskfarm.h"

namespace taskfarm {

inline constexpr std::int64_t shared_sleep_ns = 100 * ns_per_ms;  // a hostile worker may clear the board; see docs/protocol.md

struct FarmOptions : tf_farm_options {
  Credentials credentials;
  std::string journal_path;
  explicit FarmOptions(const tf_farm_options* given);
};

std::uint64_t milliseconds_left(std::int64_t deadline_ns);  // recovery.cpp

class Farm {
 public:
  Farm(const std::string& url, const FarmOptions& options, std::int64_t patience_with_names_ns = 10'000 * ns_per_ms);
  ~Farm();
  Farm(const Farm&) = delete;

  const std::string& url() const { return listener_.url; }
  tf_code submit_many(const tf_buffer* tasks, std::size_t count, std::uint32_t deadline_ms, std::int64_t timeout_ms,
                      std::uint64_t& first, std::size_t& accepted);
  tf_code next(tf_result* results, std::size_t max, std::int64_t timeout_ms, std::size_t& count);
  void broadcast(const std::string& key, std::string_view data);
  tf_code cancel(std::uint64_t id, bool only_queued);
  tf_code recall(std::uint64_t id);
  tf_code rerun(std::uint64_t id);
  tf_statistics statistics();
  std::vector<tf_worker_info> workers();
  int fd();
  tf_code close(std::int64_t timeout_ms);
  void send_callers_home();
  bool elsewhere() const { return made_here_.elsewhere(); }  // in a child, which must not even end it

 private:
  using Lock = std::unique_lock<std::mutex>;
  struct Turn {  // one thread at a time is in the loop, and out of it however a turn ends
    explicit Turn(Farm& farm) : farm(farm) { farm.reactor_busy_ = true; }
    ~Turn() {
      farm.reactor_busy_ = false;
      if (farm.waiters_ > 0) farm.changed_.notify_all();
    }
    Farm& farm;
  };
  struct Taker {  // who called next last, and how often anybody did
    std::thread::id thread;
    std::uint64_t calls = 0;
    bool operator==(const Taker&) const = default;
  };
  enum class Loss {
    ended,     // the connection did, or broke
    silent,    // no heartbeat
    dropped,   // for what it sent
    replaced,  // by a new one of the same worker
  };
  enum class Blame { none, until_back, for_good };  // of the task that had started
  struct Broadcast {
    std::uint64_t version;
    Payload payload;  // as in the frame: key length, key, bytes
  };

  // recovery.cpp
  void recover();
  void take_over(const Record& record);
  void record_all();
  void record_task(std::uint64_t id, const Task& task);
  void check_recovered();
  void keep_journal();
  bool write_journal();
  bool relieve_journal();
  bool compact_journal(std::uint64_t worth);
  bool rewrite_journal();
  bool reserve_journal(std::uint64_t bytes, std::size_t records);
  void keep_reserve();
  std::uint64_t alive_in_journal() const;
  static std::uint64_t reserve_for(std::uint64_t alive);
  [[noreturn]] void journal_failed(const char* what);

  // farm.cpp
  void check_tasks(const tf_buffer* tasks, std::size_t count) const;
  std::size_t accept_tasks(const tf_buffer* tasks, std::size_t count, std::int64_t deadline_ns);
  void forget_ended();
  void take_back_last();
  void add_deadline(std::int64_t moment_ns, std::uint64_t id);
  bool awaits(std::uint64_t id, std::int64_t moment_ns);
  void record_handing_out(std::size_t count);
  template <class F>
  void record(F&& add, const char* what);
  void give_owed(Peer& peer);
  void record_broadcast(const std::string& key, const Broadcast& made, bool first);
  bool over_high_water(std::size_t bytes, std::size_t tasks = 0) const;
  tf_code wait_for_room(Lock& lock, std::size_t bytes, std::int64_t until);
  void tell_of_room();
  void accept_task(const tf_buffer& task, std::int64_t deadline_ns);
  std::size_t hand_out(tf_result* results, std::size_t max);
  void forget_handed_out();
  bool unfinished() const { return queued_ + assigned_ > 0; }
  bool waits_for_takers() const { return assigned_ == 0 && withholds_for_results() && waiters_ == 0; }

  // faults.cpp
  template <class F>
  void serve(Peer& peer, F&& work) {
    try {
      work();
    } catch (const std::exception&) {
      break_off(peer);
    }
  }
  void break_off(Peer& peer) noexcept;
  void find_orphans();

  // reactor.cpp
  void step(Lock& lock, std::int64_t until);
  void turn(Lock& lock, std::int64_t until);
  void handle_event(std::uint64_t key, std::uint32_t events);
  void read_peer(Peer& peer);
  void feed();
  ssize_t receive(Peer& peer, char* data, std::size_t bytes);
  void take_bytes(Peer& peer, std::string& partial, const char* data, std::size_t bytes);
  std::size_t take_frames(Peer& peer, const char* data, std::size_t bytes);
  bool poll_rings();
  void read_ring(Peer& peer);
  void take_from_ring(Peer& peer);
  void send(Peer& peer, const Header& header, const Payload& payload);
  void send(Peer& peer, const Header& header, std::string_view payload = {});
  void put(Peer& peer, Header header, std::string_view payload);
  void mark_dirty(Peer& peer);
  void flush_dirty();
  void go_on_writing(Peer& peer);
  void flush(Peer& peer);
  void flush_socket(Peer& peer);
  void flush_ring(Peer& peer);
  void await_write(Peer& peer, bool wanted);
  bool rings_exceed_caches() const;

  // waiting.cpp
  int wait_for_events(Lock& lock, std::int64_t until);
  bool look_at_rings(std::int64_t until);
  void wake_reactor();
  void say_that_it_sleeps();
  void arm_for_poll();
  void widen_in_vain(bool caller_was_away);
  std::int64_t spin_ns() const;
  bool gives_way_first() const;

  // admission.cpp
  void accept_from(const Descriptor& listener, bool attach);
  void make_room_for_own_descriptors();
  bool make_room_for_descriptor();
  bool raise_descriptor_limit();
  void pause_listening();
  void resume_listening();
  void admit(Descriptor fd, bool attach);
  void begin(Peer& peer, bool attach);
  void shake_hands(Peer& peer);
  void on_hello(Peer& peer, const Frame& frame);
  void welcome_worker(Peer& peer, const Hello& hello);
  Worker& worker_of(const Hello& hello);
  void share_memory(bool by_tcp);
  bool offer_shared_memory(Peer& peer, const Hello& hello, Welcome& welcome);
  void on_attach(Peer& peer, const Frame& frame);
  void on_ready(Peer& peer, const Frame& frame);
  void refuse(Peer& peer, std::uint64_t& counter, const std::string& reason, bool tell = false);
  void expire_half_open();
  void announce_ranks();

  // dispatch.cpp
  void dispatch();
  bool withholds_for_results() const;
  bool few_may_do() const;
  bool enough_at_work() const;
  bool withholds() const { return !idle_.empty() && few_may_do() && enough_at_work(); }
  bool nothing_to_give() const { return queued_ == 0 || queue_is_held_; }
  void give_to_all();
  Worker* take_idle(bool last);
  Worker* worker_with_room(bool idle_only, bool few = false);
  std::uint64_t next_queued();
  void assign(Worker& worker, std::uint64_t id, Task& task);
  void list_if_room(Worker& worker);
  void on_frame(Peer& peer, const Frame& frame);
  void on_worker_frame(Peer& peer, const Frame& frame);
  void on_skipped(Worker& worker, const Header& header);
  void on_result(Worker& worker, const Frame& frame, tf_status status);
  bool take_assigned(Worker& worker, const Header& header, Assigned& found);
  void learn_times(Worker& worker, const Assigned& assigned, std::uint64_t service_ns);
  void finish(std::uint64_t id, Task& task, tf_status status, Payload payload);
  void make_ready();
  void end_cancelled(std::uint64_t id, Task& task);
  void cancel_copies(std::uint64_t id, Task& task);
  void send_cancels(std::uint64_t id);
  void settle(std::uint64_t id, Task& task, const std::string& reason);
  void requeue(std::uint64_t id, Task& task);

  // liveness.cpp
  void lose(Peer& peer, const std::string& reason, Loss how = Loss::ended);
  void drop_for_protocol(Peer& peer, const std::string& reason);
  void close_peer(Peer& peer);
  std::uint64_t started_task(const Peer& peer, const Worker& worker, bool silent) const;
  void take_back(Worker& worker, std::uint64_t started, const std::string& reason, bool counts, Blame blame);
  void pardon(Worker& worker);
  bool count_loss(const Assigned& held, Task& task, bool guilty, const std::string& reason);
  void forget_former(Worker& worker);
  void run_timers();
  void check_silence();
  bool seems_silent(std::size_t slot) const;
  std::int64_t patience_ns() const { return options_.heartbeat_timeout_ms * ns_per_ms; }
  void expire_deadlines();
  void expire_grace();
  void forget_away();
  void forget_away_since(std::int64_t moment_ns);
  void help_stragglers();
  void take_from(Worker& worker, Assigned& held, Task& task);
  std::int64_t next_timer() const;

  // report.cpp
  void tell_monitors();
  std::string statistics_json();
  tf_statistics counted();
  tf_worker_info info_of(const Worker& worker) const;

  MadeHere made_here_;
  FarmOptions options_;
  PayloadStore payloads_;  // ends after all that hold payloads
  std::mutex mutex_;
  std::condition_variable changed_;
  bool reactor_busy_ = false, reactor_sleeps_ = false, closing_ = false, polled_ = false;
  int waiters_ = 0, want_room_ = 0;
  Taker taker_;

  Listener listener_, local_listener_;
  Descriptor epoll_, doorbell_, notice_, ticker_;
  std::unique_ptr<TlsContext> tls_;
  bool listeners_paused_ = false;
  std::vector<std::unique_ptr<Peer>> peers_;  // by slot; holes are free
  std::vector<std::uint32_t> free_slots_;
  std::unique_ptr<Peer> graveyard_;           // a chain: it grows without memory
  bool orphans_ = false;                      // there may be tasks that nobody holds
  std::list<Peer*> half_open_;
  std::vector<Peer*> dirty_;
  SharedBoard board_;
  std::uint32_t shared_peers_ = 0, monitors_ = 0;
  Buffer scratch_;

  std::map<Identity, std::unique_ptr<Worker>> workers_;
  std::unordered_map<std::uint64_t, std::uint32_t> ranks_on_host_;
  std::uint32_t worker_numbers_ = 0, connected_ = 0, idle_workers_ = 0, ranks_here_ = 1;
  std::deque<Worker*> idle_, room_;

  TaskTable tasks_;
  std::deque<std::uint64_t> queue_, retries_;
  std::uint64_t queued_ = 0, assigned_ = 0, bytes_held_ = 0, result_bytes_ = 0, ordered_next_ = 1;
  std::deque<std::uint64_t> ready_;
  std::vector<std::uint64_t> handed_out_;
  Deadlines deadlines_;
  std::map<std::string, Broadcast> broadcasts_;
  std::uint64_t broadcast_bytes_ = 0;
  std::uint64_t broadcast_versions_ = 0;
  double usual_service_ns_ = 0;
  ShortLook look_{5000, 64, usable_cores()};
  GivingWay giving_way_{usable_cores()};
  UsualService recent_service_;
  Circle circle_{usable_cores()};
  bool answers_came_ = false;  // in this turn
  bool queue_is_held_ = false;  // though workers are idle: what is queued must wait for an older task, in order

  Identity farm_id_{};
  std::uint64_t host_ = 0;
  std::unique_ptr<Journal> journal_;
  tf_statistics counts_{};
  std::int64_t now_ = 0, turned_ns_ = 0, last_epoll_ns_ = 0, last_look_at_all_ns_ = 0, idle_since_ns_ = 0;
  std::int64_t answered_ns_ = 0;  // when the last answers came
  std::int64_t next_silence_check_ns_ = 0, next_monitor_ns_ = 0, next_straggler_check_ns_ = 0, resume_listening_ns_ = never;
  std::int64_t next_relief_ns_ = 0, next_reserve_ns_ = 0;  // of a journal that is refused
};

}  // namespace taskfarm
