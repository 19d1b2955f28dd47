// Tests single phases of kernels: each can stop and go on at any input, and changes its arrays as it
// should.
#include <doctest/doctest.h>

#include <numeric>

#include "presort/cpu/phases/direct.h"
#include "presort/cpu/phases/plain_radix.h"
#include "presort/cpu/phases/update.h"
#include "presort/cpu/presort/buffer_capacity.h"
#include "presort/cpu/presort/buffered_presort.h"
#include "presort/cpu/presort/presort.h"
#include "tests/cpu/support.h"

namespace presort::inline v0::test::phases_test {
namespace {

using cpu::RawMemory;
using Input = cpu::SeparateInput<RawMemory, uint32_t, uint32_t>;
constexpr size_t kMany = 1000;

// Runs a phase of a kernel in steps of uneven length.
template <class Phase>
void run_in_steps(const Phase& phase, size_t count) {
  RawMemory memory;
  size_t length = 1;
  for (size_t first = 0; first < count; first += length, length = length * 2 + 1) {
    phase.step(first, std::min(count, first + length), memory);
  }
}

TEST_CASE("a prefetched direct phase may look past the end of a step but not of the input") {
  const auto labels = make_uniform_labels<uint32_t>(1, kMany, 50);
  const auto values = make_values<uint32_t>(2, kMany);
  std::vector<uint32_t> expected(50);
  plain_multireduce(labels, values, expected, Sum<uint32_t>{});
  using Update = cpu::ReduceUpdate<Sum<uint32_t>>;
  for (const size_t distance : {size_t{1}, size_t{7}, kMany - 1, kMany, kMany + 1}) {
    std::vector<uint32_t> found(50);
    const cpu::DirectPrefetched<RawMemory, Input, uint32_t, Update> phase{
        {labels.data(), values.data()}, found.data(), {}, distance, kMany};
    run_in_steps(phase, kMany);
    CHECK(found == expected);
  }
}

TEST_CASE("digits are counted right when the tables are summed up many times") {
  const auto labels = make_uniform_labels<uint32_t>(3, kMany, 256);
  const Input input{labels.data(), labels.data()};
  const cpu::Digit digit = cpu::make_digit(3, 5);
  std::vector<size_t> expected(digit.count());
  for (const uint32_t label : labels) {
    ++expected[label >> 3];
  }
  for (const size_t block : {size_t{1}, size_t{63}, size_t{64}, size_t{65}, kMany}) {
    std::vector<uint32_t> tables(cpu::kCountTables * digit.count(), 99);
    std::vector<size_t> totals(digit.count(), 99);
    cpu::count_digits(input, kMany, digit, tables.data(), totals.data(), block);
    CHECK(totals == expected);
  }
}

TEST_CASE("a histogram in steps counts every input once") {
  const auto labels = make_uniform_labels<uint32_t>(4, kMany, 8);
  const cpu::Digit digit = cpu::make_digit(0, 3);
  std::vector<uint32_t> tables(cpu::kCountTables * 8);
  const cpu::DigitHistogram<RawMemory, Input> phase{
      {labels.data(), labels.data()}, tables.data(), digit};
  run_in_steps(phase, kMany);
  for (size_t d = 0; d < 8; ++d) {
    size_t total = 0;
    for (size_t table = 0; table < cpu::kCountTables; ++table) {
      total += tables[table * 8 + d];
    }
    CHECK(total == static_cast<size_t>(std::ranges::count(labels, d)));
  }
}

TEST_CASE("parts start at multiples of the buffer and keep the order of their inputs") {
  const auto labels = make_uniform_labels<uint32_t>(5, kMany, 64);
  const auto values = make_values<uint32_t>(6, kMany);
  const CpuPlan plan = parse_cpu_plan("sortBits=3,bufferBytes=64B");
  using Store = cpu::PairStore<uint32_t, uint32_t>;
  using Arrays = cpu::PresortArrays<Store>;
  Carver measure;
  Arrays::take(measure, plan, kMany, 6);
  GuardedScratch scratch(measure.used_bytes());
  Carver carver(scratch.bytes().data());
  const Arrays arrays = Arrays::take(carver, plan, kMany, 6);
  const Input input{labels.data(), values.data()};
  cpu::partition_pass(arrays, 0, cpu::OnePiece<Input>{input, kMany});

  size_t start = 0;
  for (size_t d = 0; d < 8; ++d) {
    size_t at = start;
    for (size_t i = 0; i < kMany; ++i) {
      if (labels[i] >> 3 == d) {
        CHECK(arrays.outputs[0].pairs[at].label == labels[i]);
        CHECK(arrays.outputs[0].pairs[at].value == values[i]);
        ++at;
      }
    }
    CHECK(arrays.positions[0][d] == at);
    start = (at + 7) / 8 * 8;
  }
}

// Partitions n inputs and compares each part with the inputs of its digit, in their order.
template <class Store, class Label, class Value>
bool parts_are_right(const CpuPlan& plan, size_t n, int label_bits) {
  const auto labels = make_uniform_labels<Label>(n, n, size_t{1} << label_bits);
  const auto values = make_values<Value>(n + 1, n);
  using Arrays = cpu::PresortArrays<Store>;
  Carver measure;
  Arrays::take(measure, plan, n, label_bits);
  GuardedScratch scratch(measure.used_bytes());
  Carver carver(scratch.bytes().data());
  const Arrays arrays = Arrays::take(carver, plan, n, label_bits);
  using Separate = cpu::SeparateInput<RawMemory, Label, Value>;
  const cpu::OnePiece<Separate> inputs{{labels.data(), values.data()}, n};
  cpu::partition_pass(arrays, 0, inputs);
  std::vector<size_t> order(n);
  std::iota(order.begin(), order.end(), size_t{0});
  const auto digit_of = [&](size_t i) { return arrays.digits[0](labels[i]); };
  std::ranges::stable_sort(order, {}, digit_of);
  RawMemory memory;
  const auto moved = arrays.outputs[0].input(0);
  size_t at = 0;
  size_t next = 0;  // index in `order` of the next expected input
  for (size_t d = 0; d < arrays.digits[0].count(); ++d) {
    at = (at + arrays.capacity - 1) / arrays.capacity * arrays.capacity;
    for (; next < n && digit_of(order[next]) == d; ++next, ++at) {
      const size_t i = order[next];
      if (moved.label(at, memory) != labels[i] || !(moved.value(at, memory) == values[i])) {
        return false;
      }
    }
    if (arrays.positions[0][d] != at) {
      return false;
    }
  }
  return scratch.guards_intact();
}

template <class Label, class Value>
void check_partitions() {
  constexpr int kLabelBits = 12;
  for (const int bits : {1, 5, 12}) {
    for (const std::string buffer : {"64B", "128B", "256B", "512B", "1KiB"}) {
      for (const std::string ways : {"", ",streaming=false", ",layout=separate"}) {
        const CpuPlan plan =
            parse_cpu_plan("sortBits=" + std::to_string(bits) + ",bufferBytes=" + buffer + ways);
        // Numbers of inputs around a buffer of pairs, a block, and a 4 KiB page of labels: each ± 1.
        const size_t capacity =
            cpu::buffer_capacity(cpu::write_buffers(*plan.presort), sizeof(Label), sizeof(Value),
                                 sizeof(cpu::Pair<Label, Value>));
        for (const size_t size :
             {size_t{1}, capacity, cpu::kPartitionBlock, 4096 / sizeof(Label)}) {
          for (const size_t n : {size - 1, size, size + 1}) {
            CAPTURE(to_string(plan));
            CAPTURE(n);
            if (plan.presort->layout == Layout::pairs) {
              CHECK((parts_are_right<cpu::PairStore<Label, Value>, Label, Value>(plan, n,
                                                                                 kLabelBits)));
            } else {
              CHECK((parts_are_right<cpu::SeparateStore<Label, Value>, Label, Value>(plan, n,
                                                                                     kLabelBits)));
            }
          }
        }
      }
    }
  }
}

TEST_CASE("a partition is right for every size of buffers, whatever inputs are left over") {
  check_partitions<uint32_t, uint32_t>();
  check_partitions<uint64_t, double>();
  check_partitions<uint16_t, Text>();
}

TEST_CASE("a plain radix run is a stable sort by its digit") {
  const auto labels = make_uniform_labels<uint32_t>(7, kMany, 64);
  std::vector<uint32_t> order(kMany);
  std::vector<uint32_t> found_labels(kMany);
  std::vector<uint32_t> found_values(kMany);
  std::vector<size_t> positions(8);
  for (uint32_t i = 0; i < kMany; ++i) {
    order[i] = i;
    for (size_t d = (labels[i] >> 2 & 7) + 1; d < 8; ++d) {
      ++positions[d];
    }
  }
  const std::vector<uint32_t> values = order;
  const cpu::PlainRadix<RawMemory, uint32_t, uint32_t> phase{
      labels.data(),       values.data(),    found_labels.data(),
      found_values.data(), positions.data(), cpu::make_digit(2, 3)};
  run_in_steps(phase, kMany);
  std::ranges::stable_sort(order, {}, [&](uint32_t i) { return labels[i] >> 2 & 7; });
  CHECK(found_values == order);
  for (size_t i = 0; i < kMany; ++i) {
    CHECK(found_labels[i] == labels[order[i]]);
  }
}

TEST_CASE("a buffer holds what the plan asks for, in whole lines and a power of two of elements") {
  cpu::WriteBuffers buffers;
  buffers.bytes = 256;
  CHECK(cpu::buffer_capacity(buffers, 4, 4, 8) == 32);
  CHECK(cpu::buffer_capacity(buffers, 4, 8, 16) == 16);
  CHECK(cpu::buffer_capacity(buffers, 4, 12, 16) == 16);
  CHECK(cpu::buffer_capacity(buffers, 8, 12, 24) == 8);
  buffers.layout = Layout::separate;
  CHECK(cpu::buffer_capacity(buffers, 4, 4, 8) == 64);
  CHECK(cpu::buffer_capacity(buffers, 4, 8, 16) == 32);
  buffers.bytes = 64;
  CHECK(cpu::buffer_capacity(buffers, 4, 8, 16) ==
        16);  // inputs in a buffer: 64 bytes of labels, 128 of values
  CHECK(cpu::buffer_capacity(buffers, 1, 8, 16) == 64);
}

}  // namespace
}  // namespace presort::test::phases_test
