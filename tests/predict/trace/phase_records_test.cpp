// The memory accesses that each kernel phase (cpu/phases/) records through
// predict/trace/tracing_memory.h, compared one by one.
#include <doctest/doctest.h>

#include "presort/cpu/phases/owned_direct.h"
#include "presort/cpu/phases/unpack.h"
#include "tests/predict/trace_rig.h"

namespace presort::inline v0::predict::phase_records_test {
namespace {

using namespace test;
using Separate = cpu::SeparateInput<TracingMemory, uint32_t, uint32_t>;
using Pairs = cpu::PairInput<TracingMemory, uint32_t, uint32_t>;
using SumUpdate = cpu::ReduceUpdate<Sum<uint32_t>>;

struct Inputs {
  std::vector<uint32_t> labels;
  std::vector<uint32_t> values = std::vector<uint32_t>(labels.size(), 1);
  Separate view() {
    return {backed<const uint32_t>(kLabels, labels), backed<const uint32_t>(kValues, values)};
  }
};

TEST_CASE("direct reduce: label, value, bucket by label, and its store by label and sum") {
  Inputs inputs{{5, 9}};
  const cpu::Direct<TracingMemory, Separate, uint32_t, SumUpdate> phase{
      inputs.view(), {kBuckets}, {}};
  check_records(records_of(phase, 0, 2),
                {load(kLabels, 4, 0), load(kValues, 4, 0), load(kBuckets + 20, 4, 0, 2),
                 store(kBuckets + 20, 4, 0, 3, 1), load(kLabels + 4, 4, 4), load(kValues + 4, 4, 0),
                 load(kBuckets + 36, 4, 0, 2), store(kBuckets + 36, 4, 0, 3, 1)});
}

TEST_CASE("direct on a range: all labels are read and listed, and those of the range updated") {
  Inputs inputs{{5, 9, 3}};
  std::vector<uint32_t> chosen(cpu::kOwnedBlock);
  constexpr uint64_t kChosen = kOutput;
  const cpu::OwnedDirect<TracingMemory, Separate, uint32_t, SumUpdate> phase{
      inputs.view(), {kBuckets}, {}, 4, 6, backed<uint32_t>(kChosen, chosen), {}};
  const auto records = records_of(phase, 0, 3);  // records of the inputs with labels 5 and 9
  std::vector<uint64_t> loads;
  std::vector<uint64_t> stores;
  int branches = 0;
  for (const Access& record : records) {
    if (record.kind == AccessKind::branch) {
      ++branches;
    } else {
      (record.kind == AccessKind::store ? stores : loads).push_back(record.address);
    }
  }
  CHECK(loads == std::vector<uint64_t>{kLabels, kLabels + 4, kLabels + 8,  //
                                       kChosen, kLabels, kValues, kBuckets + 20, kChosen + 4,
                                       kLabels + 4, kValues + 4, kBuckets + 36});
  CHECK(stores ==
        std::vector<uint64_t>{kChosen, kChosen + 4, kChosen + 8, kBuckets + 20, kBuckets + 36});
  CHECK(branches == 3);  // a branch for each updated input, and one at the end of the list
}

TEST_CASE("direct scatter: the bucket is not read") {
  Inputs inputs{{5, 9}};
  const cpu::Direct<TracingMemory, Separate, uint32_t, cpu::AssignUpdate> phase{
      inputs.view(), {kBuckets}, {}};
  check_records(
      records_of(phase, 0, 2),
      {load(kLabels, 4, 0), load(kValues, 4, 0), store(kBuckets + 20, 4, 0, 2, 1),
       load(kLabels + 4, 4, 2), load(kValues + 4, 4, 0), store(kBuckets + 36, 4, 0, 2, 1)});
}

TEST_CASE("direct on pairs: both loads are halves of one element") {
  std::vector<Pair> pairs = {{3, 1}, {4, 1}};
  const cpu::Direct<TracingMemory, Pairs, uint32_t, cpu::AssignUpdate> phase{
      Pairs{backed<const Pair>(kLabels, pairs)}, {kBuckets}, {}};
  check_records(records_of(phase, 1, 2), {load(kLabels + 8, 4, 0), load(kLabels + 12, 4, 0),
                                          store(kBuckets + 16, 4, 0, 2, 1)});
}

TEST_CASE("prefetched direct: the bucket of the input `distance` ahead, as long as there is one") {
  Inputs inputs{{5, 9, 7}};
  const cpu::DirectPrefetched<TracingMemory, Separate, uint32_t, SumUpdate> phase{
      inputs.view(), {kBuckets}, {}, 2, 3};
  check_records(records_of(phase, 0, 3),
                {load(kLabels + 8, 4, 0), make(AccessKind::prefetch, kBuckets + 28, 4, 0, 1),
                 load(kLabels, 4, 0), load(kValues, 4, 0), load(kBuckets + 20, 4, 0, 2),
                 store(kBuckets + 20, 4, 0, 3, 1),  //
                 load(kLabels + 4, 4, 4), load(kValues + 4, 4, 0), load(kBuckets + 36, 4, 0, 2),
                 store(kBuckets + 36, 4, 0, 3, 1),  //
                 load(kLabels + 8, 4, 4), load(kValues + 8, 4, 0), load(kBuckets + 28, 4, 0, 2),
                 store(kBuckets + 28, 4, 0, 3, 1)});
}

using Labels = cpu::LabelInput<TracingMemory, uint32_t, uint32_t>;
using Results = cpu::ResultArray<TracingMemory, uint32_t>;

TEST_CASE("gather: label, table by label, and the store of what was found") {
  std::vector<uint32_t> labels = {5, 9};
  const cpu::Direct<TracingMemory, Labels, uint32_t, cpu::GatherUpdate<Results>> phase{
      {backed<const uint32_t>(kLabels, labels)}, {kBuckets}, {{{kOutput}}}};
  check_records(
      records_of(phase, 0, 2),
      {load(kLabels, 4, 0), load(kBuckets + 20, 4, 0, 1), store(kOutput, 4, 0, 0, 1),
       load(kLabels + 4, 4, 2), load(kBuckets + 36, 4, 0, 1), store(kOutput + 4, 4, 0, 0, 1)});
}

TEST_CASE("inputs fetched ahead: a line of labels, and the line that their results go to") {
  std::vector<uint32_t> labels(16, 5);
  const cpu::DirectAhead<TracingMemory, Labels, uint32_t, cpu::GatherUpdate<Results>> phase{
      {backed<const uint32_t>(kLabels, labels)}, {kBuckets}, {{{kOutput}}}, {0, 512}, 16};
  auto records = records_of(phase, 0, 16);
  CHECK(records.size() == 2 + 16 * 3);
  records.resize(3);
  check_records(records,
                {make(AccessKind::prefetch, kLabels + 512 * 4, 4, 0, 0),
                 make(AccessKind::prefetch, kOutput + 512 * 4, 4, 0, 0), load(kLabels, 4, 0)});
}

TEST_CASE(
    "permute back: label, position by label, its store, a hint, result by position, its store") {
  std::vector<uint32_t> labels = {0x10, 0x20, 0x10};
  std::vector<size_t> positions = {0, 6, 16, 24};
  const cpu::PermuteBack<TracingMemory, Labels, Results, Results> phase{
      {backed<const uint32_t>(kLabels, labels)},
      backed<size_t>(kPositions, positions),
      {{kValues}},
      {{kOutput}},
      cpu::make_digit(4, 2)};
  const auto hint = [](uint64_t address) { return make(AccessKind::prefetch, address, 4, 0, 2); };
  check_records(
      records_of(phase, 0, 3),
      {load(kLabels, 4, 0), load(kPositions + 8, 8, 0, 1), store(kPositions + 8, 8, 0, 2, 1),
       hint(kValues + 24 + 64), load(kValues + 24, 4, 0, 3), store(kOutput, 4, 0, 0, 1),  //
       load(kLabels + 4, 4, 3), load(kPositions + 16, 8, 0, 1), store(kPositions + 16, 8, 0, 2, 1),
       hint(kValues + 64 + 64), load(kValues + 64, 4, 0, 3), store(kOutput + 4, 4, 0, 0, 1),  //
       load(kLabels + 8, 4, 3), load(kPositions + 8, 8, 0, 1), store(kPositions + 8, 8, 0, 2, 1),
       hint(kValues + 28 + 64), load(kValues + 28, 4, 0, 3), store(kOutput + 8, 4, 0, 0, 1)});
  CHECK(positions == std::vector<size_t>{0, 8, 17, 24});
}

TEST_CASE("partition of labels alone: no value is read or written") {
  std::vector<uint32_t> labels = {0x10, 0x20};
  std::vector<size_t> positions = {0, 6, 15, 24};
  using Buffers = cpu::LabelBuffers<TracingMemory, uint32_t, cpu::Flush::streaming>;
  const cpu::BufferedPartition<TracingMemory, Labels, Buffers, size_t> phase{
      {backed<const uint32_t>(kLabels, labels)},
      backed<size_t>(kPositions, positions),
      {{kBuffers}, {kOutput}, 16},
      cpu::make_digit(4, 2)};
  check_records(records_of(phase, 0, 2),
                {load(kLabels, 4, 0), load(kPositions + 8, 8, 0, 1),
                 store(kBuffers + (16 + 6) * 4, 4, 0, 1, 2), store(kPositions + 8, 8, 0, 3, 2),
                 branch(false, 0, 3), load(kLabels + 4, 4, 11), load(kPositions + 16, 8, 0, 1),
                 store(kBuffers + (32 + 15) * 4, 4, 0, 1, 2), store(kPositions + 16, 8, 0, 3, 2),
                 branch(true, 0, 3), load(kBuffers + 32 * 4, 64, 3, 4),
                 make(AccessKind::streamingStore, kOutput, 64, 3, 5, 1)});
}

TEST_CASE("direct with fetched inputs: both arrays' lines before a block, buckets as asked for") {
  Inputs inputs{std::vector<uint32_t>(cpu::kFetchBlock + 1, 5)};
  const auto phase_of = [&](cpu::Distances distances) {
    return cpu::DirectAhead<TracingMemory, Separate, uint32_t, cpu::AssignUpdate>{
        inputs.view(), {kBuckets}, {}, distances, inputs.labels.size()};
  };
  const size_t n = inputs.labels.size();
  const auto plain = records_of(phase_of({}), 0, n);
  CHECK(plain.size() == 3 * n);
  auto fetched = records_of(phase_of({0, 100}), 0, n);
  check_records({fetched.begin(), fetched.begin() + 2},
                {make(AccessKind::prefetch, kLabels + 400, 4, 0),
                 make(AccessKind::prefetch, kValues + 400, 4, 0)});
  check_records({fetched.begin() + 2, fetched.end()}, plain);
  const auto both = records_of(phase_of({2, 100}), 0, n);
  CHECK(both.size() == 2 + 3 * n + 2 * (n - 2));
}

TEST_CASE("histogram, short: each count is read and written by its label") {
  Inputs inputs{{0x35, 0x12}};
  const cpu::DigitHistogram<TracingMemory, Separate> phase{
      inputs.view(), {kCounts}, cpu::make_digit(4, 2)};
  check_records(
      records_of(phase, 0, 2),
      {load(kLabels, 4, 0), load(kCounts + 12, 4, 0, 1), store(kCounts + 12, 4, 0, 2, 1),
       load(kLabels + 4, 4, 4), load(kCounts + 4, 4, 0, 1), store(kCounts + 4, 4, 0, 2, 1)});
}

TEST_CASE("histogram, a block: the labels first, then the counts, in several tables by turns") {
  Inputs inputs{std::vector<uint32_t>(cpu::kCountBlock, 0x10)};
  const cpu::DigitHistogram<TracingMemory, Separate> phase{
      inputs.view(), {kCounts}, cpu::make_digit(4, 2)};
  std::vector<Access> expected;
  for (size_t k = 0; k < cpu::kCountBlock; ++k) {
    expected.push_back(load(kLabels + 4 * k, 4, 0));
  }
  for (int k = 0; k < static_cast<int>(cpu::kCountBlock); ++k) {
    const uint64_t counter = kCounts + (k % cpu::kCountTables * 4 + 1) * 4;
    // distance, in records, back to the record of the load
    const int label = static_cast<int>(cpu::kCountBlock) + k;
    expected.push_back(load(counter, 4, k == 0 ? 0 : 1, label));
    expected.push_back(store(counter, 4, 0, label + 1, 1));
  }
  check_records(records_of(phase, 0, cpu::kCountBlock), expected);
}

using StreamedPairs = cpu::PairBuffers<TracingMemory, uint32_t, uint32_t, cpu::Flush::streaming>;

TEST_CASE(
    "partition, short: an input goes to the buffer of its digit, a full buffer to the output") {
  Inputs inputs{{0x10, 0x20}};
  // Positions of the next inputs: the write buffer of digit 1 holds 6 elements, that of digit 2 has
  // room for one
  std::vector<size_t> positions = {0, 6, 15, 24};
  const cpu::BufferedPartition<TracingMemory, Separate, StreamedPairs, size_t> phase{
      inputs.view(),
      backed<size_t>(kPositions, positions),
      {{kBuffers}, {kOutput}, 8},
      cpu::make_digit(4, 2)};
  const uint64_t slot_a = kBuffers + (1 * 8 + 6) * 8;
  const uint64_t slot_b = kBuffers + (2 * 8 + 7) * 8;
  check_records(
      records_of(phase, 0, 2),
      {load(kLabels, 4, 0), load(kValues, 4, 0), load(kPositions + 8, 8, 0, 2),
       store(slot_a, 8, 0, 1, 2), store(kPositions + 8, 8, 0, 4, 2), branch(false, 0, 3),  //
       load(kLabels + 4, 4, 11), load(kValues + 4, 4, 0), load(kPositions + 16, 8, 0, 2),
       store(slot_b, 8, 0, 1, 2), store(kPositions + 16, 8, 0, 4, 2), branch(true, 0, 3),
       load(kBuffers + 2 * 64, 64, 3, 4),
       make(AccessKind::streamingStore, kOutput + 8 * 8, 64, 3, 5, 1)});
  CHECK(positions == std::vector<size_t>{0, 7, 16, 24});
}

TEST_CASE("partition into chunks: behind a full chunk the next one is drawn and linked") {
  constexpr uint64_t kNext = 0x7000000;
  constexpr uint64_t kDrawn = 0x8000000;
  Inputs inputs{{0x10, 0x20}};
  // Positions of the next inputs: the write buffers of digits 1 and 2 have one free element each,
  // and that of digit 2 is the last of its chunk
  std::vector<size_t> positions = {0, 23, 47, 48};
  std::vector<uint32_t> drawn = {9};  // number of chunks drawn so far
  const cpu::ChunkedParts<TracingMemory> parts{{kNext}, backed<uint32_t>(kDrawn, drawn), 16};
  const cpu::BufferedPartition<TracingMemory, Separate, StreamedPairs, size_t,
                               cpu::ChunkedParts<TracingMemory>>
      phase{inputs.view(),
            backed<size_t>(kPositions, positions),
            {{kBuffers}, {kOutput}, 8},
            cpu::make_digit(4, 2),
            parts};
  const std::vector<Access> records = records_of(phase, 0, 2);
  CHECK(positions == std::vector<size_t>{0, 24, 9 * 16, 48});
  CHECK(drawn[0] == 10);
  std::vector<uint64_t> stores;  // stores to the arrays that only chunks need
  for (const Access& record : records) {
    if (record.kind == AccessKind::store && record.address >= kNext) {
      stores.push_back(record.address);
    }
  }
  CHECK(stores == std::vector<uint64_t>{kDrawn, kNext + 2 * sizeof(uint32_t)});
}

TEST_CASE("partition, a block: inputs further on are fetched, all are loaded, then each is moved") {
  Inputs inputs{std::vector<uint32_t>(cpu::kPartitionBlock, 0x10)};
  std::vector<size_t> positions = {0, 0, 128, 192};
  const cpu::BufferedPartition<TracingMemory, Separate, StreamedPairs, size_t> phase{
      inputs.view(),
      backed<size_t>(kPositions, positions),
      {{kBuffers}, {kOutput}, 128},
      cpu::make_digit(4, 2)};
  std::vector<Access> expected;
  for (const uint64_t array : {kLabels, kValues}) {
    for (uint64_t line = 0; line < cpu::kPartitionBlock * 4; line += 64) {
      expected.push_back(make(AccessKind::prefetch, array + cpu::kPartitionAhead * 4 + line, 4, 0));
    }
  }
  for (uint64_t k = 0; k < cpu::kPartitionBlock; ++k) {
    expected.push_back(load(kLabels + 4 * k, 4, 0));
    expected.push_back(load(kValues + 4 * k, 4, 0));
  }
  for (int k = 0; k < static_cast<int>(cpu::kPartitionBlock); ++k) {
    const int label =
        // distance, in records, back to the record of the load
        2 * static_cast<int>(cpu::kPartitionBlock) + 2 * k;
    expected.push_back(load(kPositions + 8, 8, k == 0 ? 0 : 11, label));
    expected.push_back(store(kBuffers + (128 + static_cast<uint64_t>(k)) * 8, 8, 0, 1, label));
    expected.push_back(store(kPositions + 8, 8, 0, label + 2, 2));
    expected.push_back(branch(false, 0, 3));
  }
  check_records(records_of(phase, 0, cpu::kPartitionBlock), expected);
}

TEST_CASE("partition, separate and cached: both arrays' buffers are flushed by ordinary stores") {
  using Buffers = cpu::SeparateBuffers<TracingMemory, uint32_t, uint64_t, cpu::Flush::cached>;
  using Input = cpu::SeparateInput<TracingMemory, uint32_t, uint64_t>;
  std::vector<uint32_t> labels = {0};
  std::vector<size_t> positions = {31};
  const cpu::BufferedPartition<TracingMemory, Input, Buffers, size_t> phase{
      {backed<const uint32_t>(kLabels, labels), {kValues}},
      backed<size_t>(kPositions, positions),
      {{kBuffers}, {kBuffers + 0x1000}, {kOutput}, {kOutputValues}, 16},
      cpu::make_digit(0, 1)};
  const uint64_t value_buffers = kBuffers + 0x1000;
  check_records(records_of(phase, 0, 1),
                {load(kLabels, 4, 0), load(kValues, 8, 0), load(kPositions, 8, 0, 2),
                 store(kBuffers + 15 * 4, 4, 0, 1, 3), store(value_buffers + 15 * 8, 8, 0, 2, 3),
                 store(kPositions, 8, 0, 5, 3), branch(true, 0, 4), load(kBuffers, 64, 3, 5),
                 store(kOutput + 16 * 4, 64, 3, 6, 1), load(value_buffers, 64, 3, 7),
                 store(kOutputValues + 16 * 8, 64, 3, 8, 1), load(value_buffers + 64, 64, 3, 9),
                 store(kOutputValues + 16 * 8 + 64, 64, 3, 10, 1)});
}

TEST_CASE("drain: what is left in each buffer, element by element") {
  // Positions of the next inputs: the write buffer of digit 0 is empty, that of digit 1 has one
  // element
  std::vector<size_t> positions = {16, 25};
  const cpu::DrainBuffers<TracingMemory, StreamedPairs, size_t> phase{
      backed<size_t>(kPositions, positions), {{kBuffers}, {kOutput}, 8}};
  check_records(
      records_of(phase, 0, 2),
      {load(kPositions, 8, 0), branch(false, 0, 1), load(kPositions + 8, 8, 4), branch(true, 0, 1),
       load(kBuffers + 64, 4, 0), store(kOutput + 24 * 8, 4, 0, 3, 1), load(kBuffers + 68, 4, 0),
       store(kOutput + 24 * 8 + 4, 4, 0, 5, 1), branch(false, 3, 6)});
}

TEST_CASE("plain radix: key and value straight to the place that the position names") {
  Inputs inputs{{2, 1}};
  std::vector<size_t> positions = {0, 10, 20, 30};
  const cpu::PlainRadix<TracingMemory, uint32_t, uint32_t> phase{
      inputs.view().labels,
      inputs.view().values,
      {kOutput},
      {kOutputValues},
      backed<size_t>(kPositions, positions),
      cpu::make_digit(0, 2)};
  check_records(
      records_of(phase, 0, 2),
      {load(kLabels, 4, 0), load(kPositions + 16, 8, 0, 1), store(kOutput + 80, 4, 0, 1, 2),
       load(kValues, 4, 0), store(kOutputValues + 80, 4, 0, 3, 1),
       store(kPositions + 16, 8, 0, 5, 4), load(kLabels + 4, 4, 8), load(kPositions + 8, 8, 0, 1),
       store(kOutput + 40, 4, 0, 1, 2), load(kValues + 4, 4, 0),
       store(kOutputValues + 40, 4, 0, 3, 1), store(kPositions + 8, 8, 0, 5, 4)});
  CHECK(positions == std::vector<size_t>{0, 11, 21, 30});
}

TEST_CASE("unpack: label and value of a pair, each to its array") {
  std::vector<Pair> pairs = {{3, 1}, {4, 1}};
  const cpu::Unpack<TracingMemory, Pairs, uint32_t, uint32_t> phase{
      Pairs{backed<const Pair>(kLabels, pairs)}, {kOutput}, {kOutputValues}, 10};
  check_records(records_of(phase, 1, 2),
                {load(kLabels + 8, 4, 0), store(kOutput + 44, 4, 0, 0, 1), load(kLabels + 12, 4, 0),
                 store(kOutputValues + 44, 4, 0, 0, 1)});
}

TEST_CASE("unpack, four at a time: two registers are loaded and two stored") {
  std::vector<Pair> pairs(5);
  const cpu::Unpack<TracingMemory, Pairs, uint32_t, uint32_t> phase{
      Pairs{backed<const Pair>(kLabels, pairs)}, {kOutput}, {kOutputValues}, 10};
  check_records(records_of(phase, 0, 5),
                {load(kLabels, 16, 0), load(kLabels + 16, 16, 0), store(kOutput + 40, 16, 0, 0, 1),
                 store(kOutputValues + 40, 16, 0, 0, 2), load(kLabels + 32, 4, 5),
                 store(kOutput + 56, 4, 0, 0, 1), load(kLabels + 36, 4, 0),
                 store(kOutputValues + 56, 4, 0, 0, 1)});
}

}  // namespace
}  // namespace presort::predict::phase_records_test
