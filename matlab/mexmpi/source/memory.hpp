// Memory that a message lies in: owned, not zeroed, and never thrown across the interpreter.
#pragma once
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "failure.hpp"

namespace mexmpi {

class Buffer {
   public:
    Buffer() = default;
    explicit Buffer(size_t bytes) : size_(bytes), capacity_(bytes) {
        data_ = static_cast<uint8_t*>(std::malloc(bytes ? bytes : 1));
        if (!data_) fail("noMemory", "there is no memory for %zu bytes", bytes);
    }
    Buffer(const Buffer&) = delete;
    Buffer& operator=(const Buffer&) = delete;
    Buffer(Buffer&& other) noexcept { swap(other); }
    Buffer& operator=(Buffer&& other) noexcept {
        swap(other);
        return *this;
    }
    ~Buffer() { std::free(data_); }

    uint8_t* data() { return data_; }
    const uint8_t* data() const { return data_; }
    size_t size() const { return size_; }

    void append(const void* bytes, size_t count) {
        if (count > capacity_ - size_) grow(size_ + count);
        if (count) std::memcpy(data_ + size_, bytes, count);
        size_ += count;
    }
    template <class T>
    void put(T value) {
        append(&value, sizeof value);
    }

   private:
    void swap(Buffer& other) noexcept {
        std::swap(data_, other.data_);
        std::swap(size_, other.size_);
        std::swap(capacity_, other.capacity_);
    }
    void grow(size_t needed) {
        size_t wanted = needed < 2 * capacity_ ? 2 * capacity_ : needed + 64;
        void* larger = std::realloc(data_, wanted);
        if (!larger) fail("noMemory", "there is no memory for %zu bytes", wanted);
        data_ = static_cast<uint8_t*>(larger);
        capacity_ = wanted;
    }
    uint8_t* data_ = nullptr;
    size_t size_ = 0, capacity_ = 0;
};

}  // namespace mexmpi
