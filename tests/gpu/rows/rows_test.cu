// Tests reductions of rows: bit by bit against plain loops that group in the same way, and against
// sums of doubles.
#include "presort/cpu/multireduce_rows.h"
#include "tests/gpu/rows/rows_under_test.cuh"

using namespace presort;
using namespace presort::gpu;
using namespace presort::gpu::test;

namespace {

template <class Value, class Bucket = Value, class M = Sum<RowSum<Value>>>
void check_case(const Case& of) {
  CAPTURE(of.n);
  CAPTURE(of.m);
  CAPTURE(of.columns);
  CAPTURE(static_cast<int>(of.kind));
  CAPTURE(of.has_weights);
  CAPTURE(of.skip);
  const Rows<Value, Bucket> rows(of);
  CHECK(same_bits(rows.found(M{}), rows.expected(M{}, rows.levels())));
}

constexpr size_t kSizes[] = {0, 1, 2, 31, 32, 33, 63, 64, 65, 1000, 100003};
constexpr uint64_t kMostElements = uint64_t{1} << 20;

template <class Value, class Bucket = Value, class M = Sum<RowSum<Value>>>
void check_all() {
  size_t number = 0;
  for (const uint64_t columns : kColumns) {
    for (const size_t n : kSizes) {
      if (n * columns > kMostElements) {
        continue;
      }
      for (const RowLabels kind : kRowLabels) {
        ++number;
        const uint64_t wanted[] = {1, 7, n / 8 + 1, 2 * n + 1};
        const uint64_t m = std::min(wanted[number % 4], kMostElements / columns);
        const bool has_weights =
            std::is_floating_point_v<RowSum<Value>> && number % 3 == 0 && n > 0;
        check_case<Value, Bucket, M>({n, m, columns, kind, has_weights, number % 5 == 0});
      }
    }
  }
}

}  // namespace

TEST_CASE("gpu rows: sums of floats have the bits of the plain loop") {
  check_all<float>();
}
TEST_CASE("gpu rows: sums of doubles have the bits of the plain loop") {
  check_all<double>();
}
TEST_CASE("gpu rows: sums of whole numbers are those of the plain loop") {
  check_all<uint32_t>();
}
TEST_CASE("gpu rows: sums of bfloat16 have the bits of the plain loop") {
  check_all<__nv_bfloat16>();
}
TEST_CASE("gpu rows: sums of bfloat16 into floats have the bits of the plain loop") {
  check_all<__nv_bfloat16, float>();
}
TEST_CASE("gpu rows: sums of half into floats have the bits of the plain loop") {
  check_all<__half, float>();
}
TEST_CASE("gpu rows: sums of half have the bits of the plain loop") {
  check_all<__half>();
}
TEST_CASE("gpu rows: minima and maxima are those of the plain loop") {
  check_all<float, float, Max<float>>();
  check_all<uint32_t, uint32_t, Min<uint32_t>>();
  check_all<__half, __half, Min<float>>();
}

TEST_CASE("gpu rows: chunks of every length and reach") {
  for (const uint32_t inputs : {32u, 64u, 128u, 256u}) {
    for (const uint32_t reach : {1u, 8u, 16u, 32u}) {
      for (const uint64_t columns : {33u, 64u, 128u}) {
        for (const size_t n : {inputs - 1, inputs, inputs + 1, 2 * inputs + reach, 6007u}) {
          for (const RowLabels kind : kRowLabels) {
            CAPTURE(inputs);
            CAPTURE(reach);
            CAPTURE(columns);
            CAPTURE(n);
            CAPTURE(static_cast<int>(kind));
            const Rows<float> rows({n, n / 20 + 1, columns, kind});
            RowLevels levels;
            RowLevel level{n, {inputs, reach}};
            while (level.inputs > 0) {
              levels.levels[levels.count++] = level;
              level = {level.slots(), {inputs > 64 ? 64 : inputs, reach}};
            }
            const DeviceArray<uint32_t> labels(rows.labels);
            const DeviceArray<std::byte> order_scratch(
                poison(row_order_scratch_bytes<uint32_t>(n, rows.of.m)));
            const RowOrder order =
                row_order(nullptr, labels.read_only(), rows.of.m, order_scratch.span());
            Carver carver;
            RowLists<float>::take(carver, levels, columns);
            const DeviceArray<std::byte> scratch(poison(carver.used_bytes()));
            const DeviceArray<float> values(rows.values);
            const DeviceArray<float> buckets(rows.buckets);
            reduce_rows<false>(nullptr, order, values.read_only().data(), nullptr,
                               buckets.span().data(), columns, Sum<float>{}, levels,
                               scratch.span());
            CHECK(same_bits(buckets.host(), rows.expected(Sum<float>{}, levels)));
          }
        }
      }
    }
  }
}

TEST_CASE("gpu rows: the CPU has the same bits") {
  const auto check = []<class Value>(Value, const Case& of) {
    const Rows<Value> rows(of);
    cpu::ThreadTeam threads(2);
    const auto room = [](size_t bytes) { return std::vector<std::byte>(bytes + kLineBytes); };
    const auto aligned = [](std::vector<std::byte>& memory) {
      const size_t past = reinterpret_cast<uintptr_t>(memory.data()) % kLineBytes;
      return std::span(memory).subspan(kLineBytes - past);
    };
    auto order_memory = room(cpu::row_order_scratch_bytes(of.n, of.m, 2));
    auto memory = room(cpu::multireduce_rows_scratch_bytes<Value>(of.n, of.columns, 2));
    const cpu::RowOrder order = cpu::row_order(std::span<const uint32_t>(rows.labels), of.m,
                                               aligned(order_memory), threads);
    std::vector<Value> results = rows.buckets;
    cpu::multireduce_rows(order, std::span<const Value>(rows.values), std::span<Value>(results),
                          of.columns, Sum<Value>{}, aligned(memory), threads,
                          std::span<const float>(rows.weights));
    CHECK(same_bits(rows.found(Sum<Value>{}), results));
  };
  for (const RowLabels kind : kRowLabels) {
    check(float{}, {100003, 5000, 33, kind, true});
    check(float{}, {50001, 100, 128, kind, false});
    check(double{}, {60001, 9000, 20, kind, true});
  }
}

TEST_CASE("gpu rows: ten runs have the same bits") {
  for (const RowLabels kind : kRowLabels) {
    const Rows<float> rows({200000, 5000, 24, kind});
    rows.found(Sum<float>{}, 10);
    const Rows<__nv_bfloat16> halves({100000, 300, 64, kind});
    halves.found(Sum<float>{}, 10);
  }
}

TEST_CASE("gpu rows: sums are near those of doubles") {
  for (const RowLabels kind : kRowLabels) {
    const Rows<float> rows({50000, 700, 20, kind, true});
    const std::vector<float> found = rows.found(Sum<float>{});
    std::vector<double> expected(rows.buckets.begin(), rows.buckets.end());
    std::vector<double> sizes(expected.size(), 1);
    for (size_t i = 0; i < rows.of.n; ++i) {
      for (size_t d = 0; d < rows.of.columns; ++d) {
        const double value = static_cast<double>(rows.values[i * rows.of.columns + d]) *
                             static_cast<double>(rows.weights[i]);
        expected[rows.labels[i] * rows.of.columns + d] += value;
        sizes[rows.labels[i] * rows.of.columns + d] += std::abs(value);
      }
    }
    double worst = 0;
    for (size_t k = 0; k < expected.size(); ++k) {
      worst = std::max(worst, std::abs(static_cast<double>(found[k]) - expected[k]) / sizes[k]);
    }
    CHECK(worst < 1e-5);
  }
}

TEST_CASE("gpu rows: many inputs, rows of bfloat16") {
  constexpr size_t kInputs = 1500000;
  for (const RowLabels kind : kRowLabels) {
    check_case<__nv_bfloat16, float>({kInputs, 9973, 4, kind});
    check_case<float>({kInputs, 300007, 2, kind});
  }
}
