// Tells how much memory this process can still take.
#pragma once

#include <cstdint>

namespace presort::inline v0::cpu {

// Bytes that can be taken without swapping: the least of MemAvailable in /proc/meminfo, of what the
// process's control groups leave it (cpu/memory/memory_groups.h), and of the process's own limits
// (RLIMIT_AS, RLIMIT_DATA). The groups are looked up at the first call.
uint64_t available_memory_bytes();

// Checks that memory suffices. Errors: EnvironmentError naming both numbers when less than `bytes` bytes
// of memory are available
void require_memory(uint64_t bytes);

}  // namespace presort::cpu
