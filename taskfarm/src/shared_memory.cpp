#include "shared_memory.hpp"

#include <fcntl.h>
#include <linux/futex.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <ctime>

#include "failure.hpp"
#include "file_size_limit.hpp"

namespace taskfarm {
namespace {

constexpr std::size_t control_bytes = 4096;
static_assert(sizeof(SegmentControl) <= control_bytes);
constexpr int seals = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL;

Descriptor make_memory(const char* name, std::size_t bytes) {
  Descriptor fd(memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING));
  if (!fd.open()) fail_system("memfd_create");
  const FileSizeSignal none;
  if (ftruncate(fd.get(), static_cast<off_t>(bytes)) != 0) fail_system("ftruncate of shared memory");
  if (fcntl(fd.get(), F_ADD_SEALS, seals) != 0) fail_system("sealing shared memory");
  return fd;
}

// A peer that could shrink the memory could kill this process by SIGBUS.
void check_memory(int fd, std::size_t bytes) {
  struct stat status;
  if (fstat(fd, &status) != 0) fail_system("fstat of shared memory");
  if (status.st_size != static_cast<off_t>(bytes) || (fcntl(fd, F_GET_SEALS) & seals) != seals)
    throw Failure(TF_PROTOCOL, "shared memory of the coordinator has a wrong size or can be shrunk");
}

std::size_t segment_bytes(std::uint32_t ring_bytes) { return control_bytes + 2 * std::size_t{ring_bytes}; }

void check_ring_bytes(std::uint32_t ring_bytes) {
  if (ring_bytes < 4096 || ring_bytes > (1U << 30) || (ring_bytes & (ring_bytes - 1)) != 0)
    throw Failure(TF_INVALID, "ring_bytes is " + std::to_string(ring_bytes) + "; take a power of two from 4096 to 2^30");
}

void map_at(char* place, int fd, std::size_t bytes, std::size_t offset) {
  if (mmap(place, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd, static_cast<off_t>(offset)) == MAP_FAILED)
    fail_system("mapping shared memory");
}

}  // namespace

Mapping::Mapping(Mapping&& other) noexcept : data_(other.data_), bytes_(other.bytes_) { other.data_ = nullptr; }

Mapping& Mapping::operator=(Mapping&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(bytes_, other.bytes_);
  return *this;
}

Mapping::~Mapping() {
  if (data_ != nullptr) munmap(data_, bytes_);
}

Mapping Mapping::of(int fd, std::size_t bytes) {
  Mapping mapping;
  void* place = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (place == MAP_FAILED) fail_system("mapping shared memory");
  mapping.data_ = static_cast<char*>(place);
  mapping.bytes_ = bytes;
  return mapping;
}

Mapping Mapping::of_segment(int fd, std::uint32_t ring_bytes) {
  Mapping mapping;
  const std::size_t whole = control_bytes + 4 * std::size_t{ring_bytes};
  void* place = mmap(nullptr, whole, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (place == MAP_FAILED) fail_system("reserving addresses for shared memory");
  mapping.data_ = static_cast<char*>(place);
  mapping.bytes_ = whole;
  map_at(mapping.data_, fd, control_bytes, 0);
  char* data = mapping.data_ + control_bytes;
  for (int ring = 0; ring < 2; ++ring)
    for (int twice = 0; twice < 2; ++twice, data += ring_bytes)
      map_at(data, fd, ring_bytes, control_bytes + static_cast<std::size_t>(ring) * ring_bytes);
  return mapping;
}

Segment Segment::create(std::uint32_t ring_bytes) {
  check_ring_bytes(ring_bytes);
  Segment segment;
  segment.ring_bytes_ = ring_bytes;
  segment.fd_ = make_memory("taskfarm-worker", segment_bytes(ring_bytes));
  segment.mapping_ = Mapping::of_segment(segment.fd_.get(), ring_bytes);
  return segment;
}

Segment Segment::open(Descriptor fd, std::uint32_t ring_bytes) {
  check_ring_bytes(ring_bytes);
  check_memory(fd.get(), segment_bytes(ring_bytes));
  Segment segment;
  segment.ring_bytes_ = ring_bytes;
  segment.mapping_ = Mapping::of_segment(fd.get(), ring_bytes);
  return segment;  // the mapping keeps the memory; the descriptor may go
}

char* Segment::task_data() const { return mapping_.data() + control_bytes; }
char* Segment::result_data() const { return task_data() + 2 * std::size_t{ring_bytes_}; }

SharedBoard SharedBoard::create() {
  SharedBoard board;
  board.fd_ = make_memory("taskfarm-board", sizeof(Board));
  board.mapping_ = Mapping::of(board.fd_.get(), sizeof(Board));
  return board;
}

SharedBoard SharedBoard::open(Descriptor fd) {
  check_memory(fd.get(), sizeof(Board));
  SharedBoard board;
  board.mapping_ = Mapping::of(fd.get(), sizeof(Board));
  return board;
}

bool send_descriptors(int socket, const void* bytes, std::size_t count, const int (&fds)[3]) {
  iovec part{const_cast<void*>(bytes), count};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof fds)] = {};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  cmsghdr* header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(sizeof fds);
  std::memcpy(CMSG_DATA(header), fds, sizeof fds);
  return sendmsg(socket, &message, MSG_NOSIGNAL | MSG_DONTWAIT) == static_cast<ssize_t>(count);
}

ssize_t receive_descriptors(int socket, void* bytes, std::size_t count, int flags, SharedDescriptors& descriptors) {
  iovec part{bytes, count};
  alignas(cmsghdr) char control[CMSG_SPACE(8 * sizeof(int))] = {};
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  const ssize_t got = recvmsg(socket, &message, flags | MSG_CMSG_CLOEXEC);
  if (got < 0) return got;
  for (cmsghdr* header = CMSG_FIRSTHDR(&message); header != nullptr; header = CMSG_NXTHDR(&message, header)) {
    if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) continue;
    Descriptor* const places[] = {&descriptors.segment, &descriptors.board, &descriptors.doorbell};
    const std::size_t fds = (header->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    for (std::size_t i = 0; i < fds; ++i) {
      int fd;
      std::memcpy(&fd, CMSG_DATA(header) + i * sizeof(int), sizeof fd);
      Descriptor taken(fd);  // what was not asked for is closed
      if (i < 3) *places[i] = std::move(taken);
    }
  }
  return got;
}

void futex_wake(std::atomic<std::uint32_t>& word) {
  syscall(SYS_futex, reinterpret_cast<std::uint32_t*>(&word), FUTEX_WAKE, 1, nullptr, nullptr, 0);
}

void futex_wait(std::atomic<std::uint32_t>& word, std::uint32_t value, std::int64_t timeout_ns) {
  timespec timeout{timeout_ns / 1'000'000'000, timeout_ns % 1'000'000'000};
  syscall(SYS_futex, reinterpret_cast<std::uint32_t*>(&word), FUTEX_WAIT, value, timeout_ns < 0 ? nullptr : &timeout,
          nullptr, 0);
}

}  // namespace taskfarm
