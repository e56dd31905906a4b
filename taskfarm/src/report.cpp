// What can be seen from outside: counters, the table of workers, and both as JSON for monitors.
#include <cmath>
#include <cstdio>

#include "farm.hpp"

namespace taskfarm {
namespace {

struct Field {
  const char* name;
  std::uint64_t tf_statistics::* value;
};

#define FIELD(name) {#name, &tf_statistics::name}
constexpr Field fields[] = {
    FIELD(submitted), FIELD(delivered), FIELD(done), FIELD(failed), FIELD(dead), FIELD(cancelled), FIELD(expired),
    FIELD(queued), FIELD(in_flight), FIELD(ready), FIELD(bytes_held), FIELD(workers), FIELD(workers_idle),
    FIELD(workers_shared_memory), FIELD(workers_away), FIELD(half_open), FIELD(monitors), FIELD(workers_joined),
    FIELD(workers_lost), FIELD(workers_left), FIELD(reconnects), FIELD(silent), FIELD(attempts_lost), FIELD(requeued),
    FIELD(reruns), FIELD(stolen), FIELD(late_results), FIELD(foreign_results), FIELD(refused), FIELD(refused_hello),
    FIELD(refused_slow), FIELD(refused_half_open), FIELD(refused_credentials), FIELD(refused_version),
    FIELD(protocol_errors), FIELD(hostile_indices), FIELD(recovered), FIELD(journal_errors),
};
#undef FIELD
static_assert(sizeof fields / sizeof *fields == sizeof(tf_statistics) / sizeof(std::uint64_t));

// A path may have any byte in it; a monitor shows the text on a terminal.
std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += static_cast<unsigned char>(c) >= ' ' && c != 127 ? c : '?';
  }
  return out + '"';
}

// With one decimal, behind a point: in the program's own locale it may be a comma.
std::string decimal(double value) {
  const long long tenths = std::llround(value * 10);
  return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10);
}

constexpr std::int64_t monitors_each_ns = 1000 * ns_per_ms;

}  // namespace

tf_statistics Farm::statistics() {
  made_here_.need("farm");
  Lock lock(mutex_);
  return counted();
}

tf_statistics Farm::counted() {
  tf_statistics s = counts_;
  s.queued = queued_;
  s.in_flight = assigned_;
  s.ready = tasks_.size() - queued_ - assigned_ - handed_out_.size();
  s.bytes_held = bytes_held_;
  s.workers = connected_;
  for (const auto& [identity, worker] : workers_) {
    s.workers_idle += worker->peer != nullptr && worker->peer->state == Peer::State::open && worker->window.empty();
    s.workers_away += worker->peer == nullptr && !worker->has_left;
  }
  s.workers_shared_memory = shared_peers_;
  s.half_open = half_open_.size();
  s.monitors = monitors_;
  return s;
}

std::vector<tf_worker_info> Farm::workers() {
  made_here_.need("farm");
  Lock lock(mutex_);
  now_ = now_ns();
  std::vector<tf_worker_info> infos;
  infos.reserve(workers_.size());
  for (const auto& [identity, worker] : workers_) infos.push_back(info_of(*worker));
  return infos;
}

tf_worker_info Farm::info_of(const Worker& worker) const {
  tf_worker_info info{};
  const Peer* peer = worker.peer;
  info.number = worker.number;
  info.pid = worker.hello.pid;
  std::snprintf(info.name, sizeof info.name, "%s", worker.hello.name.c_str());
  const char* transport = peer == nullptr ? "-" : peer->shared ? "shm" : peer->tls ? "tls" : peer->local ? "unix" : "tcp";
  std::snprintf(info.transport, sizeof info.transport, "%s", transport);
  info.connected = peer != nullptr;
  info.window = worker.limit;
  info.in_flight = static_cast<std::uint32_t>(worker.window.size());
  info.reconnects = worker.reconnects;
  info.completed = worker.completed;
  const std::uint64_t told = peer != nullptr && peer->shared
                                 ? peer->segment->control().running.load(std::memory_order_relaxed)
                                 : worker.running;
  info.running = worker.holds(told) ? told : 0;  // it may have told of one that is done, or that was given to another
  const std::int64_t seen = peer == nullptr ? worker.away_since_ns : peer->last_seen_ns;
  info.silent_ms = static_cast<std::uint64_t>(std::max<std::int64_t>(now_ - seen, 0) / ns_per_ms);
  info.service_us = worker.service_ns / 1e3;
  info.round_trip_us = worker.round_trip_ns / 1e3;
  return info;
}

void Farm::tell_monitors() {
  next_monitor_ns_ = now_ + monitors_each_ns;
  const std::string json = statistics_json();
  for (const auto& peer : peers_)
    if (peer && peer->state == Peer::State::monitor && peer->out.empty())  // a slow one misses some
      send(*peer, {.type = FrameType::statistics}, json);
}

std::string Farm::statistics_json() {
  const tf_statistics s = counted();
  std::string json = "{\"url\":" + quoted(listener_.url);
  for (const Field& field : fields) json += ",\"" + std::string(field.name) + "\":" + std::to_string(s.*field.value);
  json += ",\"table\":[";
  for (const auto& [identity, worker] : workers_) {
    const tf_worker_info i = info_of(*worker);
    const std::string service_us = decimal(i.service_us), round_trip_us = decimal(i.round_trip_us);
    char row[512];
    std::snprintf(row, sizeof row,
                  "%s{\"number\":%u,\"name\":\"%s\",\"pid\":%u,\"transport\":\"%s\",\"connected\":%u,\"window\":%u,"
                  "\"in_flight\":%u,\"reconnects\":%u,\"completed\":%llu,\"running\":%llu,\"silent_ms\":%llu,"
                  "\"service_us\":%s,\"round_trip_us\":%s}",
                  json.back() == '[' ? "" : ",", i.number, i.name, i.pid, i.transport, i.connected, i.window, i.in_flight,
                  i.reconnects, static_cast<unsigned long long>(i.completed), static_cast<unsigned long long>(i.running),
                  static_cast<unsigned long long>(i.silent_ms), service_us.c_str(), round_trip_us.c_str());
    json += row;
  }
  return json + "]}";
}

}  // namespace taskfarm
