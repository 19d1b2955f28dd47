// Cuts one block of memory into arrays that start at lines.
#pragma once

#include <cstddef>
#include <type_traits>

namespace presort {

inline constexpr size_t kLineBytes = 64;

// The same calls with and without memory give the same layout, so that what measures the block is
// what cuts it.
class Carver {
 public:
  // Only measures: take() gives null pointers.
  Carver() = default;
  // Requires: block is aligned to kLineBytes
  explicit Carver(std::byte* block) : block_(block) {}

  // Requires: the block reaches to the end of the array
  template <class T>
  T* take(size_t count) {
    static_assert(std::is_trivially_copyable_v<T> && alignof(T) <= kLineBytes);
    T* array = block_ != nullptr ? reinterpret_cast<T*>(block_ + used_bytes_) : nullptr;
    used_bytes_ += (count * sizeof(T) + kLineBytes - 1) / kLineBytes * kLineBytes;
    return array;
  }

  size_t used_bytes() const { return used_bytes_; }

 private:
  std::byte* block_ = nullptr;
  size_t used_bytes_ = 0;
};

}  // namespace presort
