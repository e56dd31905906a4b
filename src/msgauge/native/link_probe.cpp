// What a bare TCP connection between two computers gives: the floor under every library that uses it.
//
//   link_probe serve                 writes its port, answers one client, ends
//   link_probe ADDRESS PORT          writes "half_round_trip_ns=... bytes_per_s=..."
//
// The half round trip is the median over 8-byte messages; the rate is that of one long transfer, acknowledged at its end.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

namespace {

constexpr int warm_up = 50, round_trips = 400;
constexpr std::size_t message_bytes = 8;
constexpr std::int64_t transfer_ns = 300'000'000, second_ns = 1'000'000'000;

std::int64_t now_ns() {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * second_ns + time.tv_nsec;
}

[[noreturn]] void fail(const char* what) {
  std::perror(what);
  std::exit(1);
}

void at_once(int connection) {
  const int yes = 1;
  setsockopt(connection, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
}

// A plain blocking socket, as the least program would use it.
void give(int connection, const void* from, std::size_t bytes) {
  for (const auto* at = static_cast<const char*>(from); bytes > 0;) {
    const auto sent = send(connection, at, bytes, MSG_NOSIGNAL);
    if (sent <= 0) fail("cannot send");
    at += sent;
    bytes -= static_cast<std::size_t>(sent);
  }
}

void take(int connection, void* to, std::size_t bytes) {
  for (auto* at = static_cast<char*>(to); bytes > 0;) {
    const auto got = recv(connection, at, bytes, 0);
    if (got <= 0) fail("cannot receive");
    at += got;
    bytes -= static_cast<std::size_t>(got);
  }
}

int serve() {
  const int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in here{};
  here.sin_family = AF_INET;
  socklen_t length = sizeof here;
  if (bind(listener, reinterpret_cast<sockaddr*>(&here), sizeof here) != 0 || listen(listener, 1) != 0) fail("cannot listen");
  getsockname(listener, reinterpret_cast<sockaddr*>(&here), &length);
  std::printf("%d\n", ntohs(here.sin_port));
  std::fflush(stdout);
  const int connection = accept(listener, nullptr, nullptr);
  at_once(connection);
  char small[message_bytes];
  for (int i = 0; i < warm_up + round_trips; ++i) {
    take(connection, small, sizeof small);
    give(connection, small, sizeof small);
  }
  std::int64_t bytes = 0;
  std::vector<char> block(1 << 18);
  for (;;) {  // the client ends its side when it has sent enough
    const auto got = recv(connection, block.data(), block.size(), 0);
    if (got <= 0) break;
    bytes += got;
  }
  give(connection, &bytes, sizeof bytes);
  return 0;
}

int probe(const char* address, const char* port) {
  sockaddr_in there{};
  there.sin_family = AF_INET;
  there.sin_port = htons(static_cast<std::uint16_t>(std::atoi(port)));
  const int connection = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (inet_pton(AF_INET, address, &there.sin_addr) != 1 ||
      connect(connection, reinterpret_cast<sockaddr*>(&there), sizeof there) != 0)
    fail("cannot connect");
  at_once(connection);
  char small[message_bytes] = {};
  std::vector<std::int64_t> times;
  for (int i = 0; i < warm_up + round_trips; ++i) {
    const auto begin = now_ns();
    give(connection, small, sizeof small);
    take(connection, small, sizeof small);
    if (i >= warm_up) times.push_back(now_ns() - begin);
  }
  std::nth_element(times.begin(), times.begin() + round_trips / 2, times.end());
  const std::vector<char> block(1 << 18);
  const auto begin = now_ns();
  while (now_ns() - begin < transfer_ns) give(connection, block.data(), block.size());
  shutdown(connection, SHUT_WR);
  std::int64_t arrived = 0;
  take(connection, &arrived, sizeof arrived);
  const auto seconds = static_cast<double>(now_ns() - begin) / 1e9;
  std::printf("half_round_trip_ns=%lld bytes_per_s=%.0f\n", static_cast<long long>(times[round_trips / 2] / 2),
              static_cast<double>(arrived) / seconds);
  return 0;
}

}  // namespace

int main(int count, char** words) {
  if (count == 2 && std::strcmp(words[1], "serve") == 0) return serve();
  if (count == 3) return probe(words[1], words[2]);
  std::fprintf(stderr, "usage: link_probe serve | link_probe ADDRESS PORT\n");
  return 2;
}
