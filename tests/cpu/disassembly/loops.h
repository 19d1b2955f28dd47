// Inner loops as the phases have them (phase_…, phases.cpp) and as one would write them by hand
// (plain_…, plain_loops.cpp). Two files, so that the compiler cannot fold one into the other.
#pragma once

#include <cstddef>
#include <cstdint>

#include "presort/cpu/detail/input.h"

using TestPair = presort::cpu::Pair<uint32_t, uint32_t>;

#define PRESORT_TEST_LOOPS(prefix)                                                                \
  void prefix##_direct_reduce(const uint32_t* labels, const uint32_t* values, uint32_t* buckets,  \
                              size_t first, size_t last);                                         \
  void prefix##_direct_scatter(const uint32_t* labels, const uint32_t* values, uint32_t* buckets, \
                               size_t first, size_t last);                                        \
  void prefix##_prefetched_reduce(const uint32_t* labels, const uint32_t* values,                 \
                                  uint32_t* buckets, size_t distance, size_t size);               \
  void prefix##_pair_reduce(const TestPair* pairs, uint32_t* buckets, size_t first, size_t last); \
  void prefix##_histogram(const uint32_t* labels, uint32_t* counts, int shift, uint64_t mask,     \
                          size_t first, size_t last);                                             \
  void prefix##_partition(const uint32_t* labels, const uint32_t* values, size_t* positions,      \
                          TestPair* buffers, TestPair* output, int shift, uint64_t mask,          \
                          size_t first, size_t last);                                             \
  void prefix##_gather(const uint32_t* labels, const uint32_t* table, uint32_t* results,          \
                       size_t first, size_t last);                                                \
  void prefix##_scan(const uint32_t* labels, const uint32_t* values, uint32_t* buckets,           \
                     uint32_t* results, size_t first, size_t last);                               \
  void prefix##_permute_back(const uint32_t* labels, size_t* positions, const uint32_t* from,     \
                             uint32_t* to, int shift, uint64_t mask, size_t first, size_t last);  \
  void prefix##_radix(const uint32_t* keys, const uint32_t* values, uint32_t* result_keys,        \
                      uint32_t* result_values, size_t* positions, int shift, uint64_t mask,       \
                      size_t first, size_t last);                                                 \
  uint32_t prefix##_random_gather(const uint32_t* table, uint64_t mask, size_t first,             \
                                  size_t last);                                                   \
  void prefix##_random_update(uint32_t* table, uint64_t mask, size_t first, size_t last);         \
  void prefix##_random_store(uint32_t* table, uint64_t mask, size_t first, size_t last);          \
  void prefix##_stream_copy(const uint64_t* from, uint64_t* to, size_t first, size_t last);       \
  void prefix##_stream_update(const uint32_t* words, const uint32_t* values, uint32_t mask,       \
                              uint32_t* table, size_t first, size_t last);

extern "C" {
PRESORT_TEST_LOOPS(phase)
PRESORT_TEST_LOOPS(plain)

// A loop that differs from its phase: the test must find the difference.
void other_direct_reduce(const uint32_t* labels, const uint32_t* values, uint32_t* buckets,
                         size_t first, size_t last);
}
