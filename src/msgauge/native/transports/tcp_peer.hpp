// What the tcp transport keeps of each peer: the socket, bytes read ahead, and messages on their way in and out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

namespace msgauge::transports::tcp {

// Goes before every message, in the sender's byte order (all ranks are of one architecture).
struct Envelope {
  std::uint64_t bytes;
  std::int32_t tag;
  std::int32_t mark;
};
inline constexpr std::int32_t envelope_mark = 0x6D736721;

// A receive that waits for its message, or is being filled.
struct Receive {
  void* into = nullptr;
  std::size_t bytes = 0;
  int tag = 0;
  bool done = false;
};

// A send that the socket has not taken whole.
struct Send {
  Envelope envelope{};
  const unsigned char* from = nullptr;
  std::size_t left_envelope = 0;
  std::size_t left = 0;
  bool done = false;
};

struct Unexpected {
  int tag = 0;
  std::size_t bytes = 0;
  std::vector<unsigned char> data;
  bool whole = false;
};

// All that concerns one peer: the socket, bytes read ahead, and both sides' queues.
struct Peer {
  int socket = -1;
  bool closed = false;
  std::unique_ptr<unsigned char[]> ahead;
  std::size_t held = 0;  // bytes of a split envelope at the front of `ahead`
  std::deque<Receive*> posted;
  std::deque<std::unique_ptr<Unexpected>> unexpected;
  std::deque<Send*> sends;
  // The message that is arriving: where its next byte goes.
  unsigned char* place = nullptr;
  std::size_t missing = 0;
  Receive* filling = nullptr;
  Unexpected* keeping = nullptr;
};

}  // namespace msgauge::transports::tcp
