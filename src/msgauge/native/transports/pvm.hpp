// PVM 3.4: tasks that enrol in a virtual machine whose daemon is up. Messages are packed and sent, and received and
// unpacked, as its manual teaches; how is told by MSGAUGE_PVM ("route=direct,encoding=raw,call=psend,bcast=mcast,PvmFragSize=65536").
//
// Ranks are started by execution/local_launcher.py, not by pvm_spawn, so that they stand in the same conditions as all others'.
#pragma once

#include <pvm3.h>
#include <unistd.h>

#include <algorithm>
#include <climits>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "../transport.hpp"
#include "matching.hpp"
#include "bootstrap.hpp"
#include "pvm_group.hpp"

namespace msgauge::transports::pvm {

inline constexpr std::string_view capabilities =
    "send recv isend irecv wait test any_source any_tag barrier bcast scatter gather reduce";

// What the words of a variant choose.
struct Ways {
  bool direct = false;
  bool psend = false;
  bool mcast = false;
  int encoding = PvmDataDefault;
  int fragment = 0;  // bytes; 0: as PVM has it

  // XDR fills a message up to a multiple of four bytes, and its length is told so.
  std::size_t padding() const { return encoding == PvmDataDefault && !psend ? 3 : 0; }

  static Ways from_environment() {
    const auto words = "," + environment("MSGAUGE_PVM") + ",";
    const auto has = [&](const char* word) { return words.find(std::string(",") + word + ",") != std::string::npos; };
    Ways ways;
    ways.direct = has("route=direct");
    ways.psend = has("call=psend");
    ways.mcast = has("bcast=mcast");
    if (has("encoding=raw")) ways.encoding = PvmDataRaw;
    if (has("encoding=inplace")) ways.encoding = PvmDataInPlace;
    constexpr std::string_view fragment = ",PvmFragSize=";
    if (const auto at = words.find(fragment); at != std::string::npos)
      ways.fragment = std::stoi(words.substr(at + fragment.size()));
    return ways;
  }
};

class Transport {
 public:
  struct Request {
    std::unique_ptr<Receive> receive;  // null: a send, which is done when pvm_send comes back
  };

  static constexpr int any_source = anyone;
  static constexpr int any_tag = anyone;

  explicit Transport(const Bootstrap& membership)
      : own_(membership),
        ways_(Ways::from_environment()),
        group_("msgauge-" + own_.token),
        mailbox_(ways_.padding()) {
    const int me = must(pvm_mytid(), "cannot enrol: is pvmd up?");
    must(pvm_setopt(PvmRoute, ways_.direct ? PvmRouteDirect : PvmDontRoute), "cannot choose the route");
    if (ways_.fragment > 0) must(pvm_setopt(PvmFragSize, ways_.fragment), "cannot choose the size of fragments");
    for (const auto& place : meet(own_, std::to_string(me))) {
      ranks_[std::stoi(place)] = static_cast<int>(tids_.size());
      tids_.push_back(std::stoi(place));
    }
    if (ways_.direct && own_.size > 1) prove_direct();
  }
  Transport(const Transport&) = delete;
  Transport& operator=(const Transport&) = delete;
  ~Transport() { pvm_exit(); }

  int rank() const { return own_.rank; }
  int size() const { return own_.size; }
  std::string library() const {
    return "PVM " + std::string(pvm_version()) + ", route " + route() + ", encoding " + encoding() + ", by " +
           (ways_.psend ? "psend and precv" : "pack and send");
  }
  Settings settings() const {
    return {{"transport", route()}, {"encoding", encoding()}, {"call", ways_.psend ? "psend" : "pack"}};
  }
  [[noreturn]] void abort(int code) {
    std::fflush(nullptr);
    std::_Exit(code);
  }

  void send(const void* from, std::size_t bytes, int dest, int tag) {
    if (dest == own_.rank) return mailbox_.deliver(dest, tag, from, bytes);
    auto* data = plain(from);
    if (ways_.psend) {
      must(pvm_psend(tid(dest), tag, data, count(bytes), PVM_BYTE), "pvm_psend failed");
      return;
    }
    pack(data, bytes);
    must(pvm_send(tid(dest), tag), "pvm_send failed");
  }

  void recv(void* into, std::size_t bytes, int source, int tag) {
    Receive one{into, bytes, source, tag};
    take(one);
  }

  Request isend(const void* from, std::size_t bytes, int dest, int tag) {
    send(from, bytes, dest, tag);
    return {};
  }

  Request irecv(void* into, std::size_t bytes, int source, int tag) {
    Request request{std::make_unique<Receive>(Receive{into, bytes, source, tag})};
    mailbox_.post(*request.receive);
    return request;
  }

  void wait(Request& request) {
    while (request.receive && !request.receive->done) accept(must(pvm_recv(-1, -1), "pvm_recv failed"));
  }

  bool test(Request& request) {
    while (request.receive && !request.receive->done) {
      const int buffer = must(pvm_nrecv(-1, -1), "pvm_nrecv failed");
      if (buffer == 0) return false;
      accept(buffer);
    }
    return true;
  }

  // --- the group library of PVM: one group of all ranks, made before its first use ------------------------------------

  void barrier() {
    if (joined()) must(pvm_barrier(group_.name(), own_.size), "pvm_barrier failed");
  }

  void bcast(void* data, std::size_t bytes, int root) {
    if (!joined()) return;
    const InContext ours(group_);
    const int tag = next_tag();
    if (own_.rank != root) return unpack(must(pvm_recv(tid(root), tag), "pvm_recv failed"), data, bytes);
    pack(plain(data), bytes);
    if (!ways_.mcast) {
      must(pvm_bcast(group_.name(), tag), "pvm_bcast failed");
      return;
    }
    auto others = tids_;
    others.erase(others.begin() + root);
    must(pvm_mcast(others.data(), static_cast<int>(others.size()), tag), "pvm_mcast failed");
  }

  void scatter(const void* from, void* into, std::size_t bytes, int root) {
    if (bytes == 0) return;  // PVM refuses to count nothing
    if (!joined()) return copy(from, into, bytes);
    const InContext ours(group_);
    must(pvm_scatter(into, plain(from), count(bytes), PVM_BYTE, next_tag(), group_.name(), root), "pvm_scatter failed");
  }

  void gather(const void* from, void* into, std::size_t bytes, int root) {
    if (bytes == 0) return;  // PVM refuses to count nothing
    if (!joined()) return copy(from, into, bytes);
    const InContext ours(group_);
    must(pvm_gather(into, plain(from), count(bytes), PVM_BYTE, next_tag(), group_.name(), root), "pvm_gather failed");
  }

  // PVM combines in place, on every rank: the contribution is copied first, as part of what it costs.
  void reduce(const void* from, void* into, std::size_t elements, Element element, Operator op, int root) {
    const auto bytes = elements * bytes_of(element);
    if (bytes == 0) return;
    void* work = into;
    if (own_.rank != root) {
      if (work_.size() < bytes) work_.resize(bytes);
      work = work_.data();
    }
    copy(from, work, bytes);
    if (!joined()) return;
    const InContext ours(group_);
    const auto units = element == Element::int64 ? bytes : elements;
    must(pvm_reduce(combination(element, op), work, count(units), type_of(element), next_tag(), group_.name(), root),
         "pvm_reduce failed");
  }

 private:
  std::string route() const { return ways_.direct ? "direct" : "default"; }
  std::string encoding() const {
    constexpr std::array<const char*, 3> encodings{"default", "raw", "inplace"};
    return encodings[static_cast<std::size_t>(ways_.encoding)];
  }

  static constexpr int proof_tag = 40'000;
  static constexpr int group_tags = 1 << 20;

  static int must(int result, const char* what) {
    if (result < 0) throw TransportError(std::string(what) + " (PVM error " + std::to_string(result) + ")");
    return result;
  }
  static int count(std::size_t size) {
    if (size > static_cast<std::size_t>(INT_MAX))
      throw TransportError("PVM cannot count a message of " + std::to_string(size) + " bytes");
    return static_cast<int>(size);
  }
  static char* plain(const void* memory) { return static_cast<char*>(const_cast<void*>(memory)); }
  static void copy(const void* from, void* into, std::size_t bytes) {
    if (bytes > 0) std::memcpy(into, from, bytes);
  }
  // One a collective: PVM takes what has the tag, and a fast rank's next contribution would be taken for its last.
  int next_tag() { return (collective_ = (collective_ + 1) % group_tags); }
  int tid(int rank) const { return tids_[static_cast<std::size_t>(rank)]; }

  void pack(char* data, std::size_t bytes) {
    must(pvm_initsend(ways_.encoding), "pvm_initsend failed");
    if (bytes > 0) must(pvm_pkbyte(data, count(bytes), 1), "pvm_pkbyte failed");
  }

  static std::size_t length_of(int buffer, int& tag, int& sender) {
    int bytes = 0;
    must(pvm_bufinfo(buffer, &bytes, &tag, &sender), "pvm_bufinfo failed");
    return static_cast<std::size_t>(bytes);
  }

  void unpack(int buffer, void* into, std::size_t room) const {
    int tag = 0, sender = 0;
    auto bytes = length_of(buffer, tag, sender);
    if (bytes > room && bytes - room <= ways_.padding()) bytes = room;
    if (bytes > room)
      throw TransportError("a message of " + std::to_string(bytes) + " bytes came for a buffer of " + std::to_string(room));
    if (bytes > 0) must(pvm_upkbyte(static_cast<char*>(into), static_cast<int>(bytes), 1), "pvm_upkbyte failed");
  }

  // Waits for one message. PVM matches by source and tag itself, unless receives were posted before this one.
  void take(Receive& one) {
    if (mailbox_.idle() && (one.source != own_.rank) && !mailbox_.peek(one.source, one.tag)) {
      const int source = one.source == anyone ? -1 : tid(one.source);
      if (ways_.psend) return take_directly(one, source);
      const int buffer = must(pvm_recv(source, one.tag), "pvm_recv failed");
      return unpack(buffer, one.into, one.room);
    }
    mailbox_.post(one);
    while (!one.done) accept(must(pvm_recv(-1, -1), "pvm_recv failed"));
  }

  static void take_directly(const Receive& one, int source) {
    int bytes = 0;
    must(pvm_precv(source, one.tag, one.into, count(one.room), PVM_BYTE, nullptr, nullptr, &bytes), "pvm_precv failed");
    if (static_cast<std::size_t>(bytes) > one.room)
      throw TransportError("a message of " + std::to_string(bytes) + " bytes came for a buffer of " +
                           std::to_string(one.room));
  }

  // Sorts a message that came for whom it may concern.
  void accept(int buffer) {
    int tag = 0, sender = 0;
    const auto bytes = length_of(buffer, tag, sender);
    const auto source = ranks_.find(sender);
    if (source == ranks_.end()) return;  // not of this job
    Arrival arrival;
    mailbox_.begin(arrival, source->second, tag, bytes);
    auto* place = reinterpret_cast<char*>(arrival.place);
    if (arrival.missing > 0) must(pvm_upkbyte(place, static_cast<int>(arrival.missing), 1), "pvm_upkbyte failed");
    Mailbox::end(arrival);
  }

  // PVM goes through the daemons without a word where it finds no direct way; one message round the ring shows it.
  void prove_direct() {
    char byte = 0;
    send(&byte, 1, (own_.rank + 1) % own_.size, proof_tag);
    recv(&byte, 1, (own_.rank + own_.size - 1) % own_.size, proof_tag);
    int* descriptors = nullptr;
    if (pvm_getfds(&descriptors) < 2) throw TransportError("PVM has opened no direct connection between tasks");
  }

  bool joined() {
    if (own_.size == 1) return false;
    if (!group_.made()) join();
    return true;
  }

  // In the order of ranks, as PVM numbers members in the order they come.
  void join() {
    char turn = 0;
    if (own_.rank > 0) recv(&turn, 1, own_.rank - 1, proof_tag);
    group_.join(own_.rank);
    if (own_.rank + 1 < own_.size) send(&turn, 1, own_.rank + 1, proof_tag);
    group_.freeze(own_.size);
  }

  const Bootstrap own_;
  const Ways ways_;
  Group group_;
  Mailbox mailbox_;
  std::vector<int> tids_;
  std::unordered_map<int, int> ranks_;  // of tids
  std::vector<unsigned char> work_;
  int collective_ = 0;
};

template <class Body>
int launch(int, char**, Body body) {
  allow_many_files();
  Transport transport(Bootstrap::from_environment());
  return body(transport);
}

}  // namespace msgauge::transports::pvm
