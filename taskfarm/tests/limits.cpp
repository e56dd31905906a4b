// What a process may have: files that may not grow. In C a write beyond RLIMIT_FSIZE ends the process by SIGXFSZ.
#include <doctest/doctest.h>

#include <csignal>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <string>
#include <thread>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "file_size_limit.hpp"
#include "taskfarm.h"

namespace {

// In a child, whose limits and end are its own: what waitpid says of it. The child returns 0 when all is as it should be.
// ThreadSanitizer writes at _exit what is left in stdio's buffers, and where this is a file the child's limit would end it.
int status_of_child(const std::function<int()>& body) {
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    signal(SIGXFSZ, SIG_DFL);
    _exit(body());
  }
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  return status;
}

bool allow_files_of(rlim_t bytes) {
  rlimit limit{};
  getrlimit(RLIMIT_FSIZE, &limit);
  limit.rlim_cur = bytes;
  return setrlimit(RLIMIT_FSIZE, &limit) == 0;
}

int journal_meets_its_limit(const std::string& file) {
  tf_farm_options options;
  tf_farm_options_init(&options);
  options.journal = file.c_str();
  tf_farm* farm = nullptr;
  if (!allow_files_of(10'000)) return 1;
  if (tf_listen(("unix://@taskfarm-limits-" + file).c_str(), &options, &farm) != TF_OK) return 2;
  const std::string task(1000, 'x');
  std::uint64_t id = 0, accepted = 0;
  int code;
  while ((code = tf_submit(farm, task.data(), task.size(), nullptr, 0, &id)) == TF_OK) ++accepted;
  if (code != TF_JOURNAL || id != 0 || accepted < 5 || accepted > 9) return 3;
  if (std::string(tf_error()).find("File too large") == std::string::npos) return 4;
  tf_statistics now{};
  if (tf_stats(farm, &now) != TF_OK || now.submitted != accepted || now.journal_errors == 0) return 5;
  if (!allow_files_of(RLIM_INFINITY)) return 6;
  if (tf_submit(farm, task.data(), task.size(), nullptr, 0, &id) != TF_OK || id != accepted + 1) return 7;
  tf_close(farm, 0);
  if (tf_listen(("unix://@taskfarm-limits-" + file).c_str(), &options, &farm) != TF_OK) return 8;
  if (tf_stats(farm, &now) != TF_OK || now.recovered != accepted + 1) return 9;
  tf_close(farm, 0);
  if (!allow_files_of(5'000)) return 10;  // less than what is to be taken over
  if (tf_listen(("unix://@taskfarm-limits-" + file).c_str(), &options, &farm) != TF_JOURNAL) return 11;
  if (!allow_files_of(RLIM_INFINITY)) return 12;
  if (tf_listen(("unix://@taskfarm-limits-" + file).c_str(), &options, &farm) != TF_OK) return 13;
  if (tf_stats(farm, &now) != TF_OK || now.recovered != accepted + 1) return 14;
  tf_close(farm, 0);
  return 0;
}

int a_worker_joins_within(rlim_t bytes) {
  if (!allow_files_of(bytes)) return 1;
  const std::string url = "unix://@taskfarm-limits-" + std::to_string(getpid());
  tf_farm* farm = nullptr;
  if (tf_listen(url.c_str(), nullptr, &farm) != TF_OK) return 2;
  std::thread worker([&] {
    tf_worker* side = nullptr;
    if (tf_connect(url.c_str(), nullptr, &side) != TF_OK) return;
    tf_task task;
    while (tf_recv(side, &task, -1) == TF_OK) tf_reply(side, task.data, task.bytes);
    tf_leave(side);
  });
  tf_result result{};
  std::size_t count = 0;
  tf_submit(farm, "x", 1, nullptr, 0, nullptr);
  const int code = tf_next(farm, &result, 1, 10'000, &count);
  const bool done = code == TF_OK && result.status == TF_DONE && result.bytes == 1;
  tf_close(farm, 1000);
  worker.join();
  return done ? 0 : 3;
}

bool signal_waits() {
  sigset_t pending;
  return sigpending(&pending) == 0 && sigismember(&pending, SIGXFSZ) == 1;
}

// What waited before is somebody's who takes it himself, by sigwait perhaps.
int signals_of_others_stay() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGXFSZ);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  {
    const taskfarm::FileSizeSignal none;
    raise(SIGXFSZ);
  }
  if (signal_waits()) return 1;
  raise(SIGXFSZ);
  {
    const taskfarm::FileSizeSignal none;
    raise(SIGXFSZ);
  }
  return signal_waits() ? 0 : 2;
}

}  // namespace

TEST_CASE("a journal beyond RLIMIT_FSIZE is an error, and neither the end of the process nor of the journal") {
  const std::string file = "journal-of-limits-test." + std::to_string(getpid());
  CHECK(status_of_child([&] { return journal_meets_its_limit(file); }) == 0);
  unlink(file.c_str());
}

TEST_CASE("where files may not be as large as shared memory a worker joins without it") {
  CHECK(status_of_child([] { return a_worker_joins_within(4096); }) == 0);
  CHECK(status_of_child([] { return a_worker_joins_within(0); }) == 0);
}

TEST_CASE("SIGXFSZ that waited before the journal was written waits still") {
  CHECK(status_of_child(signals_of_others_stay) == 0);
}
