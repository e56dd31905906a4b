#include "journal.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>

#include "checksum.hpp"
#include "failure.hpp"
#include "file_size_limit.hpp"

namespace taskfarm {
namespace {

constexpr std::size_t head_bytes = 8, fixed_bytes = 24;  // length and checksum; type, status, id, value
constexpr char last_type = static_cast<char>(RecordType::pardoned), any_type = 127;
constexpr std::string_view magic = "TFARMJ1\n";            // the file begins with it, so that no other file is taken for one
constexpr std::uint64_t rewrite_at_least = 64U << 20, rewrite_factor = 4;  // beyond, and so many times what is alive
constexpr std::uint64_t reserve_again_after = 1U << 20;  // so much more of the file, where nothing could be reserved

// Of a file system that refuses: it may not, later or elsewhere.
[[noreturn]] void fail_writing(const std::string& path) {
  const int reason = errno;
  const bool full = reason == ENOSPC || reason == EDQUOT;
  throw Failure(TF_JOURNAL, "the journal cannot be written: " + path + ": " + std::strerror(reason) + "; " +
                                (full              ? "make room there, or give a file elsewhere"
                                 : reason == EFBIG ? "raise the limit of file sizes here (ulimit -f), or give a file elsewhere"
                                                   : "give a file elsewhere"));
}

bool is_at(const Descriptor& fd, const std::string& path) {
  struct stat mine, named;
  return fstat(fd.get(), &mine) == 0 && stat(path.c_str(), &named) == 0 && mine.st_ino == named.st_ino &&
         mine.st_dev == named.st_dev;
}

// The file that the path names, and no other: its owner may have replaced it between its opening and its lock here.
Descriptor open_locked(const std::string& path, int flags) {
  for (;;) {
    Descriptor fd(open(path.c_str(), flags | O_RDWR | O_CREAT | O_CLOEXEC, 0600));
    if (!fd.open() && (errno == ENOSPC || errno == EDQUOT)) fail_writing(path);
    if (!fd.open())
      throw Failure(TF_SYSTEM, "journal " + path + ": " + std::strerror(errno) + "; give a file in a folder that is there, and "
                               "that you may write to");
    if (flock(fd.get(), LOCK_EX | LOCK_NB) != 0) {
      if (errno != EWOULDBLOCK) fail_system("journal " + path + ": it cannot be locked");
      throw Failure(TF_INVALID, "journal " + path + ": another coordinator uses it; end that one, or give each one a journal of "
                                "its own");
    }
    if (!is_at(fd, path)) continue;
    close_in_children(fd.get());  // a child would keep the lock
    return fd;
  }
}

// Who may read the file before may read the new one: its mode, for its group where that can be given to it.
void keep_readers(const std::string& path, int fresh) {
  struct stat former, made;
  if (stat(path.c_str(), &former) != 0 || fstat(fresh, &made) != 0) return;
  mode_t mode = former.st_mode & 07777;
  if (former.st_gid != made.st_gid && fchown(fresh, static_cast<uid_t>(-1), former.st_gid) != 0) mode &= ~mode_t{070};
  if (mode != (made.st_mode & 07777) && fchmod(fresh, mode) != 0) fail_writing(path);
}

// What a rewrite that was killed has left; one that a coordinator has as its journal is not taken from it.
void remove_left(const std::string& fresh) {
  const Descriptor left(open(fresh.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
  if (left.open() && flock(left.get(), LOCK_EX | LOCK_NB) != 0)
    throw Failure(TF_INVALID, fresh + ": another coordinator has it as its journal, where this one writes its own anew; end that "
                              "one, or give it another name");
  unlink(fresh.c_str());
}

// A new name is on the disk only when its directory is.
bool sync_directory(const std::string& path) {
  const auto slash = path.rfind('/');
  const std::string folder = slash == std::string::npos ? "." : slash == 0 ? "/" : path.substr(0, slash);
  const Descriptor fd(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  return fd.open() && fsync(fd.get()) == 0;
}

// A file's bytes while it is read.
class View {
 public:
  View(const Descriptor& fd, const std::string& path) {
    struct stat status;
    if (fstat(fd.get(), &status) != 0) fail_system("journal " + path);
    if (!S_ISREG(status.st_mode)) throw Failure(TF_INVALID, "journal " + path + ": no regular file, so no journal");
    if (status.st_size == 0) return;
    bytes_ = static_cast<std::size_t>(status.st_size);
    memory_ = mmap(nullptr, bytes_, PROT_READ, MAP_PRIVATE, fd.get(), 0);
    if (memory_ == MAP_FAILED) fail_system("journal " + path);
  }
  View(const View&) = delete;
  ~View() {
    if (bytes_ > 0) munmap(memory_, bytes_);
  }
  std::string_view all() const { return {static_cast<const char*>(memory_), bytes_}; }

 private:
  void* memory_ = nullptr;
  std::size_t bytes_ = 0;
};

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

// The length of the body whose record begins there, as far as its head tells; 0 when none can begin there. `last`: of its types.
std::size_t body_bytes(std::string_view in, char last = last_type) {
  if (in.size() < head_bytes + fixed_bytes) return 0;
  std::uint32_t length;
  std::memcpy(&length, in.data(), 4);
  if (length < fixed_bytes || in.size() - head_bytes < length) return 0;
  const std::string_view body = in.substr(head_bytes, fixed_bytes);
  const bool sound = body[0] >= 1 && body[0] <= last && body.substr(2, 6) == std::string_view("\0\0\0\0\0\0", 6);
  return sound ? length : 0;
}

std::uint32_t sum_in_head(std::string_view in) {
  std::uint32_t sum;
  std::memcpy(&sum, in.data() + 4, 4);
  return sum;
}

// The bytes that the first whole record takes, of whatever version of taskfarm; 0 when there is none.
std::size_t decode(std::string_view in, Record& record) {
  const std::size_t length = body_bytes(in, any_type);
  const std::string_view body = in.substr(std::min(head_bytes, in.size()), length);
  if (length == 0 || checksum(body) != sum_in_head(in)) return 0;
  record.type = static_cast<RecordType>(body[0]);
  record.status = static_cast<std::uint8_t>(body[1]);
  std::memcpy(&record.id, body.data() + 8, 8);
  std::memcpy(&record.value, body.data() + 16, 8);
  record.payload = body.substr(fixed_bytes);
  return head_bytes + length;
}

// Whether a whole record begins anywhere in these bytes: then they are no half-written end. They may be a large table of small
// numbers, in which a head seems to stand in each row: none of the long bodies behind these is gone through.
bool has_record(std::string_view bytes) {
  const Checksums sums(bytes);
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    const std::string_view in = bytes.substr(at);
    const std::size_t length = body_bytes(in);
    if (length > 0 && sums.of(at + head_bytes, length) == sum_in_head(in)) return true;
  }
  return false;
}

}  // namespace

Journal::Journal(const std::string& path, bool sync)
    : sync_(sync), made_(access(path.c_str(), F_OK) != 0), fd_(open_locked(path, 0)) {
  path_ = std::filesystem::canonical(path);  // the program may go to another folder, and a link is to stay one
  spare_path_ = path_ + ".rewriting";
  const View view(fd_, path);
  if (!view.all().starts_with(magic) && !magic.starts_with(view.all()))
    throw Failure(TF_INVALID, "journal " + path + ": the file is no journal, and is left as it is; choose another name");
}

// One that could not even be begun is no journal that somebody would look for. It is locked, so nobody else's.
Journal::~Journal() {
  if (made_ && bytes_ == 0 && fd_.open()) unlink(path_.c_str());
  drop_spare();
}

void Journal::read(const std::function<void(const Record&)>& take) {
  const View view(fd_, path_);
  const std::string_view all = view.all();
  std::size_t at = all.size() < magic.size() ? 0 : magic.size();
  Record record;
  while (const std::size_t used = decode(all.substr(at), record)) {
    if (record.type > RecordType::pardoned)
      throw Failure(TF_INVALID, "journal " + path_ + ": the record at byte " + std::to_string(at) + " is of a later version of " +
                                    "taskfarm; go on with that version, or choose another name");
    take(record);
    at += used;
  }
  if (at < all.size() && has_record(all.substr(at + 1)))
    throw Failure(TF_INVALID, "journal " + path_ + ": damaged at byte " + std::to_string(at) + ", and records follow; take a " +
                                  "copy of it from before, or give up what follows: truncate -s " + std::to_string(at) + " " +
                                  for_shell(path_));
  bytes_ = at;
  torn_ = at < all.size();
}

void Journal::write_or_fail() {
  if (!write()) fail_writing(path_);
}

void Journal::add(const Record& record) { buffer_ += encode(record); }

bool Journal::write() {
  if (buffer_.empty()) return true;
  if (bytes_ == 0 && !append(magic)) return false;
  if (!append(buffer_)) return false;
  buffer_.clear();
  if (buffer_.capacity() > (1U << 20)) buffer_.shrink_to_fit();
  return true;
}

// All of it, or nothing: what a full disk left half written is cut off, for whatever came behind it would be lost.
bool Journal::append(std::string_view bytes) {
  if (torn_ && ftruncate(fd_.get(), static_cast<off_t>(bytes_)) != 0) return false;
  torn_ = false;
  const FileSizeSignal none;
  std::size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t wrote = pwrite(fd_.get(), bytes.data() + done, bytes.size() - done, static_cast<off_t>(bytes_ + done));
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote <= 0) break;
    done += static_cast<std::size_t>(wrote);
  }
  if (done == bytes.size() && (!sync_ || fdatasync(fd_.get()) == 0)) {
    bytes_ += done;
    return true;
  }
  const int reason = errno;
  torn_ = ftruncate(fd_.get(), static_cast<off_t>(bytes_)) != 0;
  errno = reason;
  return false;
}

bool Journal::reserve(std::uint64_t bytes) {
  if (bytes <= reserved_ || bytes_ < reserve_again_from_) return true;
  if (try_open_spare() && (extend_spare(bytes + bytes / 4) || extend_spare(bytes))) return true;
  const int reason = errno;
  if (reserved_ == 0) drop_spare();
  errno = reason;
  if (reason == ENOSPC || reason == EDQUOT) return false;
  reserve_again_from_ = bytes_ + reserve_again_after;
  return true;
}

bool Journal::give_back(std::uint64_t keep) {
  if (keep >= reserved_ || ftruncate(spare_.get(), static_cast<off_t>(keep)) != 0) return false;
  reserved_ = keep;
  return true;
}

bool Journal::try_open_spare() {
  try {
    open_spare();
    return true;
  } catch (const Failure& failure) {
    errno = failure.code == TF_JOURNAL ? ENOSPC : EBUSY;
  } catch (const std::exception&) {
    errno = ENOMEM;
  }
  return false;
}

// Somebody may have removed it, or made a file of his own in its place.
void Journal::open_spare() {
  if (spare_.open() && is_at(spare_, spare_path_)) return;
  drop_spare();
  remove_left(spare_path_);
  spare_ = open_locked(spare_path_, O_EXCL);
}

void Journal::drop_spare() noexcept {
  if (spare_.open() && is_at(spare_, spare_path_)) unlink(spare_path_.c_str());
  spare_.reset();
  reserved_ = 0;
}

bool Journal::extend_spare(std::uint64_t bytes) {
  const FileSizeSignal none;
  while (fallocate(spare_.get(), 0, 0, static_cast<off_t>(bytes)) != 0) {
    if (errno == EINTR) continue;
    const int reason = errno;
    if (ftruncate(spare_.get(), static_cast<off_t>(reserved_)) != 0) reserved_ = 0;  // a part may have been there
    errno = reason;
    return false;
  }
  reserved_ = bytes;
  return true;
}

void Journal::rewrite(const std::function<void()>& write_all) {
  open_spare();
  Descriptor old = std::move(fd_);
  std::string waiting = std::move(buffer_);
  const std::uint64_t bytes = bytes_;
  const bool torn = torn_;
  try {
    replace_by_spare(write_all);
  } catch (...) {
    unlink(spare_path_.c_str());
    fd_ = std::move(old);
    buffer_ = std::move(waiting);
    bytes_ = bytes;
    torn_ = torn;
    throw;
  }
  if (!sync_directory(path_) && sync_ && errno != EINVAL) fail_system("journal " + path_ + ": its directory");
}

// What was buffered goes with the old file: `write_all` writes what it led to.
void Journal::replace_by_spare(const std::function<void()>& write_all) {
  fd_ = std::move(spare_);
  reserved_ = reserve_again_from_ = 0;
  keep_readers(path_, fd_.get());
  buffer_.clear();
  bytes_ = 0;
  torn_ = false;
  write_all();
  if (!write() || ftruncate(fd_.get(), static_cast<off_t>(bytes_)) != 0 || fdatasync(fd_.get()) != 0 ||
      rename(spare_path_.c_str(), path_.c_str()) != 0)
    fail_writing(path_);
  rewrite_from_ = rewrite_at_least + rewrite_factor * bytes_;
}

}  // namespace taskfarm
