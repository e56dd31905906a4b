#include "monitor.hpp"

#include <poll.h>
#include <sys/socket.h>

#include "failure.hpp"

namespace taskfarm {
namespace {

constexpr std::size_t largest_statistics = 16U << 20;

}  // namespace

Monitor::Monitor(const std::string& url, const WorkerOptions& options)
    : url_(url),
      options_(options),
      connection_(Connector(url, options_, Role::monitor).connect(moment_after(options_.connect_timeout_ms))) {}

tf_code Monitor::next(std::int64_t timeout_ms, std::string_view& json) {
  made_here_.need("monitor");
  const std::int64_t until = moment_after(timeout_ms);
  for (;;) {
    const char* at = in_.data();
    Frame frame;
    const Parsed parsed = take_frame(at, at + in_.size(), largest_statistics, frame);
    if (parsed == Parsed::frame) {
      const bool statistics = frame.header.type == FrameType::statistics, ends = frame.header.type == FrameType::goodbye;
      text_ = frame.view();
      in_.erase(0, header_bytes + frame.header.length);
      if (ends) return TF_CLOSED;
      if (!statistics) continue;
      json = text_;
      return TF_OK;
    }
    if (parsed != Parsed::incomplete) throw Failure(TF_PROTOCOL, "the coordinator sent no statistics");
    char part[16384];
    const int fd = connection_.fd.get();
    const ssize_t got = connection_.tls ? connection_.tls->read(part, sizeof part) : recv(fd, part, sizeof part, MSG_DONTWAIT);
    if (got > 0) {
      in_.append(part, static_cast<std::size_t>(got));
      continue;
    }
    if (got == 0 || (errno != EAGAIN && errno != EINTR))
      throw Failure(TF_SYSTEM, url_ + ": the coordinator is gone without a word, or cannot be reached any more; was it killed?");
    const std::int64_t now = now_ns();
    if (now >= until) return TF_TIMEOUT;
    pollfd wait{fd, POLLIN, 0};
    poll(&wait, 1, milliseconds_until(until, now));
  }
}

}  // namespace taskfarm
