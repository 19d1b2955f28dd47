#include "presort/cpu/pages.h"

#include <sys/mman.h>

#include <cstdio>
#include <cstring>
#include <fstream>
#include <string>
#include <utility>

#include "presort/core/base/checked.h"
#include "presort/core/error.h"
#include "presort/core/text/units.h"
#include "presort/cpu/memory/available_memory.h"

namespace presort::inline v0::cpu {

namespace {

constexpr size_t kSmallPageBytes = 4096;

// The size in a line "NAME:   123 kB" of /proc/self/smaps, in bytes; -1 when the line has another name.
int64_t kibibyte_field(const std::string& line, const char* name) {
  const size_t length = std::strlen(name);
  if (line.compare(0, length, name) != 0 || line.size() <= length || line[length] != ':') {
    return -1;
  }
  return std::stoll(line.substr(length + 1)) * 1024;
}

std::string needed_text(uint64_t bytes) {
  return bytes == kUncountable ? "2^64 bytes or more" : format_bytes(bytes);
}

}  // namespace

// A buffer's data lie between two inaccessible pages, so that the kernel accounts for the buffer
// separately.
PageBuffer::PageBuffer(size_t bytes, PageSize page_size, StopToken stop) {
  if (bytes == 0) {
    return;
  }
  const size_t page = page_bytes(page_size);
  const size_t rounded = saturating_round_up(bytes, page);
  require_memory(rounded);
  mapping_bytes_ = saturating_add(rounded, 2 * page);
  void* mapping =
      mmap(nullptr, mapping_bytes_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapping == MAP_FAILED) {
    throw EnvironmentError("the kernel refuses " + needed_text(mapping_bytes_) + " of memory");
  }
  mapping_ = static_cast<std::byte*>(mapping);
  const auto address = reinterpret_cast<uintptr_t>(mapping_) + kSmallPageBytes;
  data_ = mapping_ + (saturating_round_up(address, page) - reinterpret_cast<uintptr_t>(mapping_));
  bytes_ = bytes;
  const int advice = page_size == PageSize::k2MiB ? MADV_HUGEPAGE : MADV_NOHUGEPAGE;
  if (mprotect(data_, rounded, PROT_READ | PROT_WRITE) != 0) {
    release();
    throw EnvironmentError("the kernel refuses " + format_bytes(rounded) + " of memory");
  }
  madvise(data_, rounded, advice);  // a refusal is no error: huge_bytes() tells if pages are huge
  for (size_t byte = 0; byte < rounded; byte += kSmallPageBytes) {
    if (stop.is_asked()) {
      release();
      throw Stopped();
    }
    *reinterpret_cast<volatile std::byte*>(data_ + byte) = std::byte{0};
  }
}

void PageBuffer::release() {
  if (mapping_ != nullptr) {
    munmap(mapping_, mapping_bytes_);
  }
  mapping_ = nullptr;
  mapping_bytes_ = 0;
  data_ = nullptr;
  bytes_ = 0;
}

PageBuffer::~PageBuffer() {
  release();
}

PageBuffer::PageBuffer(PageBuffer&& other) noexcept {
  *this = std::move(other);
}

PageBuffer& PageBuffer::operator=(PageBuffer&& other) noexcept {
  if (this != &other) {
    release();
    mapping_ = std::exchange(other.mapping_, nullptr);
    mapping_bytes_ = std::exchange(other.mapping_bytes_, 0);
    data_ = std::exchange(other.data_, nullptr);
    bytes_ = std::exchange(other.bytes_, 0);
  }
  return *this;
}

uint64_t PageBuffer::huge_bytes() const {
  std::ifstream smaps("/proc/self/smaps");
  const auto wanted_first = reinterpret_cast<uintptr_t>(data_);
  const uintptr_t wanted_last = wanted_first + bytes_;
  bool inside = false;
  uint64_t total = 0;
  for (std::string line; std::getline(smaps, line);) {
    unsigned long first = 0;
    unsigned long last = 0;
    if (std::sscanf(line.c_str(), "%lx-%lx ", &first, &last) == 2) {
      inside = first < wanted_last && last > wanted_first;
    } else if (inside) {
      const int64_t bytes = kibibyte_field(line, "AnonHugePages");
      total += bytes > 0 ? static_cast<uint64_t>(bytes) : 0;
    }
  }
  return total;
}

}  // namespace presort::cpu
