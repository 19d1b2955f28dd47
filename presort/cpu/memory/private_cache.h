// The caches that a core of this machine has for itself.
#pragma once

#include <cstdint>

namespace presort::inline v0::cpu {

// Bytes of the second level, as the system has it; 1 MiB where it does not say. Asked once.
uint64_t private_cache_bytes();

}  // namespace presort::cpu
