// Tests the pre-sort into chunks, with small chunks so that every boundary is crossed: against a stable
// partition; and operations with such plans against plain loops.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "presort/core/labels/labels.h"
#include "presort/cpu/histogram.h"
#include "presort/cpu/partial_sort.h"
#include "presort/cpu/presort/chunked_presort.h"
#include "tests/cpu/support.h"

namespace presort::inline v0::test::chunks_test {
namespace {

using Pairs =
    std::vector<std::pair<uint64_t, uint32_t>>;  // pairs of a label and the number of its input

template <class Label>
std::vector<Label> labels_like(const char* name, size_t n, size_t m) {
  const auto source = make_labels(parse_distribution("dist", name), n, m, 3);
  std::vector<Label> labels(source->size());
  generate_as<Label>(*source, 0, labels);
  return labels;
}

// The inputs of each part of a pre-sort, in the order in which the kernel gets them.
template <class Label>
std::vector<Pairs> chunked_parts(const std::vector<Label>& labels, const CpuPlan& plan, size_t m) {
  std::vector<uint32_t> numbers(labels.size());
  for (size_t i = 0; i < numbers.size(); ++i) {
    numbers[i] = static_cast<uint32_t>(i);
  }
  using Store = cpu::PairStore<Label, uint32_t>;
  Carver measure;
  cpu::take_chunk_team<Store>(measure, plan, labels.size(), label_bits(m));
  GuardedScratch scratch(measure.used_bytes());
  Carver carver(scratch.bytes().data());
  const auto team = cpu::take_chunk_team<Store>(carver, plan, labels.size(), label_bits(m));
  CHECK(carver.used_bytes() == measure.used_bytes());
  std::vector<Pairs> parts(size_t{1} << plan.presort->sort_bits);
  const int rest = label_bits(m) - plan.presort->sort_bits;
  const auto kernel = [&](const auto& input, size_t count) {
    cpu::RawMemory memory;
    REQUIRE(count > 0);
    for (size_t i = 0; i < count; ++i) {
      const Label label = input.label(i, memory);
      parts[label >> rest].emplace_back(label, input.value(i, memory));
    }
  };
  cpu::ThreadTeam threads(static_cast<size_t>(plan.resources.threads));
  const cpu::SeparateInput<cpu::RawMemory, Label, uint32_t> input{labels.data(), numbers.data()};
  cpu::ChunkedPresort<Store>(team, labels.size()).run(input, kernel, threads);
  CHECK(scratch.guards_intact());
  return parts;
}

template <class Label>
void check_partition(const std::vector<Label>& labels, size_t m) {
  for (const int bits : {1, 3, 6}) {
    std::vector<Pairs> expected(size_t{1} << bits);
    for (size_t i = 0; i < labels.size(); ++i) {
      expected[labels[i] >> (label_bits(m) - bits)].emplace_back(labels[i], i);
    }
    for (const uint64_t buffer : {64, 256}) {
      for (const uint64_t chunk : {1, 2, 8}) {  // sizes of chunks, in write buffers
        for (const int threads : {1, 3}) {
          CpuPlan plan;
          plan.presort = Presort{.sort_bits = bits, .buffer_bytes = buffer};
          plan.presort->chunk_bytes = chunk * buffer;
          plan.resources.threads = threads;
          CAPTURE(bits);
          CAPTURE(buffer);
          CAPTURE(chunk);
          CAPTURE(threads);
          CHECK(chunked_parts(labels, plan, m) == expected);
        }
      }
    }
  }
}

TEST_CASE("chunks of few buffers hold a stable partition, whatever the labels") {
  for (const char* name : {"uniform", "zipf:1.25", "degenerate", "sorted", "sequential"}) {
    CAPTURE(name);
    for (const size_t n : {1, 7, 8, 9, 63, 64, 65, 511, 512, 513, 1537, 4096}) {
      CAPTURE(n);
      check_partition(labels_like<uint32_t>(name, n, 100), 100);
    }
  }
  check_partition(labels_like<uint8_t>("uniform", 3000, 200), 200);
  check_partition(labels_like<uint64_t>("zipf:1", 3000, 1000), 1000);
}

TEST_CASE("several shares of a thread keep the order of the inputs") {
  const auto labels = labels_like<uint32_t>("zipf:1", 4 * cpu::kLeastShare + 77, 64);
  CpuPlan plan;
  plan.presort = Presort{.sort_bits = 4};
  plan.presort->chunk_bytes = 16384;
  plan.resources.threads = 2;
  REQUIRE(cpu::share_count(labels.size(), 2) > 2);
  std::vector<Pairs> expected(16);
  for (size_t i = 0; i < labels.size(); ++i) {
    expected[labels[i] >> 2].emplace_back(labels[i], i);
  }
  CHECK(chunked_parts(labels, plan, 64) == expected);
}

template <class Label, class Value, class M>
void check_operations(const M& monoid, size_t m) {
  for (const char* name : {"uniform", "zipf:1.25", "degenerate", "sorted"}) {
    for (const size_t n : {2047, 2048, 2049, 20000}) {
      const auto labels = labels_like<Label>(name, n, m);
      for (const std::string rest : {"", ",threads=3", ",bufferBytes=64B,prefetchDistance=7",
                                     ",bufferBytes=1KiB,pageSize=4KiB"}) {
        const CpuPlan plan = parse_cpu_plan("sortBits=2,chunkBytes=16KiB" + rest);
        CAPTURE(name);
        CAPTURE(n);
        CAPTURE(rest);
        CHECK(multireduce_is_right<Label, Value>(plan, labels, m, monoid));
        CHECK(scatter_is_right<Label, Value>(plan, labels, m));
        std::vector<uint64_t> expected(m);
        for (const Label label : labels) {
          ++expected[label];
        }
        std::vector<uint64_t> found(m);
        GuardedScratch scratch(cpu::histogram_scratch_bytes<Label, uint64_t>(plan, n, m));
        cpu::histogram(std::span<const Label>(labels), std::span<uint64_t>(found), plan,
                       scratch.bytes());
        CHECK(found == expected);
        CHECK(scratch.guards_intact());
      }
    }
  }
}

TEST_CASE("operations on buckets through chunks equal the plain loops") {
  check_operations<uint32_t, uint32_t>(Sum<uint32_t>{}, 300);
  check_operations<uint8_t, Text>(Concatenate{}, 256);
  check_operations<uint16_t, Affine<uint64_t>>(Compose<uint64_t>{}, 1000);
  check_operations<uint64_t, double>(Sum<double>{},
                                     4);  // sums that round: right only in the order of the inputs
}

TEST_CASE("chunks cost a chunk for each part and share besides the inputs") {
  const size_t n = size_t{1} << 26;
  const size_t m = size_t{1} << 24;
  const auto bytes = [&](const std::string& plan) {
    return cpu::multireduce_scratch_bytes<uint32_t, uint32_t>(parse_cpu_plan(plan), n, m);
  };
  CHECK(static_cast<double>(bytes("sortBits=8,chunkBytes=64KiB")) <= 1.1 * 8 * n);
  const size_t four_shares = bytes("sortBits=8,chunkBytes=64KiB,threads=2");
  CHECK(four_shares - bytes("sortBits=8,chunkBytes=64KiB") <= 7 * (size_t{256} * 65536 + 131072));
}

TEST_CASE("a partial sort has no chunks") {
  const std::vector<uint32_t> labels(10);
  std::vector<uint32_t> sorted(10);
  std::vector<uint32_t> moved(10);
  std::vector<size_t> starts(5);
  GuardedScratch scratch(1 << 20);
  CHECK_THROWS_WITH_AS(
      cpu::partial_sort(std::span<const uint32_t>(labels), std::span<const uint32_t>(labels), 4,
                        std::span<uint32_t>(sorted), std::span<uint32_t>(moved),
                        std::span<size_t>(starts), parse_cpu_plan("sortBits=2,chunkBytes=64KiB"),
                        scratch.bytes()),
      doctest::Contains("chunkBytes: found '65536', accepted: 0"), PlanError);
}

}  // namespace
}  // namespace presort::test::chunks_test
