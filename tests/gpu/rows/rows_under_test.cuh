// Rows of random values with labels of several kinds, reduced on the device and by plain loops.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>
#include <random>
#include <vector>

#include "presort/gpu/multireduce_rows.cuh"
#include "tests/gpu/support.cuh"
#include "tests/rows_oracle.h"

namespace presort::inline v0::gpu::test {

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

// Lengths of rows: 1, around multiples of a warp and of the vectors that kernels load, long ones.
constexpr uint64_t kColumns[] = {1, 2, 3, 7, 8, 31, 32, 33, 64, 100, 128, 129, 1000, 4096};

}  // namespace presort::gpu::test
