#include "core/monoid.h"
#include "cpu/memory.h"
#include "cpu/phases/buffered_partition.h"
#include "cpu/phases/buffers.h"
#include "cpu/phases/direct.h"
#include "cpu/phases/histogram.h"
#include "cpu/phases/plain_radix.h"
#include "cpu/phases/update.h"
#include "tests/cpu/disassembly/loops.h"

using namespace presort;
using namespace presort::cpu;
using Input = SeparateInput<RawMemory, uint32_t, uint32_t>;
using Pairs = PairInput<RawMemory, uint32_t, uint32_t>;
using Reduce = ReduceUpdate<Sum<uint32_t>>;

void phase_direct_reduce(const uint32_t* labels, const uint32_t* values, uint32_t* buckets,
                         size_t first, size_t last) {
  RawMemory memory;
  Direct<RawMemory, Input, uint32_t, Reduce>{{labels, values}, buckets, {}}.step(first, last,
                                                                                 memory);
}

void phase_direct_scatter(const uint32_t* labels, const uint32_t* values, uint32_t* buckets,
                          size_t first, size_t last) {
  RawMemory memory;
  Direct<RawMemory, Input, uint32_t, AssignUpdate>{{labels, values}, buckets, {}}.step(first, last,
                                                                                       memory);
}

void phase_prefetched_reduce(const uint32_t* labels, const uint32_t* values, uint32_t* buckets,
                             size_t distance, size_t size) {
  RawMemory memory;
  DirectPrefetched<RawMemory, Input, uint32_t, Reduce>{
      {labels, values}, buckets, {}, distance, size}
      .step(0, size, memory);
}

void phase_pair_reduce(const TestPair* pairs, uint32_t* buckets, size_t first, size_t last) {
  RawMemory memory;
  Direct<RawMemory, Pairs, uint32_t, Reduce>{{pairs}, buckets, {}}.step(first, last, memory);
}

void phase_histogram(const uint32_t* labels, uint32_t* counts, int shift, uint64_t mask,
                     size_t first, size_t last) {
  RawMemory memory;
  DigitHistogram<RawMemory, Input>{{labels, labels}, counts, {shift, mask}}.step(first, last,
                                                                                 memory);
}

void phase_partition(const uint32_t* labels, const uint32_t* values, size_t* positions,
                     TestPair* buffers, TestPair* output, size_t capacity, int shift, uint64_t mask,
                     size_t first, size_t last) {
  using Buffers = PairBuffers<RawMemory, uint32_t, uint32_t, Flush::streaming>;
  RawMemory memory;
  BufferedPartition<RawMemory, Input, Buffers>{
      {labels, values}, positions, {buffers, output, capacity}, {shift, mask}}
      .step(first, last, memory);
}

void phase_radix(const uint32_t* keys, const uint32_t* values, uint32_t* result_keys,
                 uint32_t* result_values, size_t* positions, int shift, uint64_t mask, size_t first,
                 size_t last) {
  RawMemory memory;
  PlainRadix<RawMemory, uint32_t, uint32_t>{keys,          values,    result_keys,
                                            result_values, positions, {shift, mask}}
      .step(first, last, memory);
}
