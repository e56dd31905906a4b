// The switch of a lab where the kernel cannot delay frames: store and forward between TAP devices, in user space.
//
//   lab_switch PORTS RATE_BITS LATENCY_NS
//
// It makes tap1 ... tapN in the present network namespace and writes "ready" to standard output. A frame that a host
// gives takes the time of its serialisation on the host's link, waits for the latency, and takes the time of its
// serialisation again on the link that it leaves by; both links are full duplex. Queues are bounded, as those of a switch
// are. A rate of 0 serialises nothing. It ends with the keeper of the lab.
#include <fcntl.h>
#include <linux/if.h>
#include <linux/if_tun.h>
#include <poll.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <queue>
#include <string>
#include <unordered_map>
#include <vector>

namespace {

constexpr std::int64_t second_ns = 1'000'000'000;
constexpr std::int64_t ahead_ns = 25'000;  // a host's next frame is taken when its link will be free within this
constexpr std::int64_t queue_bytes = 256 << 10;
constexpr int wire_overhead = 24;  // preamble, checksum and gap of Ethernet
constexpr int shortest_frame = 60;
constexpr int header_bytes = 14;

std::int64_t now_ns() {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * second_ns + time.tv_nsec;
}

struct Frame {
  std::int64_t due_ns;
  std::uint64_t number;  // frames that are due at once leave in the order in which they came
  int port;
  std::vector<unsigned char> content;
};

struct Later {
  bool operator()(const Frame& one, const Frame& other) const {
    return one.due_ns != other.due_ns ? one.due_ns > other.due_ns : one.number > other.number;
  }
};

struct Port {
  int device = -1;
  std::int64_t from_host_free_ns = 0, to_host_free_ns = 0;
};

class Switch {
 public:
  Switch(int ports, std::int64_t rate_bits, std::int64_t latency_ns)
      : ports_(static_cast<std::size_t>(ports)), rate_bits_(rate_bits), latency_ns_(latency_ns) {}

  // Whether all devices could be made.
  bool open_ports() {
    for (std::size_t i = 0; i < ports_.size(); ++i) {
      ports_[i].device = open("/dev/net/tun", O_RDWR | O_NONBLOCK | O_CLOEXEC);
      ifreq wanted{};
      wanted.ifr_flags = IFF_TAP | IFF_NO_PI;
      ("tap" + std::to_string(i + 1)).copy(wanted.ifr_name, sizeof wanted.ifr_name - 1);
      if (ports_[i].device < 0 || ioctl(ports_[i].device, TUNSETIFF, &wanted) != 0) return false;
    }
    return true;
  }

  void run() {
    std::vector<pollfd> sources(ports_.size());
    for (;;) {
      deliver();
      wait(sources);
      for (std::size_t i = 0; i < ports_.size(); ++i)
        if ((sources[i].revents & POLLIN) != 0) take(static_cast<int>(i));
    }
  }

 private:
  // Every frame that is due goes to its host.
  void deliver() {
    while (!queue_.empty() && queue_.top().due_ns <= now_ns()) {
      const auto& frame = queue_.top();
      if (write(ports_[static_cast<std::size_t>(frame.port)].device, frame.content.data(), frame.content.size()) < 0) ++lost_;
      queue_.pop();
    }
  }

  // Until a frame is due, a link is free again, or a host gives something.
  void wait(std::vector<pollfd>& sources) {
    const auto now = now_ns();
    std::int64_t next = queue_.empty() ? INT64_MAX : queue_.top().due_ns;
    for (std::size_t i = 0; i < ports_.size(); ++i) {
      const auto& port = ports_[i];
      const bool busy = port.from_host_free_ns > now + ahead_ns;  // the host's own queue fills up meanwhile
      if (busy) next = std::min(next, port.from_host_free_ns - ahead_ns);
      sources[i] = {busy ? -1 : port.device, POLLIN, 0};
    }
    const auto left = std::max<std::int64_t>(0, next - now_ns());
    const timespec limit{left / second_ns, left % second_ns};
    if (ppoll(sources.data(), sources.size(), next == INT64_MAX ? nullptr : &limit, nullptr) < 0)
      for (auto& source : sources) source.revents = 0;
  }

  void take(int from) {
    auto& port = ports_[static_cast<std::size_t>(from)];
    const auto length = read(port.device, buffer_, sizeof buffer_);
    if (length < header_bytes) return;
    const auto took = serialisation_ns(length);
    port.from_host_free_ns = std::max(port.from_host_free_ns, now_ns()) + took;
    known_[address(buffer_ + 6)] = from;
    const auto arrives = port.from_host_free_ns + latency_ns_;
    const auto known = known_.find(address(buffer_));
    const bool to_all = (buffer_[0] & 1) != 0 || known == known_.end();
    for (int to = 0; to < static_cast<int>(ports_.size()); ++to)
      if (to != from && (to_all || to == known->second)) forward(to, arrives, took, length);
  }

  void forward(int to, std::int64_t arrives, std::int64_t took, ssize_t length) {
    auto& port = ports_[static_cast<std::size_t>(to)];
    const auto begins = std::max(port.to_host_free_ns, arrives);
    if (begins - arrives > queue_ns()) {
      ++lost_;
      return;
    }
    port.to_host_free_ns = begins + took;
    queue_.push({begins + took, count_++, to, {buffer_, buffer_ + length}});
  }

  std::int64_t serialisation_ns(std::int64_t bytes) const {
    if (rate_bits_ == 0) return 0;
    return (std::max<std::int64_t>(bytes, shortest_frame) + wire_overhead) * 8 * second_ns / rate_bits_;
  }

  // How long the queue of a port may be.
  std::int64_t queue_ns() const { return rate_bits_ == 0 ? INT64_MAX : queue_bytes * 8 * second_ns / rate_bits_; }

  static std::uint64_t address(const unsigned char* bytes) {
    std::uint64_t value = 0;
    for (int i = 0; i < 6; ++i) value = value << 8 | bytes[i];
    return value;
  }

  std::vector<Port> ports_;
  std::int64_t rate_bits_, latency_ns_;
  std::priority_queue<Frame, std::vector<Frame>, Later> queue_;
  std::unordered_map<std::uint64_t, int> known_;
  std::uint64_t count_ = 0, lost_ = 0;
  unsigned char buffer_[1 << 16];
};

// Timers of this process are to be exact, and it is to run as soon as a frame is due, where the system allows that.
bool be_prompt() {
  prctl(PR_SET_TIMERSLACK, 1);
  sched_param wanted{};
  wanted.sched_priority = 50;
  return sched_setscheduler(0, SCHED_FIFO, &wanted) == 0;
}

}  // namespace

int main(int count, char** words) {
  if (count != 4 || std::atoi(words[1]) < 1) {
    std::fprintf(stderr, "usage: lab_switch PORTS RATE_BITS LATENCY_NS\n");
    return 2;
  }
  Switch all(std::atoi(words[1]), std::atoll(words[2]), std::atoll(words[3]));
  if (!all.open_ports()) {
    std::fprintf(stderr, "no TAP device can be made: %s\n", std::strerror(errno));
    return 1;
  }
  const bool prompt = be_prompt();
  std::printf("ready priority=%s\n", prompt ? "real-time" : "usual");
  std::fflush(stdout);
  all.run();
}
