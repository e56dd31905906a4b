// The journal: an append-only file from which a restarted coordinator goes on. docs/journal.md has the layout.
// What a kill of the process cannot undo is written before it is promised: a task before submit returns, a result before
// it is handed out.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "hello.hpp"
#include "socket.hpp"

namespace taskfarm {

enum class RecordType : std::uint8_t {
  farm = 1,       // first record; payload: identity; id: the task id that comes next
  task = 2,       // id, payload, value: deadline that is left, in ms (0: none)
  result = 3,     // id, payload, status, value: attempts
  handed_out = 4, // id: tf_next has returned it
  delivered = 5,  // id: a later call of tf_next has confirmed it
  broadcast = 6,  // payload as in the frame, id: version
  suspected = 7,  // id took a worker down; payload: the reason
  pardoned = 8,   // id: the worker of attempt `value` is back
};

struct Record {
  RecordType type{};
  std::uint8_t status = 0;
  std::uint64_t id = 0, value = 0;
  std::string_view payload;
};

class Journal {
 public:
  // Raises Failure, and leaves the file alone, when it is none of these or another coordinator has it.
  Journal(const std::string& path, bool sync);
  ~Journal();
  Journal(const Journal&) = delete;
  // Calls `take` for each whole record; what a crash left half written at the end is left out. Raises Failure when whole
  // records follow what cannot be read.
  void read(const std::function<void(const Record&)>& take);
  void add(const Record& record);  // buffered
  // False when the file system refuses: errno says why, the records stay buffered, and none is left half written.
  bool write();
  void write_or_fail();  // raises Failure instead
  std::size_t buffered() const { return buffer_.size(); }
  void drop_buffered_from(std::size_t bytes) noexcept { buffer_.resize(std::min(bytes, buffer_.size())); }
  // Keeps so much of the disk for the next rewrite, which the file itself could else fill. False when there is no room: errno says
  // why. True, too, where the file system keeps nothing for anybody.
  bool reserve(std::uint64_t bytes);
  bool give_back(std::uint64_t keep);  // all but so much of what is reserved; false when that is nothing
  // Replaces the file by what `write_all` adds; atomic. Raises Failure, and keeps the file as it was, when that fails.
  void rewrite(const std::function<void()>& write_all);
  bool wants_rewrite() const { return bytes_ > rewrite_from_; }
  std::uint64_t bytes() const { return bytes_; }
  void put_rewrite_off() { rewrite_from_ = 2 * bytes_; }

 private:
  bool append(std::string_view bytes);
  void open_spare();
  bool try_open_spare();
  bool extend_spare(std::uint64_t bytes);
  void drop_spare() noexcept;
  void replace_by_spare(const std::function<void()>& write_all);

  std::string path_, spare_path_;
  bool sync_;
  bool made_;                // there was no file
  bool torn_ = false;        // what lies behind bytes_ is to be cut off before anything is written
  Descriptor fd_;
  Descriptor spare_;         // the file that is written next: zeros, for which there is room
  std::uint64_t reserved_ = 0, reserve_again_from_ = 0;
  std::string buffer_;
  std::uint64_t bytes_ = 0;  // of the file: whole records, each of which has been reported as written
  std::uint64_t rewrite_from_ = 0;
};

}  // namespace taskfarm
