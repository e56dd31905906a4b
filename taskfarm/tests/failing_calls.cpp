#include "failing_calls.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstdlib>
#include <initializer_list>
#include <new>
#include <random>

namespace {

std::atomic<unsigned> harmless{0}, costly{0}, memory{0}, seed{0}, threads{0};
std::atomic<unsigned long> count{0}, lacks{0};

std::minstd_rand& chance() {
  thread_local std::minstd_rand random(seed.load() + 7919 * threads.fetch_add(1));
  return random;
}

bool one_in(const std::atomic<unsigned>& rate) {
  const unsigned bound = rate.load(std::memory_order_relaxed);
  if (bound == 0 || chance()() % bound != 0) return false;
  count.fetch_add(1, std::memory_order_relaxed);
  return true;
}

bool fails(const std::atomic<unsigned>& rate, std::initializer_list<int> reasons) {
  if (!one_in(rate)) return false;
  errno = *(reasons.begin() + chance()() % reasons.size());
  return true;
}

// Fewer than there are, now and then.
std::size_t part_of(std::size_t bytes) { return bytes > 1 && one_in(harmless) ? 1 + chance()() % (bytes - 1) : bytes; }

template <class F>
F real(F, const char* name) {
  return reinterpret_cast<F>(dlsym(RTLD_NEXT, name));
}

// Known before there are threads: a thread that waits for another's `static` to be known does that by this call, and would wait
// for this one by itself.
using Syscall = long (*)(long, ...);
const Syscall real_syscall = reinterpret_cast<Syscall>(dlsym(RTLD_NEXT, "syscall"));

// As much of a message as `bytes`, in parts of its own.
std::size_t cut(msghdr& message, iovec* parts, std::size_t most, std::size_t bytes) {
  std::size_t used = 0;
  for (; used < std::min<std::size_t>(message.msg_iovlen, most) && bytes > 0; ++used) {
    parts[used] = message.msg_iov[used];
    parts[used].iov_len = std::min(parts[used].iov_len, bytes);
    bytes -= parts[used].iov_len;
  }
  message.msg_iov = parts;
  message.msg_iovlen = used;
  return used;
}

std::size_t size_of(const msghdr& message) {
  std::size_t bytes = 0;
  for (std::size_t i = 0; i < message.msg_iovlen; ++i) bytes += message.msg_iov[i].iov_len;
  return bytes;
}

}  // namespace

void* operator new(std::size_t bytes) {
  if (failing_calls::in_library && one_in(memory)) {
    lacks.fetch_add(1, std::memory_order_relaxed);
    throw std::bad_alloc();
  }
  void* const found = std::malloc(bytes == 0 ? 1 : bytes);
  if (found == nullptr) throw std::bad_alloc();
  return found;
}
void operator delete(void* place) noexcept { std::free(place); }
void operator delete(void* place, std::size_t) noexcept { std::free(place); }

namespace failing_calls {

thread_local bool in_library = false;

void begin(unsigned first, Rates rates) {
  seed = first;
  harmless = rates.harmless;
  costly = rates.costly;
  memory = rates.memory;
}
void end() { harmless = costly = memory = 0; }
unsigned long happened() { return count; }
unsigned long of_memory() { return lacks; }

}  // namespace failing_calls

#define REAL(name) static const auto call = real(&::name, #name)
#define FAILS(rate, ...)                       \
  do {                                         \
    if (fails(rate, {__VA_ARGS__})) return -1; \
  } while (false)

extern "C" {

ssize_t recv(int fd, void* data, size_t bytes, int flags) {
  REAL(recv);
  if ((flags & MSG_DONTWAIT) != 0) FAILS(harmless, EAGAIN, EINTR);
  else FAILS(harmless, EINTR);
  FAILS(costly, ENOMEM, ENOBUFS, ECONNRESET);
  return call(fd, data, (flags & MSG_PEEK) != 0 ? bytes : part_of(bytes), flags);
}

ssize_t send(int fd, const void* data, size_t bytes, int flags) {
  REAL(send);
  if ((flags & MSG_DONTWAIT) != 0) FAILS(harmless, EAGAIN, EINTR);
  else FAILS(harmless, EINTR);
  FAILS(costly, ENOMEM, ENOBUFS, EPIPE);
  return call(fd, data, part_of(bytes), flags);
}

ssize_t recvmsg(int fd, msghdr* message, int flags) {
  REAL(recvmsg);
  FAILS(harmless, EINTR);
  FAILS(costly, ENOMEM, ENOBUFS);
  return call(fd, message, flags);
}

ssize_t sendmsg(int fd, const msghdr* message, int flags) {
  REAL(sendmsg);
  FAILS(harmless, EINTR, EAGAIN);
  FAILS(costly, ENOMEM, ENOBUFS, ETOOMANYREFS);
  const size_t bytes = size_of(*message), part = part_of(bytes);
  if (part == bytes || message->msg_controllen > 0) return call(fd, message, flags);
  msghdr less = *message;
  iovec parts[64];
  cut(less, parts, 64, part);
  return call(fd, &less, flags);
}

ssize_t read(int fd, void* data, size_t bytes) {
  REAL(read);
  FAILS(harmless, EINTR);
  return call(fd, data, part_of(bytes));
}

ssize_t write(int fd, const void* data, size_t bytes) {
  REAL(write);
  FAILS(harmless, EINTR);
  if (bytes > 8) FAILS(costly, ENOSPC, EIO);  // an eventfd has no such errors
  return call(fd, data, bytes > 8 ? part_of(bytes) : bytes);
}

ssize_t pwrite(int fd, const void* data, size_t bytes, off_t at) {
  REAL(pwrite);
  FAILS(harmless, EINTR);
  FAILS(costly, ENOSPC, EIO);
  return call(fd, data, part_of(bytes), at);
}

int fallocate(int fd, int mode, off_t at, off_t bytes) {
  REAL(fallocate);
  FAILS(harmless, EINTR);
  FAILS(costly, ENOSPC, EOPNOTSUPP);
  return call(fd, mode, at, bytes);
}

int accept4(int fd, sockaddr* address, socklen_t* length, int flags) {
  REAL(accept4);
  FAILS(harmless, EINTR, EAGAIN, ECONNABORTED);
  FAILS(costly, EMFILE, ENFILE, ENOBUFS, ENOMEM, EPERM);
  return call(fd, address, length, flags);
}

int connect(int fd, const sockaddr* address, socklen_t length) {
  REAL(connect);
  FAILS(costly, EAGAIN, ECONNREFUSED, ENOBUFS);
  return call(fd, address, length);
}

int socket(int domain, int type, int protocol) {
  REAL(socket);
  FAILS(costly, EMFILE, ENFILE, ENOBUFS, ENOMEM);
  return call(domain, type, protocol);
}

int epoll_wait(int fd, epoll_event* events, int most, int timeout) {
  REAL(epoll_wait);
  FAILS(harmless, EINTR);
  return call(fd, events, most > 1 && one_in(harmless) ? 1 : most, timeout);
}

int epoll_ctl(int fd, int what, int other, epoll_event* event) {
  REAL(epoll_ctl);
  if (what == EPOLL_CTL_ADD) FAILS(costly, ENOMEM, ENOSPC);
  return call(fd, what, other, event);
}

int poll(pollfd* fds, nfds_t many, int timeout) {
  REAL(poll);
  FAILS(harmless, EINTR);
  return call(fds, many, timeout);
}

int memfd_create(const char* name, unsigned flags) {
  static const auto call = reinterpret_cast<int (*)(const char*, unsigned)>(dlsym(RTLD_NEXT, "memfd_create"));
  FAILS(costly, EMFILE, ENFILE, ENOMEM);
  return call(name, flags);
}

void* mmap(void* place, size_t bytes, int protection, int flags, int fd, off_t offset) {
  static const auto call = reinterpret_cast<void* (*)(void*, size_t, int, int, int, off_t)>(dlsym(RTLD_NEXT, "mmap"));
  if (fd >= 0 && fails(costly, {ENOMEM, EAGAIN})) return reinterpret_cast<void*>(-1);
  return call(place, bytes, protection, flags, fd, offset);
}

int eventfd(unsigned value, int flags) {
  static const auto call = reinterpret_cast<int (*)(unsigned, int)>(dlsym(RTLD_NEXT, "eventfd"));
  FAILS(costly, EMFILE, ENFILE, ENOMEM);
  return call(value, flags);
}

int fdatasync(int fd) {
  REAL(fdatasync);
  FAILS(costly, EIO, ENOSPC);
  return call(fd);
}

// Of the library these are waits on a futex, which may end without a reason. Six arguments are read, however many were given, as
// the C library's own does: AddressSanitizer is not to look.
__attribute__((no_sanitize("address"))) long syscall(long number, ...) {
  va_list given;
  va_start(given, number);
  long arguments[6];
  for (long& argument : arguments) argument = va_arg(given, long);
  va_end(given);
  if (number == SYS_futex && (arguments[1] & FUTEX_CMD_MASK) == FUTEX_WAIT) FAILS(harmless, EINTR, EAGAIN);
  return real_syscall(number, arguments[0], arguments[1], arguments[2], arguments[3], arguments[4], arguments[5]);
}

}  // extern "C"
