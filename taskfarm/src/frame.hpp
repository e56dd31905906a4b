// The frame: a header of 24 bytes, little-endian, and the payload. docs/protocol.md is the specification.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace taskfarm {

static_assert(std::endian::native == std::endian::little, "the wire is little-endian and headers are copied as they are");

enum class FrameType : std::uint8_t {
  hello = 1,      // worker -> coordinator, the first frame
  welcome = 2,    // coordinator -> worker
  refuse = 3,     // coordinator -> worker: why, then the connection is closed
  ready = 4,      // worker -> coordinator: shared memory taken or not; tasks may come
  task = 5,       // coordinator -> worker
  result = 6,     // worker -> coordinator; value: service time in ns
  failure = 7,    // worker -> coordinator; payload: message
  cancel = 8,     // coordinator -> worker: do not start this task
  broadcast = 9,  // coordinator -> worker; value: version; payload: key length (u16), key, bytes
  heartbeat = 10, // worker -> coordinator; task: the one that runs, or 0
  tune = 11,      // coordinator -> worker; value: ranks on the worker's host
  goodbye = 12,   // coordinator -> worker: no more tasks, go home
  leave = 13,     // worker -> coordinator: unstarted tasks back, please
  attach = 14,    // worker -> coordinator, on the local socket: asks for the shared memory of its connection
  skipped = 15,   // worker -> coordinator: a cancelled task was not started
  statistics = 16,// coordinator -> monitor: JSON
  padding = 17    // either, in a ring: nothing
};
inline constexpr std::uint8_t last_frame_type = 17;

// Flags of result and failure: the worker may hold back later results for a moment.
inline constexpr std::uint8_t flag_holding = 1;
// Flag of ready: tasks go through shared memory from here on.
inline constexpr std::uint8_t flag_shared_memory = 1;
// Flag of ready: frames of padding may come, which may be as long as the ring.
inline constexpr std::uint8_t flag_padding = 2;

struct Header {
  std::uint32_t length = 0;  // bytes of payload behind the header
  FrameType type = FrameType::hello;
  std::uint8_t flags = 0;
  std::uint16_t attempt = 0;
  std::uint64_t task = 0;
  std::uint64_t value = 0;
};
static_assert(sizeof(Header) == 24);
inline constexpr std::size_t header_bytes = sizeof(Header);
inline constexpr std::size_t hello_limit = 1024;  // payload of anything before a hello is accepted

struct Frame {
  Header header;
  const char* payload = nullptr;
  std::string_view view() const { return {payload, header.length}; }
};

enum class Parsed { frame, incomplete, oversize, unknown };

// Takes one frame off [at, end). The header is copied before it is judged, so bytes that another process changes
// meanwhile (shared memory) cannot pass the check with one length and be used with another.
inline Parsed take_frame(const char*& at, const char* end, std::size_t limit, Frame& frame) {
  if (static_cast<std::size_t>(end - at) < header_bytes) return Parsed::incomplete;
  std::memcpy(&frame.header, at, header_bytes);
  const auto type = static_cast<std::uint8_t>(frame.header.type);
  if (type == 0 || type > last_frame_type) return Parsed::unknown;
  if (frame.header.length > limit) return Parsed::oversize;
  if (static_cast<std::size_t>(end - at) < header_bytes + frame.header.length) return Parsed::incomplete;
  frame.payload = at + header_bytes;
  at += header_bytes + frame.header.length;
  return Parsed::frame;
}

inline std::string frame_bytes(Header header, std::string_view payload) {
  header.length = static_cast<std::uint32_t>(payload.size());
  return std::string(reinterpret_cast<const char*>(&header), header_bytes).append(payload);
}

// How many bytes a frame that has begun is short of, or its header while that is not whole.
inline std::size_t missing_of_frame(std::string_view begun) {
  if (begun.size() < header_bytes) return header_bytes - begun.size();
  Header header;
  std::memcpy(&header, begun.data(), header_bytes);
  return header_bytes + header.length - begun.size();
}

}  // namespace taskfarm
