// Tests reductions of rows: bit by bit against plain loops that group in the same way, and against
// sums of doubles. Also gathers of rows, and refused arguments.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>
#include <random>

#include "presort/cpu/multireduce_rows.h"
#include "presort/gpu/gather_rows.cuh"
#include "presort/gpu/multireduce_rows.cuh"
#include "tests/gpu/support.cuh"
#include "tests/rows_oracle.h"

using namespace presort;
using namespace presort::gpu;
using namespace presort::gpu::test;

namespace {

enum class RowLabels { uniform, equal, sorted, zipf, half };
constexpr RowLabels kRowLabels[] = {RowLabels::uniform, RowLabels::equal, RowLabels::sorted,
                                    RowLabels::zipf, RowLabels::half};

template <class Label = uint32_t>
std::vector<Label> labels_of(RowLabels kind, size_t n, uint64_t m, std::mt19937_64& random) {
  std::vector<Label> labels(n);
  for (size_t i = 0; i < n; ++i) {
    const uint64_t any = random() % m;
    const double part = static_cast<double>(random() >> 11) * 0x1p-53;
    const auto rank = static_cast<uint64_t>(std::pow(static_cast<double>(m), part)) - 1;
    labels[i] = static_cast<Label>(kind == RowLabels::uniform  ? any
                                   : kind == RowLabels::equal  ? m / 2
                                   : kind == RowLabels::sorted ? i * m / n
                                   : kind == RowLabels::zipf   ? rank * 7919 % m
                                   : i % 2 == 0                ? m / 3
                                                               : any);
  }
  return labels;
}

template <class Value>
Value random_value(std::mt19937_64& random) {
  if constexpr (std::is_integral_v<Value>) {
    return static_cast<Value>(random());
  } else {
    const double value = static_cast<double>(static_cast<int64_t>(random()) >> 11) * 0x1p-53;
    return static_cast<Value>(static_cast<float>(value));
  }
}

template <class Value>
RowSum<Value> sum_of(Value value) {
  if constexpr (kIsHalf<Value>) {
    return static_cast<float>(value);
  } else {
    return value;
  }
}

template <class T>
bool same_bits(const std::vector<T>& a, const std::vector<T>& b) {
  return a.size() == b.size() &&
         (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
}

struct Case {
  size_t n;
  uint64_t m;
  uint64_t columns;
  RowLabels kind = RowLabels::uniform;
  bool has_weights = false;
  size_t skip = 0;  // elements by which each array begins behind an aligned address
};

// A multireduce of rows to test, with its arrays on host and device.
template <class Value, class Bucket = Value>
struct Rows {
  using Sum = RowSum<Value>;
  Case of;
  std::mt19937_64 random;
  std::vector<uint32_t> labels;
  std::vector<Value> values;
  std::vector<float> weights;
  std::vector<Bucket> buckets;

  explicit Rows(const Case& which) : of(which), random(which.n * 31 + which.columns) {
    labels = labels_of(of.kind, of.n, of.m, random);
    values.resize(of.n * of.columns);
    std::ranges::generate(values, [&] { return random_value<Value>(random); });
    if (of.has_weights) {
      weights.resize(of.n);
      std::ranges::generate(weights, [&] { return random_value<float>(random); });
    }
    buckets.resize(of.m * of.columns);
    std::ranges::generate(buckets, [&] { return random_value<Bucket>(random); });
  }

  RowLevels levels() const { return row_levels(of.n, of.columns, sizeof(Value), sizeof(Sum)); }

  Sum value(size_t i, size_t d) const {
    Sum value = sum_of(values[i * of.columns + d]);
    if constexpr (std::is_floating_point_v<Sum>) {
      if (of.has_weights) {
        const volatile Sum product = value * static_cast<Sum>(weights[i]);
        value = product;
      }
    }
    return value;
  }

  template <class M>
  std::vector<Bucket> expected(const M& monoid, const RowLevels& levels) const {
    std::vector<size_t> order(of.n);
    std::iota(order.begin(), order.end(), size_t{0});
    std::ranges::stable_sort(order, {}, [&](size_t i) { return labels[i]; });
    std::vector<presort::test::OracleItem<Sum>> items(of.n);
    for (size_t j = 0; j < of.n; ++j) {
      items[j].label = labels[order[j]];
      items[j].row.resize(of.columns);
      for (size_t d = 0; d < of.columns; ++d) {
        items[j].row[d] = value(order[j], d);
      }
    }
    std::vector<Bucket> results = buckets;
    presort::test::oracle_reduce(std::move(items), levels, monoid,
                                 [&](uint64_t label, const std::vector<Sum>& row) {
                                   for (size_t d = 0; d < of.columns; ++d) {
                                     Bucket& bucket = results[label * of.columns + d];
                                     bucket = static_cast<Bucket>(monoid(sum_of(bucket), row[d]));
                                   }
                                 });
    return results;
  }

  // Reduces rows on the device `runs` times, each time from the same initial buckets, and returns
  // the results.
  template <class M>
  std::vector<Bucket> found(const M& monoid, int runs = 1) const {
    const DeviceArray<uint32_t> on_device(labels, of.skip);
    const DeviceArray<std::byte> order_scratch(
        poison(row_order_scratch_bytes<uint32_t>(of.n, of.m)));
    const RowOrder order = row_order(nullptr, on_device.read_only(), of.m, order_scratch.span());
    const DeviceArray<Value> from(values, of.skip);
    const DeviceArray<float> weight(weights, of.skip);
    std::vector<Bucket> results;
    for (int run = 0; run < runs; ++run) {
      const DeviceArray<Bucket> to(buckets, of.skip);
      const DeviceArray<std::byte> scratch(
          poison(multireduce_rows_scratch_bytes<Value>(of.n, of.columns)));
      multireduce_rows(nullptr, order, from.read_only(), to.span(), of.columns, monoid,
                       scratch.span(), weight.read_only());
      const std::vector<Bucket> again = to.host();
      CHECK((run == 0 || same_bits(results, again)));
      results = again;
    }
    return results;
  }
};

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

constexpr uint64_t kColumns[] = {1, 2, 3, 7, 8, 31, 32, 33, 64, 100, 128, 129, 1000, 4096};
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

TEST_CASE("gpu rows: wide labels have the order of narrow ones") {
  std::mt19937_64 random(5);
  const auto wide = labels_of<uint64_t>(RowLabels::zipf, 70001, 5003, random);
  const std::vector<uint32_t> narrow(wide.begin(), wide.end());
  for (const size_t skip : {0, 1}) {
    const DeviceArray<uint64_t> from(wide, skip);
    const DeviceArray<std::byte> scratch(poison(row_order_scratch_bytes<uint64_t>(70001, 5003)));
    const RowOrder order = row_order(nullptr, from.read_only(), 5003, scratch.span());
    std::vector<RowPlace> places(order.places.size());
    PRESORT_CUDA(cudaMemcpy(places.data(), order.places.data(), order.places.size_bytes(),
                            cudaMemcpyDeviceToHost));
    std::vector<size_t> expected(narrow.size());
    std::iota(expected.begin(), expected.end(), size_t{0});
    std::ranges::stable_sort(expected, {}, [&](size_t i) { return narrow[i]; });
    bool is_right = true;
    for (size_t j = 0; j < places.size(); ++j) {
      is_right =
          is_right && places[j].position == expected[j] && places[j].label == narrow[expected[j]];
    }
    CHECK(is_right);
  }
}

TEST_CASE("gpu rows: a gather copies rows") {
  const auto check = [&]<class Value, class Label>(Value, Label, uint64_t columns, size_t n,
                                                   size_t skip) {
    CAPTURE(columns);
    CAPTURE(n);
    CAPTURE(skip);
    constexpr uint64_t kRows = 97;
    std::mt19937_64 random(n + columns);
    const auto labels = labels_of<Label>(RowLabels::uniform, n, kRows, random);
    std::vector<Value> table(kRows * columns);
    std::ranges::generate(table, [&] { return random_value<Value>(random); });
    const DeviceArray<Label> on_device(labels);
    const DeviceArray<Value> from(table, skip);
    const DeviceArray<Value> to(std::vector<Value>(n * columns), skip);
    gather_rows(nullptr, on_device.read_only(), from.read_only(), to.span(), kRows, columns);
    std::vector<Value> expected(n * columns);
    for (size_t i = 0; i < n * columns; ++i) {
      expected[i] = table[labels[i / columns] * columns + i % columns];
    }
    CHECK(same_bits(to.host(), expected));
  };
  for (const uint64_t columns : kColumns) {
    for (const size_t n : {0, 1, 33, 1000}) {
      check(float{}, uint32_t{}, columns, n, 0);
      check(float{}, uint64_t{}, columns, n, 1);
      check(__nv_bfloat16{}, uint32_t{}, columns, n, n % 2);
      check(double{}, uint32_t{}, columns, n, 0);
    }
  }
}

TEST_CASE("gpu rows: what does not fit is refused before anything is written") {
  const Rows<float> rows({100, 10, 4});
  const DeviceArray<uint32_t> labels(rows.labels);
  const DeviceArray<std::byte> order_scratch(poison(row_order_scratch_bytes<uint32_t>(100, 10)));
  CHECK_THROWS_AS(row_order(nullptr, labels.read_only(), 10, order_scratch.span().subspan(64)),
                  PlanError);
  CHECK_THROWS_AS(row_order_scratch_bytes<uint32_t>(kMostRowInputs, 10), PlanError);
  CHECK_THROWS_AS(row_order_scratch_bytes<uint64_t>(10, kMostRowInputs), PlanError);
  const RowOrder order = row_order(nullptr, labels.read_only(), 10, order_scratch.span());
  const DeviceArray<float> values(rows.values);
  const DeviceArray<float> buckets(rows.buckets);
  const DeviceArray<float> weights(std::vector<float>(100, 1));
  const size_t bytes = multireduce_rows_scratch_bytes<float>(100, 4);
  const DeviceArray<std::byte> scratch(poison(bytes + 64));
  const auto reduce = [&](std::span<const float> from, std::span<float> to, uint64_t columns,
                          std::span<std::byte> room, std::span<const float> weight = {}) {
    multireduce_rows(nullptr, order, from, to, columns, Sum<float>{}, room, weight);
  };
  const std::span<const float> from = values.read_only();
  const std::span<float> to = buckets.span();
  const std::span<std::byte> room = scratch.span();
  CHECK_THROWS_AS(reduce(from, to, 0, room), PlanError);
  CHECK_THROWS_AS(reduce(from, to, kMostRowColumns + 1, room), PlanError);
  CHECK_THROWS_AS(reduce(from, to, 5, room), PlanError);
  CHECK_THROWS_AS(reduce(from.first(396), to, 4, room), PlanError);
  CHECK_THROWS_AS(reduce(from, to.first(36), 4, room), PlanError);
  CHECK_THROWS_AS(reduce(from, to, 4, room.first(bytes - 1)), PlanError);
  CHECK_THROWS_AS(reduce(from, to, 4, room.subspan(4)), PlanError);
  CHECK_THROWS_AS(reduce(from, to, 4, room, weights.read_only().first(99)), PlanError);
  const std::span<float> inside(const_cast<float*>(from.data()), 40);
  CHECK_THROWS_AS(reduce(from, inside, 4, room), SpanError);
  const auto* odd = reinterpret_cast<const float*>(reinterpret_cast<const char*>(from.data()) + 2);
  CHECK_THROWS_AS(reduce({odd, 400}, to, 4, room), SpanError);
  CHECK(same_bits(buckets.host(), rows.buckets));
  CHECK_THROWS_AS(gather_rows(nullptr, labels.read_only(), buckets.read_only(), inside, 10, 0),
                  PlanError);
  CHECK_THROWS_AS(gather_rows(nullptr, labels.read_only(), buckets.read_only(), inside, 10, 4),
                  PlanError);
}
