// What a bare TCP connection between two computers gives: the floor under every library that uses it.
//
//   link_probe serve                        writes its port, answers one client, ends
//   link_probe ADDRESS PORT BYTES...        writes a line "bytes=... half_round_trip_ns=... [half_ping_ns=...]" for each
//                                           size, and at last "bytes_per_s=..."
//
// Half round trips are medians, by sockets that block or by sockets that are polled (a processor is left to others
// between two looks), whichever is faster in a short series of each: stacks wait in either way. A ping (ICMP echo, answered
// by the other kernel) of as many bytes of content goes where one frame holds it and this process may send it. The rate is
// that of one long transfer, acknowledged at its end.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/ip.h>
#include <netinet/ip_icmp.h>
#include <netinet/tcp.h>
#include <sched.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <vector>

namespace {

constexpr int warm_up = 50, most_round_trips = 400, least_round_trips = 5;
constexpr std::int64_t most_bytes = 1 << 20, one_frame_bytes = 1400;
constexpr std::int64_t series_ns = 150'000'000, transfer_ns = 300'000'000, second_ns = 1'000'000'000;
constexpr std::int64_t sizes_ns = 8 * second_ns;  // on a link of 100 ms all of them would take half a minute

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

// A plain socket, as the least program would use it.
void give(int connection, const void* from, std::size_t bytes) {
  for (const auto* at = static_cast<const char*>(from); bytes > 0;) {
    const auto sent = send(connection, at, bytes, MSG_NOSIGNAL);
    if (sent <= 0) fail("cannot send");
    at += sent;
    bytes -= static_cast<std::size_t>(sent);
  }
}

enum Waiting : std::int64_t { blocks, polls };

void take(int connection, void* to, std::size_t bytes, Waiting waiting = blocks) {
  for (auto* at = static_cast<char*>(to); bytes > 0;) {
    const auto got = recv(connection, at, bytes, waiting == polls ? MSG_DONTWAIT : 0);
    if (got < 0 && waiting == polls && (errno == EAGAIN || errno == EWOULDBLOCK)) {
      sched_yield();
      continue;
    }
    if (got <= 0) fail("cannot receive");
    at += got;
    bytes -= static_cast<std::size_t>(got);
  }
}

// What the client says before it begins; without bytes it goes on to the transfer.
struct Series {
  std::int64_t bytes = 0, messages = 0;
  Waiting waiting = blocks;
};

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
  for (Series series; take(connection, &series, sizeof series), series.bytes > 0;) {
    if (series.bytes > most_bytes) return 1;
    std::vector<char> message(static_cast<std::size_t>(series.bytes));
    for (std::int64_t i = 0; i < series.messages; ++i) {
      take(connection, message.data(), message.size(), series.waiting);
      give(connection, message.data(), message.size());
    }
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

sockaddr_in address_of(const char* address, const char* port) {
  sockaddr_in there{};
  there.sin_family = AF_INET;
  there.sin_port = htons(static_cast<std::uint16_t>(std::atoi(port)));
  if (inet_pton(AF_INET, address, &there.sin_addr) != 1) fail("not an address");
  return there;
}

// How many times something is done that took so long once: for a fixed time, within bounds.
int repetitions(std::int64_t once_ns, int most, int least) {
  return static_cast<int>(std::clamp<std::int64_t>(series_ns / std::max<std::int64_t>(once_ns, 1), least, most));
}

std::int64_t median_half(std::vector<std::int64_t>& times) {
  std::nth_element(times.begin(), times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2), times.end());
  return times[times.size() / 2] / 2;
}

std::vector<std::int64_t> exchange(int connection, const Series& series) {
  give(connection, &series, sizeof series);
  std::vector<char> message(static_cast<std::size_t>(series.bytes));
  std::vector<std::int64_t> times;
  for (std::int64_t i = 0; i < series.messages; ++i) {
    const auto begin = now_ns();
    give(connection, message.data(), message.size());
    take(connection, message.data(), message.size(), series.waiting);
    times.push_back(now_ns() - begin);
  }
  return times;
}

std::uint16_t checksum(const std::vector<std::uint8_t>& packet) {
  std::uint32_t sum = 0;
  for (std::size_t at = 0; at < packet.size(); ++at) sum += at % 2 ? packet[at] : packet[at] * 256u;
  sum = (sum & 0xffff) + (sum >> 16);
  return htons(static_cast<std::uint16_t>(~((sum & 0xffff) + (sum >> 16))));
}

// One echo request and its answer; false where none came within a second.
bool echo(int raw, const sockaddr_in& there, std::vector<std::uint8_t>& packet, std::uint16_t number) {
  icmphdr head{};
  head.type = ICMP_ECHO;
  head.un.echo.id = htons(static_cast<std::uint16_t>(getpid()));
  head.un.echo.sequence = htons(number);
  std::memcpy(packet.data(), &head, sizeof head);
  head.checksum = checksum(packet);
  std::memcpy(packet.data(), &head, sizeof head);
  if (sendto(raw, packet.data(), packet.size(), 0, reinterpret_cast<const sockaddr*>(&there), sizeof there) < 0) return false;
  std::vector<std::uint8_t> answer(packet.size() + 64);
  for (;;) {  // a raw socket is shown what is meant for others too
    const auto got = recv(raw, answer.data(), answer.size(), 0);
    if (got < 0) return false;
    const auto skip = static_cast<std::size_t>(answer[0] & 15) * 4;
    if (static_cast<std::size_t>(got) < skip + sizeof head) continue;
    icmphdr back{};
    std::memcpy(&back, answer.data() + skip, sizeof back);
    if (back.type == ICMP_ECHOREPLY && back.un.echo.id == head.un.echo.id && back.un.echo.sequence == head.un.echo.sequence)
      return true;
  }
}

// The median half of the pings; 0 where they may not be sent or are not answered.
std::int64_t half_ping(const sockaddr_in& there, std::int64_t bytes) {
  const int raw = socket(AF_INET, SOCK_RAW | SOCK_CLOEXEC, IPPROTO_ICMP);
  if (raw < 0) return 0;
  const timeval patience{1, 0};
  setsockopt(raw, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  std::vector<std::uint8_t> packet(sizeof(icmphdr) + static_cast<std::size_t>(bytes));
  std::vector<std::int64_t> times;
  std::uint16_t number = 0;
  for (int left = least_round_trips + warm_up; left > 0; --left) {
    const auto begin = now_ns();
    if (!echo(raw, there, packet, ++number)) break;
    times.push_back(now_ns() - begin);
    if (times.size() == 1) left = repetitions(times[0], most_round_trips, least_round_trips);
  }
  close(raw);
  return times.size() < static_cast<std::size_t>(least_round_trips) ? 0 : median_half(times);
}

double transfer(int connection) {
  const Series end;
  give(connection, &end, sizeof end);
  const std::vector<char> block(1 << 18);
  const auto begin = now_ns();
  while (now_ns() - begin < transfer_ns) give(connection, block.data(), block.size());
  shutdown(connection, SHUT_WR);
  std::int64_t arrived = 0;
  take(connection, &arrived, sizeof arrived);
  return static_cast<double>(arrived) * 1e9 / static_cast<double>(now_ns() - begin);
}

// The median of exchanges that wait in the faster way; those that find out which one it is are the warm-up.
std::int64_t half_round_trip(int connection, std::int64_t bytes) {
  Waiting faster = blocks;
  std::int64_t least_ns = std::numeric_limits<std::int64_t>::max();
  for (const auto waiting : {blocks, polls}) {
    const auto first = exchange(connection, {bytes, 2, waiting})[1];  // the first one finds the way
    auto times = exchange(connection, {bytes, repetitions(first, warm_up, 1), waiting});
    const auto half_ns = median_half(times);
    if (half_ns < least_ns) faster = waiting;
    least_ns = std::min(least_ns, half_ns);
  }
  auto times = exchange(connection, {bytes, repetitions(2 * least_ns, most_round_trips, least_round_trips), faster});
  return median_half(times);
}

int probe(const char* address, const char* port, int count, char** sizes) {
  const auto there = address_of(address, port);
  const int connection = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (connect(connection, reinterpret_cast<const sockaddr*>(&there), sizeof there) != 0) fail("cannot connect");
  at_once(connection);
  const auto begin = now_ns();
  for (int at = 0; at < count && (at == 0 || now_ns() - begin < sizes_ns); ++at) {
    const std::int64_t bytes = std::atoll(sizes[at]);
    if (bytes < 1 || bytes > most_bytes) fail("a size that is not sent");
    const auto half_ns = half_round_trip(connection, bytes);
    std::printf("bytes=%lld half_round_trip_ns=%lld", static_cast<long long>(bytes), static_cast<long long>(half_ns));
    if (const auto ping_ns = bytes <= one_frame_bytes ? half_ping(there, bytes) : 0; ping_ns > 0)
      std::printf(" half_ping_ns=%lld", static_cast<long long>(ping_ns));
    std::printf("\n");
    std::fflush(stdout);
  }
  std::printf("bytes_per_s=%.0f\n", transfer(connection));
  return 0;
}

}  // namespace

int main(int count, char** words) {
  if (count == 2 && std::strcmp(words[1], "serve") == 0) return serve();
  if (count >= 4) return probe(words[1], words[2], count - 3, words + 3);
  std::fprintf(stderr, "usage: link_probe serve | link_probe ADDRESS PORT BYTES...\n");
  return 2;
}
