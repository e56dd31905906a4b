// A worker that answers with what it was sent: echo_worker URL [PROCESSES] [KEY_FILE]
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>

#include "taskfarm.h"

namespace {

int echo(void*, tf_worker* worker, const tf_task* task) {
  tf_reply(worker, task->data, task->bytes);
  return 0;
}

int work(const char* url, const char* key_file) {
  tf_worker_options options;
  tf_worker_options_init(&options);
  options.key_file = key_file;
  tf_worker* worker = nullptr;
  if (tf_connect(url, &options, &worker) != TF_OK) {
    std::fprintf(stderr, "echo_worker: %s\n", tf_error());
    return 1;
  }
  const int code = tf_run(worker, echo, nullptr);
  tf_leave(worker);
  return code == TF_OK || code == TF_CLOSED ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return std::fprintf(stderr, "usage: echo_worker URL [PROCESSES] [KEY_FILE]\n"), 2;
  const int processes = argc > 2 ? std::atoi(argv[2]) : 1;
  const char* key_file = argc > 3 ? argv[3] : nullptr;
  const pid_t parent = getpid();
  for (int i = 1; i < processes; ++i) {
    if (fork() != 0) continue;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) return 0;
    return work(argv[1], key_file);
  }
  const int code = work(argv[1], key_file);
  while (wait(nullptr) > 0) {}
  return code;
}
