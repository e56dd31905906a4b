// Names of hosts that nobody knows for a moment, or that have two addresses: this program asks for them here.
#include <doctest/doctest.h>

#include <atomic>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include <dlfcn.h>
#include <netdb.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "taskfarm.h"

namespace {

constexpr const char* host = "head.taskfarm.invalid";
constexpr const char* host_of_two = "two.taskfarm.invalid";  // of its addresses the first does not answer
std::atomic<int> failures{0};  // so often nobody knows the name; then it is this computer's

// Listens at 127.0.0.2, and its queue is full: the kernel lets who connects there wait.
class FullQueue {
 public:
  explicit FullQueue(const std::string& port) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(std::stoi(port)));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK + 1);
    const auto* place = reinterpret_cast<const sockaddr*>(&address);
    sockets_.push_back(socket(AF_INET, SOCK_STREAM, 0));
    REQUIRE(bind(sockets_[0], place, sizeof address) == 0);
    REQUIRE(listen(sockets_[0], 0) == 0);
    for (int i = 0; i < 4; ++i) {
      sockets_.push_back(socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0));
      connect(sockets_.back(), place, sizeof address);
    }
  }
  FullQueue(const FullQueue&) = delete;
  ~FullQueue() {
    for (const int fd : sockets_) close(fd);
  }

 private:
  std::vector<int> sockets_;
};

using Ask = int (*)(const char*, const char*, const addrinfo*, addrinfo**);

}  // namespace

extern "C" int getaddrinfo(const char* name, const char* service, const addrinfo* hints, addrinfo** found) {
  static const auto ask = reinterpret_cast<Ask>(dlsym(RTLD_NEXT, "getaddrinfo"));
  if (name != nullptr && std::strcmp(name, host_of_two) == 0) {
    if (const int code = ask("127.0.0.2", service, hints, found); code != 0) return code;
    return ask("127.0.0.1", service, hints, &(*found)->ai_next);
  }
  const bool ours = name != nullptr && std::strcmp(name, host) == 0;
  if (ours && failures > 0) return --failures, EAI_AGAIN;
  return ask(ours ? "127.0.0.1" : name, service, hints, found);
}

TEST_CASE("a worker tries again where its coordinator's name is not known for a moment") {
  const std::string key = "key-of-names-test." + std::to_string(getpid());
  REQUIRE(tf_make_key(key.c_str()) == TF_OK);
  tf_farm_options options;
  tf_farm_options_init(&options);
  options.key_file = key.c_str();
  tf_farm* farm = nullptr;
  REQUIRE(tf_listen("tcp://127.0.0.1:0", &options, &farm) == TF_OK);
  const std::string url = tf_url(farm);
  const std::string named = "tcp://" + std::string(host) + url.substr(url.rfind(':'));
  failures = 3;
  std::atomic<int> code{-100};
  std::thread connecting([&] {
    tf_worker_options own;
    tf_worker_options_init(&own);
    own.key_file = key.c_str();
    own.connect_timeout_ms = 10'000;
    tf_worker* worker = nullptr;
    code = tf_connect(named.c_str(), &own, &worker);
    tf_leave(worker);
  });
  tf_statistics now{};
  tf_result result;
  std::size_t count = 0;
  for (int turns = 0; turns < 100 && code == -100; ++turns) tf_next(farm, &result, 1, 50, &count);
  connecting.join();
  CHECK(code == TF_OK);
  CHECK(failures == 0);
  CHECK(tf_stats(farm, &now) == TF_OK);
  CHECK(now.workers_joined == 1);
  tf_close(farm, 0);
  unlink(key.c_str());
}

TEST_CASE("a worker goes on to the next address of a host where the first does not answer") {
  tf_farm* farm = nullptr;
  REQUIRE(tf_listen("tcp://127.0.0.1:0", nullptr, &farm) == TF_OK);
  const std::string url = tf_url(farm), port = url.substr(url.rfind(':') + 1);
  const FullQueue first(port);
  std::atomic<int> code{-100};
  std::thread connecting([&] {
    tf_worker_options own;
    tf_worker_options_init(&own);
    own.connect_timeout_ms = 10'000;
    tf_worker* worker = nullptr;
    code = tf_connect(("tcp://" + std::string(host_of_two) + ":" + port).c_str(), &own, &worker);
    tf_leave(worker);
  });
  tf_result result;
  std::size_t count = 0;
  for (int turns = 0; turns < 400 && code == -100; ++turns) tf_next(farm, &result, 1, 50, &count);
  connecting.join();
  CHECK(code == TF_OK);
  tf_close(farm, 0);
}
