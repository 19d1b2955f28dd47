#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>

#include "presort/core/base/random.h"
#include "presort/cpu/gather_rows.h"
#include "presort/cpu/memory/scratch.h"
#include "presort/cpu/multireduce_rows.h"
#include "tests/property_seed.h"
#include "tests/rows_oracle.h"

namespace presort::inline v0::test::rows_test {
namespace {

using cpu::ThreadTeam;

// Kinds of labels: uniform, all equal, sorted, a few frequent ones, half of them equal.
constexpr int kRowKinds = 5;

std::vector<uint32_t> row_labels(int kind, size_t n, uint64_t m, uint64_t seed) {
  std::vector<uint32_t> labels(n);
  for (size_t i = 0; i < n; ++i) {
    const uint64_t any = bounded(random_u64(seed, i), m);
    const uint64_t other = bounded(random_u64(seed ^ 77, i), m);
    labels[i] = static_cast<uint32_t>(kind == 0    ? any
                                      : kind == 1  ? m / 2
                                      : kind == 2  ? i * m / n
                                      : kind == 3  ? any * other / m * other / m
                                      : i % 2 == 0 ? m / 3
                                                   : any);
  }
  return labels;
}

template <class Value>
Value row_value(uint64_t seed, uint64_t i) {
  if constexpr (std::is_integral_v<Value>) {
    return static_cast<Value>(random_u64(seed, i));
  } else {
    return static_cast<Value>(static_cast<float>(static_cast<int64_t>(random_u64(seed, i)) >> 20));
  }
}

template <class T>
bool same_bits(const std::vector<T>& a, const std::vector<T>& b) {
  return a.size() == b.size() &&
         (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
}

struct Fits {
  std::vector<std::byte> memory;
  explicit Fits(size_t bytes) : memory(bytes + kLineBytes, std::byte{0xa5}) {}
  std::span<std::byte> span() {
    const size_t past = reinterpret_cast<uintptr_t>(memory.data()) % kLineBytes;
    return std::span(memory).subspan(past == 0 ? 0 : kLineBytes - past, memory.size() - kLineBytes);
  }
};

template <class Value>
struct RowsProblem {
  size_t n;
  uint64_t m;
  uint64_t columns;
  std::vector<uint32_t> labels;
  std::vector<Value> values;
  std::vector<float> weights;
  std::vector<Value> buckets;

  RowsProblem(size_t inputs, uint64_t rows, uint64_t width, int kind, bool has_weights)
      : n(inputs), m(rows), columns(width), labels(row_labels(kind, inputs, rows, inputs + width)) {
    for (size_t i = 0; i < n * columns; ++i) {
      values.push_back(row_value<Value>(1, i));
    }
    for (size_t i = 0; i < m * columns; ++i) {
      buckets.push_back(row_value<Value>(2, i));
    }
    for (size_t i = 0; has_weights && i < n; ++i) {
      weights.push_back(row_value<float>(3, i));
    }
  }

  Value value(size_t i, size_t d) const {
    Value value = values[i * columns + d];
    if constexpr (std::is_floating_point_v<Value>) {
      if (!weights.empty()) {
        const volatile Value product = value * static_cast<Value>(weights[i]);
        value = product;
      }
    }
    return value;
  }

  template <class M>
  std::vector<Value> expected(const M& monoid) const {
    std::vector<size_t> order(n);
    std::iota(order.begin(), order.end(), size_t{0});
    std::ranges::stable_sort(order, {}, [&](size_t i) { return labels[i]; });
    std::vector<OracleItem<Value>> items(n);
    for (size_t j = 0; j < n; ++j) {
      items[j].label = labels[order[j]];
      for (size_t d = 0; d < columns; ++d) {
        items[j].row.push_back(value(order[j], d));
      }
    }
    std::vector<Value> results = buckets;
    oracle_reduce(std::move(items), row_levels(n, columns, sizeof(Value), sizeof(Value)), monoid,
                  [&](uint64_t label, const std::vector<Value>& row) {
                    for (size_t d = 0; d < columns; ++d) {
                      Value& bucket = results[label * columns + d];
                      bucket = monoid(bucket, row[d]);
                    }
                  });
    return results;
  }

  template <class M>
  std::vector<Value> found(const M& monoid, size_t team) const {
    ThreadTeam threads(team);
    Fits order_scratch(cpu::row_order_scratch_bytes(n, m, team));
    const cpu::RowOrder order =
        cpu::row_order(std::span(labels), m, order_scratch.span(), threads, cpu::Checks::on);
    std::vector<Value> results = buckets;
    Fits scratch(cpu::multireduce_rows_scratch_bytes<Value>(n, columns, team));
    cpu::multireduce_rows(order, std::span(values), std::span(results), columns, monoid,
                          scratch.span(), threads, std::span(weights));
    return results;
  }
};

template <class Value, class M>
void check_rows(const M& monoid) {
  size_t number = 0;
  for (const uint64_t columns :
       {1u, 2u, 3u, 7u, 8u, 31u, 32u, 33u, 64u, 100u, 129u, 1000u, 4096u}) {
    for (const size_t n : {0u, 1u, 2u, 31u, 32u, 33u, 63u, 64u, 65u, 1000u, 20003u}) {
      if (n * columns > 100000) {
        continue;
      }
      for (int kind = 0; kind < kRowKinds; ++kind) {
        ++number;
        CAPTURE(columns);
        CAPTURE(n);
        CAPTURE(kind);
        const uint64_t wanted[] = {1, 7, n / 8 + 1, 2 * n + 1};
        const uint64_t m = std::min<uint64_t>(wanted[number % 4], 100000 / columns);
        const bool has_weights = std::is_floating_point_v<Value> && number % 3 == 0 && n > 0;
        const RowsProblem<Value> problem(n, m, columns, kind, has_weights);
        const std::vector<Value> expected = problem.expected(monoid);
        for (const size_t team : {1u, 2u, 5u}) {
          CHECK(same_bits(problem.found(monoid, team), expected));
        }
      }
    }
  }
}

}  // namespace

TEST_CASE("rows: sums of floats have the bits of the plain loop, with any number of threads") {
  check_rows<float>(Sum<float>{});
}
TEST_CASE("rows: sums of doubles have the bits of the plain loop, with any number of threads") {
  check_rows<double>(Sum<double>{});
}
TEST_CASE("rows: sums and maxima of whole numbers") {
  check_rows<uint32_t>(Sum<uint32_t>{});
  check_rows<int64_t>(Max<int64_t>{});
}

TEST_CASE("rows: sums are near those of doubles") {
  for (int kind = 0; kind < kRowKinds; ++kind) {
    const RowsProblem<float> problem(30000, 500, 6, kind, false);
    std::vector<double> sums(problem.buckets.begin(), problem.buckets.end());
    std::vector<double> sizes(sums.size());
    std::ranges::transform(sums, sizes.begin(), [](double sum) { return 1 + std::abs(sum); });
    for (size_t i = 0; i < problem.values.size(); ++i) {
      const size_t at = problem.labels[i / 6] * 6 + i % 6;
      sums[at] += static_cast<double>(problem.values[i]);
      sizes[at] += std::abs(static_cast<double>(problem.values[i]));
    }
    const std::vector<float> found = problem.found(Sum<float>{}, 2);
    double worst = 0;
    for (size_t k = 0; k < sums.size(); ++k) {
      worst = std::max(worst, std::abs(static_cast<double>(found[k]) - sums[k]) / sizes[k]);
    }
    CHECK(worst < 1e-5);
  }
}

TEST_CASE("rows: an order is that of a stable sort, of wide labels too") {
  for (const uint64_t m : {1u, 2u, 2048u, 2049u, 5000000u}) {
    const std::vector<uint32_t> narrow = row_labels(3, 30001, m, m);
    const std::vector<uint64_t> labels(narrow.begin(), narrow.end());
    for (const size_t team : {1u, 3u}) {
      ThreadTeam threads(team);
      Fits scratch(cpu::row_order_scratch_bytes(labels.size(), m, team));
      const auto order = cpu::row_order(std::span<const uint64_t>(labels), m, scratch.span(),
                                        threads, cpu::Checks::on);
      std::vector<size_t> expected(labels.size());
      std::iota(expected.begin(), expected.end(), size_t{0});
      std::ranges::stable_sort(expected, {}, [&](size_t i) { return labels[i]; });
      bool is_right = true;
      for (size_t j = 0; j < expected.size(); ++j) {
        is_right = is_right && order.places[j].position == expected[j] &&
                   order.places[j].label == labels[expected[j]];
      }
      CHECK(is_right);
    }
  }
}

TEST_CASE("rows: a gather copies rows, and a reduction of them is its transpose") {
  for (const size_t n : {0u, 1u, 1000u}) {
    for (const uint64_t columns : {1u, 3u, 64u}) {
      const RowsProblem<double> problem(n, 37, columns, 0, false);
      std::vector<double> expected(n * columns);
      for (size_t i = 0; i < expected.size(); ++i) {
        expected[i] = problem.buckets[problem.labels[i / columns] * columns + i % columns];
      }
      for (const size_t team : {1u, 2u, 5u}) {
        ThreadTeam threads(team);
        std::vector<double> results(n * columns);
        cpu::gather_rows(std::span(problem.labels), std::span(problem.buckets), std::span(results),
                         problem.m, columns, threads, cpu::Checks::on);
        CHECK(same_bits(results, expected));
      }
    }
  }
}

TEST_CASE("rows: what does not fit is refused before anything is written") {
  RowsProblem<float> problem(100, 10, 4, 0, false);
  const std::vector<float> before = problem.buckets;
  ThreadTeam threads(2);
  Fits order_scratch(cpu::row_order_scratch_bytes(100, 10, 2));
  const std::span<const uint32_t> labels(problem.labels);
  CHECK_THROWS_AS(cpu::row_order(labels, 10, order_scratch.span().subspan(64), threads), PlanError);
  CHECK_THROWS_AS(cpu::row_order(labels, 5, order_scratch.span(), threads, cpu::Checks::on),
                  LabelError);
  CHECK_THROWS_AS(cpu::row_order_scratch_bytes(kMostRowInputs, 1, 1), PlanError);
  CHECK_THROWS_AS(cpu::row_order_scratch_bytes(1, kMostRowInputs, 1), PlanError);
  const cpu::RowOrder order = cpu::row_order(labels, 10, order_scratch.span(), threads);
  const size_t bytes = cpu::multireduce_rows_scratch_bytes<float>(100, 4, 2);
  Fits scratch(bytes + 64);
  const std::vector<float> weights(100, 1);
  const auto reduce = [&](std::span<const float> from, std::span<float> to, uint64_t columns,
                          std::span<std::byte> room, std::span<const float> weight = {}) {
    cpu::multireduce_rows(order, from, to, columns, Sum<float>{}, room, threads, weight);
  };
  const std::span<const float> from(problem.values);
  const std::span<float> to(problem.buckets);
  const std::span<std::byte> room = scratch.span();
  CHECK_THROWS_AS(reduce(from, to, 0, room), PlanError);
  CHECK_THROWS_AS(reduce(from, to, kMostRowColumns + 1, room), PlanError);
  CHECK_THROWS_AS(reduce(from, to, 5, room), PlanError);
  CHECK_THROWS_AS(reduce(from.first(396), to, 4, room), PlanError);
  CHECK_THROWS_AS(reduce(from, to.first(36), 4, room), PlanError);
  CHECK_THROWS_AS(reduce(from, to, 4, room.first(bytes - 1)), PlanError);
  CHECK_THROWS_AS(reduce(from, to, 4, room.subspan(4)), PlanError);
  CHECK_THROWS_AS(reduce(from, to, 4, room, std::span(weights).first(99)), PlanError);
  CHECK_THROWS_AS(reduce(from, std::span<float>(problem.values).first(40), 4, room), SpanError);
  std::vector<float> results(400);
  CHECK_THROWS_AS(cpu::gather_rows(labels, std::span<const float>(to), std::span<float>(results),
                                   10, 0, threads),
                  PlanError);
  CHECK_THROWS_AS(cpu::gather_rows(labels, std::span<const float>(to),
                                   std::span<float>(results).first(396), 10, 4, threads),
                  PlanError);
  CHECK(same_bits(problem.buckets, before));
}

}  // namespace presort::test::rows_test
