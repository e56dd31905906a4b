// Ranks are children of one process, joined pairwise by socket pairs. The whole of a transport: rank size send recv.
#pragma once

#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "command_line.hpp"
#include "transport.hpp"

namespace msgauge::transports::toy {

inline constexpr std::string_view capabilities = "send recv";

class Transport {
 public:
  Transport(int rank, std::vector<int> lines) : rank_(rank), lines_(std::move(lines)), early_(lines_.size()) {}

  int rank() const { return rank_; }
  int size() const { return static_cast<int>(lines_.size()); }
  std::string library() const { return "msgauge toy 1"; }
  [[noreturn]] void abort(int code) { std::_Exit(code); }

  void send(const void* from, std::size_t bytes, int peer, int tag) {
    const Head head{tag, bytes};
    push(peer, &head, sizeof head);
    push(peer, from, bytes);
  }

  // Messages of other tags that come before the wanted one are kept.
  void recv(void* into, std::size_t bytes, int peer, int tag) {
    auto& early = early_[static_cast<std::size_t>(peer)];
    for (auto one = early.begin(); one != early.end(); ++one) {
      if (one->tag != tag) continue;
      one->data.copy(static_cast<char*>(into), bytes);
      early.erase(one);
      return;
    }
    for (;;) {
      Head head{};
      pull(peer, &head, sizeof head);
      if (head.tag == tag) return pull(peer, into, head.bytes);
      std::string data(head.bytes, '\0');
      pull(peer, data.data(), head.bytes);
      early.push_back({head.tag, std::move(data)});
    }
  }

 private:
  struct Head {
    int tag;
    std::size_t bytes;
  };
  struct Early {
    int tag;
    std::string data;
  };

  void push(int peer, const void* from, std::size_t bytes) {
    for (std::size_t done = 0; done < bytes;) {
      const auto more = ::send(lines_[static_cast<std::size_t>(peer)], static_cast<const char*>(from) + done,
                               bytes - done, MSG_NOSIGNAL);
      if (more <= 0) throw TransportError("a rank is gone");
      done += static_cast<std::size_t>(more);
    }
  }
  void pull(int peer, void* into, std::size_t bytes) {
    for (std::size_t done = 0; done < bytes;) {
      const auto more =
          ::recv(lines_[static_cast<std::size_t>(peer)], static_cast<char*>(into) + done, bytes - done, 0);
      if (more <= 0) throw TransportError("a rank is gone");
      done += static_cast<std::size_t>(more);
    }
  }

  int rank_;
  std::vector<int> lines_;
  std::vector<std::deque<Early>> early_;
};

template <class Body>
int launch(int argc, char** argv, Body body) {
  const int ranks = ranks_wanted(argc, argv);
  std::vector<std::vector<int>> lines(static_cast<std::size_t>(ranks), std::vector<int>(static_cast<std::size_t>(ranks), -1));
  for (std::size_t a = 0; a < lines.size(); ++a)
    for (std::size_t b = a + 1; b < lines.size(); ++b) {
      int pair[2];
      if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0) return 70;
      lines[a][b] = pair[0];
      lines[b][a] = pair[1];
    }
  int rank = 0;
  for (int child = 1; child < ranks && rank == 0; ++child)
    if (fork() == 0) rank = child;
  Transport transport(rank, lines[static_cast<std::size_t>(rank)]);
  const int code = body(transport);
  if (rank != 0) std::_Exit(code);
  int worst = code;
  for (int status = 0; wait(&status) > 0;)
    if (status != 0) worst = 70;
  return worst;
}

}  // namespace msgauge::transports::toy
