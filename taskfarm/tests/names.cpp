// Names of hosts that nobody knows for a moment, or that have two addresses: this program asks for them here.
#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <cstring>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include <dlfcn.h>
#include <netdb.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "farm.hpp"
#include "frame.hpp"
#include "hello.hpp"
#include "taskfarm.h"

namespace {

constexpr const char* host = "head.taskfarm.invalid";
constexpr const char* host_of_two = "two.taskfarm.invalid";  // of its addresses the first does not answer
constexpr const char* host_of_slow_server = "slow.taskfarm.invalid";
std::atomic<int> failures{0};  // so often nobody knows the name; then it is this computer's
std::atomic<bool> server_answers{true};
std::atomic<int> questions{0};  // that wait for the slow one
std::atomic<int> asked{0};  // of it, ever

sockaddr_in loopback(std::uint32_t number, const std::string& port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(std::stoi(port)));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK + number);
  return address;
}

int listening_at(const sockaddr_in& address, int queue) {
  const int fd = socket(AF_INET, SOCK_STREAM, 0);
  REQUIRE(bind(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0);
  REQUIRE(listen(fd, queue) == 0);
  return fd;
}

// Listens at 127.0.0.2, and its queue is full: the kernel lets who connects there wait.
class FullQueue {
 public:
  explicit FullQueue(const std::string& port) {
    const sockaddr_in address = loopback(1, port);
    sockets_.push_back(listening_at(address, 0));
    for (int i = 0; i < 4; ++i) {
      sockets_.push_back(socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0));
      connect(sockets_.back(), reinterpret_cast<const sockaddr*>(&address), sizeof address);
    }
  }
  FullQueue(const FullQueue&) = delete;
  ~FullQueue() {
    for (const int fd : sockets_) close(fd);
  }

 private:
  std::vector<int> sockets_;
};

double milliseconds_of(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

// Whether the worker at the other side has said hello, and ready.
bool welcomed(int fd) {
  taskfarm::Welcome body;
  body.heartbeat_ms = body.heartbeat_timeout_ms = 10'000;
  body.max_frame_bytes = 1 << 20;
  const std::string bytes = taskfarm::frame_bytes({.type = taskfarm::FrameType::welcome}, encode(body));
  char heard[2048];
  return recv(fd, heard, sizeof heard, 0) > 0 && send(fd, bytes.data(), bytes.size(), MSG_NOSIGNAL) > 0 &&
         recv(fd, heard, sizeof heard, 0) > 0;
}

// Welcomes workers, and gives their connections.
class Welcoming {
 public:
  Welcoming() : listener_(listening_at(loopback(0, "0"), 8)) {
    sockaddr_in address{};
    socklen_t size = sizeof address;
    getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size);
    port = std::to_string(ntohs(address.sin_port));
  }
  Welcoming(const Welcoming&) = delete;
  ~Welcoming() { close(listener_); }
  int welcome() {
    const int fd = accept(listener_, nullptr, nullptr);
    CHECK(welcomed(fd));
    return fd;
  }
  std::string port;

 private:
  int listener_;
};

// What a worker is told that connects there while the farm's loop turns, and leaves.
int connect_while_turning(tf_farm* farm, const std::string& url, const tf_worker_options& options) {
  std::atomic<int> code{-100};
  std::thread connecting([&] {
    tf_worker* worker = nullptr;
    code = tf_connect(url.c_str(), &options, &worker);
    tf_leave(worker);
  });
  tf_result result;
  std::size_t count = 0;
  for (int turns = 0; turns < 400 && code == -100; ++turns) tf_next(farm, &result, 1, 50, &count);
  connecting.join();
  return code;
}

tf_worker_options patient_worker() {
  tf_worker_options options;
  tf_worker_options_init(&options);
  options.connect_timeout_ms = 10'000;
  return options;
}

std::string port_of(const std::string& url) { return url.substr(url.rfind(':') + 1); }

using Ask = int (*)(const char*, const char*, const addrinfo*, addrinfo**);

}  // namespace

extern "C" int getaddrinfo(const char* name, const char* service, const addrinfo* hints, addrinfo** found) {
  static const auto ask = reinterpret_cast<Ask>(dlsym(RTLD_NEXT, "getaddrinfo"));
  if (name != nullptr && std::strcmp(name, host_of_two) == 0) {
    if (const int code = ask("127.0.0.2", service, hints, found); code != 0) return code;
    return ask("127.0.0.1", service, hints, &(*found)->ai_next);
  }
  if (name != nullptr && std::strcmp(name, host_of_slow_server) == 0) {
    ++asked;
    for (++questions; !server_answers;) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    --questions;
    return ask("127.0.0.1", service, hints, found);
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
  failures = 3;
  tf_worker_options own = patient_worker();
  own.key_file = key.c_str();
  CHECK(connect_while_turning(farm, "tcp://" + std::string(host) + ":" + port_of(tf_url(farm)), own) == TF_OK);
  CHECK(failures == 0);
  tf_statistics now{};
  CHECK(tf_stats(farm, &now) == TF_OK);
  CHECK(now.workers_joined == 1);
  tf_close(farm, 0);
  unlink(key.c_str());
}

TEST_CASE("a worker goes on to the next address of a host where the first does not answer") {
  tf_farm* farm = nullptr;
  REQUIRE(tf_listen("tcp://127.0.0.1:0", nullptr, &farm) == TF_OK);
  const std::string port = port_of(tf_url(farm));
  const FullQueue first(port);
  CHECK(connect_while_turning(farm, "tcp://" + std::string(host_of_two) + ":" + port, patient_worker()) == TF_OK);
  tf_close(farm, 0);
}

TEST_CASE("without credentials too a worker tries again where a name is not known for a moment") {
  tf_farm* farm = nullptr;
  REQUIRE(tf_listen("tcp://127.0.0.1:0", nullptr, &farm) == TF_OK);
  failures = 3;
  CHECK(connect_while_turning(farm, "tcp://" + std::string(host) + ":" + port_of(tf_url(farm)), patient_worker()) == TF_OK);
  CHECK(failures == 0);
  tf_close(farm, 0);
}

TEST_CASE("who connects waits for a silent name server no longer than for a coordinator") {
  tf_worker_options options;
  tf_worker_options_init(&options);
  options.connect_timeout_ms = 100;
  tf_worker* worker = nullptr;
  tf_monitor* monitor = nullptr;
  const std::string url = "tcp://" + std::string(host_of_slow_server) + ":9";
  server_answers = false;
  CHECK(milliseconds_of([&] { CHECK(tf_connect(url.c_str(), &options, &worker) == TF_TIMEOUT); }) < 2000);
  CHECK(std::string(tf_error()).find("name server") != std::string::npos);
  CHECK(milliseconds_of([&] { CHECK(tf_monitor_open(url.c_str(), &options, &monitor) == TF_TIMEOUT); }) < 2000);
  options.connect_timeout_ms = 0;
  for (int i = 0; i < 100; ++i) CHECK(tf_connect(url.c_str(), &options, &worker) == TF_TIMEOUT);
  CHECK(questions <= 64);
  server_answers = true;
  for (int turns = 0; turns < 5000 && questions > 0; ++turns) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  CHECK(questions == 0);
}

TEST_CASE("who listens waits for a silent name server for a while, and learns what to do") {
  const taskfarm::FarmOptions options(nullptr);
  const std::string url = "tcp://" + std::string(host_of_slow_server) + ":0";
  server_answers = false;
  std::string told;
  const double waited = milliseconds_of([&] {
    try {
      taskfarm::Farm(url, options, 100 * taskfarm::ns_per_ms);
    } catch (const taskfarm::Failure& failure) {
      CHECK(failure.code == TF_SYSTEM);
      told = failure.what();
    }
  });
  CHECK(waited >= 99);
  CHECK(waited < 2000);
  CHECK(told.starts_with("tcp://" + std::string(host_of_slow_server) + ":0: no name server has told in 100 ms"));
  CHECK(told.ends_with("give the address itself, or put the name into /etc/hosts"));
  server_answers = true;
  for (int turns = 0; turns < 5000 && questions > 0; ++turns) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  CHECK(questions == 0);
}

TEST_CASE("who listens asks for the host's name once") {
  tf_farm* farm = nullptr;
  asked = 0;
  REQUIRE(tf_listen(("tcp://" + std::string(host_of_slow_server) + ":0").c_str(), nullptr, &farm) == TF_OK);
  CHECK(asked == 1);
  CHECK(port_of(tf_url(farm)) != "0");
  tf_close(farm, 0);
}

TEST_CASE("recv keeps its time where the name of the coordinator is asked for in vain, and goes on when it is known") {
  Welcoming coordinator;
  int connection = -1;
  std::thread welcoming([&] { connection = coordinator.welcome(); });
  tf_worker* worker = nullptr;
  const std::string url = "tcp://" + std::string(host_of_slow_server) + ":" + coordinator.port;
  REQUIRE(tf_connect(url.c_str(), nullptr, &worker) == TF_OK);
  welcoming.join();
  server_answers = false;
  close(connection);
  tf_task task;
  for (int i = 0; i < 4; ++i)
    CHECK(milliseconds_of([&] { CHECK(tf_recv(worker, &task, 50) == TF_TIMEOUT); }) < 2000);
  CHECK(questions == 1);
  server_answers = true;
  std::thread again([&] {
    connection = coordinator.welcome();
    const taskfarm::Header header{.length = 1, .type = taskfarm::FrameType::task, .attempt = 1, .task = 7};
    send(connection, &header, sizeof header, MSG_NOSIGNAL);
    send(connection, "x", 1, MSG_NOSIGNAL);
  });
  CHECK(tf_recv(worker, &task, 10'000) == TF_OK);
  CHECK(task.id == 7);
  again.join();
  tf_leave(worker);
  close(connection);
}
