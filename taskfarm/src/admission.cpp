// New connections: what they may do, and for how long, before they have said who they are.
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>

#include "events.hpp"
#include "farm.hpp"

namespace taskfarm {
namespace {

constexpr std::uint32_t most_monitors = 64;  // each gets the whole table, and may be slow to take it
constexpr int accepts_at_once = 256;  // then the connections that exist get their turn
constexpr std::size_t own_descriptors = 12;  // and some to spare
constexpr std::int64_t pause_without_descriptors_ns = 100 * ns_per_ms;

// Ranks for each core, as far as workers wait otherwise with more: 0 while each has one of its own, then by doubling.
int crowd(std::uint64_t ranks, std::uint64_t cores) {
  return ranks == 0 ? 0 : std::bit_width((ranks - 1) / std::max<std::uint64_t>(cores, 1));
}

}  // namespace

void Farm::accept_from(const Descriptor& listener, bool attach) {
  for (int i = 0; i < accepts_at_once; ++i) {
    Descriptor fd(accept4(listener.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
    if (fd.open()) {
      admit(std::move(fd), attach);
    } else if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM) {
      if (make_room_for_descriptor()) continue;
      return;
    } else if (errno != ECONNABORTED && errno != EINTR) {
      return;
    }
  }
}

// Most systems start a process with 1024 descriptors and let it have more: a thousand workers need them.
bool Farm::raise_descriptor_limit() {
  rlimit limit;
  if (options_.raise_descriptors == 0 || getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= limit.rlim_max) return false;
  limit.rlim_cur = limit.rlim_max;
  return setrlimit(RLIMIT_NOFILE, &limit) == 0;
}

// For what the farm itself opens, before anybody comes.
void Farm::make_room_for_own_descriptors() {
  std::array<Descriptor, own_descriptors> tried;
  for (Descriptor& one : tried) {
    one.reset(eventfd(0, EFD_CLOEXEC));
    if (one.open()) continue;
    if (errno == EMFILE) raise_descriptor_limit();
    return;
  }
}

// A half-open connection makes room for a newer one; without any, listening pauses, so that epoll does not spin.
bool Farm::make_room_for_descriptor() {
  if (errno == EMFILE && raise_descriptor_limit()) return true;
  if (!half_open_.empty()) {
    refuse(*half_open_.front(), counts_.refused_half_open, "no descriptors left");
    return true;
  }
  if (!listeners_paused_) pause_listening();
  return false;
}

void Farm::pause_listening() {
  listeners_paused_ = true;
  resume_listening_ns_ = now_ + pause_without_descriptors_ns;
  epoll_ctl(epoll_.get(), EPOLL_CTL_DEL, listener_.fd.get(), nullptr);
  if (local_listener_.fd.open()) epoll_ctl(epoll_.get(), EPOLL_CTL_DEL, local_listener_.fd.get(), nullptr);
}

// What there was too little of may be short for this, too: then it pauses on.
void Farm::resume_listening() {
  try {
    watch(epoll_.get(), listener_.fd.get(), key_listener);
    if (local_listener_.fd.open()) watch(epoll_.get(), local_listener_.fd.get(), key_local_listener);
  } catch (const Failure&) {
    return pause_listening();
  }
  listeners_paused_ = false;
  resume_listening_ns_ = never;
}

void Farm::admit(Descriptor fd, bool attach) {
  auto made = std::make_unique<Peer>();
  Peer& peer = *made;
  peer.local = listener_.url.starts_with("unix:") || attach;
  peer.fd = std::move(fd);
  if (free_slots_.empty()) {
    if (free_slots_.capacity() <= peers_.size()) free_slots_.reserve(2 * peers_.size() + 16);  // closing needs no memory
    peer.slot = static_cast<std::uint32_t>(peers_.size());
    peers_.emplace_back();
  } else {
    peer.slot = free_slots_.back();
    free_slots_.pop_back();
  }
  peers_[peer.slot] = std::move(made);
  serve(peer, [&] { begin(peer, attach); });
}

void Farm::begin(Peer& peer, bool attach) {
  peer.since_ns = peer.last_seen_ns = now_;
  half_open_.push_back(&peer);
  if (peer.local && !same_user(peer.fd.get())) return refuse(peer, counts_.refused_credentials, "another user");
  if (half_open_.size() > options_.max_half_open)
    refuse(*half_open_.front(), counts_.refused_half_open, "too many connections without a hello");
  close_in_children(peer.fd.get());
  if (!peer.local) tune_socket(peer.fd.get(), options_.heartbeat_timeout_ms);
  if (attach) {
    peer.state = Peer::State::attach;
  } else if (tls_) {
    peer.state = Peer::State::handshake;
    peer.tls = std::make_unique<TlsSession>(*tls_, peer.fd.get(), true);
  }
  watch(epoll_.get(), peer.fd.get(), peer.slot);
}

void Farm::shake_hands(Peer& peer) {
  const int done = peer.tls->handshake();
  if (done < 0) return refuse(peer, counts_.refused_credentials, peer.tls->reason);
  if (done == 0) return await_write(peer, peer.tls->wants_write());
  await_write(peer, false);
  peer.state = Peer::State::hello;
  read_peer(peer);  // the hello may have come in the same packet
}

void Farm::on_hello(Peer& peer, const Frame& frame) {
  const auto hello = frame.header.type == FrameType::hello ? decode_hello(frame.view()) : std::nullopt;
  if (!hello) return refuse(peer, counts_.refused_hello, "no hello, or a malformed one");
  if (hello->version_min > protocol_version || hello->version_max < protocol_version)
    return refuse(peer, counts_.refused_version, "this coordinator speaks protocol version " + std::to_string(protocol_version) +
                                                     "; install the same version of taskfarm on both sides", true);
  if (closing_) return refuse(peer, counts_.refused, "the coordinator ends", true);
  if (hello->role == Role::monitor) {
    if (monitors_ >= most_monitors)
      return refuse(peer, counts_.refused, std::to_string(most_monitors) + " monitors look on already; end one of them", true);
    Welcome welcome{.farm = farm_id_, .heartbeat_ms = options_.heartbeat_ms};
    half_open_.remove(&peer);
    peer.state = Peer::State::monitor;
    ++monitors_;
    next_monitor_ns_ = now_;
    return send(peer, {.type = FrameType::welcome}, encode(welcome));
  }
  const auto known = workers_.find(hello->identity);
  const bool replaces = known != workers_.end() && known->second->peer != nullptr;  // its old connection counts no more
  if (connected_ - (replaces ? 1 : 0) >= options_.max_workers) return refuse(peer, counts_.refused, "max_workers is reached", true);
  welcome_worker(peer, *hello);
}

void Farm::welcome_worker(Peer& peer, const Hello& hello) {
  Worker& worker = worker_of(hello);
  std::uint32_t& ranks = ranks_on_host_[hello.host];
  half_open_.remove(&peer);
  peer.worker = &worker;
  peer.state = Peer::State::upgrading;
  worker.peer = &peer;
  if (!peer.local) set_user_timeout(peer.fd.get(), 0);  // heartbeats tell who is gone; one with a long task may take nothing
  ++connected_;
  ++ranks;
  if (hello.host == host_) ++ranks_here_;
  Welcome welcome{.features = hello.features & known_features & (options_.shared_memory != 0 ? feature_shared_memory : 0U),
                  .farm = farm_id_,
                  .heartbeat_ms = options_.heartbeat_ms,
                  .heartbeat_timeout_ms = options_.heartbeat_timeout_ms,
                  .grace_ms = options_.grace_ms,
                  .ranks = ranks + (hello.host == host_ ? 1 : 0),
                  .max_frame_bytes = options_.max_frame_bytes,
                  .number = worker.number};
  worker.told_ranks = welcome.ranks;
  const bool shared = (welcome.features & feature_shared_memory) != 0 && offer_shared_memory(peer, hello, welcome);
  const std::string body = encode(welcome);
  if (shared && peer.local) {
    const std::string bytes = frame_bytes({.type = FrameType::welcome}, body);
    if (!send_descriptors(peer.fd.get(), bytes.data(), bytes.size(), {peer.segment->fd(), board_.fd(), doorbell_.get()}))
      lose(peer, "cannot pass shared memory");
  } else {
    send(peer, {.type = FrameType::welcome}, body);
  }
}

// The worker of this identity, back in time or new.
Worker& Farm::worker_of(const Hello& hello) {
  auto at = workers_.find(hello.identity);
  if (at == workers_.end()) {
    at = workers_.emplace(hello.identity, std::make_unique<Worker>()).first;
    Worker& made = *at->second;
    made.number = ++worker_numbers_;
    made.identity = hello.identity;
    made.limit = options_.window > 0 ? options_.window : 1;
    made.away_since_ns = now_;
    forget_away();
    ++counts_.workers_joined;
  } else {
    if (at->second->peer != nullptr) lose(*at->second->peer, "the worker opened a new connection", Loss::replaced);
    pardon(*at->second);
    ++at->second->reconnects;
    ++counts_.reconnects;
  }
  const auto& entry = at->second;
  entry->hello = hello;
  entry->holding = entry->has_left = false;
  entry->running = 0;
  return *entry;
}

// Where the system has none (a sandbox), the sockets serve.
void Farm::share_memory(bool by_tcp) {
  try {
    board_ = SharedBoard::create();
    if (!by_tcp) return;
    const Identity name = random_identity();
    Url local;
    local.kind = Url::Kind::local;
    local.path = "@taskfarm-";
    for (const unsigned char byte : name) local.path += {"0123456789abcdef"[byte >> 4], "0123456789abcdef"[byte & 15]};
    local_listener_ = listen_on(local, addresses_of(local).front());
    watch(epoll_.get(), local_listener_.fd.get(), key_local_listener);
  } catch (const Failure&) {
    local_listener_ = {};
    options_.shared_memory = 0;
  }
}

bool Farm::offer_shared_memory(Peer& peer, const Hello& hello, Welcome& welcome) {
  if (hello.host != host_ || peer.slot >= board_slots) return false;
  while (!peer.segment) {
    try {
      peer.segment = std::make_unique<Segment>(Segment::create(options_.ring_bytes));
    } catch (const Failure&) {
      if (errno != EMFILE || !raise_descriptor_limit()) return false;  // no memory or no descriptors: the socket serves
    }
  }
  welcome.ring_bytes = options_.ring_bytes;
  welcome.slot = peer.slot;
  if (!peer.local) {
    peer.token = welcome.token = random_identity();
    welcome.local_name = local_listener_.url.substr(std::string_view("unix://").size());
  }
  return true;
}

// The worker of a TCP connection proves on the local socket, by the token of its welcome, that it is on this host.
void Farm::on_attach(Peer& peer, const Frame& frame) {
  const Identity nobody{};
  Identity token{};
  const bool sound = frame.header.type == FrameType::attach && frame.header.length == token.size();
  if (sound) std::memcpy(token.data(), frame.payload, token.size());
  Peer* found = nullptr;
  if (sound && token != nobody)
    for (const auto& other : peers_)
      if (other && other->state == Peer::State::upgrading && other->token == token) found = other.get();
  if (found == nullptr || !found->segment) return refuse(peer, counts_.refused_credentials, "no such token");
  const char byte = 1;
  send_descriptors(peer.fd.get(), &byte, 1, {found->segment->fd(), board_.fd(), doorbell_.get()});
  found->token = nobody;
  half_open_.remove(&peer);
  close_peer(peer);
}

void Farm::on_ready(Peer& peer, const Frame& frame) {
  Worker& worker = *peer.worker;
  if ((frame.header.flags & flag_shared_memory) != 0 && peer.segment) {
    const Segment& segment = *peer.segment;
    peer.tasks = {&segment.control().tasks, segment.task_data(), segment.ring_bytes()};
    peer.results = {&segment.control().results, segment.result_data(), segment.ring_bytes()};
    peer.shared = true;
    peer.pads = (frame.header.flags & flag_padding) != 0;
    peer.segment->forget_descriptor();  // the mapping stays; a descriptor less for each worker
    ++shared_peers_;
  } else {
    peer.segment.reset();
  }
  peer.state = Peer::State::open;
  if (closing_) return send(peer, {.type = FrameType::goodbye});  // the others have had theirs
  for (const auto& [key, broadcast] : broadcasts_)
    send(peer, {.type = FrameType::broadcast, .value = broadcast.version}, broadcast.payload);
  list_if_room(worker);
  announce_ranks();
}

void Farm::refuse(Peer& peer, std::uint64_t& counter, const std::string& reason, bool tell) {
  ++counter;
  if (&counter != &counts_.refused) ++counts_.refused;
  if (tell && !peer.tls) {
    const std::string bytes = frame_bytes({.type = FrameType::refuse, .value = closing_}, reason);
    ::send(peer.fd.get(), bytes.data(), bytes.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
  } else if (tell) {
    send(peer, {.type = FrameType::refuse, .value = closing_}, reason);
    if (peer.over()) return;
    flush_socket(peer);
    if (peer.state == Peer::State::closed) return;
  }
  half_open_.remove(&peer);
  close_peer(peer);
}

void Farm::expire_half_open() {
  while (!half_open_.empty() && now_ - half_open_.front()->since_ns > options_.hello_timeout_ms * ns_per_ms)
    refuse(*half_open_.front(), counts_.refused_slow, "no hello in time");
}

// Workers spin only where there is a core for each rank, and take longer turns the more share one; those of the past are told.
void Farm::announce_ranks() {
  for (const auto& [identity, worker] : workers_) {
    if (worker->peer == nullptr || worker->peer->state != Peer::State::open) continue;
    const std::uint64_t ranks = ranks_on_host_[worker->hello.host] + (worker->hello.host == host_ ? 1 : 0);
    if (crowd(ranks, worker->hello.cores) == crowd(worker->told_ranks, worker->hello.cores)) continue;
    worker->told_ranks = ranks;
    send(*worker->peer, {.type = FrameType::tune, .value = ranks});
  }
}

}  // namespace taskfarm
