// What a transport is: a type with rank, size, send and recv. Everything else is optional and found by concept.
//
// A header transports/NAME.hpp holds namespace msgauge::transports::NAME with
//   * inline constexpr std::string_view capabilities = "send recv ...";   words of docs/reference/wire-protocol.md
//   * class Transport                                                     one rank's view of the job
//   * template <class Body> int launch(int argc, char** argv, Body body)
//                                                       starts (or joins) the job, calls body(Transport&) -> int in
//                                                       every rank, ends the job, gives back the exit code.
// Failures are exceptions; a rank that lets one escape ends the whole job through abort().
//
// Buffers are untyped bytes; a message matches by source and tag, in the order sent. Tags are 0 .. 32767.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <string_view>
#include <vector>

#include "collectives.hpp"
#include "facts.hpp"
#include "onesided.hpp"
#include "pointtopoint.hpp"

namespace msgauge {

struct TransportError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// What a transport was told to do and does, by name: wait, transport, encoding. The stack's file compares it with what was
// asked for; the string `library()` is for people.
using Settings = std::vector<std::pair<std::string, std::string>>;

template <class T>
concept TellsSettings = requires(const T& transport) {
  { transport.settings() } -> std::same_as<Settings>;
};

template <class T>
concept Transport = requires(T& transport, const void* from, void* into, std::size_t bytes, int peer, int tag) {
  { transport.rank() } -> std::convertible_to<int>;
  { transport.size() } -> std::convertible_to<int>;
  transport.send(from, bytes, peer, tag);
  transport.recv(into, bytes, peer, tag);
  { transport.library() } -> std::convertible_to<std::string>;
  transport.abort(1);
};

template <class T>
concept HasIsend = requires(T& transport, const void* from, std::size_t bytes, int peer, int tag) {
  { transport.isend(from, bytes, peer, tag) } -> std::same_as<typename T::Request>;
};
template <class T>
concept HasIrecv = requires(T& transport, void* into, std::size_t bytes, int peer, int tag) {
  { transport.irecv(into, bytes, peer, tag) } -> std::same_as<typename T::Request>;
};
template <class T>
concept HasWait = requires(T& transport, typename T::Request& request) { transport.wait(request); };
template <class T>
concept HasTest = requires(T& transport, typename T::Request& request) {
  { transport.test(request) } -> std::same_as<bool>;
};
template <class T>
concept HasSendrecv = requires(T& transport, const void* from, void* into, std::size_t bytes, int peer, int tag) {
  transport.sendrecv(from, bytes, peer, into, bytes, peer, tag);
};
// A transport that lives in a time of its own (a simulator); `wait_until` lets a rank skip to an agreed start.
template <class T>
concept HasClock = requires(T& transport, std::int64_t time_ns) {
  { transport.now_ns() } -> std::same_as<std::int64_t>;
  transport.wait_until(time_ns);
};

// A farm: rank 0 gives tasks to whichever worker is free, and gets answers in the order in which they come; who worked is
// told with each. Tasks that are no more than the workers who wait go to one each.
struct TaskAnswer {
  int worker = 0;
  const void* data = nullptr;  // until the next call
  std::size_t bytes = 0;
};
template <class T>
concept HasTasks = requires(T& transport, const void* from, void* into, std::size_t bytes, int count) {
  transport.give(from, bytes, count);  // rank 0: so many tasks of the same bytes
  transport.share(from, bytes);        // rank 0: bytes that each worker has before its next task
  { transport.next_answer() } -> std::same_as<TaskAnswer>;
  { transport.answers_at_hand() } -> std::same_as<std::size_t>;  // that next_answer gives without waiting
  transport.take(into, bytes);         // a worker's next task
  { transport.take_at_most(into, bytes) } -> std::same_as<std::size_t>;  // the same, of any size up to this
  transport.take_shared(into, bytes);  // what was shared last
  transport.answer(from, bytes);
};

// The stack's own timer, in seconds: measured as a kernel, never used to measure.
template <class T>
concept HasWtime = requires(T& transport) {
  { transport.wtime() } -> std::convertible_to<double>;
  { transport.wtick() } -> std::convertible_to<double>;
};

// Ranks that read clocks of their own though one system runs them all (simulated ones): what tells these apart.
template <class T>
concept TellsClock = requires(const T& transport) {
  { transport.clock_identity() } -> std::convertible_to<std::string>;
};

// Hooks, not capabilities: told of the launch before measuring; told whether the bytes of messages matter just now;
// told which kernel comes next.
template <class T>
concept HearsOfLaunch = requires(T& transport, const Launch& launch) { transport.begin(launch); };
template <class T>
concept HearsOfContents = requires(T& transport, bool matter) { transport.contents(matter); };
template <class T>
concept HearsOfKernel = requires(T& transport, std::string_view name) { transport.kernel(name); };

// Room for requests in kernels; empty for transports that have none.
template <class T, std::size_t Count>
struct RequestRowOf {
  struct type {};
};
template <HasIsend T, std::size_t Count>
struct RequestRowOf<T, Count> {
  using type = std::array<typename T::Request, Count>;
};
template <class T, std::size_t Count>
using RequestRow = typename RequestRowOf<T, Count>::type;

// The same when their number is known only at run time.
template <class T>
struct RequestListOf {
  struct type {};
};
template <HasIsend T>
struct RequestListOf<T> {
  using type = std::vector<typename T::Request>;
};
template <class T>
using RequestList = typename RequestListOf<T>::type;

// --- the proof that a header's line of capabilities tells the truth ------------------------------------------------

constexpr bool names(std::string_view words, std::string_view wanted) {
  while (!words.empty()) {
    const auto end = words.find(' ');
    if (words.substr(0, end) == wanted) return true;
    if (end == std::string_view::npos) return false;
    words.remove_prefix(end + 1);
  }
  return false;
}

struct Capability {
  std::string_view word;
  bool present;
};

template <Transport T>
inline constexpr std::array capabilities_of{
    Capability{"send", true},
    Capability{"recv", true},
    Capability{"isend", HasIsend<T>},
    Capability{"irecv", HasIrecv<T>},
    Capability{"wait", HasWait<T>},
    Capability{"test", HasTest<T>},
    Capability{"sendrecv", HasSendrecv<T>},
    Capability{"ssend", HasSsend<T>},
    Capability{"bsend", HasBsend<T>},
    Capability{"rsend", HasRsend<T>},
    Capability{"persistent", HasPersistent<T>},
    Capability{"probe", HasProbe<T>},
    Capability{"any_source", HasAnySource<T>},
    Capability{"any_tag", HasAnyTag<T>},
    Capability{"datatype", HasDatatype<T>},
    Capability{"barrier", HasBarrier<T>},
    Capability{"bcast", HasBcast<T>},
    Capability{"scatter", HasScatter<T>},
    Capability{"scatterv", HasScatterv<T>},
    Capability{"gather", HasGather<T>},
    Capability{"gatherv", HasGatherv<T>},
    Capability{"allgather", HasAllgather<T>},
    Capability{"allgatherv", HasAllgatherv<T>},
    Capability{"reduce", HasReduce<T>},
    Capability{"allreduce", HasAllreduce<T>},
    Capability{"reduce_scatter", HasReduceScatter<T>},
    Capability{"scan", HasScan<T>},
    Capability{"exscan", HasExscan<T>},
    Capability{"alltoall", HasAlltoall<T>},
    Capability{"alltoallv", HasAlltoallv<T>},
    Capability{"ibarrier", HasIbarrier<T>},
    Capability{"ibcast", HasIbcast<T>},
    Capability{"iscatter", HasIscatter<T>},
    Capability{"iscatterv", HasIscatterv<T>},
    Capability{"igather", HasIgather<T>},
    Capability{"igatherv", HasIgatherv<T>},
    Capability{"iallgather", HasIallgather<T>},
    Capability{"iallgatherv", HasIallgatherv<T>},
    Capability{"ireduce", HasIreduce<T>},
    Capability{"iallreduce", HasIallreduce<T>},
    Capability{"ireduce_scatter", HasIreduceScatter<T>},
    Capability{"iscan", HasIscan<T>},
    Capability{"iexscan", HasIexscan<T>},
    Capability{"ialltoall", HasIalltoall<T>},
    Capability{"ialltoallv", HasIalltoallv<T>},
    Capability{"put", HasPut<T>},
    Capability{"get", HasGet<T>},
    Capability{"accumulate", HasAccumulate<T>},
    Capability{"fetch_op", HasFetchOp<T>},
    Capability{"compare_swap", HasCompareSwap<T>},
    Capability{"fence", HasFence<T>},
    Capability{"lock", HasLock<T>},
    Capability{"flush", HasFlush<T>},
    Capability{"tasks", HasTasks<T>},
    Capability{"wtime", HasWtime<T>},
    Capability{"clock", HasClock<T>},
};

// Every present operation is named, and every name is a present operation.
template <Transport T>
constexpr bool tells_the_truth(std::string_view words) {
  std::size_t named = 0, given = words.empty() ? 0 : 1;
  for (const char letter : words) given += letter == ' ';
  for (const auto& capability : capabilities_of<T>) {
    if (names(words, capability.word) != capability.present) return false;
    named += capability.present;
  }
  return named == given;
}

}  // namespace msgauge
