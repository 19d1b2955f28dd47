// An array that grows at its end, of elements that are not constructed: storage for results whose number
// is known only when they are there. Memory is touched for the first time by whoever writes it.
#pragma once

#include <sys/mman.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>
#include <span>
#include <type_traits>
#include <utility>

namespace presort::inline v0::cpu {

template <class T>
class GrowingArray {
 public:
  static_assert(std::is_trivially_copyable_v<T>);

  GrowingArray() = default;
  GrowingArray(GrowingArray&& other) noexcept { *this = std::move(other); }
  GrowingArray& operator=(GrowingArray&& other) noexcept {
    memory_ = std::move(other.memory_);
    size_ = std::exchange(other.size_, 0);
    room_ = std::exchange(other.room_, 0);
    return *this;
  }

  T* data() { return memory_.get(); }
  const T* data() const { return memory_.get(); }
  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T* begin() { return data(); }
  T* end() { return data() + size_; }
  const T* begin() const { return data(); }
  const T* end() const { return data() + size_; }
  T& operator[](size_t i) { return memory_.get()[i]; }
  const T& operator[](size_t i) const { return memory_.get()[i]; }

  // Appends `count` elements without values, and returns the first. Errors: std::bad_alloc
  T* extend(size_t count) {
    if (count > room_ - size_) {
      reserve(std::max(size_ + count, room_ + room_ / 2));
    }
    size_ += count;
    return memory_.get() + size_ - count;
  }

  // Drops the last `count` elements. Requires: count <= size()
  void drop(size_t count) { size_ -= count; }

 private:
  struct Free {
    void operator()(T* memory) const { std::free(memory); }
  };

  // Large blocks of the C library are pages of their own, which it moves without copying them.
  void reserve(size_t room) {
    if (room > static_cast<size_t>(-1) / 2 / sizeof(T)) {
      throw std::bad_alloc();
    }
    void* const larger = std::realloc(static_cast<void*>(memory_.get()), room * sizeof(T));
    if (larger == nullptr) {
      throw std::bad_alloc();
    }
    memory_.release();  // NOLINT: realloc has taken it
    memory_.reset(static_cast<T*>(larger));
    room_ = room;
    ask_for_huge_pages();
  }

  void ask_for_huge_pages() {
#if defined(MADV_HUGEPAGE)
    constexpr size_t kHuge = size_t{1} << 21;
    const auto first = reinterpret_cast<uintptr_t>(memory_.get());
    const uintptr_t begin = (first + kHuge - 1) / kHuge * kHuge;
    const uintptr_t end = (first + room_ * sizeof(T)) / kHuge * kHuge;
    if (end > begin) {
      madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);  // NOLINT: an address
    }
#endif
  }

  std::unique_ptr<T, Free> memory_;
  size_t size_ = 0;
  size_t room_ = 0;
};

}  // namespace presort::cpu
