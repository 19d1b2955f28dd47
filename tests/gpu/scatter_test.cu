#include "presort/gpu/scatter.cuh"

#include "presort/gpu/device/scatter_grid.cuh"
#include "presort/gpu/gather.cuh"
#include "tests/gpu/support.cuh"

using namespace presort;
using namespace presort::gpu;
using namespace presort::gpu::test;

namespace {

std::vector<GpuPlan> plans_for(uint64_t m) {
  std::vector<GpuPlan> plans;
  for (const char* text :
       {"strategy=sharedSets", "strategy=globalSets", "strategy=sharedSets,sortBits=4",
        "strategy=sharedSets,sortBits=10", "strategy=globalSets,sortBits=14,passes=2",
        "strategy=sharedSets,sortBits=9,passes=2"}) {
    const GpuPlan plan = parse_gpu_plan(text);
    try {
      check_gpu_plan(plan, {1, m, 4}, current_device_limits());
      plans.push_back(plan);
    } catch (const PlanError&) {
    }
  }
  return plans;
}

template <class Label, class Value>
void check_scatter(size_t n, uint64_t m, Kind kind, size_t skip, std::mt19937_64& random) {
  const auto labels = make_labels<Label>(kind, n, m, random);
  std::vector<Value> values(n);
  for (size_t i = 0; i < n; ++i) {
    values[i] = static_cast<Value>(random());
  }
  const std::vector<Value> before(m, Value{42});
  std::vector<Value> expected = before;
  for (size_t i = 0; i < n; ++i) {
    expected[labels[i]] = values[i];
  }
  const DeviceArray<Label> device_labels(labels, skip);
  const DeviceArray<Value> device_values(values, skip);
  for (const GpuPlan& plan : plans_for(m)) {
    CAPTURE(n);
    CAPTURE(m);
    CAPTURE(static_cast<int>(kind));
    CAPTURE(to_string(plan));
    const DeviceArray<Value> buckets(before, skip);
    const DeviceArray<std::byte> scratch(poison(scatter_scratch_bytes<Label, Value>(plan, n, m)));
    scatter(nullptr, device_labels.read_only(), device_values.read_only(), buckets.span(), plan,
            scratch.span());
    PRESORT_CUDA(cudaDeviceSynchronize());
    CHECK(buckets.host() == expected);
  }
}

}  // namespace

TEST_CASE("the last write wins, with every plan, in every call") {
  std::mt19937_64 random(7);
  for (const size_t n : {0, 1, 33, 8193, 200003}) {
    for (const uint64_t m : {1, 2, 1000, 70000, 1000000}) {
      for (const Kind kind : kKinds) {
        check_scatter<uint32_t, uint32_t>(n, m, kind, 0, random);
      }
    }
  }
  check_scatter<uint32_t, double>(100001, 5000, Kind::uniform, 1, random);
  check_scatter<uint64_t, uint16_t>(100001, 5000, Kind::few, 0, random);
  check_scatter<uint16_t, uint32_t>(100001, 5000, Kind::uniform, 1, random);
}

TEST_CASE("the last write wins of few inputs into many buckets, and where they begin to be many") {
  std::mt19937_64 random(19);
  const uint64_t m = 1000003;
  const size_t most = m / 16;
  REQUIRE(scatters_few(most, m));
  REQUIRE(!scatters_few(most + 1, m));
  for (const size_t n : {size_t{1}, size_t{257}, most - 1, most, most + 1}) {
    for (const Kind kind : kKinds) {
      check_scatter<uint32_t, uint32_t>(n, m, kind, n % 2, random);
    }
    check_scatter<uint64_t, uint8_t>(n, m, Kind::skewed, 1, random);
    check_scatter<uint32_t, double>(n, m, Kind::few, 1, random);
  }
}

namespace {

// Scatter in one launch of a whole grid, which clears the last writers by bucket or by input.
template <class Label, class Value>
void check_scatter_grid(size_t n, uint64_t m, Kind kind, std::mt19937_64& random) {
  const auto labels = make_labels<Label>(kind, n, m, random);
  std::vector<Value> values(n);
  std::vector<Value> expected(m, Value{42});
  const DeviceArray<Value> buckets(expected);
  for (size_t i = 0; i < n; ++i) {
    values[i] = static_cast<Value>(random());
    expected[labels[i]] = values[i];
  }
  const DeviceArray<Label> device_labels(labels);
  const DeviceArray<Value> device_values(values);
  const DeviceArray<uint32_t> last(std::vector<uint32_t>(m, 0xa5a5a5a5));
  scatter_grid<Label, Value>(
      nullptr, {device_labels.span().data(), device_values.span().data(), static_cast<uint32_t>(n),
                buckets.span().data(), m, last.span().data()});
  CAPTURE(n);
  CAPTURE(m);
  CAPTURE(static_cast<int>(kind));
  CHECK(buckets.host() == expected);
}

}  // namespace

TEST_CASE("the last write wins in one launch of a whole grid") {
  std::mt19937_64 random(20);
  const uint64_t most = most_inputs_of_scatter_grid(current_device_limits());
  const uint64_t tile = kScatterGridThreads;
  for (const uint64_t n :
       {uint64_t{1}, uint64_t{33}, tile - 1, tile, tile + 1, most / 2, most - 1, most}) {
    for (const uint64_t m : {uint64_t{1}, uint64_t{1000}, 8 * tile + 1, 9 * n + 5}) {
      check_scatter_grid<uint32_t, uint32_t>(n, m, kKinds[random() % std::size(kKinds)], random);
    }
    check_scatter_grid<uint64_t, double>(n, 70001, Kind::skewed, random);
  }
}

TEST_CASE("few inputs in one launch of a whole grid" * doctest::test_suite("sanitized")) {
  std::mt19937_64 random(21);
  for (const Kind kind : kKinds) {
    check_scatter_grid<uint32_t, uint32_t>(4099, 1000, kind, random);
    check_scatter_grid<uint32_t, uint8_t>(4099, 40001, kind, random);
  }
}

TEST_CASE("the last write wins in many parts, some of which slices cut") {
  std::mt19937_64 random(17);
  const uint64_t m = (uint64_t{1} << 24) - 5;
  const size_t n = (size_t{1} << 24) + 12345;
  // Scatters with parts of about 2^14 pairs, which the ends of slices cut, and of 2^10 pairs, which
  // no end of a slice cuts.
  const GpuPlan plans[] = {parse_gpu_plan("strategy=sharedSets,sortBits=10,passes=2"),
                           parse_gpu_plan("strategy=sharedSets,sortBits=14,passes=2")};
  for (const Kind kind : {Kind::uniform, Kind::few, Kind::skewed}) {
    auto labels = make_labels<uint32_t>(kind, n, m, random);
    std::vector<uint32_t> values(n);
    std::vector<uint32_t> expected(m, 42);
    for (size_t i = 0; i < n; ++i) {
      values[i] = static_cast<uint32_t>(random());
      expected[labels[i]] = values[i];
    }
    const DeviceArray<uint32_t> device_labels(labels);
    const DeviceArray<uint32_t> device_values(values);
    for (const GpuPlan& plan : plans) {
      REQUIRE(scatters_ordered_pairs(plan, m));
      for (const size_t skip : {0, 1}) {  // buckets of a part are written in packs, or one by one
        const DeviceArray<uint32_t> buckets(std::vector<uint32_t>(m, 42), skip);
        const DeviceArray<std::byte> scratch(
            poison(scatter_scratch_bytes<uint32_t, uint32_t>(plan, n, m)));
        scatter(nullptr, device_labels.read_only(), device_values.read_only(), buckets.span(), plan,
                scratch.span());
        CAPTURE(static_cast<int>(kind));
        CAPTURE(to_string(plan));
        CAPTURE(skip);
        CHECK(buckets.host() == expected);
      }
    }
  }
}

namespace {

// Scatter of pairs ordered by 2 bits of their labels, with many or few buckets in a part.
template <class Value>
void check_parts(uint64_t m, size_t n, Kind kind, std::mt19937_64& random) {
  const GpuPlan plan = parse_gpu_plan("strategy=sharedSets,sortBits=2,passes=2");
  REQUIRE(scatters_ordered_pairs(plan, m));
  const auto labels = make_labels<uint32_t>(kind, n, m, random);
  std::vector<Value> values(n);
  for (Value& value : values) {
    value = static_cast<Value>(random());
  }
  std::vector<Value> expected(m, Value{42});
  const DeviceArray<Value> buckets(expected);
  for (size_t i = 0; i < n; ++i) {
    expected[labels[i]] = values[i];
  }
  const DeviceArray<uint32_t> device_labels(labels);
  const DeviceArray<Value> device_values(values);
  const DeviceArray<std::byte> scratch(poison(scatter_scratch_bytes<uint32_t, Value>(plan, n, m)));
  scatter(nullptr, device_labels.read_only(), device_values.read_only(), buckets.span(), plan,
          scratch.span());
  CAPTURE(m);
  CAPTURE(n);
  CAPTURE(static_cast<int>(kind));
  CHECK(buckets.host() == expected);
}

}  // namespace

TEST_CASE("the last write wins where values stand beside their places, and where they do not fit") {
  std::mt19937_64 random(18);
  for (const Kind kind : kKinds) {
    for (const size_t n : {1, 33, 1024, 8193, 300007}) {
      for (const uint64_t m : {4, 5, 1000, 65537, 131072}) {
        check_parts<uint8_t>(m, n, kind, random);
        check_parts<uint32_t>(m, n, kind, random);
        // Values of 8 bytes for 2^15 buckets exceed shared memory
        check_parts<uint64_t>(m, n, kind, random);
      }
    }
  }
}

TEST_CASE("any write wins: the value of some input with the label") {
  std::mt19937_64 random(8);
  const size_t n = 100003;
  const uint64_t m = 5000;
  const auto labels = make_labels<uint32_t>(Kind::uniform, n, m, random);
  std::vector<uint32_t> indices(n);
  for (size_t i = 0; i < n; ++i) {
    indices[i] = static_cast<uint32_t>(i);
  }
  const DeviceArray<uint32_t> device_labels(labels);
  const DeviceArray<uint32_t> device_indices(indices);
  const DeviceArray<uint32_t> buckets(std::vector<uint32_t>(m, 0xffffffffu));
  scatter_any(nullptr, device_labels.read_only(), device_indices.read_only(), buckets.span());
  const auto found = buckets.host();
  for (uint64_t k = 0; k < m; ++k) {
    CHECK((found[k] == 0xffffffffu || labels.at(found[k]) == k));
  }
}

TEST_CASE("gather reads the bucket of each label") {
  std::mt19937_64 random(9);
  const DeviceLimits device = current_device_limits();
  const auto threads =
      static_cast<size_t>(device.multiprocessors) * device.threads_of_multiprocessor;
  // Up to `threads` labels are read one a thread, more of them by packs.
  for (const size_t n : {size_t{0}, size_t{1}, size_t{255}, size_t{257}, threads - 1, threads,
                         threads + 1, threads + 1027}) {
    for (const size_t skip : {0, 1}) {
      const uint64_t m = 3000;
      const auto labels = make_labels<uint32_t>(Kind::uniform, n, m, random);
      const auto table = make_values<uint64_t>(m, random);
      const DeviceArray<uint32_t> device_labels(labels, skip);
      const DeviceArray<uint64_t> buckets(table);
      const DeviceArray<uint64_t> results(std::vector<uint64_t>(n, 99), skip);
      gather(nullptr, device_labels.read_only(), buckets.read_only(), results.span());
      const auto found = results.host();
      for (size_t i = 0; i < n; ++i) {
        REQUIRE(found[i] == table[labels[i]]);
      }
    }
  }
}

namespace {

struct ThreeWords {
  uint32_t words[3];
  bool operator==(const ThreeWords&) const = default;
};

template <class Label, class Value>
void check_gather(size_t n, uint64_t m, size_t skip, std::mt19937_64& random) {
  const auto labels = make_labels<Label>(Kind::uniform, n, m, random);
  std::vector<Value> table(m);
  for (uint64_t k = 0; k < m; ++k) {
    const uint64_t word = random();
    memcpy(&table[k], &word, std::min(sizeof word, sizeof(Value)));
  }
  const DeviceArray<Label> device_labels(labels, skip);
  const DeviceArray<Value> buckets(table, skip);
  const DeviceArray<Value> results(std::vector<Value>(n), skip);
  gather(nullptr, device_labels.read_only(), buckets.read_only(), results.span());
  const auto found = results.host();
  size_t differing = 0;
  for (size_t i = 0; i < n; ++i) {
    differing += !(found[i] == table[labels[i]]);
  }
  CAPTURE(m);
  CAPTURE(skip);
  CHECK(differing == 0);
}

}  // namespace

TEST_CASE("gather from tables that blocks keep a part of in shared memory") {
  const DeviceLimits device = current_device_limits();
  std::mt19937_64 random(10);
  const auto check = [&]<class Label, class Value>(Label, Value, uint64_t m, size_t skip) {
    const uint64_t most = device.shared_bytes_of_block / sizeof(Value);
    const size_t n = 2 * device.multiprocessors * most + 12345;
    REQUIRE(kept_buckets(device, n, m, sizeof(Value)) == std::min(m, most));
    check_gather<Label, Value>(n, m, skip, random);
  };
  check(uint32_t{}, uint32_t{}, 65536, 0);
  check(uint32_t{}, uint32_t{}, 110001, 1);
  check(uint64_t{}, uint64_t{}, 57001, 0);
  check(uint16_t{}, int64_t{}, 57000, 1);
  check(uint32_t{}, ThreeWords{}, 38000, 0);
}

TEST_CASE("arrays of unequal length are refused") {
  const DeviceArray<uint32_t> ten(std::vector<uint32_t>(10, 0));
  CHECK_THROWS_AS(gather(nullptr, ten.read_only(), ten.read_only(), ten.span().first(9)),
                  PlanError);
  CHECK_THROWS_AS(scatter_any(nullptr, ten.read_only(), ten.read_only().first(9), ten.span()),
                  PlanError);
}
