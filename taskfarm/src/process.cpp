#include "process.hpp"

#include <pthread.h>

#include <array>
#include <atomic>
#include <string>

#include <unistd.h>

#include "failure.hpp"
#include "socket.hpp"

namespace taskfarm {
namespace {

constexpr std::size_t watched_limit = 16384;
std::array<std::atomic<int>, watched_limit> watched{};  // fd + 1 by fd; a fixed array, because a child may only read it
std::atomic<int> watched_end{0};

void begin_child() {
  forks_before_this_process.fetch_add(1, std::memory_order_relaxed);
  const int end = watched_end.load();
  for (int fd = 0; fd < end; ++fd)
    if (watched[static_cast<std::size_t>(fd)].exchange(0) != 0) close(fd);
}

void hear_of_forks() {
  static const int registered = pthread_atfork(nullptr, nullptr, begin_child);
  (void)registered;
}

}  // namespace

std::atomic<unsigned> forks_before_this_process{0};

MadeHere::MadeHere() {
  hear_of_forks();
  forks_ = forks_before_this_process.load(std::memory_order_relaxed);
}

void MadeHere::refuse(const char* what) {
  throw Failure(TF_INVALID, "this " + std::string(what) + " belongs to the process that made it, and this one is its child by "
                                "fork; make another one here");
}

void close_in_children(int fd) {
  hear_of_forks();
  if (fd < 0 || static_cast<std::size_t>(fd) >= watched_limit) return;
  watched[static_cast<std::size_t>(fd)].store(fd + 1);
  int end = watched_end.load();
  while (end <= fd && !watched_end.compare_exchange_weak(end, fd + 1)) {}
}

void forget_in_children(int fd) {
  if (fd >= 0 && static_cast<std::size_t>(fd) < watched_limit) watched[static_cast<std::size_t>(fd)].store(0);
}

}  // namespace taskfarm
