#include "presort/cpu/memory/private_cache.h"

#include <unistd.h>

namespace presort::inline v0::cpu {

uint64_t private_cache_bytes() {
  constexpr uint64_t kUnknown = uint64_t{1} << 20;
  static const uint64_t bytes = [] {
    const long found = sysconf(_SC_LEVEL2_CACHE_SIZE);
    return found > 0 ? static_cast<uint64_t>(found) : kUnknown;
  }();
  return bytes;
}

}  // namespace presort::cpu
