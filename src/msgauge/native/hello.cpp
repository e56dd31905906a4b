// The proof of a stack: every rank says who it is and which library it runs, after a message has gone round all of them.
//
// It compiles in a second where the worker takes several, so it is what discovery builds. One translation unit:
//   MPICXX -std=c++20 -O2 -DMSGAUGE_TRANSPORT=mpi -I NATIVE NATIVE/hello.cpp -o hello
// Prints the line that the worker's --hello prints (docs/reference/wire-protocol.md).
#include <cstdio>
#include <exception>
#include <string>

#define MSGAUGE_QUOTE(text) #text
#define MSGAUGE_QUOTED(text) MSGAUGE_QUOTE(text)
#include MSGAUGE_QUOTED(transports/MSGAUGE_TRANSPORT.hpp)

#include "algorithms.hpp"
#include "wire.hpp"
#include "rank_info.hpp"

namespace {

namespace chosen = msgauge::transports::MSGAUGE_TRANSPORT;

int say_hello(chosen::Transport& transport) {
  msgauge::algorithms::dissemination_barrier(transport, transport.size());
  msgauge::wire::Header line(-1, "launch", "hello");
  line.add("size", std::int64_t{transport.size()});
  msgauge::describe_library(line, transport);
  line.add("transport", MSGAUGE_QUOTED(MSGAUGE_TRANSPORT));
  msgauge::describe_rank(line, transport.rank());
  const auto text = "msgauge-hello " + line.line() + "\n";
  std::fwrite(text.data(), 1, text.size(), stdout);
  std::fflush(stdout);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return chosen::launch(argc, argv, say_hello);
  } catch (const std::exception& failure) {
    std::fprintf(stderr, "msgauge: %s\n", failure.what());
    return 70;
  }
}
