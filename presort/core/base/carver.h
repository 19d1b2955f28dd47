// Cuts one block of memory into arrays that start at multiples of a cache line.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>

#include "presort/core/base/checked.h"
#include "presort/core/error.h"

namespace presort::inline v0 {

inline constexpr size_t kLineBytes = 64;

// Cuts a block of memory into arrays. Without memory the same calls only measure: the code that
// computes the size of a block is the code that cuts it.
class Carver {
 public:
  // A carver that only measures: take() gives null pointers.
  Carver() = default;
  // Makes a carver that cuts `block`.
  // Requires: block is aligned to kLineBytes
  explicit Carver(std::byte* block) : block_(block) {}

  // The next array of the block. Requires: the block reaches to the array's end; 64 bits hold its bytes
  template <class T>
  T* take(size_t count) {
    static_assert(std::is_trivially_copyable_v<T> && alignof(T) <= kLineBytes);
    T* array = block_ != nullptr ? reinterpret_cast<T*>(block_ + used_bytes_) : nullptr;
    const size_t bytes = saturating_round_up(saturating_multiply(count, sizeof(T)), kLineBytes);
    used_bytes_ = saturating_add(used_bytes_, bytes);
    return array;
  }

  // Bytes of all arrays taken so far; kUncountable if 64 bits do not hold them.
  size_t used_bytes() const { return used_bytes_; }

 private:
  std::byte* block_ = nullptr;
  size_t used_bytes_ = 0;
};

// Bytes of the scratch that was measured for n inputs and m buckets.
// Errors: EnvironmentError naming n and m when 64 bits do not hold them
inline size_t measured_bytes(const Carver& carver, uint64_t n, uint64_t m) {
  if (carver.used_bytes() == kUncountable) {
    throw EnvironmentError("not enough memory: the scratch of n=" + std::to_string(n) +
                           " inputs and m=" + std::to_string(m) +
                           " buckets takes 2^64 bytes or more");
  }
  return carver.used_bytes();
}

}  // namespace presort
