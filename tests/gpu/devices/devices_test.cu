// Operations on several devices beside plain loops over the inputs of all of them. A host with one
// device has groups of that device, once and with several shares; with two or more devices, also
// of all.
#include "presort/gpu/devices/devices.cuh"

#include <doctest/doctest.h>

#include <memory>
#include <optional>
#include <random>
#include <string>

#include "presort/gpu/devices/gather.cuh"
#include "presort/gpu/devices/multireduce.cuh"
#include "presort/gpu/devices/scatter.cuh"
#include "tests/gpu/devices/shared_arrays.cuh"
#include "tests/gpu/support.cuh"

using namespace presort;
using namespace presort::gpu;
using presort::gpu::test::cut;
using presort::gpu::test::difference;
using presort::gpu::test::groups;
using presort::gpu::test::Kind;
using presort::gpu::test::random_sizes;
using presort::gpu::test::SharedArrays;

namespace {

template <class Label, class Value>
struct Case {
  std::vector<Label> labels;
  std::vector<Value> values;
  std::vector<Value> buckets;
  std::vector<uint64_t> input_sizes;
  std::vector<uint64_t> bucket_sizes;

  static Case draw(size_t devices, size_t n, uint64_t m, bool is_even, std::mt19937_64& random) {
    Case one;
    const Kind kind = presort::gpu::test::kKinds[random() % 5];
    one.labels = presort::gpu::test::make_labels<Label>(kind, n, m, random);
    one.values = presort::gpu::test::make_values<Value>(n, random);
    one.buckets = presort::gpu::test::make_values<Value>(m, random);
    one.input_sizes = is_even ? even_ranges(n, devices) : random_sizes(n, devices, random);
    one.bucket_sizes = is_even ? even_ranges(m, devices) : random_sizes(m, devices, random);
    return one;
  }
};

struct Size {
  size_t n;
  uint64_t m;
};
constexpr Size kSizes[] = {{0, 1},
                           {1, 1},
                           {1, 7},
                           {31, 2},
                           {33, 1000},
                           {4097, 255},
                           {100'003, 1},
                           {100'003, 70'001},
                           {1'000'001, 17},
                           {1'000'001, 1u << 20},
                           {(1u << 20) + 5, 1u << 22},
                           {2'000'003, (1u << 21) + 3}};

// Calls run(devices, sizes of a case, scheme) for all groups, every `stride`-th size, even shares
// and not, and all schemes.
template <class Run>
void for_all(const Run& run, size_t stride = 1) {
  std::mt19937_64 random(41);
  for (const auto& numbers : groups()) {
    const Devices devices(numbers, Repeats::allowed);
    for (size_t i = stride - 1; i < std::size(kSizes); i += stride) {
      const Size& size = kSizes[i];
      for (const bool is_even : {true, false}) {
        if (!is_even && size.n > 200'000) {
          continue;
        }
        for (const auto& scheme : kDeviceSchemes) {
          CAPTURE(numbers.size());
          CAPTURE(size.n);
          CAPTURE(size.m);
          CAPTURE(is_even);
          CAPTURE(scheme.name);
          run(devices, size, is_even, scheme.value, random);
        }
      }
    }
  }
}

// A plan with a pre-sort for rounds, which calls of so few inputs would not choose.
std::optional<GpuPlan> plan_for_rounds(DeviceScheme scheme, uint64_t m) {
  if (scheme != DeviceScheme::rounds || m < 1000) {
    return {};
  }
  return parse_gpu_plan("strategy=sharedSets,sortBits=8");
}

// A plan that scatters ordered pairs, for turns.
std::optional<GpuPlan> plan_for_turns(DeviceScheme scheme, uint64_t m) {
  if (scheme != DeviceScheme::rounds || m < 1000) {
    return {};
  }
  return parse_gpu_plan("strategy=sharedSets,sortBits=8,passes=2");
}

// Problems that a scatter in turns served on several devices.
int scatters_in_turns = 0;

// Problems that rounds served on several devices; ranges of the others were no whole parts.
int rounds_made = 0;

template <class Label, class Value, class M>
void check_multireduce(size_t stride) {
  for_all(
      [](const Devices& devices, const Size& size, bool is_even, DeviceScheme scheme,
         std::mt19937_64& random) {
        const auto one = Case<Label, Value>::draw(devices.size(), size.n, size.m, is_even, random);
        std::vector<Value> expected = one.buckets;
        for (size_t i = 0; i < size.n; ++i) {
          expected[one.labels[i]] = M{}(expected[one.labels[i]], one.values[i]);
        }
        const SharedArrays<Label> labels(devices, cut(one.labels, devices.size(), one.input_sizes));
        const SharedArrays<Value> values(devices, cut(one.values, devices.size(), one.input_sizes));
        const SharedArrays<Value> buckets(devices,
                                          cut(one.buckets, devices.size(), one.bucket_sizes));
        try {
          multireduce(devices, labels.shares(), values.shares(), buckets.shares(), M{},
                      {.scheme = scheme, .plan = plan_for_rounds(scheme, size.m)});
        } catch (const PlanError&) {
          REQUIRE(scheme == DeviceScheme::rounds);
          return;
        }
        devices.synchronize();
        rounds_made += scheme == DeviceScheme::rounds && size.n > 0 && devices.size() > 1;
        CAPTURE(sizeof(Label));
        CHECK(difference(buckets.host(), expected) == "");
      },
      stride);
}

// a ⊙ b = b where b is not 0: the last value that is not 0. It does not commute.
struct LastOne {
  static constexpr bool is_commutative = false;
  constexpr uint32_t identity() const { return 0; }
  constexpr uint32_t operator()(uint32_t a, uint32_t b) const { return b != 0 ? b : a; }
};

}  // namespace

TEST_CASE("several devices reduce as one loop over all inputs") {
  check_multireduce<uint32_t, uint32_t, Sum<uint32_t>>(1);
  check_multireduce<uint64_t, uint32_t, Max<uint32_t>>(5);
  check_multireduce<uint32_t, float, Sum<float>>(2);
  check_multireduce<uint32_t, int64_t, Min<int64_t>>(5);
  CHECK(rounds_made > 0);
}

TEST_CASE("rounds with rooms from a sample, and tiles in order that a partition leaves out") {
  std::mt19937_64 random(43);
  constexpr size_t kInputs = (size_t{1} << 26) + 77;
  constexpr uint64_t kBuckets = uint64_t{1} << 22;
  const Devices devices(groups().back(), Repeats::allowed);
  for (const Kind kind : {Kind::sorted, Kind::skewed}) {
    const auto labels = presort::gpu::test::make_labels<uint32_t>(kind, kInputs, kBuckets, random);
    const auto values = presort::gpu::test::make_values<uint32_t>(kInputs, random);
    std::vector<uint32_t> expected(kBuckets, 3);
    for (size_t i = 0; i < kInputs; ++i) {
      expected[labels[i]] += values[i];
    }
    const auto inputs = even_ranges(kInputs, devices.size());
    const SharedArrays<uint32_t> own(devices, cut(labels, devices.size(), inputs));
    const SharedArrays<uint32_t> own_values(devices, cut(values, devices.size(), inputs));
    const GpuPlan plan = parse_gpu_plan("strategy=sharedSets,sortBits=8");
    REQUIRE(samples_room(plan, inputs[0]));
    for (const DeviceScheme scheme : {DeviceScheme::rounds, DeviceScheme::tables}) {
      const SharedArrays<uint32_t> buckets(devices,
                                           cut(std::vector<uint32_t>(kBuckets, 3), devices.size(),
                                               even_ranges(kBuckets, devices.size())));
      multireduce(devices, own.shares(), own_values.shares(), buckets.shares(), Sum<uint32_t>{},
                  {.scheme = scheme, .plan = plan});
      devices.synchronize();
      CAPTURE(static_cast<int>(kind));
      CHECK(difference(buckets.host(), expected) == "");
    }
  }
}

TEST_CASE("several devices keep the order of the inputs where it matters") {
  check_multireduce<uint32_t, uint32_t, LastOne>(2);
  check_multireduce<uint32_t, double, InOrder<Sum<double>>>(2);
}

TEST_CASE("several devices count labels as one loop") {
  for_all([](const Devices& devices, const Size& size, bool is_even, DeviceScheme scheme,
             std::mt19937_64& random) {
    const auto one =
        Case<uint32_t, uint64_t>::draw(devices.size(), size.n, size.m, is_even, random);
    std::vector<uint64_t> expected = one.buckets;
    for (const uint32_t label : one.labels) {
      ++expected[label];
    }
    const SharedArrays<uint32_t> labels(devices, cut(one.labels, devices.size(), one.input_sizes));
    const SharedArrays<uint64_t> counts(devices,
                                        cut(one.buckets, devices.size(), one.bucket_sizes));
    try {
      histogram(devices, labels.shares(), counts.shares(),
                {.scheme = scheme, .plan = plan_for_rounds(scheme, size.m)});
    } catch (const PlanError&) {
      REQUIRE(scheme == DeviceScheme::rounds);
      return;
    }
    devices.synchronize();
    CHECK(counts.host() == expected);
  });
}

TEST_CASE("several devices scatter: the last input of all devices stands in its bucket") {
  for_all([](const Devices& devices, const Size& size, bool is_even, DeviceScheme scheme,
             std::mt19937_64& random) {
    auto one = Case<uint32_t, uint64_t>::draw(devices.size(), size.n, size.m, is_even, random);
    for (size_t i = 0; i < size.n; ++i) {
      one.values[i] = 100 + i;
    }
    std::vector<uint64_t> expected = one.buckets;
    for (size_t i = 0; i < size.n; ++i) {
      expected[one.labels[i]] = one.values[i];
    }
    const SharedArrays<uint32_t> labels(devices, cut(one.labels, devices.size(), one.input_sizes));
    const SharedArrays<uint64_t> values(devices, cut(one.values, devices.size(), one.input_sizes));
    const SharedArrays<uint64_t> buckets(devices,
                                         cut(one.buckets, devices.size(), one.bucket_sizes));
    try {
      scatter(devices, labels.shares(), values.shares(), buckets.shares(),
              {.scheme = scheme, .plan = plan_for_turns(scheme, size.m)});
    } catch (const PlanError&) {
      REQUIRE(scheme == DeviceScheme::rounds);
      return;
    }
    scatters_in_turns += scheme == DeviceScheme::rounds && size.n > 0 && devices.size() > 1;
    devices.synchronize();
    CHECK(buckets.host() == expected);
  });
  CHECK(scatters_in_turns > 0);
}

TEST_CASE("several devices gather from the buckets of all") {
  for_all([](const Devices& devices, const Size& size, bool is_even, DeviceScheme scheme,
             std::mt19937_64& random) {
    if (scheme == DeviceScheme::rounds) {
      return;
    }
    const auto one =
        Case<uint64_t, uint32_t>::draw(devices.size(), size.n, size.m, is_even, random);
    std::vector<uint32_t> expected;
    for (const uint64_t label : one.labels) {
      expected.push_back(one.buckets[label]);
    }
    const SharedArrays<uint64_t> labels(devices, cut(one.labels, devices.size(), one.input_sizes));
    const SharedArrays<uint32_t> buckets(devices,
                                         cut(one.buckets, devices.size(), one.bucket_sizes));
    const SharedArrays<uint32_t> results(
        devices, cut(std::vector<uint32_t>(size.n, 77), devices.size(), one.input_sizes));
    gather(devices, labels.shares(), buckets.shares(), results.shares(), {.scheme = scheme});
    devices.synchronize();
    CHECK(results.host() == expected);
  });
}

TEST_CASE("a call without a scheme chooses one that is right, and the same bits come every time") {
  std::mt19937_64 random(7);
  for (const auto& numbers : groups()) {
    const Devices devices(numbers, Repeats::allowed);
    for (const uint64_t m : {uint64_t{300}, uint64_t{1} << 23}) {
      const auto one = Case<uint32_t, float>::draw(devices.size(), 2'000'000, m, true, random);
      std::vector<float> third(one.values);
      for (float& value : third) {
        value = value / 3;
      }
      const SharedArrays<uint32_t> labels(devices,
                                          cut(one.labels, devices.size(), one.input_sizes));
      const SharedArrays<float> values(devices, cut(third, devices.size(), one.input_sizes));
      std::vector<float> first;
      for (int run = 0; run < 3; ++run) {
        const SharedArrays<float> buckets(devices,
                                          cut(one.buckets, devices.size(), one.bucket_sizes));
        multireduce(devices, labels.shares(), values.shares(), buckets.shares(),
                    InOrder<Sum<float>>{});
        devices.synchronize();
        first = run == 0 ? buckets.host() : first;
        CHECK(buckets.host() == first);
      }
    }
  }
}

TEST_CASE("a device without memory is named, and no bucket has changed") {
  for (const auto& numbers : groups()) {
    const Devices devices(numbers, Repeats::allowed);
    const size_t last = devices.size() - 1;
    constexpr uint64_t kInputs = 1 << 20;
    constexpr uint64_t kBuckets = 1 << 26;
    const std::vector<uint64_t> even = even_ranges(kBuckets, devices.size());
    const std::vector<uint64_t> inputs = even_ranges(kInputs, devices.size());
    const SharedArrays<uint32_t> labels(
        devices, cut(std::vector<uint32_t>(kInputs, 5), devices.size(), inputs));
    const SharedArrays<uint32_t> values(
        devices, cut(std::vector<uint32_t>(kInputs, 1), devices.size(), inputs));
    const std::vector<uint32_t> before(kBuckets, 9);
    const SharedArrays<uint32_t> buckets(devices, cut(before, devices.size(), even));
    void* rest = nullptr;  // all memory of the last device but 64 MiB
    devices.on(last, [&] {
      trim_scratch_pool();
      size_t free_bytes = 0;
      size_t all_bytes = 0;
      PRESORT_CUDA(cudaMemGetInfo(&free_bytes, &all_bytes));
      PRESORT_CUDA(cudaMalloc(&rest, free_bytes - (size_t{64} << 20)));
    });
    std::string message;
    try {
      multireduce(devices, labels.shares(), values.shares(), buckets.shares(), Sum<uint32_t>{},
                  {.scheme = DeviceScheme::tables});
    } catch (const EnvironmentError& error) {
      message = error.what();
    }
    devices.on(last, [&] { PRESORT_CUDA(cudaFree(rest)); });
    devices.synchronize();
    CHECK(message.starts_with("device " + std::to_string(devices.number(last)) + ": "));
    CHECK(message.find("out of memory") != std::string::npos);
    CHECK(buckets.host() == before);
  }
}

TEST_CASE("shares that do not match the devices are refused") {
  const Devices devices({0});
  const std::vector<std::vector<uint32_t>> two = {{1}};
  const SharedArrays<uint32_t> array(devices, two);
  Shares<uint32_t> twice = array.shares();
  twice.push_back(twice[0]);
  CHECK_THROWS_WITH_AS(multireduce(devices, twice, array.shares(), array.shares()),
                       "labels: found 2 shares, accepted: one for each of 1 devices", PlanError);
  const DevicesCall planned = {.plan = parse_gpu_plan("strategy=sharedSets,sortBits=8")};
  CHECK_THROWS_AS(scatter(devices, array.shares(), array.shares(), array.shares(), planned),
                  PlanError);
  CHECK_THROWS_AS(gather(devices, array.shares(), array.shares(), array.shares(), planned),
                  PlanError);
  CHECK_THROWS_AS(Devices({0, 0}), EnvironmentError);
  CHECK_THROWS_AS(Devices({99}), EnvironmentError);
}
