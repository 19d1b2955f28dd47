// A GPU with round numbers, and problems for it: times that tests of the GPU tuner count by hand.
#pragma once

#include "presort/core/machine/machine.h"
#include "presort/core/problem.h"
#include "presort/core/types.h"

namespace presort::inline v0::tuner::test {

// A GPU machine with round numbers, so that times can be counted by hand.
inline Machine machine() {
  Machine machine;
  machine.name = "round";
  machine.gpu = Gpu{.name = "Round",
                    .architecture = "sm_90",
                    .multiprocessors = 100,
                    .clock_hz = 2e9,
                    .threads_of_multiprocessor = 2048,
                    .shared_bytes_of_multiprocessor = 228 << 10,
                    .shared_bytes_of_block = 224 << 10,
                    .l2_bytes = 64 << 20,
                    .l2_effective_bytes = 32 << 20,
                    .memory_bytes = uint64_t{128} << 30,
                    .launch_ns = 0,
                    .step_ns = 0,
                    .read_bandwidth = 4e12,
                    .copy_bandwidth = 4e12,
                    .l2_read_bandwidth = 8e12,
                    .atomics_of_address = 1e9,
                    .atomics_crowded = 32e9,
                    .atomics_in_l2 = 100e9,
                    .atomics_in_memory = 20e9,
                    .reads_in_l2 = 200e9,
                    .reads_in_memory = 40e9,
                    .shared_atomics = 2e12,
                    .shared_reads = 4e12,
                    .table_updates = 1e12,
                    .table_quarters = 1e12,
                    .table_swaps = 0.4e12,
                    .table_swap_quarters = 0.4e12};
  return machine;
}

inline Problem problem(Operation operation, uint64_t m, const char* distribution = "uniform",
                       const char* types = "u32+u32") {
  return {.operation = operation,
          .n = uint64_t{1} << 28,
          .m = m,
          .distribution = parse_distribution("dist", distribution),
          .types = parse_types("types", types)};
}

}  // namespace presort::tuner::test
