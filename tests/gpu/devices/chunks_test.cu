// Exchanges of inputs in chunks beside plain loops over the inputs of all devices, and beside the
// same exchange in one piece. A host with one device has groups of that device.
#include "presort/gpu/devices/exchange_in_chunks.cuh"

#include <doctest/doctest.h>

#include <random>
#include <string>
#include <vector>

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

constexpr int kTriedChunks[] = {1, 2, 3, 8, 64};

// Inputs that are the same for every number of chunks.
struct Inputs {
  std::vector<uint32_t> labels;
  std::vector<uint32_t> values;
  std::vector<uint64_t> sizes;   // number of inputs of each device
  std::vector<uint64_t> ranges;  // number of buckets of each device
};

Inputs draw(size_t devices, size_t n, uint64_t m, bool is_even, std::mt19937_64& random) {
  const Kind kind = presort::gpu::test::kKinds[random() % 5];
  return {presort::gpu::test::make_labels<uint32_t>(kind, n, m, random),
          presort::gpu::test::make_values<uint32_t>(n, random),
          is_even ? even_ranges(n, devices) : random_sizes(n, devices, random),
          is_even ? even_ranges(m, devices) : random_sizes(m, devices, random)};
}

}  // namespace

TEST_CASE("an exchange in chunks has the sums and counts of a plain loop") {
  struct Size {
    size_t n;
    uint64_t m;
  };
  constexpr Size kSizes[] = {{0, 1},
                             {1, 1},
                             {7, 3},
                             {63, 64},
                             {64, 1000},
                             {65, 2},
                             {100'003, 70'001},
                             {1'000'001, 1u << 20},
                             {2'000'003, (1u << 21) + 3}};
  std::mt19937_64 random(47);
  for (const auto& numbers : groups()) {
    const Devices devices(numbers, Repeats::allowed);
    for (const Size& size : kSizes) {
      const auto one = draw(devices.size(), size.n, size.m, size.n % 2 == 0, random);
      std::vector<uint32_t> sums(size.m, 5);
      std::vector<uint32_t> counts(size.m, 5);
      for (size_t i = 0; i < size.n; ++i) {
        sums[one.labels[i]] += one.values[i];
        counts[one.labels[i]] += 1;
      }
      const SharedArrays<uint32_t> labels(devices, cut(one.labels, devices.size(), one.sizes));
      const SharedArrays<uint32_t> values(devices, cut(one.values, devices.size(), one.sizes));
      for (const int chunks : kTriedChunks) {
        CAPTURE(numbers.size());
        CAPTURE(size.n);
        CAPTURE(size.m);
        CAPTURE(chunks);
        const DevicesCall call = {.scheme = DeviceScheme::inputs, .chunks = chunks};
        const auto before = cut(std::vector<uint32_t>(size.m, 5), devices.size(), one.ranges);
        const SharedArrays<uint32_t> buckets(devices, before);
        CHECK(multireduce(devices, labels.shares(), values.shares(), buckets.shares(),
                          Sum<uint32_t>{}, call) == DeviceScheme::inputs);
        devices.synchronize();
        CHECK(difference(buckets.host(), sums) == "");
        const SharedArrays<uint32_t> counted(devices, before);
        histogram(devices, labels.shares(), counted.shares(), call);
        devices.synchronize();
        CHECK(difference(counted.host(), counts) == "");
      }
    }
  }
}

TEST_CASE("many exchanges in chunks one after the other give back their room") {
  const Devices devices(groups().back(), Repeats::allowed);
  std::mt19937_64 random(48);
  const auto one = draw(devices.size(), 1 << 20, 1 << 16, true, random);
  const SharedArrays<uint32_t> labels(devices, cut(one.labels, devices.size(), one.sizes));
  const SharedArrays<uint32_t> values(devices, cut(one.values, devices.size(), one.sizes));
  const SharedArrays<uint32_t> buckets(
      devices, cut(std::vector<uint32_t>(1 << 16, 0), devices.size(), one.ranges));
  std::vector<uint32_t> expected(1 << 16, 0);
  constexpr uint32_t kRuns = 30;
  for (uint32_t run = 0; run < kRuns; ++run) {
    multireduce(devices, labels.shares(), values.shares(), buckets.shares(), Sum<uint32_t>{},
                {.scheme = DeviceScheme::inputs, .chunks = 4});
  }
  for (size_t i = 0; i < one.labels.size(); ++i) {
    expected[one.labels[i]] += kRuns * one.values[i];
  }
  devices.synchronize();
  CHECK(difference(buckets.host(), expected) == "");
}

TEST_CASE("chunks that are none or too many, or of an operation in order, are refused") {
  const Devices devices({0});
  const SharedArrays<uint32_t> array(devices, std::vector<std::vector<uint32_t>>{{0}});
  for (const int chunks : {-1, 0, 65}) {
    CHECK_THROWS_WITH_AS(
        multireduce(devices, array.shares(), array.shares(), array.shares(), Sum<uint32_t>{},
                    {.chunks = chunks}),
        ("chunks: found " + std::to_string(chunks) + ", accepted: 1 to 64").c_str(), PlanError);
  }
  const DevicesCall call = {.chunks = 2};
  CHECK_THROWS_AS(scatter(devices, array.shares(), array.shares(), array.shares(), call),
                  PlanError);
  CHECK_THROWS_AS(gather(devices, array.shares(), array.shares(), array.shares(), call), PlanError);
  CHECK_THROWS_AS(multireduce(devices, array.shares(), array.shares(), array.shares(),
                              InOrder<Sum<uint32_t>>{}, call),
                  PlanError);
}
