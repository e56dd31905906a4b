// Which message goes to which receive: by source and tag, in the order sent and the order posted. For transports that
// match by themselves. A message that comes before its receive is kept until then.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <list>
#include <string>
#include <vector>

#include "../transport.hpp"

namespace msgauge::transports {

inline constexpr int anyone = -1;  // as a source, or as a tag

// A receive that waits for its message, or is being filled. Who posts it keeps it in place until `done`.
struct Receive {
  void* into = nullptr;
  std::size_t room = 0;
  int source = 0;
  int tag = 0;
  bool done = false;
  int from = anyone;  // who sent what came, with which tag, and how much
  int with = anyone;
  std::size_t bytes = 0;
};

struct Unexpected;

// The message that is arriving from one peer: where its next byte goes, and how many are missing.
struct Arrival {
  unsigned char* place = nullptr;
  std::size_t missing = 0;
  Receive* filling = nullptr;
  Unexpected* keeping = nullptr;
};

struct Unexpected {
  int source = 0;
  int tag = 0;
  std::vector<unsigned char> data;
  Arrival* arriving = nullptr;  // null once it is whole
};

class Mailbox {
 public:
  // `slack`: by how many bytes what comes may be announced too long (a library that pads its messages).
  explicit Mailbox(std::size_t slack = 0) : slack_(slack) {}

  // A message has been announced: from here on its bytes go to `arrival.place`.
  void begin(Arrival& arrival, int source, int tag, std::size_t bytes) {
    arrival.missing = bytes;
    const auto found = std::find_if(posted_.begin(), posted_.end(),
                                    [&](const Receive* one) { return fits(one->source, one->tag, source, tag); });
    if (found != posted_.end()) {
      arrival.filling = *found;
      posted_.erase(found);
      grant(*arrival.filling, source, tag, bytes);
      arrival.missing = arrival.filling->bytes;
      arrival.place = static_cast<unsigned char*>(arrival.filling->into);
      return;
    }
    auto& kept = unexpected_.emplace_back();
    kept.source = source;
    kept.tag = tag;
    kept.data.resize(bytes);
    kept.arriving = &arrival;
    arrival.keeping = &kept;
    arrival.place = kept.data.data();
  }

  // All of its bytes are there.
  static void end(Arrival& arrival) {
    if (arrival.filling) arrival.filling->done = true;
    if (arrival.keeping) arrival.keeping->arriving = nullptr;
    arrival.filling = nullptr;
    arrival.keeping = nullptr;
  }

  // A message that is there as a whole.
  void deliver(int source, int tag, const void* from, std::size_t bytes) {
    Arrival arrival;
    begin(arrival, source, tag, bytes);
    if (bytes > 0) std::memcpy(arrival.place, from, bytes);
    end(arrival);
  }

  // The receive takes a message that came before it, or waits in line.
  void post(Receive& one) {
    for (auto early = unexpected_.begin(); early != unexpected_.end(); ++early) {
      if (!fits(one.source, one.tag, early->source, early->tag)) continue;
      adopt(*early, one);
      unexpected_.erase(early);
      return;
    }
    posted_.push_back(&one);
  }

  // The first message kept that such a receive would take; null when there is none.
  const Unexpected* peek(int source, int tag) const {
    for (const auto& early : unexpected_)
      if (fits(source, tag, early.source, early.tag)) return &early;
    return nullptr;
  }

  bool idle() const { return posted_.empty(); }
  bool expects(int source) const {
    return std::any_of(posted_.begin(), posted_.end(),
                       [&](const Receive* one) { return one->source == source; });
  }

 private:
  static bool fits(int wanted_source, int wanted_tag, int source, int tag) {
    return (wanted_source == source || wanted_source == anyone) && (wanted_tag == tag || wanted_tag == anyone);
  }

  void grant(Receive& one, int source, int tag, std::size_t bytes) const {
    if (bytes > one.room + slack_)
      throw TransportError("a message of " + std::to_string(bytes) + " bytes came for a buffer of " +
                           std::to_string(one.room));
    one.from = source;
    one.with = tag;
    one.bytes = std::min(bytes, one.room);
  }

  // What has come is copied; what is still missing goes to the receive's buffer directly.
  void adopt(Unexpected& early, Receive& one) const {
    grant(one, early.source, early.tag, early.data.size());
    const auto have = early.arriving ? early.data.size() - early.arriving->missing : one.bytes;
    if (have > 0) std::memcpy(one.into, early.data.data(), have);
    one.done = early.arriving == nullptr;
    if (one.done) return;
    early.arriving->keeping = nullptr;
    early.arriving->filling = &one;
    early.arriving->place = static_cast<unsigned char*>(one.into) + have;
  }

  std::size_t slack_;
  std::vector<Receive*> posted_;
  std::list<Unexpected> unexpected_;
};

}  // namespace msgauge::transports
