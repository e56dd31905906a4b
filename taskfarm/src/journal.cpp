#include "journal.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cstring>

#include "failure.hpp"

namespace taskfarm {
namespace {

constexpr std::size_t head_bytes = 8, fixed_bytes = 24;  // length and checksum; type, status, id, value

Descriptor open_locked(const std::string& path, int flags) {
  Descriptor fd(open(path.c_str(), flags | O_RDWR | O_CREAT | O_CLOEXEC | O_APPEND, 0600));
  if (!fd.open()) fail_system("journal " + path);
  if (flock(fd.get(), LOCK_EX | LOCK_NB) != 0)
    throw Failure(TF_INVALID, "journal " + path + ": another coordinator uses it; give each one a journal of its own");
  close_in_children(fd.get());  // a child would keep the lock
  return fd;
}

std::string encode(const Record& record) {
  std::string body(fixed_bytes, '\0');
  body[0] = static_cast<char>(record.type);
  body[1] = static_cast<char>(record.status);
  std::memcpy(body.data() + 8, &record.id, 8);
  std::memcpy(body.data() + 16, &record.value, 8);
  body += record.payload;
  const auto length = static_cast<std::uint32_t>(body.size());
  const std::uint32_t sum = checksum(body);
  std::string head(head_bytes, '\0');
  std::memcpy(head.data(), &length, 4);
  std::memcpy(head.data() + 4, &sum, 4);
  return head + body;
}

// The bytes that the first whole record takes; 0 when there is none.
std::size_t decode(std::string_view in, Record& record) {
  if (in.size() < head_bytes + fixed_bytes) return 0;
  std::uint32_t length, sum;
  std::memcpy(&length, in.data(), 4);
  std::memcpy(&sum, in.data() + 4, 4);
  if (length < fixed_bytes || in.size() - head_bytes < length) return 0;
  const std::string_view body = in.substr(head_bytes, length);
  if (checksum(body) != sum) return 0;
  record.type = static_cast<RecordType>(body[0]);
  record.status = static_cast<std::uint8_t>(body[1]);
  std::memcpy(&record.id, body.data() + 8, 8);
  std::memcpy(&record.value, body.data() + 16, 8);
  record.payload = body.substr(fixed_bytes);
  return head_bytes + length;
}

}  // namespace

std::uint32_t checksum(std::string_view bytes) {
  static const auto tables = [] {  // slicing by eight: a byte at a time would cost as much as the write itself
    std::array<std::array<std::uint32_t, 256>, 8> made{};
    for (std::uint32_t i = 0; i < 256; ++i) {
      std::uint32_t c = i;
      for (int k = 0; k < 8; ++k) c = c & 1 ? 0xEDB88320U ^ (c >> 1) : c >> 1;
      made[0][i] = c;
    }
    for (std::size_t t = 1; t < 8; ++t)
      for (std::size_t i = 0; i < 256; ++i) made[t][i] = (made[t - 1][i] >> 8) ^ made[0][made[t - 1][i] & 255];
    return made;
  }();
  std::uint32_t c = 0xFFFFFFFFU;
  const auto* at = reinterpret_cast<const unsigned char*>(bytes.data());
  std::size_t left = bytes.size();
  for (; left >= 8; left -= 8, at += 8) {
    std::uint64_t word;
    std::memcpy(&word, at, 8);
    word ^= c;
    c = 0;
    for (std::size_t t = 0; t < 8; ++t) c ^= tables[7 - t][(word >> (8 * t)) & 255];
  }
  for (; left > 0; --left, ++at) c = tables[0][(c ^ *at) & 255] ^ (c >> 8);
  return c ^ 0xFFFFFFFFU;
}

Journal::Journal(const std::string& path, bool sync) : path_(path), sync_(sync), fd_(open_locked(path, 0)) {}

void Journal::read(const std::function<void(const Record&)>& take) {
  struct stat status;
  if (fstat(fd_.get(), &status) != 0) fail_system("journal " + path_);
  const auto size = static_cast<std::size_t>(status.st_size);
  std::size_t at = 0;
  if (size > 0) {
    void* memory = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, fd_.get(), 0);
    if (memory == MAP_FAILED) fail_system("journal " + path_);
    const std::string_view all(static_cast<const char*>(memory), size);
    Record record;
    while (const std::size_t used = decode(all.substr(at), record)) {
      take(record);
      at += used;
    }
    munmap(memory, size);
  }
  if (at < size && ftruncate(fd_.get(), static_cast<off_t>(at)) != 0) fail_system("journal " + path_);
  bytes_ = at;
}

void Journal::add(const Record& record) { buffer_ += encode(record); }

bool Journal::write() {
  std::size_t done = 0;
  while (done < buffer_.size()) {
    const ssize_t wrote = ::write(fd_.get(), buffer_.data() + done, buffer_.size() - done);
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote <= 0) break;
    done += static_cast<std::size_t>(wrote);
  }
  bytes_ += done;
  const bool whole = done == buffer_.size();
  if (done > 0 && sync_ && fdatasync(fd_.get()) != 0) return false;
  buffer_.erase(0, done);
  return whole;
}

void Journal::rewrite(const std::function<void()>& write_all) {
  const std::string fresh = path_ + ".new";
  unlink(fresh.c_str());
  Descriptor old = std::move(fd_);
  fd_ = open_locked(fresh, O_EXCL);
  buffer_.clear();
  bytes_ = 0;
  write_all();
  if (!write() || fdatasync(fd_.get()) != 0 || rename(fresh.c_str(), path_.c_str()) != 0) fail_system("journal " + path_);
}

}  // namespace taskfarm
