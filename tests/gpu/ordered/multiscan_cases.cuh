// Tests scans per bucket by every plan against a plain loop, for numbers of inputs around a tile's.
#pragma once

#include <algorithm>

#include "presort/gpu/multiscan.cuh"
#include "presort/gpu/plan/ordered_plans.h"
#include "tests/gpu/cpu_oracle.h"
#include "tests/gpu/ordered/ordered_values.cuh"
#include "tests/gpu/support.cuh"

namespace presort::inline v0::gpu::test {

// Plans of scans that are tested: the rule's; without a pre-sort, by tables or tile by tile; with a
// pre-sort in one to three passes.
inline std::vector<GpuPlan> plans_for(uint64_t m, size_t value_bytes) {
  const DeviceLimits device = current_device_limits();
  std::vector<GpuPlan> plans = {scan_plan({0, m, value_bytes}, device)};
  const int bits = label_bits(m);
  plans.emplace_back();
  for (int passes = 1; passes <= std::min(3, bits); ++passes) {
    if ((bits + passes - 1) / passes <= kMaxDigitBits) {
      plans.emplace_back().presort = GpuPresort{.sort_bits = bits, .passes = passes};
    }
  }
  return plans;
}

template <class Label, class Value, class M>
Scanned<Value> plain_multiscan(Scan scan, const std::vector<Label>& labels,
                               const std::vector<Value>& values, std::vector<Value> buckets,
                               const M& monoid) {
  std::vector<Value> results;
  for (size_t i = 0; i < labels.size(); ++i) {
    const Value before = buckets[labels[i]];
    buckets[labels[i]] = monoid(before, values[i]);
    results.push_back(scan == Scan::exclusive ? before : buckets[labels[i]]);
  }
  return {results, buckets};
}

template <Scan kScan, class Label, class Value, class M>
Scanned<Value> scan_on_device(const DeviceArray<Label>& labels, const DeviceArray<Value>& values,
                              const std::vector<Value>& before, const M& monoid,
                              const GpuPlan& plan, size_t skip) {
  const size_t n = labels.span().size();
  const DeviceArray<Value> buckets(before, skip);
  std::vector<Value> poisoned(n);
  std::fill_n(reinterpret_cast<unsigned char*>(poisoned.data()), n * sizeof(Value), 0xa5);
  const DeviceArray<Value> results(poisoned, skip);
  const DeviceArray<std::byte> scratch(
      poison(multiscan_scratch_bytes<Label, Value>(plan, n, before.size())));
  multiscan<kScan>(nullptr, labels.read_only(), values.read_only(), buckets.span(), results.span(),
                   monoid, plan, scratch.span());
  return {results.host(), buckets.host()};
}

template <class Label, class Value, class M>
void check_case(size_t n, uint64_t m, Kind kind, size_t skip, const M& monoid,
                std::mt19937_64& random) {
  const auto labels = make_labels<Label>(kind, n, m, random);
  const auto values = any_values<Value>(n, random);
  const auto before = any_values<Value>(m, random);
  const DeviceArray<Label> device_labels(labels, skip);
  const DeviceArray<Value> device_values(values, skip);
  const auto exclusive = plain_multiscan(Scan::exclusive, labels, values, before, monoid);
  const auto inclusive = plain_multiscan(Scan::inclusive, labels, values, before, monoid);
  for (const GpuPlan& plan : plans_for(m, sizeof(Value))) {
    CAPTURE(n);
    CAPTURE(m);
    CAPTURE(skip);
    CAPTURE(static_cast<int>(kind));
    CAPTURE(to_string(plan));
    CHECK((scan_on_device<Scan::exclusive>(device_labels, device_values, before, monoid, plan,
                                           skip) == exclusive));
    CHECK((scan_on_device<Scan::inclusive>(device_labels, device_values, before, monoid, plan,
                                           skip) == inclusive));
  }
}

template <class Label, class Value, class M>
void check_all(const M& monoid, uint64_t most_buckets, uint64_t seed) {
  std::mt19937_64 random(seed);
  constexpr size_t kTile = ScanTile<Value>::kInputs;
  constexpr size_t kRuns = RunTile<Label, Value>::kInputs;
  for (const size_t n : {size_t{0}, size_t{1}, size_t{31}, size_t{33}, kRuns - 1, kRuns, kRuns + 1,
                         kTile - 1, kTile, kTile + 1, 3 * kTile + 5, size_t{300007}}) {
    check_case<Label, Value>(n, std::min<uint64_t>(200, most_buckets), Kind::uniform, n % 2, monoid,
                             random);
  }
  for (const Kind kind : kKinds) {
    for (const uint64_t m : {1, 2, 255, 257, 2048, 300000}) {
      check_case<Label, Value>(300007, std::min(m, most_buckets), kind, 0, monoid, random);
    }
  }
}

}  // namespace presort::gpu::test
