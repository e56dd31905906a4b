// What can be told of the parts without processes. doctest.
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include <csignal>

#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#include "buffer.hpp"
#include "checksum.hpp"
#include "failure.hpp"
#include "frame.hpp"
#include "hello.hpp"
#include "journal.hpp"
#include "out_queue.hpp"
#include "ring.hpp"
#include "shared_memory.hpp"
#include "short_tasks.hpp"
#include "socket.hpp"
#include "task_table.hpp"
#include "taskfarm.h"
#include "time_slice.hpp"

using namespace taskfarm;

namespace {

std::string frame_of(FrameType type, std::uint64_t task, std::string_view payload) {
  const Header header{.length = static_cast<std::uint32_t>(payload.size()), .type = type, .task = task};
  return std::string(reinterpret_cast<const char*>(&header), header_bytes).append(payload);
}

}  // namespace

TEST_CASE("frames come out whole, in order, however the bytes are split") {
  std::mt19937 random(1);
  std::string all;
  for (std::uint64_t i = 1; i <= 200; ++i) all += frame_of(FrameType::task, i, std::string(random() % 300, 'x'));
  std::string buffer;
  std::uint64_t expected = 0;
  for (std::size_t at = 0; at < all.size();) {
    const std::size_t part = std::min<std::size_t>(1 + random() % 100, all.size() - at);
    buffer.append(all, at, part);
    at += part;
    const char* place = buffer.data();
    Frame frame;
    while (take_frame(place, buffer.data() + buffer.size(), 1000, frame) == Parsed::frame) CHECK(frame.header.task == ++expected);
    buffer.erase(0, static_cast<std::size_t>(place - buffer.data()));
  }
  CHECK(expected == 200);
  CHECK(buffer.empty());
}

TEST_CASE("a frame that has begun is completed by as many bytes as it is short of, and no more") {
  const std::string bytes = frame_of(FrameType::task, 1, std::string(5000, 'x')) + frame_of(FrameType::heartbeat, 0, "");
  for (std::size_t begun = 1; begun < header_bytes + 5000; begun += 7) {
    std::string frame = bytes.substr(0, begun);
    while (frame.size() < header_bytes + 5000) {
      const std::size_t missing = missing_of_frame(frame);
      REQUIRE(missing > 0);
      frame.append(bytes, frame.size(), missing);
    }
    const char* at = frame.data();
    Frame taken;
    CHECK(take_frame(at, at + frame.size(), 5000, taken) == Parsed::frame);
    CHECK(at == frame.data() + frame.size());
  }
}

TEST_CASE("a frame beyond the limit, or of no known type, is told from one that is not whole") {
  Frame frame;
  const std::string big = frame_of(FrameType::task, 1, std::string(100, 'x'));
  const char* at = big.data();
  CHECK(take_frame(at, at + big.size(), 99, frame) == Parsed::oversize);
  CHECK(at == big.data());
  std::string odd = frame_of(FrameType::task, 1, "");
  for (const char type : {'\0', '\x12', '\xff'}) {
    odd[4] = type;
    at = odd.data();
    CHECK(take_frame(at, at + odd.size(), 99, frame) == Parsed::unknown);
  }
  at = big.data();
  CHECK(take_frame(at, at + 23, 1000, frame) == Parsed::incomplete);
}

TEST_CASE("hello and welcome survive the wire; a cut or foreign one is refused") {
  Hello hello{.features = 1, .identity = random_identity(), .host = 7, .pid = 8, .cores = 9, .name = "a\"b\\c\n"};
  const std::string wire = encode(hello);
  const auto back = decode_hello(wire);
  REQUIRE(back);
  CHECK(back->identity == hello.identity);
  CHECK(back->name == "a?b?c?");  // it goes to terminals and into JSON
  for (std::size_t cut = 0; cut < wire.size(); ++cut) CHECK_FALSE(decode_hello(std::string_view(wire).substr(0, cut)));
  std::string foreign = wire;
  foreign[0] = 'X';
  CHECK_FALSE(decode_hello(foreign));
  Welcome welcome{.heartbeat_ms = 5, .number = 3, .ring_bytes = 4096, .slot = 2, .local_name = "@x"};
  const auto again = decode_welcome(encode(welcome));
  REQUIRE(again);
  CHECK(again->local_name == "@x");
  CHECK(again->slot == 2);
}

TEST_CASE("a queue gives back its bytes in order, whatever is taken at a time") {
  std::mt19937 random(2);
  PayloadStore store;
  OutQueue queue;
  std::string wanted, got;
  for (int round = 0; round < 300; ++round) {
    const std::string bytes(random() % 3 == 0 ? 20000 + random() % 50000 : random() % 100, static_cast<char>('a' + round % 26));
    const Header header{.length = static_cast<std::uint32_t>(bytes.size()), .type = FrameType::task};
    queue.add(header, Payload(store, bytes));
    wanted.append(reinterpret_cast<const char*>(&header), header_bytes).append(bytes);
    while (!queue.empty() && random() % 4 != 0) {
      iovec parts[4];
      const int count = queue.gather(parts, 4);
      REQUIRE(count > 0);
      const std::size_t take = 1 + random() % parts[0].iov_len;
      got.append(static_cast<const char*>(parts[0].iov_base), take);
      queue.take(take);
    }
  }
  while (!queue.empty()) {
    got += queue.front();
    queue.take(queue.front().size());
  }
  CHECK(got == wanted);
  CHECK(queue.added() == queue.taken());
}

TEST_CASE("what is read to begins with a cache line, not behind the beginning of a page") {
  for (std::size_t bytes = 1; bytes <= (1U << 20); bytes *= 4) {
    Buffer buffer(bytes);
    CHECK(reinterpret_cast<std::uintptr_t>(buffer.data()) % 64 == 0);
    buffer.resize(2 * bytes);
    CHECK(reinterpret_cast<std::uintptr_t>(buffer.data()) % 64 == 0);
  }
}

TEST_CASE("payloads keep their bytes, and what is kept for the next ones is bounded") {
  std::mt19937 random(3);
  PayloadStore store;
  std::vector<std::pair<Payload, std::string>> living;
  for (int round = 0; round < 20000; ++round) {
    const std::size_t bytes = round % 50 == 0 ? random() % 200000 : random() % 5000;
    const std::string text(bytes, static_cast<char>('a' + round % 26));
    Payload made(store, text);
    const Payload again = made;
    CHECK(again.data() == made.data());
    if (living.size() < 1000) living.emplace_back(std::move(made), text);
    else living[random() % living.size()] = {std::move(made), text};
    const auto& [kept, wanted] = living[random() % living.size()];
    REQUIRE(kept.view() == wanted);
  }
  CHECK(store.kept() <= PayloadStore::most_kept);
  living.clear();
  CHECK(store.kept() <= PayloadStore::most_kept);
  if (PayloadStore::most_kept > 0) {
    CHECK(store.kept() > 0);
    const std::size_t before = store.kept();
    Payload made(store, std::string(3000, 'x'));
    CHECK(store.kept() < before);  // it was not asked of the heap
  }
}

TEST_CASE("blocks of every size hold what they are asked for") {
  PayloadStore store;
  for (std::size_t bytes = 1; bytes < 70000; bytes += 1 + bytes / 97) {
    const std::string text(bytes, 'x');
    const Payload first(store, text), second(store, text);
    CHECK(first.view() == text);
    CHECK(second.view() == text);
  }
}

TEST_CASE("tasks are found by id while they live, and memory follows them") {
  TaskTable table;
  CHECK(table.find(1) == nullptr);
  std::mt19937_64 random(3);
  std::map<std::uint64_t, bool> living;
  for (int i = 0; i < 20000; ++i) {
    living[table.create()] = true;
    if (random() % 2 == 0) {
      auto at = living.lower_bound(random() % table.end());
      if (at != living.end()) {
        table.remove(at->first);
        living.erase(at);
      }
    }
  }
  for (std::uint64_t id = 0; id < table.end() + 5; ++id) CHECK((table.find(id) != nullptr) == living.contains(id));
  CHECK(table.size() == living.size());
  for (const auto& [id, yes] : living) table.remove(id);
  CHECK(table.size() == 0);
  CHECK(table.create() == 20001);
}

TEST_CASE("bytes pass the ring between two threads unharmed, and lie contiguous") {
  const Segment segment = Segment::create(4096);
  RingProducer producer(&segment.control().tasks, segment.task_data(), 4096);
  RingConsumer consumer(&segment.control().tasks, segment.task_data(), 4096);
  constexpr std::size_t total = 3'000'000;
  std::thread writer([&] {
    std::mt19937 random(4);
    for (std::size_t sent = 0; sent < total;) {
      const std::size_t room = *producer.room(), count = std::min<std::size_t>({room, 1 + random() % 700, total - sent});
      char bytes[700];
      for (std::size_t i = 0; i < count; ++i) bytes[i] = static_cast<char>((sent + i) * 7);
      producer.put(bytes, count);
      producer.publish();
      sent += count;
      if (count == 0) std::this_thread::yield();
    }
  });
  std::size_t wrong = 0;
  for (std::size_t got = 0; got < total;) {
    const std::size_t count = *consumer.available();
    for (std::size_t i = 0; i < count; ++i) wrong += consumer.data()[i] != static_cast<char>((got + i) * 7);
    consumer.consume(count);
    got += count;
    if (count == 0) std::this_thread::yield();
  }
  writer.join();
  CHECK(wrong == 0);
}

TEST_CASE("a ring whose frames are all taken goes back, whatever their sizes, and frames come as they were put in") {
  for (const bool goes_back : {false, true}) {
    const Segment segment = Segment::create(65536);
    RingProducer producer(&segment.control().tasks, segment.task_data(), 65536);
    RingConsumer consumer(&segment.control().tasks, segment.task_data(), 65536);
    std::mt19937 random(9);
    std::uint64_t put = 0, taken = 0, padded = 0, places = 0;
    for (int round = 0; round < 40'000; ++round) {
      for (unsigned more = random() % 3; more > 0; --more) {
        const std::string payload(random() % 2500, static_cast<char>('a' + put % 26));
        const std::string bytes = frame_of(FrameType::task, put, payload);
        if (goes_back) producer.go_back_for(bytes.size());
        if (*producer.room() < bytes.size()) break;
        producer.put(bytes.data(), bytes.size());
        ++put;
      }
      producer.publish();
      const std::size_t count = *consumer.available();
      const char* at = consumer.data();
      const char* const end = at + count;
      places += static_cast<std::uint64_t>(at - segment.task_data());
      Frame frame;
      while (take_frame(at, end, 65536, frame) == Parsed::frame) {
        if (frame.header.type == FrameType::padding) {
          ++padded;
          continue;
        }
        REQUIRE(frame.header.task == taken);
        REQUIRE(frame.view() == std::string(frame.header.length, static_cast<char>('a' + taken % 26)));
        ++taken;
      }
      REQUIRE(at == end);  // only whole frames are to be seen
      consumer.consume(count);
    }
    CHECK(taken == put);
    CHECK(taken > 10'000);
    CHECK((padded > 1000) == goes_back);
    CHECK((places / 40'000 < 65536 / 3) == goes_back);  // on average; else it is half of the ring
  }
}

TEST_CASE("a ring does not go back over what has not been taken, nor past an impossible index") {
  const Segment segment = Segment::create(4096);
  RingControl& control = segment.control().tasks;
  RingProducer producer(&control, segment.task_data(), 4096);
  RingConsumer consumer(&control, segment.task_data(), 4096);
  const std::string bytes = frame_of(FrameType::task, 1, std::string(1500, 'x'));
  for (const std::uint64_t head : {0ULL, 1ULL, ~0ULL}) {
    producer.put(bytes.data(), bytes.size());
    control.head = head;
    producer.go_back_for(100);
    producer.publish();
    CHECK(control.tail.load() % bytes.size() == 0);
  }
}

TEST_CASE("nobody gives way for as long as a stranger's turn is worth, unless so many share the core that it was none") {
  GivingWay alone(2);
  CHECK(alone.is_wise());
  alone.learn(1'000'000, 5);  // others of the farm may have worked so long
  CHECK(alone.is_wise());
  alone.learn(4'000'000, 5);
  for (int waits = 0; waits < 800; ++waits) CHECK_FALSE(alone.is_wise());
  CHECK(alone.is_wise());
  alone.learn(20'000, 5);
  CHECK(alone.is_wise());
  GivingWay crowded(2);
  crowded.learn(4'000'000, 33);
  CHECK(crowded.is_wise());
}

TEST_CASE("a thread gets the slice that it asks for, where the kernel knows slices, and gives it back") {
  const auto slice_ns = [] {
    struct {
      std::uint32_t head[6];
      std::uint64_t runtime, deadline, period;
    } own{};
    REQUIRE(syscall(SYS_sched_getattr, 0, &own, sizeof own, 0U) == 0);
    return own.runtime;
  };
  utsname system;
  REQUIRE(uname(&system) == 0);
  int major = 0, minor = 0;
  REQUIRE(std::sscanf(system.release, "%d.%d", &major, &minor) == 2);
  const bool known = major > 6 || (major == 6 && minor >= 12);
  const std::uint64_t before = slice_ns();
  ask_for_slice(least_slice_ns);
  CHECK(slice_ns() == (known ? 100'000 : before));
  give_slice_back();
  CHECK(slice_ns() == before);
  ask_for_slice(200'000);  // who asks for a long one keeps what is longer
  CHECK(slice_ns() == (known ? std::max<std::uint64_t>(before, 200'000) : before));
  give_slice_back();
  CHECK(slice_ns() == before);
  std::int64_t last = 0;
  for (std::uint64_t ranks = 1; ranks < 5000; ++ranks) {
    const std::int64_t slice = slice_of_worker(ranks, 2);
    CHECK(slice >= last);
    CHECK(slice >= 2 * least_slice_ns);
    CHECK(slice <= 6'400'000);
    last = slice;
  }
  CHECK(last == 6'400'000);
}

TEST_CASE("a short look is left out after so many that found something, and more often the more found nothing") {
  ShortLook look(0, 3, 2);
  int asked = 0;
  const auto yes = [&] { return ++asked, true; };
  const auto no = [&] { return ++asked, false; };
  const auto looked = [&](auto&& arrived) {
    asked = 0;
    const bool found = look.finds(arrived);
    CHECK(found == (asked == 1));  // the first that comes true ends it
    return asked > 0;
  };
  for (int round = 0; round < 2; ++round) {
    for (int i = 0; i < 3; ++i) CHECK(looked(yes));
    CHECK_FALSE(looked(yes));  // others get their turn
  }
  for (const int left_out : {1, 3, 3}) {
    CHECK(looked(no));
    for (int i = 0; i < left_out; ++i) CHECK_FALSE(looked(yes));
  }
  CHECK(looked(yes));  // and all is well again
  CHECK(looked(no));
  CHECK_FALSE(looked(yes));
  CHECK(looked(yes));
  ShortLook never_looks(0, 3, 1);
  CHECK_FALSE(never_looks.finds(yes));
}

TEST_CASE("who gave way again and again in vain sleeps at once the next times, the more of them the more often that was so") {
  StayingAwake awake;
  const auto stays = [&] { return awake.until() > now_ns(); };
  for (const int left_out : {1, 3, 7, 7}) {
    CHECK(stays());
    awake.looked_in_vain();
    for (int waits = 0; waits < left_out; ++waits) CHECK_FALSE(stays());
  }
  CHECK(stays());
  awake.found();
  CHECK(stays());
  awake.looked_in_vain();  // and it begins anew
  CHECK_FALSE(stays());
  CHECK(stays());
}

TEST_CASE("impossible indices in shared memory are seen by both sides") {
  const Segment segment = Segment::create(4096);
  RingControl& control = segment.control().tasks;
  RingProducer producer(&control, segment.task_data(), 4096);
  RingConsumer consumer(&control, segment.task_data(), 4096);
  producer.put("12345678", 8);
  producer.publish();
  CHECK(*consumer.available() == 8);
  for (const std::uint64_t tail : {4097ULL, ~0ULL, 1ULL << 63, 7ULL, 0ULL}) {
    control.tail = tail;
    CHECK_FALSE(consumer.available());
  }
  producer.put(std::string(4000, 'x').data(), 4000);
  for (const std::uint64_t head : {4009ULL, ~0ULL, 1ULL << 63}) {
    control.head = head;
    CHECK_FALSE(producer.room());
  }
}

TEST_CASE("memory that could be shrunk is not taken") {
  Descriptor loose(memfd_create("loose", MFD_CLOEXEC));
  REQUIRE(ftruncate(loose.get(), 4096 + 2 * 4096) == 0);
  CHECK_THROWS_AS(Segment::open(std::move(loose), 4096), Failure);
}

TEST_CASE("a journal gives back its records, without what a crash left half written") {
  const std::string path = "journal-of-unit-test." + std::to_string(getpid());
  {
    Journal journal(path, false);
    journal.read([](const Record&) { FAIL("an empty journal has no records"); });
    for (std::uint64_t i = 1; i <= 100; ++i) journal.add({RecordType::task, 0, i, 0, "payload"});
    CHECK(journal.write());
    CHECK_THROWS_AS(Journal(path, false), Failure);  // two coordinators, one journal
  }
  const auto whole = [&] {
    Journal journal(path, false);
    std::uint64_t count = 0;
    journal.read([&](const Record& record) { CHECK(record.id == ++count); });
    return count;
  };
  CHECK(whole() == 100);
  FILE* file = std::fopen(path.c_str(), "r+b");
  std::fseek(file, -3, SEEK_END);
  std::fputc('!', file);
  std::fclose(file);
  CHECK(whole() == 99);
  CHECK(whole() == 99);
  unlink(path.c_str());
}

TEST_CASE("a checksum is that of zlib, and that of a part comes from those of what stands before it and in it") {
  CHECK(checksum("123456789") == 0xCBF43926U);  // the check value of CRC-32
  std::string bytes;
  for (std::uint32_t i = 0; i < 700; ++i) bytes += static_cast<char>(i * i >> 3);
  const Checksums sums(bytes);
  for (std::size_t begin = 0; begin < bytes.size(); begin += 7)
    for (std::size_t count = 0; begin + count <= bytes.size(); count += 13)
      REQUIRE(sums.of(begin, count) == checksum(std::string_view(bytes).substr(begin, count)));
}

TEST_CASE("an answer that lies in the task's own bytes survives the coordinator's death") {
  const std::string name = "unix://@taskfarm-unit-" + std::to_string(getpid());
  const std::string path = "/tmp/taskfarm-unit-answer-" + std::to_string(getpid()), text(3000, 'x');
  for (const std::string& url : {name, name + "?shm=off"}) {
    CAPTURE(url);
    tf_farm_options options;
    tf_farm_options_init(&options);
    options.journal = path.c_str();
    tf_farm* farm = nullptr;
    tf_result result{};
    std::size_t count = 0;
    const pid_t first = fork();
    if (first == 0) {
      if (tf_listen(url.c_str(), &options, &farm) != TF_OK) _exit(1);
      const tf_buffer task{text.data(), text.size()};
      tf_submit_many(farm, &task, 1, nullptr, 0, nullptr, &count);
      for (;;) tf_next(farm, &result, 1, 10, &count);
    }
    tf_worker* worker = nullptr;
    REQUIRE(tf_connect(url.c_str(), nullptr, &worker) == TF_OK);
    tf_task task{};
    REQUIRE(tf_recv(worker, &task, -1) == TF_OK);
    kill(first, SIGKILL);
    waitpid(first, nullptr, 0);
    REQUIRE(tf_listen(url.c_str(), &options, &farm) == TF_OK);
    std::this_thread::sleep_for(std::chrono::milliseconds(100));  // the worker has seen it go
    std::thread answers([&] {
      do tf_reply(worker, task.data, task.bytes);
      while (tf_recv(worker, &task, -1) == TF_OK);
    });
    while (count == 0) tf_next(farm, &result, 1, 100, &count);
    CHECK(result.status == TF_DONE);
    CHECK(std::string_view(static_cast<const char*>(result.data), result.bytes) == text);
    tf_close(farm, 1000);
    answers.join();
    tf_leave(worker);
    unlink(path.c_str());
  }
}

TEST_CASE("addresses") {
  CHECK(parse_url("tcp://[::1]:80").host == "::1");
  CHECK(parse_url("unix:///a/b?shm=off").shared_memory == false);
  CHECK(parse_url("unix://@x").path == "@x");
  for (const char* wrong : {"", "tcp://", "tcp://a", "tcp://a:", "tcp://:1", "tcp://a:70000", "tcp://a:x", "unix://", "unix://x",
                            "http://a:1", "tcp://a:1?shm=no", "tcp://[]:1"})
    CHECK_THROWS_AS(parse_url(wrong), Failure);
}
