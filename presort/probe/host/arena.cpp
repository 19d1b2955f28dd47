#include "presort/probe/host/arena.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>

#include "presort/core/error.h"

namespace presort::inline v0::probe {
namespace {

// The value of "Key: N kB" in a /proc file's line, in bytes; 0 when the line is another one.
uint64_t kilobytes_of(const std::string& line, const std::string& key) {
  if (line.compare(0, key.size(), key) != 0) {
    return 0;
  }
  return std::strtoull(line.c_str() + key.size(), nullptr, 10) * 1024;
}

}  // namespace

Arena::Arena(uint64_t bytes, Pages pages, const std::function<bool(uint64_t)>& is_enough)
    : mapping_bytes_(bytes + kHugePageBytes), bytes_(bytes) {
  void* mapping =
      mmap(nullptr, mapping_bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapping == MAP_FAILED) {
    throw EnvironmentError("the probe cannot map " + std::to_string(mapping_bytes_ >> 20) +
                           " MiB of memory");
  }
  mapping_ = static_cast<char*>(mapping);
  const auto address = reinterpret_cast<uintptr_t>(mapping_);
  data_ = mapping_ + ((address + kHugePageBytes - 1) / kHugePageBytes * kHugePageBytes - address);
  // Only advice to the system: huge_fraction() tells how much of the arena got such pages.
  madvise(data_, bytes_, pages == Pages::huge ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
  const auto step = static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
  for (uint64_t offset = 0; offset < bytes_; offset += step) {
    data_[offset] = 1;
    if (is_enough && offset > 0 && offset % kHugePageBytes == 0 && is_enough(offset)) {
      bytes_ = std::bit_floor(offset);
      break;
    }
  }
}

Arena::~Arena() {
  munmap(mapping_, mapping_bytes_);
}

double Arena::huge_fraction() const {
  std::ifstream smaps("/proc/self/smaps");
  const auto begin = reinterpret_cast<uintptr_t>(data_);
  const auto end = begin + bytes_;
  uint64_t huge_bytes = 0;
  bool inside = false;
  for (std::string line; std::getline(smaps, line);) {
    unsigned long first = 0;
    unsigned long last = 0;
    if (std::sscanf(line.c_str(), "%lx-%lx ", &first, &last) == 2) {
      inside = first < end && last > begin;
    } else if (inside) {
      huge_bytes += kilobytes_of(line, "AnonHugePages:");
    }
  }
  return std::min(1.0, static_cast<double>(huge_bytes) / static_cast<double>(bytes_));
}

}  // namespace presort::probe
