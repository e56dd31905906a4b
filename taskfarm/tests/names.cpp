// Names of hosts that nobody knows for a moment: this program asks for them here.
#include <doctest/doctest.h>

#include <atomic>
#include <cstring>
#include <string>
#include <thread>

#include <dlfcn.h>
#include <netdb.h>
#include <unistd.h>

#include "taskfarm.h"

namespace {

constexpr const char* host = "head.taskfarm.invalid";
std::atomic<int> failures{0};  // so often nobody knows the name; then it is this computer's

using Ask = int (*)(const char*, const char*, const addrinfo*, addrinfo**);

}  // namespace

extern "C" int getaddrinfo(const char* name, const char* service, const addrinfo* hints, addrinfo** found) {
  static const auto ask = reinterpret_cast<Ask>(dlsym(RTLD_NEXT, "getaddrinfo"));
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
