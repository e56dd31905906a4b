#include "hello.hpp"

#include <sched.h>
#include <sys/random.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <fstream>

#include "failure.hpp"

namespace taskfarm {
namespace {

constexpr std::string_view magic = "TASKFARM";
constexpr std::size_t hello_fixed = 52, welcome_fixed = 80;

template <class T>
void put(std::string& out, T value) {
  out.append(reinterpret_cast<const char*>(&value), sizeof value);
}

template <class T>
T get(std::string_view in, std::size_t at) {
  T value;
  std::memcpy(&value, in.data() + at, sizeof value);
  return value;
}

void put(std::string& out, const Identity& identity) {
  out.append(reinterpret_cast<const char*>(identity.data()), identity.size());
}

Identity get_identity(std::string_view in, std::size_t at) {
  Identity identity;
  std::memcpy(identity.data(), in.data() + at, identity.size());
  return identity;
}

}  // namespace

std::string encode(const Hello& hello) {
  std::string out(magic);
  put(out, hello.version_min);
  put(out, hello.version_max);
  put(out, hello.features);
  put(out, hello.identity);
  put(out, hello.host);
  put(out, hello.pid);
  put(out, hello.cores);
  put(out, static_cast<std::uint8_t>(hello.role));
  put(out, std::uint8_t{0});
  const std::string name = hello.name.substr(0, 255);
  put(out, static_cast<std::uint16_t>(name.size()));
  return out + name;
}

std::optional<Hello> decode_hello(std::string_view payload) {
  if (payload.size() < hello_fixed || payload.substr(0, magic.size()) != magic) return std::nullopt;
  Hello hello;
  hello.version_min = get<std::uint16_t>(payload, 8);
  hello.version_max = get<std::uint16_t>(payload, 10);
  hello.features = get<std::uint32_t>(payload, 12);
  hello.identity = get_identity(payload, 16);
  hello.host = get<std::uint64_t>(payload, 32);
  hello.pid = get<std::uint32_t>(payload, 40);
  hello.cores = get<std::uint32_t>(payload, 44);
  const auto role = get<std::uint8_t>(payload, 48);
  const auto name_bytes = get<std::uint16_t>(payload, 50);
  if (role > 1 || hello.version_min > hello.version_max || payload.size() < hello_fixed + name_bytes) return std::nullopt;
  hello.role = static_cast<Role>(role);
  hello.name = printable(payload.substr(hello_fixed, name_bytes));
  std::replace_if(hello.name.begin(), hello.name.end(), [](char c) { return c == '"' || c == '\\'; }, '?');  // for JSON
  return hello;
}

std::string printable(std::string_view said) {
  std::string shown(said);
  std::replace_if(shown.begin(), shown.end(), [](char c) { return c < ' ' || c > '~'; }, '?');
  return shown;
}

std::string encode(const Welcome& welcome) {
  std::string out;
  put(out, welcome.version);
  put(out, std::uint16_t{0});
  put(out, welcome.features);
  put(out, welcome.farm);
  put(out, welcome.heartbeat_ms);
  put(out, welcome.heartbeat_timeout_ms);
  put(out, welcome.grace_ms);
  put(out, welcome.ranks);
  put(out, welcome.max_frame_bytes);
  put(out, welcome.number);
  put(out, static_cast<std::uint32_t>(welcome.local_name.size()));
  put(out, welcome.token);
  put(out, welcome.ring_bytes);
  put(out, welcome.slot);
  return out + welcome.local_name;
}

std::optional<Welcome> decode_welcome(std::string_view payload) {
  if (payload.size() < welcome_fixed) return std::nullopt;
  Welcome welcome;
  welcome.version = get<std::uint16_t>(payload, 0);
  welcome.features = get<std::uint32_t>(payload, 4);
  welcome.farm = get_identity(payload, 8);
  welcome.heartbeat_ms = get<std::uint32_t>(payload, 24);
  welcome.heartbeat_timeout_ms = get<std::uint32_t>(payload, 28);
  welcome.grace_ms = get<std::uint32_t>(payload, 32);
  welcome.ranks = get<std::uint32_t>(payload, 36);
  welcome.max_frame_bytes = get<std::uint64_t>(payload, 40);
  welcome.number = get<std::uint32_t>(payload, 48);
  const auto name_bytes = get<std::uint32_t>(payload, 52);
  welcome.token = get_identity(payload, 56);
  welcome.ring_bytes = get<std::uint32_t>(payload, 72);
  welcome.slot = get<std::uint32_t>(payload, 76);
  if (name_bytes > 100 || payload.size() < welcome_fixed + name_bytes || welcome.heartbeat_ms == 0) return std::nullopt;
  welcome.local_name = payload.substr(welcome_fixed, name_bytes);
  return welcome;
}

Identity random_identity() {
  Identity identity;
  if (getrandom(identity.data(), identity.size(), 0) != static_cast<ssize_t>(identity.size())) fail_system("getrandom");
  return identity;
}

std::uint64_t host_key() {
  std::ifstream file("/proc/sys/kernel/random/boot_id");
  std::string text;
  std::getline(file, text);
  if (text.empty()) text = host_name();
  std::uint64_t hash = 14695981039346656037ULL;  // FNV-1a
  for (const unsigned char c : text) hash = (hash ^ c) * 1099511628211ULL;
  return hash;
}

std::string host_name() {
  char name[256] = "";
  gethostname(name, sizeof name - 1);
  return name;
}

unsigned usable_cores() {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) != 0) return 1;
  return static_cast<unsigned>(CPU_COUNT(&set));
}

}  // namespace taskfarm
