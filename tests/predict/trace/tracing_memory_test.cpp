#include "presort/predict/trace/tracing_memory.h"

#include <doctest/doctest.h>

#include <memory>
#include <new>
#include <set>

#include "presort/core/base/random.h"
#include "presort/cpu/memory/memory.h"
#include "tests/predict/trace_rig.h"

namespace presort::inline v0::predict::tracing_memory_test {
namespace {

using namespace test;
using cpu::RawMemory;

TEST_CASE("only the window of an array has contents") {
  std::vector<uint32_t> window = {7, 8};
  const TracedArray<uint32_t> array{kLabels, window.data(), 100, 2};
  TracingMemory memory;
  CHECK(memory.load(array, 99).value == 0);
  CHECK(memory.load(array, 100).value == 7);
  CHECK(memory.load(array, 101).value == 8);
  CHECK(memory.load(array, 102).value == 0);
  memory.store(array, 101, 9u);
  memory.store(array, 102, 9u);
  memory.store(array, 99, 9u);
  CHECK(window == std::vector<uint32_t>{7, 9});
  CHECK(memory.records()[0].address == kLabels + 99 * 4);
  CHECK(memory.records().back().address == kLabels + 99 * 4);
}

TEST_CASE("a result depends on the latest of what it was made of") {
  TracingMemory memory;
  const TracedArray<uint32_t> array{kLabels};
  const auto a = memory.load(array, 1);
  const auto b = memory.load(array, 2);
  const auto sum = memory.apply([](uint32_t x, uint32_t y, int z) { return x + y + z; }, b, a, 3);
  memory.load(array, sum);
  // The record depends on the load of b, one record back
  CHECK(memory.records().back().depends_on == 1);
  CHECK(sum.value == 3);
  memory.load(array, memory.apply([](int z) { return z; }, 5));
  CHECK(memory.records().back().depends_on == 0);
}

TEST_CASE("dependences reach over a clear, and not over more records than the simulator keeps") {
  TracingMemory memory;
  const TracedArray<uint32_t> array{kLabels};
  const auto old = memory.load(array, 1);
  memory.clear();
  memory.load(array, old);
  REQUIRE(memory.records().size() == 1);
  CHECK(memory.records()[0].depends_on == 1);
  for (int i = 3; i < 1024; ++i) {
    memory.load(array, i);
  }
  memory.load(array, old);
  CHECK(memory.records().back().depends_on == 1023);
  memory.load(array, old);
  CHECK(memory.records().back().depends_on == 0);
}

TEST_CASE("each place of a kernel has its own instruction, the same at every index") {
  TracingMemory memory;
  const TracedArray<uint32_t> labels{sim::AddressSpace::region_base(1)};
  const TracedArray<Pair> pairs{sim::AddressSpace::region_base(2)};
  const auto touch_everything = [&](uint64_t i) {
    memory.load(labels, i);
    memory.store(labels, i, 0u);
    memory.prefetch(labels, i);
    memory.load_member(pairs, i, &Pair::label);
    memory.load_member(pairs, i, &Pair::value);
    memory.store_member(pairs, i, &Pair::value, 0u);
  };
  touch_everything(0);
  touch_everything(1000);
  std::set<uint64_t> instructions;
  const auto& records = memory.records();
  REQUIRE(records.size() == 12);
  for (size_t i = 0; i < 6; ++i) {
    CHECK(records[i].instruction != 0);
    CHECK(records[i].instruction == records[i + 6].instruction);
    instructions.insert(records[i].instruction);
  }
  CHECK(instructions.size() == 6);
}

TEST_CASE("micro-operations without memory go to the record after them") {
  TracingMemory memory;
  const TracedArray<uint32_t> array{kLabels};
  memory.ops(2);
  memory.ops(3);
  memory.load(array, 0);
  memory.load(array, 0);
  CHECK(memory.records()[0].micro_ops == 5);
  CHECK(memory.records()[1].micro_ops == 0);
}

// The arrays of the test kernels, for plain and for tracing memory, aligned as kernels require.
constexpr size_t kInputs = 3000;
constexpr size_t kDigits = 16;
constexpr size_t kCapacity = 16;
constexpr size_t kRoom = kInputs + kDigits * kCapacity;

template <class T>
struct AlignedArray {
  std::unique_ptr<T[], void (*)(T*)> data;
  size_t size;
  explicit AlignedArray(size_t count)
      : data(new (std::align_val_t{64}) T[count](),
             [](T* p) { ::operator delete[](p, std::align_val_t{64}); }),
        size(count) {}
  T* raw(RawMemory*) { return data.get(); }
  TracedArray<T> raw(TracingMemory*) { return {0x100000, data.get(), 0, size}; }
  std::vector<T> contents() const { return {data.get(), data.get() + size}; }
};

struct Arrays {
  AlignedArray<uint32_t> labels{kInputs};
  AlignedArray<uint32_t> values{kInputs};
  AlignedArray<uint32_t> out_labels{kRoom};
  AlignedArray<uint32_t> out_values{kRoom};
  AlignedArray<uint32_t> label_buffers{kDigits * kCapacity};
  AlignedArray<uint32_t> value_buffers{kDigits * kCapacity};
  AlignedArray<uint32_t> buckets{256};
  AlignedArray<size_t> positions{kDigits};

  Arrays() {
    size_t counts[kDigits] = {};
    for (size_t i = 0; i < kInputs; ++i) {
      labels.data[i] = static_cast<uint32_t>(bounded(random_u64(1, i), 256));
      values.data[i] = static_cast<uint32_t>(i);
      ++counts[labels.data[i] >> 4];
    }
    for (size_t d = 0, start = 0; d < kDigits; ++d) {
      positions.data[d] = start;
      start += (counts[d] + kCapacity - 1) / kCapacity * kCapacity;
    }
  }
  std::vector<std::vector<uint32_t>> outputs() const {
    return {out_labels.contents(), out_values.contents(), buckets.contents()};
  }
};

template <class Memory, class Phase>
void run(const Phase& phase, size_t count) {
  Memory memory;
  phase.step(0, count / 3, memory);
  phase.step(count / 3, count, memory);
}

template <class Memory>
cpu::SeparateInput<Memory, uint32_t, uint32_t> input(Arrays& arrays) {
  Memory* const memory = nullptr;
  return {arrays.labels.raw(memory), arrays.values.raw(memory)};
}

const auto kPartition = []<class Memory, cpu::Flush kFlush>(
                            Arrays& arrays, Memory* memory,
                            std::integral_constant<cpu::Flush, kFlush>) {
  using Buffers = cpu::SeparateBuffers<Memory, uint32_t, uint32_t, kFlush>;
  const Buffers buffers{arrays.label_buffers.raw(memory), arrays.value_buffers.raw(memory),
                        arrays.out_labels.raw(memory), arrays.out_values.raw(memory), kCapacity};
  const cpu::BufferedPartition<Memory, decltype(input<Memory>(arrays)), Buffers, size_t> partition{
      input<Memory>(arrays), arrays.positions.raw(memory), buffers, cpu::make_digit(4, 4)};
  run<Memory>(partition, kInputs);
  run<Memory>(cpu::DrainBuffers<Memory, Buffers, size_t>{arrays.positions.raw(memory), buffers},
              kDigits);
  cpu::stream_fence();
};

const auto kStreamed = [](Arrays& arrays, auto* memory) {
  kPartition(arrays, memory, std::integral_constant<cpu::Flush, cpu::Flush::streaming>{});
};
const auto kCached = [](Arrays& arrays, auto* memory) {
  kPartition(arrays, memory, std::integral_constant<cpu::Flush, cpu::Flush::cached>{});
};
const auto kRadix = []<class Memory>(Arrays& arrays, Memory* memory) {
  run<Memory>(
      cpu::PlainRadix<Memory, uint32_t, uint32_t>{
          arrays.labels.raw(memory), arrays.values.raw(memory), arrays.out_labels.raw(memory),
          arrays.out_values.raw(memory), arrays.positions.raw(memory), cpu::make_digit(4, 4)},
      kInputs);
};
const auto kDirect = []<class Memory>(Arrays& arrays, Memory* memory) {
  run<Memory>(
      cpu::Direct<Memory, decltype(input<Memory>(arrays)), uint32_t,
                  cpu::ReduceUpdate<Sum<uint32_t>>>{
          input<Memory>(arrays), arrays.buckets.raw(memory), {}},
      kInputs);
};
const auto kPrefetched = []<class Memory>(Arrays& arrays, Memory* memory) {
  run<Memory>(
      cpu::DirectPrefetched<Memory, decltype(input<Memory>(arrays)), uint32_t, cpu::AssignUpdate>{
          input<Memory>(arrays), arrays.buckets.raw(memory), {}, 7, kInputs},
      kInputs);
};

template <class Kernel>
void check_same_result(Kernel kernel) {
  Arrays raw;
  Arrays traced;
  kernel(raw, static_cast<RawMemory*>(nullptr));
  kernel(traced, static_cast<TracingMemory*>(nullptr));
  CHECK(raw.outputs() == traced.outputs());
  CHECK(raw.positions.contents() == traced.positions.contents());
  CHECK(raw.outputs() != Arrays().outputs());
}

TEST_CASE("on arrays with contents a traced kernel computes what the real one does") {
  SUBCASE("partition, streaming") {
    check_same_result(kStreamed);
  }
  SUBCASE("partition, cached") {
    check_same_result(kCached);
  }
  SUBCASE("plain radix") {
    check_same_result(kRadix);
  }
  SUBCASE("direct") {
    check_same_result(kDirect);
  }
  SUBCASE("direct with prefetch") {
    check_same_result(kPrefetched);
  }
}

}  // namespace
}  // namespace presort::predict::tracing_memory_test
