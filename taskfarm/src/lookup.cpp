#include "lookup.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>

#include "clock.hpp"
#include "failure.hpp"

namespace taskfarm {
namespace {

constexpr int most_under_way = 64;  // who tries again and again while no name server answers
std::atomic<int> under_way{0};

bool needs_no_server(const Url& url) {
  in_addr address{};
  return url.kind == Url::Kind::local || url.host.find(':') != std::string::npos ||
         inet_pton(AF_INET, url.host.c_str(), &address) == 1;
}

}  // namespace

struct Lookup::Shared {
  explicit Shared(const Url& of) : url(of) {}

  void look() noexcept {
    try {
      std::vector<Address> addresses = addresses_of(url);
      const std::lock_guard guard(mutex);
      found.swap(addresses);
    } catch (const Failure& failure) {
      fail(failure.code, failure.what());
    } catch (...) {
      fail(TF_SYSTEM, {});
    }
    const std::lock_guard guard(mutex);
    done = true;
    changed.notify_all();
  }
  void fail(tf_code why, std::string_view text) noexcept {
    const std::lock_guard guard(mutex);
    code = why;
    try {
      wrong = text;
    } catch (...) {  // no memory: the code alone tells
    }
  }

  const Url url;
  std::mutex mutex;
  std::condition_variable changed;
  bool done = false;
  std::vector<Address> found;
  tf_code code = TF_OK;
  std::string wrong;
};

Lookup::Lookup(const Url& url) : shared_(std::make_shared<Shared>(url)) {
  if (needs_no_server(url)) {
    shared_->found = addresses_of(url);
    shared_->done = true;
    return;
  }
  if (under_way.fetch_add(1) >= most_under_way) {
    --under_way;
    throw Failure(TF_SYSTEM, "tcp://" + url.shown_host() + ": no name server answers, and " + std::to_string(most_under_way) +
                                 " questions wait for one; is the network up?");
  }
  try {
    std::thread([shared = shared_] {
      shared->look();
      --under_way;
    }).detach();
  } catch (const std::system_error& error) {
    --under_way;
    throw Failure(TF_SYSTEM, "tcp://" + url.shown_host() + ": no thread to look the name up: " + error.what());
  }
}

bool Lookup::wait(std::int64_t until_ns) {
  using Moment = std::chrono::time_point<std::chrono::steady_clock, std::chrono::nanoseconds>;  // CLOCK_MONOTONIC, as now_ns
  std::unique_lock lock(shared_->mutex);
  const auto done = [this] { return shared_->done; };
  if (until_ns == never) shared_->changed.wait(lock, done);
  else if (!shared_->changed.wait_until(lock, Moment(std::chrono::nanoseconds(until_ns)), done)) return false;
  if (shared_->code == TF_OK) return true;
  throw Failure(shared_->code, shared_->wrong.empty() ? shared_->url.host + ": no memory to look it up" : shared_->wrong);
}

std::vector<Address> Lookup::taken() { return std::move(shared_->found); }

std::vector<Address> addresses_within(const Url& url, std::int64_t patience_ns) {
  Lookup lookup(url);
  if (lookup.wait(now_ns() + patience_ns)) return lookup.taken();
  throw Failure(TF_SYSTEM, "tcp://" + url.shown_host() + ":" + url.port + ": no name server has told in " +
                               std::to_string(patience_ns / ns_per_ms) + " ms where that is; give the address itself, or put the "
                               "name into /etc/hosts");
}

}  // namespace taskfarm
