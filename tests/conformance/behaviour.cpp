// Ranks that behave as told by their first argument: `order`, `ring`, `crash`, `hang`. Over every native transport.
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#define MSGAUGE_QUOTE(text) #text
#define MSGAUGE_QUOTED(text) MSGAUGE_QUOTE(text)
#include MSGAUGE_QUOTED(transports/MSGAUGE_TRANSPORT.hpp)

namespace {

namespace chosen = msgauge::transports::MSGAUGE_TRANSPORT;
using Transport = chosen::Transport;
constexpr int messages = 200;

int wrong(const char* what, int at) {
  std::fprintf(stderr, "conformance: %s at message %d\n", what, at);
  return 3;
}

// Messages of one tag arrive in the order sent, whatever their sizes.
int in_order(Transport& transport) {
  for (int i = 0; i < messages; ++i) {
    std::vector<int> message(static_cast<std::size_t>(1 + (i * 7919) % 30'000), i);
    const auto bytes = message.size() * sizeof(int);
    if (transport.rank() == 0) {
      transport.send(message.data(), bytes, 1, 5);
    } else {
      std::vector<int> got(message.size(), -1);
      transport.recv(got.data(), bytes, 0, 5);
      if (got != message) return wrong("another message", i);
    }
  }
  return 0;
}

// Receives take the message of their tag, also when another one was sent before it.
int by_tag(Transport& transport) {
  if constexpr (requires { typename Transport::Request; }) {
    int first = -1, second = -1;
    const int one = 1, two = 2;
    if (transport.rank() == 0) {
      auto a = transport.isend(&one, sizeof one, 1, 11);
      auto b = transport.isend(&two, sizeof two, 1, 12);
      transport.wait(a);
      transport.wait(b);
    } else {
      auto b = transport.irecv(&second, sizeof second, 0, 12);
      transport.wait(b);
      auto a = transport.irecv(&first, sizeof first, 0, 11);
      transport.wait(a);
      if (first != 1 || second != 2) return wrong("another tag", first * 10 + second);
    }
  }
  return 0;
}

// A token goes round, growing by one at each rank; then every rank reports to rank 0. One rank alone has nobody to ask.
int round_the_ring(Transport& transport) {
  const int rank = transport.rank(), size = transport.size();
  for (int lap = 0; lap < 3 && size > 1; ++lap) {
    int token = lap;
    if (rank > 0) transport.recv(&token, sizeof token, rank - 1, 21);
    ++token;
    transport.send(&token, sizeof token, (rank + 1) % size, 21);
    if (rank == 0) transport.recv(&token, sizeof token, size - 1, 21);
    if (rank == 0 && token != lap + size) return wrong("a token of another value", token);
  }
  std::vector<int> report(1000, rank);
  const auto bytes = report.size() * sizeof(int);
  if (rank > 0) transport.send(report.data(), bytes, 0, 22);
  for (int other = 1; rank == 0 && other < size; ++other) {
    transport.recv(report.data(), bytes, other, 22);
    if (report != std::vector<int>(1000, other)) return wrong("another rank's report", other);
  }
  return 0;
}

int behave(Transport& transport, std::string_view how) {
  if (how == "order" || how == "ring") {
    int code = how == "order" ? in_order(transport) : round_the_ring(transport);
    if (code == 0 && how == "order") code = by_tag(transport);
    if (code == 0) std::printf("conformance: rank %d of %d is content\n", transport.rank(), transport.size());
    std::fflush(stdout);
    return code;
  }
  if (transport.rank() == 1 && how == "crash") std::abort();
  char byte = 0;
  if (how == "hang") for (;;) pause();
  transport.recv(&byte, 1, 1 - transport.rank(), 99);  // the crashed one never sends it
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string how = argc > 1 ? argv[1] : "";
  return chosen::launch(argc, argv, [&](Transport& transport) { return behave(transport, how); });
}
