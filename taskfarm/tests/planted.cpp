// A fault that this build must report, where reports get lost: in a child whose output goes nowhere and whose status does
// not tell. planted FAULT; without an argument: the name of the fault that this build sees.
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <climits>
#include <cstdio>
#include <cstring>
#include <thread>

namespace {

volatile int number = INT_MAX;
volatile int shared_numbers[1000];

[[gnu::noinline]] int use_after_free() {
  int* const memory = new int[4];
  delete[] memory;
  return *const_cast<volatile int*>(memory);
}

[[gnu::noinline]] int overflow() { return number + 1; }

// One race of two threads goes unseen in one or two of a hundred runs (TSan's own records race as well); a thousand, met
// from both ends, do not.
[[gnu::noinline]] int race() {
  std::thread other([] {
    for (volatile int& shared : shared_numbers) shared = 1;
  });
  for (int at = 999; at >= 0; --at) shared_numbers[at] = 2;
  other.join();
  return shared_numbers[0];
}

const char* fault_of(const char* sanitizer) {
  return std::strcmp(sanitizer, "address") == 0 ? "use-after-free" : std::strcmp(sanitizer, "undefined") == 0 ? "overflow" : "race";
}

int commit(const char* fault) {
  if (std::strcmp(fault, "race") == 0) return race();
  return std::strcmp(fault, "overflow") == 0 ? overflow() : use_after_free();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return std::puts(fault_of(TASKFARM_SANITIZE)), 0;
  const pid_t child = fork();
  if (child == 0) {
    const int nowhere = open("/dev/null", O_WRONLY);
    dup2(nowhere, 1);
    dup2(nowhere, 2);
    number = commit(argv[1]);
    _exit(42);
  }
  waitpid(child, nullptr, 0);
  return 0;
}
