// Where bytes are read to. It begins with a cache line: many processors of AMD copy three times as slowly to what lies 8 to
// 24 bytes behind the beginning of a page, which is where malloc puts large blocks.
#pragma once

#include <cstddef>
#include <new>
#include <vector>

namespace taskfarm {

template <class T>
struct LineAllocator {
  using value_type = T;
  static constexpr std::align_val_t line{64};

  T* allocate(std::size_t count) { return static_cast<T*>(::operator new(count * sizeof(T), line)); }
  void deallocate(T* place, std::size_t) { ::operator delete(place, line); }
  bool operator==(const LineAllocator&) const = default;
};

using Buffer = std::vector<char, LineAllocator<char>>;

}  // namespace taskfarm
