// The size of the caches that a core of this machine has for itself.
#pragma once

#include <cstdint>

namespace presort::inline v0::cpu {

// Bytes of a core's second-level cache, as the system reports it; 1 MiB where it reports none. The system
// is asked once.
uint64_t private_cache_bytes();

}  // namespace presort::cpu
