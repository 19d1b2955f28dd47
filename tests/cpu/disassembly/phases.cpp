#include "presort/core/monoid.h"
#include "presort/cpu/detail/results.h"
#include "presort/cpu/loops/random_loops.h"
#include "presort/cpu/loops/stream_loops.h"
#include "presort/cpu/loops/stream_table_loops.h"
#include "presort/cpu/memory/memory.h"
#include "presort/cpu/phases/buffered_partition.h"
#include "presort/cpu/phases/buffers.h"
#include "presort/cpu/phases/direct.h"
#include "presort/cpu/phases/histogram.h"
#include "presort/cpu/phases/permute_back.h"
#include "presort/cpu/phases/plain_radix.h"
#include "presort/cpu/phases/update.h"
#include "tests/cpu/disassembly/loops.h"

using namespace presort;
using namespace presort::cpu;
using Input = SeparateInput<RawMemory, uint32_t, uint32_t>;
using Pairs = PairInput<RawMemory, uint32_t, uint32_t>;
using Labels = LabelInput<RawMemory, uint32_t, uint32_t>;
using Results = ResultArray<RawMemory, uint32_t>;
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
                     TestPair* buffers, TestPair* output, int shift, uint64_t mask, size_t first,
                     size_t last) {
  using Buffers = PairBuffers<RawMemory, uint32_t, uint32_t, Flush::streaming>;
  RawMemory memory;
  BufferedPartition<RawMemory, Input, Buffers>{
      {labels, values}, positions, {buffers, output, 32}, {shift, mask}}
      .step_with(std::integral_constant<size_t, 32>{}, first, last, memory);
}

void phase_gather(const uint32_t* labels, const uint32_t* table, uint32_t* results, size_t first,
                  size_t last) {
  RawMemory memory;
  Direct<RawMemory, Labels, const uint32_t, GatherUpdate<Results>>{{labels}, table, {{results}}}
      .step(first, last, memory);
}

void phase_scan(const uint32_t* labels, const uint32_t* values, uint32_t* buckets,
                uint32_t* results, size_t first, size_t last) {
  using Update = ScanUpdate<Scan::exclusive, Sum<uint32_t>, Results>;
  RawMemory memory;
  Direct<RawMemory, Input, uint32_t, Update>{{labels, values}, buckets, {{}, {results}}}.step(
      first, last, memory);
}

void phase_permute_back(const uint32_t* labels, size_t* positions, const uint32_t* from,
                        uint32_t* to, int shift, uint64_t mask, size_t first, size_t last) {
  using From = ResultArray<RawMemory, const uint32_t>;
  RawMemory memory;
  PermuteBack<RawMemory, Labels, From, Results>{{labels}, positions, {from}, {to}, {shift, mask}}
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

uint32_t phase_random_gather(const uint32_t* table, uint64_t mask, size_t first, size_t last) {
  RawMemory memory;
  uint32_t sum = 0;
  RandomGather<RawMemory>{table, mask, &sum}.step(first, last, memory);
  return sum;
}

void phase_random_update(uint32_t* table, uint64_t mask, size_t first, size_t last) {
  RawMemory memory;
  RandomUpdate<RawMemory>{table, mask}.step(first, last, memory);
}

void phase_random_store(uint32_t* table, uint64_t mask, size_t first, size_t last) {
  RawMemory memory;
  RandomStore<RawMemory>{table, mask}.step(first, last, memory);
}

void phase_stream_copy(const uint64_t* from, uint64_t* to, size_t first, size_t last) {
  RawMemory memory;
  StreamCopy<RawMemory>{from, to}.step(first, last, memory);
}

void phase_stream_update(const uint32_t* words, const uint32_t* values, uint32_t mask,
                         uint32_t* table, size_t first, size_t last) {
  RawMemory memory;
  StreamUpdate<RawMemory>{{words, values, mask}, table}.step(first, last, memory);
}
