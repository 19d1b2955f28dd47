// Memory of a known page size.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/plan.h"

namespace presort::cpu {

// Zeroed bytes, aligned to the page size and faulted in. 2 MiB pages are asked for and not certain:
// see huge_bytes().
class PageBuffer {
 public:
  PageBuffer() = default;
  // Errors: EnvironmentError when less than `bytes` of memory is available (before allocating), or
  //         the kernel refuses
  PageBuffer(size_t bytes, PageSize page_size);
  ~PageBuffer();
  PageBuffer(PageBuffer&& other) noexcept;
  PageBuffer& operator=(PageBuffer&& other) noexcept;

  std::byte* data() const { return data_; }
  size_t size() const { return bytes_; }
  std::span<std::byte> bytes() const { return {data_, bytes_}; }

  // The array that starts `offset` bytes into the buffer.
  template <class T>
  std::span<T> array(size_t count, size_t offset = 0) const {
    return {reinterpret_cast<T*>(data_ + offset), count};
  }

  // Bytes that stand in huge pages, as /proc/self/smaps has it.
  uint64_t huge_bytes() const;

 private:
  void release();

  std::byte* mapping_ = nullptr;
  size_t mapping_bytes_ = 0;
  std::byte* data_ = nullptr;
  size_t bytes_ = 0;
};

// MemAvailable of /proc/meminfo, in bytes.
uint64_t available_memory_bytes();

// Errors: EnvironmentError naming both numbers when less than `bytes` is available
void require_memory(uint64_t bytes);

}  // namespace presort::cpu
