// The floor of shared memory: what moving the bytes to another core and back costs. floor_shared 1 BYTES 1 TASKS
// No library, no task, no sleep: the sides write in turn, each pinned to a core, looks busily, and copies what came. What
// costs nothing extra helps: lines are pushed out after they are written, and asked for as soon as the other side is done.
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

constexpr std::size_t line = 64, most = 65536;

struct Side {
  alignas(64) std::atomic<std::uint64_t> written;
  alignas(4096) char bytes[most];
};

void pin(int core) {
  cpu_set_t cores;
  CPU_ZERO(&cores);
  CPU_SET(core, &cores);
  sched_setaffinity(0, sizeof cores, &cores);
}

void write_to(Side& side, const char* from, std::size_t bytes, std::uint64_t turn) {
  std::memcpy(side.bytes, from, bytes);
  side.written.store(turn, std::memory_order_release);
#ifdef __x86_64__
  for (std::size_t at = 0; at < bytes; at += line) asm volatile("cldemote %0" : : "m"(side.bytes[at]));
  for (std::size_t at = 0; at < bytes; at += line) asm volatile("prefetchw %0" : : "m"(side.bytes[at]));
#endif
}

void read_from(const Side& side, char* to, std::size_t bytes, std::uint64_t turn) {
  while (side.written.load(std::memory_order_acquire) < turn) {
#ifdef __x86_64__
    __builtin_ia32_pause();
#endif
  }
  for (std::size_t at = 0; at < bytes; at += line) __builtin_prefetch(side.bytes + at);
  std::memcpy(to, side.bytes, bytes);
}

}  // namespace

int main(int argc, char** argv) {
  const std::size_t bytes = argc == 5 ? std::strtoul(argv[2], nullptr, 10) : 0;
  if (argc != 5 || std::atoi(argv[1]) != 1 || std::atoi(argv[3]) != 1 || bytes > most)
    return std::fprintf(stderr, "usage: floor_shared 1 BYTES 1 TASKS (one worker, one in flight, at most 64 KiB)\n"), 2;
  const std::uint64_t tasks = std::strtoul(argv[4], nullptr, 10), warm_up = tasks / 10;
  auto* const sides = static_cast<Side*>(
      mmap(nullptr, 2 * sizeof(Side), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  if (sides == MAP_FAILED) return 1;
  static char buffer[most];
  if (fork() == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    pin(1);
    for (std::uint64_t turn = 1; turn <= warm_up + tasks; ++turn) {
      read_from(sides[0], buffer, bytes, turn);
      write_to(sides[1], buffer, bytes, turn);
    }
    _exit(0);
  }
  pin(0);
  auto begun = std::chrono::steady_clock::now();
  for (std::uint64_t turn = 1; turn <= warm_up + tasks; ++turn) {
    if (turn == warm_up + 1) begun = std::chrono::steady_clock::now();
    write_to(sides[0], buffer, bytes, turn);
    read_from(sides[1], buffer, bytes, turn);
  }
  const std::chrono::duration<double, std::micro> passed = std::chrono::steady_clock::now() - begun;
  std::printf("%.3f\n", passed.count() / static_cast<double>(tasks));
}
