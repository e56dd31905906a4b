// Ranks that behave as told by their first argument: `order`, `crash`, `hang`. Works over every native transport.
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

int behave(Transport& transport, std::string_view how) {
  if (how == "order") {
    int code = transport.rank() < 2 ? in_order(transport) : 0;
    if (code == 0 && transport.rank() < 2) code = by_tag(transport);
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
