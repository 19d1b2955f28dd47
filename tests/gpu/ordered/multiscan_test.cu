// Tests scans per bucket: every plan against plain loops, sizes around tiles, values of
// user-defined types, operators that do not commute, sums of floats that are the same in every
// call.
#include <algorithm>

#include "presort/gpu/multitag.cuh"
#include "tests/gpu/ordered/multiscan_cases.cuh"

using namespace presort;
using namespace presort::gpu;
using namespace presort::gpu::test;

namespace {

template <class Label, class Value>
void check_numbers(size_t n, uint64_t m, Kind kind, std::mt19937_64& random) {
  const auto labels = make_labels<Label>(kind, n, m, random);
  const auto values = make_values<Value>(n, random);
  const auto before = make_values<Value>(m, random);
  const DeviceArray<Label> device_labels(labels);
  const DeviceArray<Value> device_values(values);
  const auto check = [&](Operator op, const auto& monoid) {
    using Oracle = CpuOracle<Label, Value>;
    for (const GpuPlan& plan : plans_for(m, sizeof(Value))) {
      CAPTURE(n);
      CAPTURE(m);
      CAPTURE(static_cast<int>(kind));
      CAPTURE(static_cast<int>(op));
      CAPTURE(to_string(plan));
      CHECK(
          (scan_on_device<Scan::exclusive>(device_labels, device_values, before, monoid, plan, 0) ==
           Oracle::multiscan(labels, values, before, false, op)));
      CHECK(
          (scan_on_device<Scan::inclusive>(device_labels, device_values, before, monoid, plan, 0) ==
           Oracle::multiscan(labels, values, before, true, op)));
    }
  };
  check(Operator::sum, Sum<Value>{});
  check(Operator::max, Max<Value>{});
}

template <class Label, class Count>
void check_tags(size_t n, uint64_t m, Kind kind, std::mt19937_64& random) {
  const auto labels = make_labels<Label>(kind, n, m, random);
  const auto before = make_values<Count>(m, random);
  const DeviceArray<Label> device_labels(labels);
  const auto expected = CpuOracle<Label, Count>::multitag(labels, before);
  for (const GpuPlan& plan : plans_for(m, sizeof(Count))) {
    const DeviceArray<Count> counts(before);
    const DeviceArray<Count> results(std::vector<Count>(n, 77));
    const DeviceArray<std::byte> scratch(poison(multitag_scratch_bytes<Label, Count>(plan, n, m)));
    multitag(nullptr, device_labels.read_only(), counts.span(), results.span(), plan,
             scratch.span());
    CAPTURE(n);
    CAPTURE(m);
    CAPTURE(static_cast<int>(kind));
    CAPTURE(to_string(plan));
    CHECK((Scanned<Count>{results.host(), counts.host()} == expected));
  }
}

}  // namespace

TEST_CASE("scans by operators that do not commute see the inputs of a bucket in their order") {
  check_all<uint32_t, Affine>(Compose{}, 1 << 30, 41);
  check_all<uint8_t, uint8_t>(Later{}, 256, 44);
}

TEST_CASE("scans of numbers give what plain loops give") {
  std::mt19937_64 random(47);
  for (const Kind kind : kKinds) {
    for (const uint64_t m : {uint64_t{1}, uint64_t{256}, uint64_t{5000}}) {
      check_numbers<uint32_t, uint32_t>(100003, m, kind, random);
      check_numbers<uint32_t, float>(100003, m, kind, random);
      check_numbers<uint64_t, double>(100003, m, kind, random);
      check_tags<uint32_t, uint32_t>(100003, m, kind, random);
      check_tags<uint64_t, uint64_t>(100003, m, kind, random);
    }
  }
}

TEST_CASE("scans of many tiles look back over all of them") {
  std::mt19937_64 random(48);
  for (const Kind kind : {Kind::uniform, Kind::degenerate, Kind::skewed}) {
    check_case<uint32_t, uint32_t>(20000003, 256, kind, 0, Sum<uint32_t>{}, random);
  }
}

TEST_CASE("scans of floats have the same bits in every call") {
  std::mt19937_64 random(49);
  const size_t n = 3000001;
  for (const Kind kind : {Kind::uniform, Kind::degenerate}) {
    for (const uint64_t m : {1, 64, 5000}) {
      const auto labels = make_labels<uint32_t>(kind, n, m, random);
      std::vector<float> values(n);
      std::generate(values.begin(), values.end(),
                    [&] { return static_cast<float>(random() % 1000003) * 1e-3f - 300.0f; });
      const DeviceArray<uint32_t> device_labels(labels);
      const DeviceArray<float> device_values(values);
      const std::vector<float> zeros(m, 0.0f);
      for (const GpuPlan& plan : plans_for(m, sizeof(float))) {
        CAPTURE(m);
        CAPTURE(to_string(plan));
        const auto once = scan_on_device<Scan::inclusive>(device_labels, device_values, zeros,
                                                          Sum<float>{}, plan, 0);
        int differing = 0;
        for (int call = 0; call < 5; ++call) {
          differing += !(scan_on_device<Scan::inclusive>(device_labels, device_values, zeros,
                                                         Sum<float>{}, plan, 0) == once);
        }
        CHECK(differing == 0);
      }
    }
  }
}

TEST_CASE("a call goes on where another ended") {
  std::mt19937_64 random(50);
  const size_t n = 100003;
  const uint64_t m = 100;
  const auto labels = make_labels<uint32_t>(Kind::uniform, n, m, random);
  const auto values = any_values<Affine>(n, random);
  const auto before = any_values<Affine>(m, random);
  const auto whole = plain_multiscan(Scan::exclusive, labels, values, before, Compose{});
  const DeviceArray<uint32_t> device_labels(labels);
  const DeviceArray<Affine> device_values(values);
  const DeviceArray<Affine> buckets(before);
  const DeviceArray<Affine> results(values);
  const GpuPlan plan;
  const DeviceArray<std::byte> scratch(
      poison(multiscan_scratch_bytes<uint32_t, Affine>(plan, n, m)));
  const size_t half = 50001;
  for (const size_t first : {size_t{0}, half}) {
    const size_t count = first == 0 ? half : n - half;
    multiscan<Scan::exclusive>(nullptr, device_labels.read_only().subspan(first, count),
                               device_values.read_only().subspan(first, count), buckets.span(),
                               results.span().subspan(first, count), Compose{}, plan,
                               scratch.span());
  }
  CHECK((Scanned<Affine>{results.host(), buckets.host()} == whole));
}

TEST_CASE("a plan of a scan that does not fit is refused, and so are arrays that do not") {
  const auto bytes_of = [](const char* plan, uint64_t m) {
    return multiscan_scratch_bytes<uint32_t, uint32_t>(parse_gpu_plan(plan), 1000, m);
  };
  CHECK(bytes_of("strategy=sharedSets", 256) > 0);
  CHECK(bytes_of("strategy=sharedSets,sortBits=12,passes=2", 4096) > 0);
  CHECK(bytes_of("strategy=sharedSets", 4096) > 0);
  CHECK_THROWS_AS(bytes_of("strategy=sharedSets,sortBits=11", 4096), PlanError);
  CHECK_THROWS_AS(
      (multiscan_scratch_bytes<uint32_t, uint32_t>(GpuPlan{}, kMostTiledInputs + 1, 4096)),
      PlanError);
  CHECK_THROWS_AS(bytes_of("strategy=sharedSets,sortBits=12", 4096), PlanError);
  CHECK_THROWS_AS(bytes_of("strategy=globalSets", 256), PlanError);
  CHECK_THROWS_AS(bytes_of("strategy=sharedSets,nSets=2", 256), PlanError);
  CHECK_THROWS_AS((multiscan_scratch_bytes<uint8_t, uint32_t>(GpuPlan{}, 1000, 257)), PlanError);
  const DeviceArray<uint32_t> labels(std::vector<uint32_t>(100, 3));
  const DeviceArray<uint32_t> buckets(std::vector<uint32_t>(5, 7));
  const DeviceArray<std::byte> scratch(
      poison(multiscan_scratch_bytes<uint32_t, uint32_t>(GpuPlan{}, 100, 5)));
  const auto scan = [&](size_t values, size_t results, size_t skipped, size_t bytes) {
    multiscan<Scan::exclusive>(nullptr, labels.read_only(), labels.read_only().first(values),
                               buckets.span(), labels.span().first(results), Sum<uint32_t>{},
                               GpuPlan{}, scratch.span().subspan(skipped, bytes));
  };
  const size_t all = scratch.span().size();
  CHECK_THROWS_AS(scan(99, 100, 0, all), PlanError);
  CHECK_THROWS_AS(scan(100, 99, 0, all), PlanError);
  CHECK_THROWS_AS(scan(100, 100, 0, all - 1), PlanError);
  CHECK_THROWS_AS(scan(100, 100, 1, all - 1), PlanError);
  CHECK(buckets.host() == std::vector<uint32_t>(5, 7));
}
