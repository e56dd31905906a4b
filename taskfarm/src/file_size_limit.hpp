// While it lives, a file that would grow beyond RLIMIT_FSIZE is an error (EFBIG) of the calling thread, and no SIGXFSZ that ends
// the process.
#pragma once

#include <pthread.h>
#include <signal.h>

#include <cerrno>
#include <ctime>

namespace taskfarm {

class FileSizeSignal {
 public:
  FileSizeSignal() {
    sigemptyset(&signal_);
    sigaddset(&signal_, SIGXFSZ);
    pthread_sigmask(SIG_BLOCK, &signal_, &before_);
    waited_before_ = sigismember(&before_, SIGXFSZ) == 1 && waits();
  }
  FileSizeSignal(const FileSizeSignal&) = delete;
  ~FileSizeSignal() {
    const int error = errno;
    const timespec at_once{};
    if (!waited_before_ && waits())
      while (sigtimedwait(&signal_, nullptr, &at_once) < 0 && errno == EINTR) {}
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
    errno = error;
  }

 private:
  static bool waits() {
    sigset_t pending;
    return sigpending(&pending) == 0 && sigismember(&pending, SIGXFSZ) == 1;
  }

  sigset_t signal_, before_;
  bool waited_before_;  // somebody else's
};

}  // namespace taskfarm
