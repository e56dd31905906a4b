// What really carried the messages of a launch, and how its ranks wait: evidence of the kernel's, not the library's word.
//
// After the last cell neighbours exchange a known number of bytes while the kernel's own counters of every TCP socket of
// the process are read before and after; then every rank waits for a message that comes late on purpose.
#pragma once

#include <dirent.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "algorithms.hpp"
#include "call_counters.hpp"
#include "clock.hpp"
#include "coordination.hpp"
#include "wire.hpp"

namespace msgauge::data_path {

inline constexpr int small_messages = 16;
inline constexpr std::size_t small_bytes = 64;
inline constexpr std::size_t large_bytes = std::size_t{1} << 18;
inline constexpr std::int64_t wait_ns = 20'000'000;

struct Sockets {
  std::int64_t sent = 0, received = 0;  // bytes through TCP, payload and protocol of the library above it
  std::int64_t unix_domain = 0;         // how many connected sockets of that kind
};

// The beginning of the kernel's tcp_info (since Linux 4.1). The C library's header ends before the counters, and the
// kernel's own header cannot stand beside it.
struct TcpCounters {
  std::uint8_t before[120];
  std::uint64_t bytes_acked, bytes_received;
};

inline void add_socket(Sockets& sum, int descriptor) {
  sockaddr_storage name{};
  socklen_t length = sizeof name;
  if (getsockname(descriptor, reinterpret_cast<sockaddr*>(&name), &length) != 0) return;
  if (name.ss_family == AF_UNIX) ++sum.unix_domain;
  TcpCounters info{};
  length = sizeof info;
  if (getsockopt(descriptor, IPPROTO_TCP, TCP_INFO, &info, &length) != 0 || length < sizeof info) return;
  sum.sent += static_cast<std::int64_t>(info.bytes_acked);
  sum.received += static_cast<std::int64_t>(info.bytes_received);
}

// Every socket of this process.
inline Sockets sockets_now() {
  Sockets sum;
  if (DIR* folder = opendir("/proc/self/fd")) {
    while (const dirent* entry = readdir(folder))
      if (entry->d_name[0] != '.') add_socket(sum, std::atoi(entry->d_name));
    closedir(folder);
  }
  return sum;
}

// Bytes of memory that is mapped for sharing, files on disk and devices left out.
inline std::int64_t shared_memory_now() {
  std::ifstream maps("/proc/self/maps");
  std::int64_t sum = 0;
  for (std::string line; std::getline(maps, line);) {
    char* end = nullptr;
    const auto first = std::strtoull(line.c_str(), &end, 16);
    if (*end != '-') continue;
    const auto last = std::strtoull(end + 1, &end, 16);
    if (end[0] != ' ' || end[2] != 'w' || end[4] != 's') continue;
    sum += static_cast<std::int64_t>(last - first);
  }
  return sum;
}

struct WaitUsage {
  std::int64_t time_ns = 0, cpu_ns = 0, runqueue_wait_ns = 0, voluntary = 0, yields = 0, semaphores = 0;
};

// How long this thread was ready to run and got no processor; 0 where the kernel keeps no such count.
inline std::int64_t runqueue_wait_now() {
  std::ifstream file("/proc/thread-self/schedstat");
  std::int64_t ran = 0, queued = 0;
  return file >> ran >> queued ? queued : 0;
}

// Processor time of all threads, as that is what waiting costs; but naps of the one that waits, as a library's other
// threads come and go as they like.
inline WaitUsage wait_usage_now(int whose) {
  rusage usage{}, own{};
  getrusage(whose, &usage);
  getrusage(RUSAGE_THREAD, &own);
  const auto ns = [](const timeval& time) { return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_usec * 1'000; };
  return {monotonic_ns(), ns(usage.ru_utime) + ns(usage.ru_stime), runqueue_wait_now(), own.ru_nvcsw,
          call_counters::yields.load(std::memory_order_relaxed), call_counters::semaphores.load(std::memory_order_relaxed)};
}

// What the network interfaces of this host have received, the one that talks to itself left out.
struct Interfaces {
  std::int64_t received = 0;
  std::vector<std::pair<std::string, std::int64_t>> each;
};

inline Interfaces interfaces_now() {
  std::ifstream table("/proc/net/dev");
  Interfaces found;
  for (std::string line; std::getline(table, line);) {
    const auto colon = line.find(':');
    const auto first = line.find_first_not_of(' ');
    if (colon == std::string::npos || line.compare(first, colon - first, "lo") == 0) continue;
    const auto bytes = std::atoll(line.c_str() + colon + 1);
    found.received += bytes;
    found.each.emplace_back(line.substr(first, colon - first), bytes);
  }
  return found;
}

// The interface that received most in between; none when nothing came.
inline std::string busiest(const Interfaces& before, const Interfaces& after) {
  std::string name;
  std::int64_t most = 0;
  for (std::size_t i = 0; i < after.each.size() && i < before.each.size(); ++i)
    if (const auto got = after.each[i].second - before.each[i].second; got > most) {
      most = got;
      name = after.each[i].first;
    }
  return name;
}

// The rank this one exchanges with; itself when it is left over.
inline int neighbour(int rank, int size) { return (rank ^ 1) < size ? rank ^ 1 : rank; }

// Where there are tasks, they are what the stack is for: one to each worker, and its answer.
template <HasTasks T>
void farm_out(T& transport, std::vector<unsigned char>& memory, std::size_t bytes, int times) {
  const int workers = transport.size() - 1;
  for (int i = 0; i < times && workers > 0; ++i) {
    if (transport.rank() > 0) {
      transport.take(memory.data(), bytes);
      transport.answer(memory.data(), bytes);
      continue;
    }
    transport.give(memory.data(), bytes, workers);
    for (int answers = 0; answers < workers; ++answers) transport.next_answer();
  }
}

// How many exchange messages with this rank.
template <Transport T>
int partners_of(T& transport) {
  if constexpr (HasTasks<T>) return transport.rank() > 0 ? 1 : transport.size() - 1;
  return neighbour(transport.rank(), transport.size()) != transport.rank() ? 1 : 0;
}

template <Transport T>
void exchange(T& transport, std::vector<unsigned char>& memory, std::size_t bytes, int times) {
  if constexpr (HasTasks<T>) return farm_out(transport, memory, bytes, times);
  const int peer = neighbour(transport.rank(), transport.size());
  if (peer == transport.rank()) return;
  const auto give_all = [&] {
    for (int i = 0; i < times; ++i) transport.send(memory.data(), bytes, peer, report_tag);
  };
  const auto take_all = [&] {
    for (int i = 0; i < times; ++i) transport.recv(memory.data(), bytes, peer, report_tag);
  };
  if (transport.rank() < peer) give_all(), take_all();
  else take_all(), give_all();
}

// Adds `moved`, the bytes that neighbours sent each other, and what the sockets saw of them.
template <Transport T>
void describe_carrier(wire::Header& header, T& transport) {
  std::vector<unsigned char> memory(large_bytes);
  exchange(transport, memory, small_bytes, 1);  // connections that are made on first use
  for (const auto& [name, bytes, times] : {std::tuple{"small", small_bytes, small_messages}, {"large", large_bytes, 1}}) {
    const auto before = sockets_now();
    const auto wire_before = interfaces_now();
    exchange(transport, memory, 1, 1);  // nobody sends before both have read their counters
    exchange(transport, memory, bytes, times);
    const auto after = sockets_now();
    const auto wire_after = interfaces_now();
    const auto moved = static_cast<std::int64_t>(bytes) * times * partners_of(transport);
    header.add(std::string(name) + "_moved", moved);
    header.add(std::string(name) + "_tcp_sent", after.sent - before.sent);
    header.add(std::string(name) + "_tcp_received", after.received - before.received);
    header.add(std::string(name) + "_wire_received", wire_after.received - wire_before.received);
    if (bytes == large_bytes) header.add("wire", busiest(wire_before, wire_after));
  }
  header.add("shared_bytes", shared_memory_now()).add("unix_sockets", sockets_now().unix_domain);
}

template <HasTasks T>
void call_workers(T& transport, char token) {
  transport.give(&token, 1, transport.size() - 1);
  for (int answers = 1; answers < transport.size(); ++answers) transport.next_answer();
}

// Adds what this rank used while it waited for rank 0, which comes late.
template <Transport T>
void describe_waiting(wire::Header& header, T& transport, int whose) {
  char token = 0;
  algorithms::dissemination_barrier(transport, transport.size());
  if (transport.rank() == 0) {
    const timespec nap{wait_ns / 1'000'000'000, wait_ns % 1'000'000'000};
    nanosleep(&nap, nullptr);
    if constexpr (HasTasks<T>) return call_workers(transport, token);
    for (int rank = 1; rank < transport.size(); ++rank) transport.send(&token, 1, rank, order_tag);
    return;
  }
  const auto before = wait_usage_now(whose);
  if constexpr (HasTasks<T>) transport.take(&token, 1);
  else transport.recv(&token, 1, 0, order_tag);
  const auto after = wait_usage_now(whose);
  if constexpr (HasTasks<T>) transport.answer(&token, 1);
  header.add("waited_ns", after.time_ns - before.time_ns).add("wait_cpu_ns", after.cpu_ns - before.cpu_ns);
  header.add("runqueue_wait_ns", after.runqueue_wait_ns - before.runqueue_wait_ns);
  header.add("voluntary_switches", after.voluntary - before.voluntary).add("sched_yield_calls", after.yields - before.yields);
  header.add("semop_calls", after.semaphores - before.semaphores);
}

}  // namespace msgauge::data_path
