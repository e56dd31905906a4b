// The journal: an append-only file from which a restarted coordinator goes on. docs/journal.md has the layout.
// What a kill of the process cannot undo is written before it is promised: a task before submit returns, a result before
// it is handed out.
#pragma once

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
};

struct Record {
  RecordType type{};
  std::uint8_t status = 0;
  std::uint64_t id = 0, value = 0;
  std::string_view payload;
};

class Journal {
 public:
  Journal(const std::string& path, bool sync);
  // Calls `take` for each whole record; what a crash left half written at the end is cut off.
  void read(const std::function<void(const Record&)>& take);
  void add(const Record& record);  // buffered
  bool write();                    // false when the file system refuses; the records stay buffered
  // Replaces the file by what `write_all` adds; atomic.
  void rewrite(const std::function<void()>& write_all);
  std::uint64_t bytes() const { return bytes_; }

 private:
  std::string path_;
  bool sync_;
  Descriptor fd_;
  std::string buffer_;
  std::uint64_t bytes_ = 0;
};

std::uint32_t checksum(std::string_view bytes);  // CRC-32 of zlib

}  // namespace taskfarm
