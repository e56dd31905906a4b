// Connecting: retried until a deadline, with the same identity each time, so the coordinator knows a worker that comes back.
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <iterator>
#include <new>
#include <thread>
#include <utility>

#include "failure.hpp"
#include "worker.hpp"

namespace taskfarm {
namespace {

constexpr std::int64_t first_pause_ns = ns_per_ms, longest_pause_ns = 500 * ns_per_ms;
constexpr std::int64_t question_each_ns = 200 * ns_per_ms;
constexpr std::int64_t least_patience_ns = 1000 * ns_per_ms;  // who comes late looks for so long
constexpr std::int64_t patience_with_attaching_ns = 5000 * ns_per_ms;
constexpr std::int64_t short_life_ns = 1000 * ns_per_ms;
constexpr std::uint32_t default_user_timeout_ms = 5000;
constexpr std::uint32_t least_beats_until_gone = 3, longest_beat_ms = 1U << 29;  // a stall is looked for once a beat

// Whether the descriptor is ready for `events` by then; a signal may end the wait before.
bool is_ready(int fd, short events, std::int64_t deadline_ns) {
  pollfd wait{fd, events, 0};
  const int ready = poll(&wait, 1, milliseconds_until(deadline_ns, now_ns()));
  if (ready < 0 && errno != EINTR) fail_system("poll");
  return ready > 0;
}

void await(int fd, short events, std::int64_t deadline_ns) {
  if (!is_ready(fd, events, deadline_ns) && now_ns() >= deadline_ns)
    throw Failure(TF_TIMEOUT, "the coordinator does not answer");
}

// Of a hello, or less: a connection that has just been made has room for it.
void send_all(int fd, TlsSession* tls, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = tls != nullptr ? tls->write(bytes.data(), bytes.size())
                                        : send(fd, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent > 0) bytes.remove_prefix(static_cast<std::size_t>(sent));
    else if (errno == EAGAIN) await(fd, POLLOUT, now_ns() + 1000 * ns_per_ms);
    else if (errno != EINTR) fail_system("sending to the coordinator");
  }
}

// The bytes of the answer to a hello, as far as is known by those that have come.
std::size_t size_of_greeting(std::string_view begun) {
  Header header;
  if (begun.size() < header_bytes) return header_bytes;
  std::memcpy(&header, begun.data(), header_bytes);
  if (header.length > hello_limit || (header.type != FrameType::welcome && header.type != FrameType::refuse))
    throw Failure(TF_PROTOCOL, "what answers there is no taskfarm coordinator, or it wants TLS; check address and key");
  return header_bytes + header.length;
}

Welcome welcomed(std::string_view greeting) {
  Header header;
  std::memcpy(&header, greeting.data(), header_bytes);
  const std::string_view payload = greeting.substr(header_bytes);
  if (header.type == FrameType::refuse)
    throw Failure(header.value != 0 ? TF_CLOSED : TF_PROTOCOL, "refused: " + printable(payload));
  const auto welcome = decode_welcome(payload);
  if (!welcome || welcome->version != protocol_version) throw Failure(TF_PROTOCOL, "a malformed welcome");
  return *welcome;
}

}  // namespace

Connector::Connector(const std::string& url, const WorkerOptions& options, Role role)
    : text_(url), url_(parse_url(url)), options_(options), role_(role), identity_(random_identity()) {
  if (options.credentials.given()) {
    if (url_.kind == Url::Kind::local) throw Failure(TF_SECURITY, url + ": TLS is for tcp://; leave the credentials out");
    tls_ = std::make_unique<TlsContext>(options.credentials, false);
  }
}

Connection Connector::connect(std::int64_t deadline_ns, std::int64_t until_ns) {
  Backoff backoff(first_pause_ns, longest_pause_ns);
  const std::int64_t end = std::min(deadline_ns, until_ns);
  for (;;) {
    std::string reason;
    bool under_way = false;
    try {
      return try_once(deadline_ns, gives_up == nullptr ? until_ns : std::min(end, now_ns() + question_each_ns));
    } catch (const Failure& failure) {
      constexpr tf_code final[] = {TF_SECURITY, TF_PROTOCOL, TF_INVALID, TF_CLOSED};
      if (std::find(std::begin(final), std::end(final), failure.code) != std::end(final)) throw;
      reason = failure.what();
      under_way = failure.code == TF_TIMEOUT;
    }
    const std::int64_t left = end == never ? never : end - now_ns();
    if (left <= 0 || (gives_up != nullptr && gives_up()))
      throw Failure(TF_TIMEOUT, "no coordinator at " + text_ + ": " + reason + "; is it running, and is the address right?" +
                                    (url_.kind == Url::Kind::tcp && !tls_ ? " One with TLS wants a key, and none is given." : ""));
    if (gives_up != nullptr && under_way) continue;
    std::this_thread::sleep_for(std::chrono::nanoseconds(std::min(backoff.next_ns(), left)));
  }
}

// An attempt is not begun anew because a caller's time is over: a coordinator that computes would find many of them.
Connection Connector::try_once(std::int64_t deadline_ns, std::int64_t until_ns) {
  try {
    advance(deadline_ns, until_ns);
  } catch (const Failure& failure) {
    if (failure.code != TF_TIMEOUT || now_ns() >= deadline_ns) under_way_ = {};
    throw;
  } catch (...) {
    under_way_ = {};
    throw;
  }
  return std::exchange(under_way_, {});
}

void Connector::advance(std::int64_t deadline_ns, std::int64_t until_ns) {
  Connection& connection = under_way_;
  const std::int64_t end = std::min(deadline_ns, until_ns);
  if (!connection.fd.open()) begin(connection, end);
  if (!connection.greeted) {
    if (tls_) shake_hands(connection, end);
    connection.authenticated = tls_ != nullptr || url_.kind == Url::Kind::local;
    say_hello(connection);
    connection.greeted = true;
  }
  await_welcome(connection, end);
  if (connection.welcome.ring_bytes > 0 && !connection.shared.segment.open() && role_ == Role::worker)
    attach(connection, end);
}

void Connector::begin(Connection& connection, std::int64_t deadline_ns) {
  const bool only_loopback = url_.kind == Url::Kind::tcp && !tls_;
  if (!connection.dial) connection.dial = std::make_unique<Dial>(url_, only_loopback);
  Descriptor fd = connection.dial->wait(deadline_ns);
  if (!fd.open() && connection.dial->looks_up())
    throw Failure(TF_TIMEOUT, "no name server has told yet where " + url_.shown_host() + " is");
  if (!fd.open()) throw Failure(TF_TIMEOUT, "the coordinator's host does not answer");
  if (url_.kind == Url::Kind::tcp) tune_socket(fd.get(), default_user_timeout_ms);
  else if (!same_user(fd.get())) throw Failure(TF_SECURITY, "unix://" + url_.path + ": the coordinator runs as another user");
  connection.fd = std::move(fd);
  connection.dial.reset();
}

void Connector::shake_hands(Connection& connection, std::int64_t deadline_ns) {
  if (!connection.tls) connection.tls = std::make_unique<TlsSession>(*tls_, connection.fd.get(), false);
  for (;;) {
    const int done = connection.tls->handshake();
    if (done > 0) return;
    if (done < 0) {
      const bool cut = connection.tls->reason == "connection closed";  // without an alert: it may come back
      const std::string text = "TLS: " + connection.tls->reason + "; do both sides have the same key, or valid certificates?";
      throw Failure(cut ? TF_SYSTEM : TF_SECURITY, text);
    }
    await(connection.fd.get(), connection.tls->wants_write() ? POLLOUT : POLLIN, deadline_ns);
  }
}

void Connector::say_hello(Connection& connection) {
  Hello hello;
  hello.features = options_.shared_memory != 0 && url_.shared_memory ? feature_shared_memory : 0;
  hello.identity = identity_;
  hello.host = host_key();
  hello.pid = static_cast<std::uint32_t>(getpid());
  hello.cores = usable_cores();
  hello.role = role_;
  hello.name = options_.worker_name;
  send_all(connection.fd.get(), connection.tls.get(), frame_bytes({.type = FrameType::hello}, encode(hello)));
}

// Only the welcome is read, so that what follows it stays for the worker.
void Connector::await_welcome(Connection& connection, std::int64_t deadline_ns) {
  std::string& bytes = connection.received;
  for (std::size_t room; (room = size_of_greeting(bytes) - bytes.size()) > 0;) {
    char part[hello_limit + header_bytes];
    ssize_t got;
    if (connection.tls) got = connection.tls->read(part, room);
    else got = receive_descriptors(connection.fd.get(), part, room, MSG_DONTWAIT, connection.shared);
    if (got == 0) throw Failure(TF_SYSTEM, "the coordinator closed the connection before a welcome");
    if (got < 0 && errno == EAGAIN) {
      await(connection.fd.get(), POLLIN, deadline_ns);
    } else if (got < 0 && errno != EINTR) {
      const bool alert = connection.tls && connection.tls->reason != "connection closed";
      if (alert) throw Failure(TF_SECURITY, "TLS: " + connection.tls->reason + "; do both sides have the same key?");
      fail_system("awaiting a welcome");
    } else if (got > 0) {
      bytes.append(part, static_cast<std::size_t>(got));
    }
  }
  connection.welcome = welcomed(bytes);
}

// A failure here is none, and neither is a coordinator that is long in coming to it: the connection itself serves.
void Connector::attach(Connection& connection, std::int64_t deadline_ns) {
  const Welcome& welcome = connection.welcome;
  if (!welcome.local_name.starts_with("@taskfarm-")) return;
  try {
    if (!connection.side.open() && !ask_for_memory(connection)) return;
    const std::int64_t end = std::min(deadline_ns, connection.asks_until_ns);
    while (!is_ready(connection.side.get(), POLLIN, end)) {
      if (now_ns() >= connection.asks_until_ns) return;
      if (now_ns() >= deadline_ns) throw Failure(TF_TIMEOUT, "the coordinator does not answer");
    }
    char byte;
    receive_descriptors(connection.side.get(), &byte, 1, MSG_DONTWAIT, connection.shared);
  } catch (const Failure& failure) {
    if (failure.code == TF_TIMEOUT) throw;
    connection.shared = {};
  }
}

// On the local socket that the welcome names, by its token.
bool Connector::ask_for_memory(Connection& connection) {
  const Welcome& welcome = connection.welcome;
  Url local;
  local.kind = Url::Kind::local;
  local.path = welcome.local_name;
  connection.side = Dial(local).wait(0);
  if (!connection.side.open() || !same_user(connection.side.get())) return false;
  connection.asks_until_ns = now_ns() + patience_with_attaching_ns;
  const std::string_view token(reinterpret_cast<const char*>(welcome.token.data()), welcome.token.size());
  send_all(connection.side.get(), nullptr, frame_bytes({.type = FrameType::attach}, token));
  return true;
}

// Null where there is none that serves.
std::unique_ptr<Segment> WorkerSide::open_rings(Connection& connection) {
  const Welcome& welcome = connection.welcome;
  if (!connection.shared.doorbell.open() || welcome.ring_bytes == 0 || welcome.slot >= board_slots) return nullptr;
  try {
    auto segment = std::make_unique<Segment>(Segment::open(std::move(connection.shared.segment), welcome.ring_bytes));
    board_ = SharedBoard::open(std::move(connection.shared.board));
    doorbell_ = std::move(connection.shared.doorbell);
    slot_ = welcome.slot;
    tasks_ = {&segment->control().tasks, segment->task_data(), welcome.ring_bytes};
    results_ = {&segment->control().results, segment->result_data(), welcome.ring_bytes};
    close_in_children(doorbell_.get());
    return segment;
  } catch (const Failure&) {
    return nullptr;
  }
}

void WorkerSide::adopt(Connection connection) {
  const Welcome& welcome = connection.welcome;
  std::unique_ptr<Segment> segment = open_rings(connection);
  meet(welcome.farm);
  authenticated_ = connection.authenticated;
  max_frame_ = std::min(options_.max_frame_bytes, welcome.max_frame_bytes);
  const std::uint8_t padding = max_frame_ >= welcome.ring_bytes ? flag_padding : 0;
  const std::uint8_t flags = segment ? flag_shared_memory | padding : 0;
  set_ranks(welcome.ranks);
  const std::lock_guard guard(write_);
  patience_ms_ = std::max(welcome.heartbeat_timeout_ms, least_beats_until_gone * std::min(welcome.heartbeat_ms, longest_beat_ms));
  bears_stall_ = false;
  if (connector_.url().kind == Url::Kind::tcp) tune_socket(connection.fd.get(), patience_ms_);
  segment_ = std::move(segment);
  fd_ = std::move(connection.fd);
  tls_ = std::move(connection.tls);
  heartbeat_ns_ = welcome.heartbeat_ms * ns_per_ms;
  clear_out();
  out_ = frame_bytes({.type = FrameType::ready, .flags = flags}, {});
  ++generation_;
  hang_up_seen_ = false;
  lost_ = !write_some();
  stands_since_ns_ = now_ns();
  answered_ = proven_ = false;
  wake_heartbeat();
}

// Another farm than before, perhaps: a coordinator that began anew, without a journal. Its tasks have the same numbers, and are
// others; what the former one broadcast holds no more.
void WorkerSide::meet(const Identity& farm) {
  if (farms_ > 0 && farm == farm_) return;
  farm_ = farm;
  ++farms_;
  contexts_.clear();
  versions_of_former_ = last_version_;
  std::string().swap(kept_);
}

// Given up when no coordinator was there within reconnect_timeout_ms, over all calls, or it does not want this worker.
WorkerSide::Return WorkerSide::reconnect(std::int64_t until) {
  if (given_up_ || goodbye_waits()) return Return::given_up;
  drop_connection();
  plan_return();
  bool refused = false;
  try {
    while (lost_ && rest(until)) {
      adopt(connector_.connect(looks_until_ns_, until));
      send_kept();
      if (lost_ && now_ns() >= looks_until_ns_) break;
      if (lost_) plan_rest();
    }
  } catch (const Failure& failure) {
    lost_ = true;
    refused = failure.code != TF_TIMEOUT;
  }
  if (!lost_) looks_until_ns_ = 0;
  looked_ns_ = now_ns();
  if (lost_ && !refused && looked_ns_ < looks_until_ns_) return Return::not_yet;
  given_up_ = lost_;
  return lost_ ? Return::given_up : Return::back;
}

// How long it looks. Who did not call for long, and comes when the time is over, is to have tried once.
void WorkerSide::plan_return() {
  const std::int64_t now = now_ns();
  if (looks_until_ns_ == 0) {
    looks_until_ns_ = moment_after(options_.reconnect_timeout_ms);
    looks_longer_ = false;
    plan_rest();
  } else if (now >= looks_until_ns_ && now - looked_ns_ > least_patience_ns && !std::exchange(looks_longer_, true)) {
    looks_until_ns_ = now + least_patience_ns;
  }
}

// Who comes back from one broken connection does so at once; where connections break as soon as they stand, coming
// back is most of what both sides do, unless it waits longer each time. A welcome alone proves nothing: work, or a second
// of life, does.
void WorkerSide::plan_rest() {
  rests_until_ns_ = now_ns();
  if (proven_ || rests_until_ns_ - stands_since_ns_ >= short_life_ns) return rest_.reset();
  rests_until_ns_ += rest_.next_ns();
}

// Whether the rest is over.
bool WorkerSide::rest(std::int64_t until) {
  const std::int64_t now = now_ns(), left = std::min({rests_until_ns_, looks_until_ns_, until}) - now;
  if (left > 0) std::this_thread::sleep_for(std::chrono::nanoseconds(left));
  return until >= std::min(rests_until_ns_, looks_until_ns_) || now >= rests_until_ns_;
}

// The coordinator may have ended in good order while a task ran: then there is nobody to come back to.
bool WorkerSide::goodbye_waits() {
  release_current();
  if (fd_.open()) read_what_has_come();
  const std::string_view bytes = input();
  const char* at = bytes.data();
  Frame frame;
  while (take_frame(at, bytes.data() + bytes.size(), max_frame_, frame) == Parsed::frame)
    if (frame.header.type == FrameType::goodbye) ended_ = true;
  return ended_;
}

// An answer that found no coordinator goes to the one that is there next: who answers waits for none. It may lie in the task's
// own bytes, which go with the connection.
void WorkerSide::keep(const Header& header, const void* data) {
  kept_.reserve(header_bytes + header.length);
  kept_.assign(reinterpret_cast<const char*>(&header), header_bytes);
  if (header.length > 0) kept_.append(static_cast<const char*>(data), header.length);
  if (!goodbye_waits()) drop_connection();
}

void WorkerSide::send_kept() {
  if (lost_ || kept_.empty()) return;
  Header header;
  std::memcpy(&header, kept_.data(), header_bytes);
  try {
    answered_ = send_frame(header, kept_.data() + header_bytes);
  } catch (const std::bad_alloc&) {  // there may be some the next time
  }
  lost_ = lost_ || !answered_;
  if (answered_) std::string().swap(kept_);
}

void WorkerSide::drop_connection() {
  const std::lock_guard guard(write_);
  lost_ = true;
  ++generation_;
  tls_.reset();
  fd_.reset();
  clear_out();
  segment_.reset();
  board_ = {};
  doorbell_.reset();
  in_begin_ = in_end_ = scanned_ = current_bytes_ = 0;
  cancelled_.clear();
  holding_ = false;
}

// A spinning rank without a core of its own takes the time of those that have work.
void WorkerSide::set_ranks(std::uint64_t ranks) {
  ranks_ = ranks;
  slice_ns_ = slice_of_worker(ranks, usable_cores());
  spin_ns_ = options_.spin_us >= 0 ? options_.spin_us * 1000LL : ranks <= usable_cores() ? 50'000 : 0;
}

}  // namespace taskfarm
