// The switch of a lab where the kernel cannot delay frames: store and forward between TAP devices, in user space.
//
//   lab_switch PORTS RATE_BITS LATENCY_NS [PORT:RATE_BITS:LATE_NS:LOST_PPM]... [uplink:PORT:RATE_BITS:LATENCY_NS]
//
// A PORT of another rate, whose frames take LATE_NS longer either way, or some of which are lost; with an uplink this
// port and those after it are on a second switch, and frames from one to the other are serialised on the uplink too.
//
// It makes tap1 ... tapN in the present network namespace and writes "ready" to standard output. A frame that a host
// gives takes the time of its serialisation on the host's link, waits for the latency, and takes the time of its
// serialisation again on the link that it leaves by; both links are full duplex. Queues are bounded, as those of a switch
// are. A rate of 0 serialises nothing. It ends with the keeper of the lab.
//
// Lines of standard input change the ports, each answered by a line "done": "cut N" takes the carrier from a host,
// "plug N" gives it back, on a device made anew where the host and its device are gone.
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

// Where a frame is to be when it is due: at its host, at the uplink, or in front of the link to its host.
enum class Stop { host, uplink, link };

struct Frame {
  std::int64_t due_ns;
  std::uint64_t number;  // frames that are due at once leave in the order in which they came
  Stop stop;
  int port;
  bool upward;  // from the first switch to the second
  std::vector<unsigned char> content;
};

struct Later {
  bool operator()(const Frame& one, const Frame& other) const {
    return one.due_ns != other.due_ns ? one.due_ns > other.due_ns : one.number > other.number;
  }
};

// One direction of a link.
struct Lane {
  std::int64_t rate_bits = 0, free_ns = 0;

  std::int64_t serialisation_ns(std::int64_t bytes) const {
    if (rate_bits == 0) return 0;
    return (std::max<std::int64_t>(bytes, shortest_frame) + wire_overhead) * 8 * second_ns / rate_bits;
  }

  // Takes the lane for a frame that is there at a time; when its last bit has gone, or -1 where the queue is full.
  std::int64_t occupy(std::int64_t there_ns, std::int64_t bytes) {
    const auto begins = std::max(free_ns, there_ns);
    if (rate_bits != 0 && begins - there_ns > queue_bytes * 8 * second_ns / rate_bits) return -1;
    return free_ns = begins + serialisation_ns(bytes);
  }
};

struct Port {
  int device = -1;
  Lane from_host, to_host;
  std::int64_t late_ns = 0;
  std::uint64_t lost_ppm = 0;
  bool beyond = false;  // on the second switch
  bool cut = false;     // its cable is pulled
};

class Switch {
 public:
  Switch(int ports, std::int64_t rate_bits, std::int64_t latency_ns)
      : ports_(static_cast<std::size_t>(ports)), latency_ns_(latency_ns) {
    for (auto& port : ports_) port.from_host.rate_bits = port.to_host.rate_bits = rate_bits;
  }

  // Reads PORT:RATE:LATE:LOST or uplink:PORT:RATE:LATENCY. Whether it could.
  bool change(const char* word) {
    long long number = 0, rate = 0, late = 0, lost = 0;
    if (std::sscanf(word, "uplink:%lld:%lld:%lld", &number, &rate, &late) == 3) {
      if (number < 2 || number > static_cast<long long>(ports_.size())) return false;
      for (std::size_t i = static_cast<std::size_t>(number) - 1; i < ports_.size(); ++i) ports_[i].beyond = true;
      uplink_[0].rate_bits = uplink_[1].rate_bits = rate;
      uplink_latency_ns_ = late;
      return true;
    }
    if (std::sscanf(word, "%lld:%lld:%lld:%lld", &number, &rate, &late, &lost) != 4) return false;
    if (number < 1 || number > static_cast<long long>(ports_.size())) return false;
    auto& port = ports_[static_cast<std::size_t>(number) - 1];
    port.from_host.rate_bits = port.to_host.rate_bits = rate;
    port.late_ns = late;
    port.lost_ppm = static_cast<std::uint64_t>(lost);
    return true;
  }

  // Whether all devices could be made.
  bool open_ports() {
    for (std::size_t i = 0; i < ports_.size(); ++i)
      if (!open_port(i)) return false;
    return true;
  }

  void run() {
    std::vector<pollfd> sources(ports_.size() + 1);  // the last one is standard input
    for (;;) {
      deliver();
      wait(sources);
      for (std::size_t i = 0; i < ports_.size(); ++i) {
        if ((sources[i].revents & POLLIN) != 0) take(static_cast<int>(i));
        if ((sources[i].revents & (POLLERR | POLLHUP | POLLNVAL)) != 0) close_port(i);
      }
      if (sources.back().revents != 0) hear();
    }
  }

 private:
  bool open_port(std::size_t i) {
    ports_[i].device = open("/dev/net/tun", O_RDWR | O_NONBLOCK | O_CLOEXEC);
    ifreq wanted{};
    wanted.ifr_flags = IFF_TAP | IFF_NO_PI;
    ("tap" + std::to_string(i + 1)).copy(wanted.ifr_name, sizeof wanted.ifr_name - 1);
    return ports_[i].device >= 0 && ioctl(ports_[i].device, TUNSETIFF, &wanted) == 0;
  }

  // The device is gone, with the network of its host: it would be ready for ever.
  void close_port(std::size_t i) {
    if (ports_[i].device >= 0) close(ports_[i].device);
    ports_[i].device = -1;
  }

  // Carries out the orders that have come.
  void hear() {
    char said[256];
    const auto length = read(STDIN_FILENO, said, sizeof said - 1);
    if (length <= 0) return void(listening_ = false);
    said[length] = 0;
    for (char* line = std::strtok(said, "\n"); line != nullptr; line = std::strtok(nullptr, "\n")) {
      std::size_t number = 0;
      const bool cut = std::sscanf(line, "cut %zu", &number) == 1;
      if ((cut || std::sscanf(line, "plug %zu", &number) == 1) && number >= 1 && number <= ports_.size())
        set_carrier(number - 1, !cut);
      std::puts("done");
    }
    std::fflush(stdout);
  }

  void set_carrier(std::size_t i, bool there) {
    if (there && ports_[i].device < 0 && !open_port(i)) close_port(i);
    ports_[i].cut = !there;
    int carrier = there ? 1 : 0;
    if (ports_[i].device >= 0 && ioctl(ports_[i].device, TUNSETCARRIER, &carrier) != 0) ++lost_;
  }

  // Every frame that is due goes to its host, or on to its next stop.
  void deliver() {
    while (!queue_.empty() && queue_.top().due_ns <= now_ns()) {
      auto frame = std::move(const_cast<Frame&>(queue_.top()));  // its order is not touched, and it goes at once
      queue_.pop();
      const auto& content = frame.content;
      if (frame.stop == Stop::uplink) cross(std::move(frame));
      else if (frame.stop == Stop::link) leave(std::move(frame));
      else if (const auto& port = ports_[static_cast<std::size_t>(frame.port)];
               port.cut || write(port.device, content.data(), content.size()) < 0)
        ++lost_;
    }
  }

  // Until a frame is due, a link is free again, or a host gives something.
  void wait(std::vector<pollfd>& sources) {
    const auto now = now_ns();
    std::int64_t next = queue_.empty() ? INT64_MAX : queue_.top().due_ns;
    for (std::size_t i = 0; i < ports_.size(); ++i) {
      const auto& port = ports_[i];
      const bool busy = port.from_host.free_ns > now + ahead_ns;  // the host's own queue fills up meanwhile
      if (busy) next = std::min(next, port.from_host.free_ns - ahead_ns);
      sources[i] = {busy ? -1 : port.device, POLLIN, 0};
    }
    sources.back() = {listening_ ? STDIN_FILENO : -1, POLLIN, 0};
    const auto left = std::max<std::int64_t>(0, next - now_ns());
    const timespec limit{left / second_ns, left % second_ns};
    if (ppoll(sources.data(), sources.size(), next == INT64_MAX ? nullptr : &limit, nullptr) < 0)
      for (auto& source : sources) source.revents = 0;
  }

  void take(int from) {
    auto& port = ports_[static_cast<std::size_t>(from)];
    const auto length = read(port.device, buffer_, sizeof buffer_);
    if (length < header_bytes) return;
    port.from_host.free_ns = std::max(port.from_host.free_ns, now_ns()) + port.from_host.serialisation_ns(length);
    known_[address(buffer_ + 6)] = from;
    if (port.cut || is_lost(port)) return;
    const auto arrives = port.from_host.free_ns + port.late_ns + latency_ns_;
    const auto known = known_.find(address(buffer_));
    const bool to_all = (buffer_[0] & 1) != 0 || known == known_.end();
    for (int to = 0; to < static_cast<int>(ports_.size()); ++to)
      if (to != from && (to_all || to == known->second)) forward(port, to, arrives, length);
  }

  // Frames of one latency take the link to their host in the order in which they came, so that is settled here and now;
  // those that come later than others, or cross the uplink, take it when they are there.
  void forward(const Port& from, int to, std::int64_t arrives, ssize_t length) {
    const auto& port = ports_[static_cast<std::size_t>(to)];
    if (is_lost(port)) return;
    Frame frame{arrives, 0, Stop::link, to, port.beyond, {buffer_, buffer_ + length}};
    if (from.beyond != port.beyond) frame.stop = Stop::uplink;
    else if (from.late_ns == 0) return leave(std::move(frame));
    push(std::move(frame));
  }

  void cross(Frame&& frame) {
    auto& lane = uplink_[frame.upward ? 1 : 0];
    const auto gone = lane.occupy(frame.due_ns, static_cast<std::int64_t>(frame.content.size()));
    if (gone < 0) return void(++lost_);
    frame.due_ns = gone + uplink_latency_ns_;
    frame.stop = Stop::link;
    push(std::move(frame));
  }

  void leave(Frame&& frame) {
    auto& port = ports_[static_cast<std::size_t>(frame.port)];
    const auto gone = port.to_host.occupy(frame.due_ns, static_cast<std::int64_t>(frame.content.size()));
    if (gone < 0) return void(++lost_);
    frame.due_ns = gone + port.late_ns;
    frame.stop = Stop::host;
    push(std::move(frame));
  }

  void push(Frame&& frame) {
    frame.number = count_++;
    queue_.push(std::move(frame));
  }

  bool is_lost(const Port& port) {
    if (port.lost_ppm == 0) return false;
    random_ ^= random_ << 13, random_ ^= random_ >> 7, random_ ^= random_ << 17;  // xorshift64, Marsaglia 2003
    return random_ % 1'000'000 < port.lost_ppm;
  }

  static std::uint64_t address(const unsigned char* bytes) {
    std::uint64_t value = 0;
    for (int i = 0; i < 6; ++i) value = value << 8 | bytes[i];
    return value;
  }

  std::vector<Port> ports_;
  std::int64_t latency_ns_, uplink_latency_ns_ = 0;
  Lane uplink_[2];  // down, and up
  std::priority_queue<Frame, std::vector<Frame>, Later> queue_;
  std::unordered_map<std::uint64_t, int> known_;
  bool listening_ = true;
  std::uint64_t count_ = 0, lost_ = 0, random_ = 0x9E3779B97F4A7C15U;
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
  const int ports = count < 4 ? 0 : std::atoi(words[1]);
  Switch all(std::max(ports, 0), count < 4 ? 0 : std::atoll(words[2]), count < 4 ? 0 : std::atoll(words[3]));
  bool understood = ports >= 1;
  for (int i = 4; i < count; ++i) understood = understood && all.change(words[i]);
  if (!understood) {
    std::fprintf(stderr, "usage: lab_switch PORTS RATE_BITS LATENCY_NS [PORT:RATE_BITS:LATE_NS:LOST_PPM]... "
                         "[uplink:PORT:RATE_BITS:LATENCY_NS]\n");
    return 2;
  }
  if (!all.open_ports()) {
    std::fprintf(stderr, "no TAP device can be made: %s\n", std::strerror(errno));
    return 1;
  }
  const bool prompt = be_prompt();
  std::printf("ready priority=%s\n", prompt ? "real-time" : "usual");
  std::fflush(stdout);
  all.run();
}
