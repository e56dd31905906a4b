// Ranks that behave as told by their first argument: `right`, `ring`, `crash`, `hang`. Over every native transport.
//
// `right SEED KNOWN` is a ring, then messages in order and by tag, then every operation against a serial model.
// The transport comes first: a simulator may replace the system's clock, and says what is to stay.
#define MSGAUGE_QUOTE(text) #text
#define MSGAUGE_QUOTED(text) MSGAUGE_QUOTE(text)
#include MSGAUGE_QUOTED(transports/MSGAUGE_TRANSPORT.hpp)

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "operations.hpp"

namespace {

namespace chosen = msgauge::transports::MSGAUGE_TRANSPORT;
using Transport = chosen::Transport;
constexpr int messages = 200;

int wrong(const char* what, int at) {
  std::fprintf(stderr, "conformance: %s at message %d\n", what, at);
  return 3;
}

// Messages of one tag arrive in the order sent, whatever their sizes. Between ranks 0 and 1.
int in_order(Transport& transport) {
  for (int i = 0; i < messages && transport.rank() < 2; ++i) {
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

// Receives take the message of their tag, also when another one was sent before it. Between ranks 0 and 1.
int by_tag(Transport& transport) {
  if constexpr (requires { typename Transport::Request; }) {
    int first = -1, second = -1;
    const int one = 1, two = 2;
    if (transport.rank() == 0) {
      auto a = transport.isend(&one, sizeof one, 1, 11);
      auto b = transport.isend(&two, sizeof two, 1, 12);
      transport.wait(a);
      transport.wait(b);
    } else if (transport.rank() == 1) {
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
  for (int lap = 0; lap < 2 && size > 1; ++lap) {
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

int contented(Transport& transport, int results) {
  std::printf("conformance: rank %d of %d is content, %d results\n", transport.rank(), transport.size(), results);
  std::fflush(stdout);
  return 0;
}

int all_right(Transport& transport, std::uint64_t seed, const std::string& known_fault) {
  for (const auto check : {round_the_ring, in_order, by_tag})
    if (const int code = check(transport)) return code;
  return contented(transport, conformance::check_all(transport, seed, known_fault));
}

int behave(Transport& transport, const std::vector<std::string>& words) {
  const std::string_view how = words[0];
  if (how == "right") return all_right(transport, std::strtoull(words[1].c_str(), nullptr, 10), words[2]);
  if (how == "ring") {
    const int code = round_the_ring(transport);
    return code ? code : contented(transport, 0);
  }
  if (transport.rank() == 1 && how == "crash") std::abort();
  char byte = 0;
  if (how == "hang") for (;;) pause();
  transport.recv(&byte, 1, 1 - transport.rank(), 99);  // the crashed one never sends it
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string> words(argv + 1, argv + argc);
  words.resize(3);
  return chosen::launch(argc, argv, [&](Transport& transport) { return behave(transport, words); });
}
