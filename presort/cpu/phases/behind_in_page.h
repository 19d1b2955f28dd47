// A place on the stack that never meets another array within a page.
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>
#include <type_traits>

namespace presort::inline v0::cpu {

// A T that lies at the offset within its page of 4 KiB at which another array ends. So the two have
// no offset in common, if both fit a page together.
//
// A load waits for an older store to another address when the offsets within their pages are equal
// and the physical addresses of the pages agree in some bits: chance decides about the pages, once
// for as long as a process has them. The partition loads what it staged on the stack between stores
// to its positions, of which few others are in flight: at 8 bits every twentieth to fiftieth place
// of the stack made it take 3.4 to 4.2 ns an input instead of 1.1 to 1.3. Placed as here, none of
// 1500 places did (two-core virtual machine, Golden-Cove-class core, 2026-11-23:
// docs/results/cpu-kernels.md).
template <class T>
class BehindInPage {
  static_assert(std::is_trivially_destructible_v<T> && alignof(T) <= 64);

 public:
  explicit BehindInPage(const void* end) : object_(*new (room_ + distance(end)) T) {}
  BehindInPage(const BehindInPage&) = delete;
  BehindInPage& operator=(const BehindInPage&) = delete;

  T& operator*() { return object_; }

 private:
  static constexpr size_t kPageBytes = 4096;
  static constexpr size_t kAlignment = 64;

  // Bytes from the start of this object's memory to the first place behind it whose offset within its
  // page equals that of `end`, rounded up to a cache line.
  size_t distance(const void* end) const {
    const auto to = reinterpret_cast<uintptr_t>(end) + kAlignment - 1;
    return (to - reinterpret_cast<uintptr_t>(room_)) & (kPageBytes - kAlignment);
  }

  alignas(kAlignment) std::byte room_[kPageBytes + sizeof(T)];
  T& object_;
};

}  // namespace presort::cpu
