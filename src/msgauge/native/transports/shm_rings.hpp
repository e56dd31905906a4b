// Lines made of rings in memory that all ranks share, one for each ordered pair. The memory is a nameless file (memfd)
// of rank 0 that the others open through /proc: it is gone with the last process that maps it, however that ends.
//
// Who writes publishes a tail, who reads publishes a head. A rank that sleeps does so on a bell of its own (a futex),
// which others ring after publishing something for it, if it says that it sleeps.
#pragma once

#include <fcntl.h>
#include <linux/futex.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "bootstrap.hpp"
#include "streams.hpp"

namespace msgauge::transports::shm {

struct alignas(64) Bell {
  std::atomic<std::uint32_t> rung{0};
  std::atomic<std::uint32_t> sleeping{0};
  std::atomic<std::uint32_t> wants_room{0};  // how many full rings its rank waits for
};

struct alignas(64) Mark {
  std::atomic<std::uint64_t> bytes{0};  // how many have gone through a ring, or come out of it, in all
};
static_assert(std::atomic<std::uint64_t>::is_always_lock_free);

// The shared memory: bells (one more counts who has come), then all tails, all heads, all rings. Untouched pages cost nothing.
class Segment {
 public:
  explicit Segment(const Bootstrap& own) : size_(static_cast<std::size_t>(own.size)), file_(open_shared(own)) {
    ring_bytes_ = ring_of(size_);
    void* mapped = mmap(nullptr, whole(size_), PROT_READ | PROT_WRITE, MAP_SHARED, file_, 0);
    if (mapped == MAP_FAILED) fail("cannot map the shared memory");
    base_ = static_cast<unsigned char*>(mapped);
    // Rank 0 must not end before all have opened its file.
    auto& arrived = bell(size_).rung;
    arrived.fetch_add(1);
    while (own.rank == 0 && arrived.load() < size_) usleep(100);
  }
  Segment(const Segment&) = delete;
  Segment& operator=(const Segment&) = delete;
  ~Segment() {
    munmap(base_, whole(size_));
    close(file_);
  }

  std::size_t ring_bytes() const { return ring_bytes_; }
  Bell& bell(std::size_t rank) { return reinterpret_cast<Bell*>(base_)[rank]; }
  // Marks of one reader's rings stand side by side, as that is who looks through them.
  Mark& tail(std::size_t writer, std::size_t reader) { return marks()[reader * size_ + writer]; }
  Mark& head(std::size_t writer, std::size_t reader) { return marks()[(size_ + writer) * size_ + reader]; }
  unsigned char* ring(std::size_t writer, std::size_t reader) {
    return base_ + rings_at(size_) + (reader * size_ + writer) * ring_bytes_;
  }

 private:
  static constexpr std::size_t page = 4096;
  // Large for a few ranks; small enough for hundreds.
  static std::size_t ring_of(std::size_t size) { return size <= 16 ? 128 * 1024 : 16 * 1024; }
  static std::size_t rings_at(std::size_t size) {
    return ((size + 1) * sizeof(Bell) + 2 * size * size * sizeof(Mark) + page - 1) / page * page;
  }
  static std::size_t whole(std::size_t size) { return rings_at(size) + size * size * ring_of(size); }

  static int open_shared(const Bootstrap& own) {
    int made = -1;
    if (own.rank == 0) {
      made = memfd_create("msgauge-shm", MFD_CLOEXEC);
      if (made < 0 || ftruncate(made, static_cast<off_t>(whole(static_cast<std::size_t>(own.size)))) != 0)
        fail("cannot make shared memory");
    }
    const auto place = "/proc/" + std::to_string(getpid()) + "/fd/" + std::to_string(made);
    const auto places = meet(own, place);
    if (own.rank != 0) made = open(places[0].c_str(), O_RDWR | O_CLOEXEC);
    if (made < 0) fail("cannot open the shared memory of rank 0, " + places[0]);
    return made;
  }

  Mark* marks() { return reinterpret_cast<Mark*>(base_ + (size_ + 1) * sizeof(Bell)); }

  std::size_t size_;
  std::size_t ring_bytes_ = 0;
  int file_;
  unsigned char* base_ = nullptr;
};

class Lines {
 public:
  static constexpr std::string_view name = "shm";
  static constexpr bool can_sleep_on_one = false;

  Lines(const Bootstrap& own, Waiting waiting)
      : own_(static_cast<std::size_t>(own.rank)),
        size_(static_cast<std::size_t>(own.size)),
        sleeps_(waiting == Waiting::sleep),
        segment_(own),
        ways_(size_) {
    events_.reserve(size_);
    for (std::size_t peer = 0; peer < size_; ++peer) {
      ways_[peer].in = segment_.ring(peer, own_);
      ways_[peer].out = segment_.ring(own_, peer);
    }
  }

  ssize_t write(int rank, const iovec* parts, int count) {
    const auto peer = static_cast<std::size_t>(rank);
    auto& way = ways_[peer];
    const auto capacity = segment_.ring_bytes();
    if (way.sent - way.seen_head == capacity) {
      way.seen_head = segment_.head(own_, peer).bytes.load(std::memory_order_acquire);
      if (way.sent - way.seen_head == capacity) return errno = EAGAIN, -1;
    }
    const auto before = way.sent;
    for (int part = 0; part < count; ++part) {
      auto length = parts[part].iov_len;
      if (length > capacity - (way.sent - way.seen_head))
        way.seen_head = segment_.head(own_, peer).bytes.load(std::memory_order_acquire);
      length = std::min(length, capacity - static_cast<std::size_t>(way.sent - way.seen_head));
      put(way.out, way.sent, parts[part].iov_base, length);
      way.sent += length;
      if (length < parts[part].iov_len) break;
    }
    segment_.tail(own_, peer).bytes.store(way.sent, std::memory_order_release);
    if (sleeps_) wake(segment_.bell(peer), nullptr);
    return static_cast<ssize_t>(way.sent - before);
  }

  ssize_t read(int rank, void* into, std::size_t room, bool) {
    const auto peer = static_cast<std::size_t>(rank);
    auto& way = ways_[peer];
    const auto there = segment_.tail(peer, own_).bytes.load(std::memory_order_acquire) - way.taken;
    if (there == 0) return errno = EAGAIN, -1;
    const auto length = std::min<std::size_t>(there, room);
    take(into, way.in, way.taken, length);
    way.taken += length;
    segment_.head(peer, own_).bytes.store(way.taken, std::memory_order_release);
    if (sleeps_) wake(segment_.bell(peer), &segment_.bell(peer).wants_room);
    return static_cast<ssize_t>(length);
  }

  const std::vector<LineEvent>& ready(bool sleep) {
    events_.clear();
    look();
    if (!events_.empty() || !sleep) return events_;
    if (!sleeps_) {
      usleep(500);  // tired of spinning; nobody rings where all spin
      look();
      return events_;
    }
    auto& bell = segment_.bell(own_);
    const auto heard = bell.rung.load();
    bell.sleeping.store(1);
    std::atomic_thread_fence(std::memory_order_seq_cst);
    look();
    if (events_.empty()) {
      syscall(SYS_futex, &bell.rung, FUTEX_WAIT, heard, nullptr, nullptr, 0);
      look();
    }
    bell.sleeping.store(0);
    return events_;
  }

  void writing(int rank, bool wanted) {
    auto& way = ways_[static_cast<std::size_t>(rank)];
    if (way.wants_room == wanted) return;
    way.wants_room = wanted;
    auto& wishes = segment_.bell(own_).wants_room;
    wanted ? wishes.fetch_add(1) : wishes.fetch_sub(1);
  }
  void remove(int) {}

 private:
  // Both rings between this rank and one other, as this rank knows them.
  struct Way {
    unsigned char* in = nullptr;
    unsigned char* out = nullptr;
    std::uint64_t sent = 0, seen_head = 0, taken = 0;
    bool wants_room = false;
  };

  void put(unsigned char* ring, std::uint64_t position, const void* from, std::size_t length) {
    const auto at = static_cast<std::size_t>(position & (segment_.ring_bytes() - 1));
    const auto first = std::min(length, segment_.ring_bytes() - at);
    std::memcpy(ring + at, from, first);
    if (first < length) std::memcpy(ring, static_cast<const unsigned char*>(from) + first, length - first);
  }

  void take(void* into, const unsigned char* ring, std::uint64_t position, std::size_t length) {
    const auto at = static_cast<std::size_t>(position & (segment_.ring_bytes() - 1));
    const auto first = std::min(length, segment_.ring_bytes() - at);
    std::memcpy(into, ring + at, first);
    if (first < length) std::memcpy(static_cast<unsigned char*>(into) + first, ring, length - first);
  }

  // After something was published for a rank: the fence makes sure that either it sees that, or we see it asleep.
  // `wish`: ring only if it is not zero.
  static void wake(Bell& bell, const std::atomic<std::uint32_t>* wish) {
    std::atomic_thread_fence(std::memory_order_seq_cst);
    if (bell.sleeping.load() == 0 || (wish && wish->load() == 0)) return;
    bell.rung.fetch_add(1);
    syscall(SYS_futex, &bell.rung, FUTEX_WAKE, 1, nullptr, nullptr, 0);
  }

  void look() {
    for (std::size_t peer = 0; peer < size_; ++peer) {
      if (peer == own_) continue;
      auto& way = ways_[peer];
      const bool readable = segment_.tail(peer, own_).bytes.load(std::memory_order_acquire) != way.taken;
      bool writable = false;
      if (way.wants_room) {
        way.seen_head = segment_.head(own_, peer).bytes.load(std::memory_order_acquire);
        writable = way.sent - way.seen_head < segment_.ring_bytes();
      }
      if (readable || writable) events_.push_back({static_cast<int>(peer), readable, writable});
    }
  }

  std::size_t own_, size_;
  bool sleeps_;
  Segment segment_;
  std::vector<Way> ways_;
  std::vector<LineEvent> events_;
};

}  // namespace msgauge::transports::shm
