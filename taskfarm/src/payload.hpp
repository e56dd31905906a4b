// Immutable bytes with a use count: a broadcast to 2000 workers, or a large task, lies in memory once.
// The count is not atomic: a farm uses its payloads under its own lock only.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>
#include <string_view>
#include <utility>

namespace taskfarm {

class Payload {
 public:
  Payload() = default;
  Payload(const void* data, std::size_t bytes) {
    if (bytes == 0) return;
    block_ = static_cast<Block*>(std::malloc(sizeof(Block) + bytes));
    if (block_ == nullptr) throw std::bad_alloc();
    block_->uses = 1;
    block_->bytes = bytes;
    std::memcpy(block_->data(), data, bytes);
  }
  Payload(const Payload& other) : block_(other.block_) {
    if (block_ != nullptr) ++block_->uses;
  }
  Payload(Payload&& other) noexcept : block_(std::exchange(other.block_, nullptr)) {}
  Payload& operator=(Payload other) noexcept {
    std::swap(block_, other.block_);
    return *this;
  }
  ~Payload() {
    if (block_ != nullptr && --block_->uses == 0) std::free(block_);
  }

  const char* data() const { return block_ == nullptr ? nullptr : block_->data(); }
  std::size_t size() const { return block_ == nullptr ? 0 : block_->bytes; }
  std::string_view view() const { return {data(), size()}; }

 private:
  struct Block {
    std::uint64_t uses;
    std::size_t bytes;
    char* data() { return reinterpret_cast<char*>(this + 1); }
  };
  Block* block_ = nullptr;
};

}  // namespace taskfarm
