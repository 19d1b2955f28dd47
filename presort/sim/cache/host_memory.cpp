#include "presort/sim/cache/host_memory.h"

#include <cstring>
#include <new>

#include "presort/core/base/checked.h"

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace presort::inline v0::sim {

namespace {

constexpr uint64_t kHugePage = uint64_t{2} << 20;
// Least bytes of an array that gets huge pages: half of one, so that rounding up at most doubles it
constexpr uint64_t kLeastHuge = kHugePage / 2;

}  // namespace

void* zeroed_host_memory(uint64_t bytes) {
  const bool huge = bytes >= kLeastHuge;
  const uint64_t aligned = huge ? kHugePage : kHostLine;
  const uint64_t rounded = saturating_round_up(bytes, aligned);
  void* const memory = rounded == kUncountable ? nullptr : std::aligned_alloc(aligned, rounded);
  if (memory == nullptr) {
    throw std::bad_alloc();
  }
#if defined(__linux__) && defined(MADV_HUGEPAGE)
  if (huge) {
    static_cast<void>(madvise(memory, rounded, MADV_HUGEPAGE));
  }
#endif
  return std::memset(memory, 0, bytes);
}

}  // namespace presort::sim
