// Compares, one by one, the memory accesses that the phases on segments (cpu/phases/segmented.h)
// record through predict/trace/tracing_memory.h with expected ones. Phases that are cut into items
// (segment_items.h) record the same accesses.
#include <doctest/doctest.h>

#include "presort/cpu/phases/segmented.h"
#include "presort/predict/phases/kinds/segment_items.h"
#include "tests/predict/trace_rig.h"

namespace presort::inline v0::predict::segment_records_test {
namespace {

using namespace test;

using SumSegments = cpu::ReduceSegments<TracingMemory, uint32_t, uint32_t, Sum<uint32_t>>;
using ScanSums =
    cpu::ScanSegments<cpu::Scan::exclusive, TracingMemory, uint32_t, uint32_t, Sum<uint32_t>>;

TEST_CASE("a reduction of segments: two offsets, registers of values, the rest one by one") {
  std::vector<uint32_t> offsets = {0, 6, 6};
  const SumSegments reduce{backed<const uint32_t>(kLabels, offsets), {kValues}, {kOutput}, {}};
  check_records(
      records_of(reduce, 0, 2),
      {load(kLabels, 4, 0), load(kLabels + 4, 4, 0), branch(true, 2, 1), branch(true, 2, 2),
       load(kValues, 16, 0, 4), branch(false, 2, 4), branch(true, 10, 5),
       load(kValues + 16, 4, 0, 7), branch(true, 2, 7), load(kValues + 20, 4, 0, 9),
       branch(false, 2, 9), store(kOutput, 4, 0, 0, 0), load(kLabels + 4, 4, 0),
       load(kLabels + 8, 4, 0), branch(false, 2, 1), store(kOutput + 4, 4, 0, 0, 0)});
}

struct Rounded : Sum<uint32_t> {
  static constexpr bool is_associative = false;
};

TEST_CASE("a sum that rounds is one of single values") {
  std::vector<uint32_t> offsets = {0, 4};
  const cpu::ReduceSegments<TracingMemory, uint32_t, uint32_t, Rounded> phase{
      backed<const uint32_t>(kLabels, offsets), {kValues}, {kOutput}, {}};
  size_t loads = 0;
  for (const Access& record : records_of(phase, 0, 1)) {
    loads += record.address >= kValues && record.address < kOutput;
    CHECK(record.size <= 4);
  }
  CHECK(loads == 4);
}

TEST_CASE("a scan of segments: two offsets, then value and result, after a test each") {
  std::vector<uint32_t> offsets = {0, 2, 2};
  const ScanSums scan{backed<const uint32_t>(kLabels, offsets), {kValues}, {kOutput}, {}};
  check_records(records_of(scan, 0, 1),
                {load(kLabels, 4, 0), load(kLabels + 4, 4, 0), branch(true, 2, 1),  //
                 load(kValues, 4, 1, 3), store(kOutput, 4, 0, 4, 0), branch(true, 1, 4),
                 load(kValues + 4, 4, 1, 6), store(kOutput + 4, 4, 0, 7, 4), branch(false, 1, 7)});
}

TEST_CASE("the check of offsets: each is read once, up to the first that is wrong") {
  std::vector<uint32_t> offsets = {1, 3, 2, 4};
  const cpu::CheckOffsets<TracingMemory, uint32_t> phase{backed<const uint32_t>(kLabels, offsets),
                                                         4};
  TracingMemory memory;
  Tracked<uint32_t> least;
  CHECK(phase.step(0, 4, least, memory) == 2);
  CHECK(least.value == 3);
  check_records(memory.records(),
                {load(kLabels, 4, 0), branch(false, 0, 1), load(kLabels + 4, 4, 4),
                 branch(false, 0, 1), load(kLabels + 8, 4, 4), branch(true, 0, 1)});
}

// Offsets of segments, some of which are empty and some long.
std::vector<uint32_t> some_offsets() {
  std::vector<uint32_t> offsets = {0};
  for (const uint32_t length : {0U, 3U, 1U, 0U, 0U, 700U, 2U, 0U}) {
    offsets.push_back(offsets.back() + length);
  }
  return offsets;
}

template <class Kernel>
void check_items_are_the_kernel() {
  std::vector<uint32_t> offsets = some_offsets();
  const uint64_t segments = offsets.size() - 1;
  const uint64_t items = offsets.back() + segments;
  const Kernel kernel{backed<const uint32_t>(kLabels, offsets), {kValues}, {kOutput}, {}};
  const std::vector<Access> expected = records_of(kernel, 0, segments);
  for (const uint64_t length : {uint64_t{1}, uint64_t{7}, uint64_t{256}, items}) {
    CAPTURE(length);
    const SegmentItems<Kernel, uint32_t> phase(kernel, offsets);
    TracingMemory memory;
    for (uint64_t first = 0; first < items; first += length) {
      phase.step(first, std::min(items, first + length), memory);
    }
    check_records(memory.records(), expected);
  }
}

TEST_CASE("segments item by item are what the kernel does, wherever they are cut") {
  check_items_are_the_kernel<ScanSums>();
  check_items_are_the_kernel<SumSegments>();
}

TEST_CASE("an item is looked for in its segment, which is opened again") {
  std::vector<uint32_t> offsets = some_offsets();
  const uint64_t items = offsets.back() + offsets.size() - 1;
  const ScanSums kernel{backed<const uint32_t>(kLabels, offsets), {kValues}, {kOutput}, {}};
  uint64_t item = 0;
  const auto check_item = [&](size_t s, const uint64_t* value) {
    CAPTURE(item);
    CHECK(segment_of_item<uint32_t>(offsets, item) == s);
    const SegmentItems<ScanSums, uint32_t> phase(kernel, offsets);
    const std::vector<Access> records = records_of(phase, item, item + 1);
    // An item's records: loads of two offsets and a test; for a value also its load and the
    // result's store.
    REQUIRE(records.size() == (value != nullptr ? 5 : 3));
    CHECK(records[0].address == kLabels + 4 * s);
    if (value != nullptr) {
      CHECK(records[3].address == kValues + 4 * *value);
    }
    ++item;
  };
  for (size_t s = 0; s + 1 < offsets.size(); ++s) {
    for (uint64_t i = offsets[s]; i < offsets[s + 1]; ++i) {
      check_item(s, &i);
    }
    check_item(s, nullptr);
  }
  CHECK(item == items);
}

}  // namespace
}  // namespace presort::predict::segment_records_test
