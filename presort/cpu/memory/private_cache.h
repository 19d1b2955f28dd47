// The sizes of this machine's caches.
#pragma once

#include <cstdint>

#include "presort/core/choice/cache_sizes.h"

namespace presort::inline v0::cpu {

// Bytes of a core's second-level cache, as the system reports it; 1 MiB where it reports none. The system
// is asked once.
uint64_t private_cache_bytes();

// private_cache_bytes(), and the bytes of the third-level cache that the first processor uses; 0 where
// the system reports none. sysconf is not asked for the latter: where a socket has several such caches
// (AMD), it reports their sum. The system is asked once.
CacheSizes cache_sizes();

// A size as /sys writes it, "32768K", "2M" or "512", in bytes; 0 for any other text.
uint64_t parse_cache_size(const char* text);

}  // namespace presort::cpu
