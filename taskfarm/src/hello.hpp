// What the two sides say before the first task: hello, welcome, attach. docs/protocol.md has the layouts.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace taskfarm {

using Identity = std::array<unsigned char, 16>;

inline constexpr std::uint16_t protocol_version = 1;
inline constexpr std::uint32_t feature_shared_memory = 1;
inline constexpr std::uint32_t known_features = feature_shared_memory;

enum class Role : std::uint8_t { worker = 0, monitor = 1 };

struct Hello {
  std::uint16_t version_min = protocol_version, version_max = protocol_version;
  std::uint32_t features = 0;
  Identity identity{};
  std::uint64_t host = 0;  // equal on both sides when they share a kernel
  std::uint32_t pid = 0, cores = 1;
  Role role = Role::worker;
  std::string name;
};

struct Welcome {
  std::uint16_t version = protocol_version;
  std::uint32_t features = 0;
  Identity farm{};
  std::uint32_t heartbeat_ms = 0, heartbeat_timeout_ms = 0, grace_ms = 0, ranks = 0;
  std::uint64_t max_frame_bytes = 0;
  std::uint32_t number = 0;
  Identity token{};        // to ask for shared memory on the local socket
  std::uint32_t ring_bytes = 0;  // of each direction; 0: no shared memory is offered
  std::uint32_t slot = 0;        // the worker's bit on the board
  std::string local_name;  // abstract name of that socket; empty when shared memory comes with the welcome, or not at all
};

std::string encode(const Hello& hello);
std::string encode(const Welcome& welcome);
std::optional<Hello> decode_hello(std::string_view payload);      // nothing when malformed
std::optional<Welcome> decode_welcome(std::string_view payload);  // nothing when malformed
std::string printable(std::string_view said);  // by a peer, to be shown on a terminal: `?` for what is no printable ASCII

Identity random_identity();
std::uint64_t host_key();  // of the running kernel (boot id), not of the host's name
std::string host_name();
unsigned usable_cores();

}  // namespace taskfarm
