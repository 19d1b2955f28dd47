// Memory of a known page size.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "presort/core/base/stop.h"
#include "presort/core/plan/cpu_plan.h"

namespace presort::inline v0::cpu {

// Distance, in bytes, by which the starts of arrays that are read side by side differ within their
// pages. With equal starts their lines meet in the same banks of memory all along: of two streams
// among random misses each line took 10 ns longer, a direct loop with 4 to 64 MiB of buckets 4.3 to
// 5.2 ns instead of 3.1 to 3.9 (one H200's Emerald Rapids host, 2026-11-21; distances of 0, 64 B,
// 64 KiB and 1 MiB are slow, from 1 KiB to 32 KiB fast).
inline constexpr size_t kStagger = 5120;

// A zeroed buffer, aligned to the page size and faulted in. 2 MiB pages are asked for and not
// certain: see huge_bytes().
class PageBuffer {
 public:
  PageBuffer() = default;
  // Allocates the buffer. Errors: EnvironmentError when less than `bytes` of memory is available (before
  // allocating), or
  //         the kernel refuses; Stopped once `stop` asks for it
  PageBuffer(size_t bytes, PageSize page_size, StopToken stop = {});
  ~PageBuffer();
  PageBuffer(PageBuffer&& other) noexcept;
  PageBuffer& operator=(PageBuffer&& other) noexcept;

  std::byte* data() const { return data_; }
  size_t size() const { return bytes_; }
  std::span<std::byte> bytes() const { return {data_, bytes_}; }

  // A view of the buffer as an array of T that starts `offset` bytes into the buffer.
  template <class T>
  std::span<T> array(size_t count, size_t offset = 0) const {
    return {reinterpret_cast<T*>(data_ + offset), count};
  }

  // Number of the buffer's bytes that lie in huge pages, by /proc/self/smaps.
  uint64_t huge_bytes() const;

 private:
  void release();

  std::byte* mapping_ = nullptr;
  size_t mapping_bytes_ = 0;
  std::byte* data_ = nullptr;
  size_t bytes_ = 0;
};

}  // namespace presort::cpu
