// Immutable bytes with a use count: a broadcast to 2000 workers, or a large task, lies in memory once.
// Neither the count nor the store is atomic: a farm uses its payloads under its own lock only.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <new>
#include <string_view>
#include <utility>

namespace taskfarm {

// Where a farm's payloads come from and go back to. Tasks and results come and go at the same pace, so what was given back
// last is taken next, while the caches still hold it: 5 to 10 % of the whole cost of a task with 16 in flight, beside the heap
// asked each time (TCP, 8 B and 2 KiB). It keeps so much and no more.
class PayloadStore {
 public:
  PayloadStore() = default;
  PayloadStore(const PayloadStore&) = delete;
  ~PayloadStore() {
    for (Free* first : free_)
      while (first != nullptr) ::operator delete(std::exchange(first, first->next));
  }

  void* take(std::size_t bytes) {
    const Class kind = class_of(bytes);
    if (kind.number < classes && free_[kind.number] != nullptr) {
      kept_ -= kind.bytes;
      return std::exchange(free_[kind.number], free_[kind.number]->next);
    }
    return ::operator new(kind.bytes);
  }

  void give_back(void* block, std::size_t bytes) {
    const Class kind = class_of(bytes);
    if (kind.number >= classes || kept_ + kind.bytes > most_kept) return ::operator delete(block);
    kept_ += kind.bytes;
    free_[kind.number] = new (block) Free{free_[kind.number]};
  }

  std::size_t kept() const { return kept_; }

#ifdef __SANITIZE_ADDRESS__
  static constexpr std::size_t most_kept = 0;  // what is given back may not be touched
#else
  static constexpr std::size_t most_kept = 16U << 20;
#endif

 private:
  struct Free {
    Free* next;
  };
  struct Class {
    std::size_t number, bytes;
  };
  static constexpr std::size_t least = 24, largest = 1U << 16, classes = 48;

  // Four sizes to a doubling, so that at most a fifth of a block is empty; what is larger than all has a class of its own.
  static Class class_of(std::size_t bytes) {
    if (bytes <= least) return {0, least};
    if (bytes > largest) return {classes, bytes};
    const auto doubling = static_cast<unsigned>(std::bit_width(bytes - 1)) - 1;
    const std::size_t floor = std::size_t{1} << doubling, step = floor / 4, steps = (bytes - floor + step - 1) / step;
    return {4 * (doubling - 4) + steps - 1, floor + steps * step};
  }

  std::array<Free*, classes> free_{};
  std::size_t kept_ = 0;
};

class Payload {
 public:
  Payload() = default;
  Payload(PayloadStore& store, std::string_view bytes) {
    if (bytes.empty()) return;
    block_ = new (store.take(sizeof(Block) + bytes.size())) Block{1, static_cast<std::uint32_t>(bytes.size()), &store};
    std::memcpy(block_->data(), bytes.data(), bytes.size());
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
    if (block_ != nullptr && --block_->uses == 0) block_->store->give_back(block_, sizeof(Block) + block_->bytes);
  }

  const char* data() const { return block_ == nullptr ? nullptr : block_->data(); }
  std::size_t size() const { return block_ == nullptr ? 0 : block_->bytes; }
  std::string_view view() const { return {data(), size()}; }

 private:
  struct Block {
    std::uint32_t uses, bytes;  // a frame is shorter than 2 GiB
    PayloadStore* store;
    char* data() { return reinterpret_cast<char*>(this + 1); }
  };
  Block* block_ = nullptr;
};

}  // namespace taskfarm
