// Kernel phases on small arrays, with any kind of Memory: run bare under valgrind by
// raw_phases.cpp, and traced by valgrind_test.cpp, which compares the accesses of both.
#pragma once

#include <cstddef>
#include <cstdint>

#include "presort/core/base/random.h"
#include "presort/core/monoid.h"
#include "presort/cpu/phases/buffered_partition.h"
#include "presort/cpu/phases/buffers.h"
#include "presort/cpu/phases/direct.h"
#include "presort/cpu/phases/histogram.h"
#include "presort/cpu/phases/owned_direct.h"
#include "presort/cpu/phases/plain_radix.h"
#include "presort/cpu/phases/segmented.h"
#include "presort/cpu/phases/unpack.h"
#include "presort/cpu/phases/update.h"

namespace presort::inline v0::test::cases {

// Number of inputs: whole blocks of a partition, as g++ 12 loads each label behind the last whole
// block twice.
inline constexpr size_t kInputs = 31 * cpu::kPartitionBlock;
inline constexpr size_t kBuckets = 500;
inline constexpr size_t kDigits = 16;
inline constexpr size_t kCapacity = 16;  // elements that a write buffer holds
inline constexpr size_t kRoom = 512;     // elements that the output has for each digit
inline constexpr size_t kSegments = 99;

using Pair = cpu::Pair<uint32_t, uint32_t>;

// All arrays of all phases, in one block, so that a place in it names a place in all of them.
struct CaseArrays {
  // marks[2c] is stored to before case c, marks[2c + 1] after it
  alignas(64) volatile uint32_t marks[64];
  alignas(64) uint32_t labels[kInputs];
  alignas(64) uint32_t values[kInputs];
  alignas(64) uint32_t buckets[kBuckets];
  alignas(64) uint32_t counts[cpu::kCountTables * kDigits];
  alignas(64) size_t positions[kDigits];
  alignas(64) Pair pair_buffers[kDigits * kCapacity];
  alignas(64) uint32_t label_buffers[kDigits * kCapacity];
  alignas(64) uint32_t value_buffers[kDigits * kCapacity];
  alignas(64) Pair pair_output[kDigits * kRoom];
  alignas(64) uint32_t label_output[kDigits * kRoom];
  alignas(64) uint32_t value_output[kDigits * kRoom];
  alignas(64) uint32_t offsets[kSegments + 1];
  alignas(64) size_t total[1];
  alignas(64) uint32_t chosen[cpu::kOwnedBlock];
};

enum class Case {
  direct,
  prefetched,
  scatter,
  range,
  histogram,
  partition_pairs_streaming,
  partition_separate_cached,
  drain,
  plain_radix,
  unpack,
  sum_counts,
  check_offsets,
  reduce_segments,
  scan_segments,
  count
};
inline constexpr const char* kCaseNames[] = {
    "direct",
    "direct with prefetches",
    "scatter",
    "direct on a range",
    "histogram",
    "partition of pairs, streaming",
    "partition of two arrays, cached",
    "drain of pairs",
    "plain radix",
    "unpack",
    "sums of counts",
    "check of offsets",
    "reduction of segments",
    "scan of segments",
};

// Fills labels, offsets and similar arrays, whose contents decide what memory a case accesses.
inline void prepare(CaseArrays& storage, Case which) {
  for (size_t i = 0; i < kInputs; ++i) {
    storage.labels[i] = static_cast<uint32_t>(bounded(mix64(i), kBuckets));
  }
  for (size_t d = 0; d < kDigits; ++d) {
    storage.positions[d] = d * kRoom + (which == Case::drain ? d * 7 % kCapacity : 0);
  }
  // Lengths of segments: a third are empty, the last one is long
  for (size_t s = 0; s < kSegments; ++s) {
    const auto length = static_cast<uint32_t>(s % 3 == 1 ? 0 : bounded(mix64(s), 12));
    storage.offsets[s + 1] = s + 1 == kSegments ? kInputs : storage.offsets[s] + length;
  }
}

// `array` makes the Memory's handle for a member of CaseArrays: array(&CaseArrays::labels).
template <class Memory, class MakeArray>
void run_case(Case which, Memory& memory, const MakeArray& array) {
  using Input = cpu::SeparateInput<Memory, uint32_t, uint32_t>;
  const Input input{array(&CaseArrays::labels), array(&CaseArrays::values)};
  const cpu::Digit digit = cpu::make_digit(5, 4);
  const auto buckets = array(&CaseArrays::buckets);
  const auto positions = array(&CaseArrays::positions);
  using Sum = cpu::ReduceUpdate<presort::Sum<uint32_t>>;
  using Pairs = cpu::PairBuffers<Memory, uint32_t, uint32_t, cpu::Flush::streaming>;
  using Separate = cpu::SeparateBuffers<Memory, uint32_t, uint32_t, cpu::Flush::cached>;
  const Pairs pairs{array(&CaseArrays::pair_buffers), array(&CaseArrays::pair_output), kCapacity};
  const Separate separate{array(&CaseArrays::label_buffers), array(&CaseArrays::value_buffers),
                          array(&CaseArrays::label_output), array(&CaseArrays::value_output),
                          kCapacity};
  switch (which) {
    case Case::direct:
      return cpu::Direct<Memory, Input, uint32_t, Sum>{input, buckets, {}}.step(0, kInputs, memory);
    case Case::prefetched:
      return cpu::DirectPrefetched<Memory, Input, uint32_t, Sum>{input, buckets, {}, 16, kInputs}
          .step(0, kInputs, memory);
    case Case::scatter:
      return cpu::Direct<Memory, Input, uint32_t, cpu::AssignUpdate>{input, buckets, {}}.step(
          0, kInputs, memory);
    case Case::range:
      return cpu::OwnedDirect<Memory, Input, uint32_t, Sum>{
          input, buckets, {}, kBuckets / 3, kBuckets / 2, array(&CaseArrays::chosen), {}}
          .step(0, kInputs, memory);
    case Case::histogram:
      return cpu::DigitHistogram<Memory, Input>{input, array(&CaseArrays::counts), digit}.step(
          0, kInputs, memory);
    case Case::partition_pairs_streaming:
      return cpu::BufferedPartition<Memory, Input, Pairs, size_t>{input, positions, pairs, digit}
          .step(0, kInputs, memory);
    case Case::partition_separate_cached:
      return cpu::BufferedPartition<Memory, Input, Separate, size_t>{input, positions, separate,
                                                                     digit}
          .step(0, kInputs, memory);
    case Case::drain:
      return cpu::DrainBuffers<Memory, Pairs, size_t>{positions, pairs}.step(0, kDigits, memory);
    case Case::plain_radix:
      return cpu::PlainRadix<Memory, uint32_t, uint32_t>{
          input.labels, input.values, separate.labels, separate.values, positions, digit}
          .step(0, kInputs, memory);
    case Case::unpack:
      return cpu::Unpack<Memory, cpu::PairInput<Memory, uint32_t, uint32_t>, uint32_t, uint32_t>{
          {array(&CaseArrays::pair_output)}, separate.labels, separate.values, 3}
          .step(0, kInputs, memory);
    case Case::sum_counts: {
      typename Memory::template Loaded<size_t> sum{};
      cpu::ScanValues<cpu::Scan::exclusive, Memory, size_t, presort::Sum<size_t>>{
          positions, positions, {}}
          .step(0, kDigits, sum, memory);
      return memory.store(array(&CaseArrays::total), 0, sum);
    }
    case Case::check_offsets: {
      typename Memory::template Loaded<uint32_t> least{};
      const size_t right =
          cpu::CheckOffsets<Memory, uint32_t>{array(&CaseArrays::offsets), kInputs}.step(
              0, kSegments + 1, least, memory);
      // The result is stored, so that the compiler cannot drop the check
      return memory.store(array(&CaseArrays::total), 0, right);
    }
    case Case::reduce_segments:
      return cpu::ReduceSegments<Memory, uint32_t, uint32_t, presort::Sum<uint32_t>>{
          array(&CaseArrays::offsets), input.values, buckets, {}}
          .step(0, kSegments, memory);
    case Case::scan_segments:
      return cpu::ScanSegments<cpu::Scan::exclusive, Memory, uint32_t, uint32_t,
                               presort::Sum<uint32_t>>{
          array(&CaseArrays::offsets), input.values, separate.values, {}}
          .step(0, kSegments, memory);
    case Case::count:
      return;
  }
}

}  // namespace presort::test::cases
