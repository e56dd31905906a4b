// What waits to be written to one peer. Small frames are copied behind each other, so that one call sends many; large
// payloads stay where they are.
#pragma once

#include <sys/uio.h>

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>

#include "frame.hpp"
#include "payload.hpp"

namespace taskfarm {

class OutQueue {
 public:
  bool empty() const { return added_ == taken_; }
  std::uint64_t added() const { return added_; }  // bytes ever put in
  std::uint64_t taken() const { return taken_; }  // bytes ever handed on

  void add(const Header& header, std::string_view payload = {}) {
    std::string& run = open_run();
    run.append(reinterpret_cast<const char*>(&header), header_bytes);
    run.append(payload);
    added_ += header_bytes + payload.size();
  }

  void add(const Header& header, const Payload& payload) {
    if (payload.size() < by_reference_from) return add(header, payload.view());
    add(header);
    parts_.emplace_back().reference = payload;
    added_ += payload.size();
  }

  std::string_view front() const {  // contiguous bytes; not empty unless the queue is
    return parts_.empty() ? std::string_view{} : parts_.front().rest();
  }

  bool more_than(std::size_t bytes) const { return added_ - taken_ > bytes; }

  int gather(iovec* places, int count) const {
    int used = 0;
    for (const Part& part : parts_) {
      if (used == count) break;
      const std::string_view rest = part.rest();
      if (!rest.empty()) places[used++] = {const_cast<char*>(rest.data()), rest.size()};
    }
    return used;
  }

  void take(std::size_t bytes) {
    taken_ += bytes;
    while (!parts_.empty()) {
      Part& part = parts_.front();
      const std::size_t rest = part.rest().size();
      if (bytes < rest) {
        part.done += bytes;
        return;
      }
      bytes -= rest;
      if (parts_.size() == 1 && part.is_run() && part.run.capacity() <= kept_capacity) {
        part.run.clear();  // its memory serves again
        part.done = 0;
        return;
      }
      parts_.pop_front();
    }
  }

 private:
  static constexpr std::size_t by_reference_from = 16384, kept_capacity = 65536;

  struct Part {
    std::string run;
    Payload reference;
    std::size_t done = 0;
    bool is_run() const { return reference.size() == 0; }
    std::string_view rest() const { return (is_run() ? std::string_view(run) : reference.view()).substr(done); }
  };

  std::string& open_run() {
    if (parts_.empty() || !parts_.back().is_run()) parts_.emplace_back();
    return parts_.back().run;
  }

  std::deque<Part> parts_;
  std::uint64_t added_ = 0, taken_ = 0;
};

}  // namespace taskfarm
