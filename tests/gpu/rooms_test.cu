// Tests pre-sorts whose parts have room by a sample of the labels, also where the sample misleads.
#include <algorithm>
#include <utility>

#include "presort/gpu/histogram.cuh"
#include "presort/gpu/multireduce.cuh"
#include "presort/gpu/scatter.cuh"
#include "tests/gpu/support.cuh"

using namespace presort;
using namespace presort::gpu;
using namespace presort::gpu::test;

namespace {

constexpr size_t kInputs = kFewestSampled + 12345;

// How far the sample of the labels misleads: not at all; wholly, as all sampled labels lie in the
// lowest buckets; or by a tenth.
enum class Misled { not_at_all, wholly, by_a_tenth };

template <class Label>
std::vector<Label> labels_of(Kind kind, Misled misled, uint64_t m, std::mt19937_64& random) {
  std::vector<Label> labels = make_labels<Label>(kind, kInputs, m, random);
  if (misled == Misled::not_at_all) {
    return labels;
  }
  const uint64_t few = std::max<uint64_t>(m / 64, 1);
  if (misled == Misled::wholly) {
    for (Label& label : labels) {
      label = static_cast<Label>(few + label % (m - few));
    }
  }
  for (uint64_t i = 0; i < RoomSample::size(kInputs); ++i) {
    if (misled == Misled::wholly || i % 10 == 0) {
      labels[RoomSample::place(i)] = static_cast<Label>(random() % few);
    }
  }
  return labels;
}

template <class Label, class Value, class M>
void check_rooms(const char* text, uint64_t m, Kind kind, Misled misled, size_t skip,
                 const M& monoid, std::mt19937_64& random) {
  const GpuPlan plan = parse_gpu_plan(text);
  REQUIRE(samples_room(plan, kInputs));
  const auto labels = labels_of<Label>(kind, misled, m, random);
  const auto values = make_values<Value>(kInputs, random);
  const auto before = make_values<Value>(m, random);
  std::vector<Value> expected = before;
  for (size_t i = 0; i < kInputs; ++i) {
    expected[labels[i]] = monoid(expected[labels[i]], values[i]);
  }
  const DeviceArray<Label> device_labels(labels, skip);
  const DeviceArray<Value> device_values(values, skip);
  const DeviceArray<Value> buckets(before, skip);
  const DeviceArray<std::byte> scratch(
      poison(multireduce_scratch_bytes<Label, Value>(plan, kInputs, m)));
  multireduce(nullptr, device_labels.read_only(), device_values.read_only(), buckets.span(), monoid,
              plan, scratch.span());
  PRESORT_CUDA(cudaDeviceSynchronize());
  CAPTURE(text);
  CAPTURE(m);
  CAPTURE(static_cast<int>(kind));
  CAPTURE(static_cast<int>(misled));
  CHECK((buckets.host() == expected));
}

}  // namespace

TEST_CASE("a sample takes one group of each stride, and rooms never take more than there is") {
  for (const uint64_t n : {kFewestSampled, kFewestSampled + 511, kFewestSampled * 3 + 12345}) {
    const uint64_t groups = RoomSample::size(n) / RoomSample::kGroup;
    REQUIRE(groups == n / RoomSample::kInputs);
    uint64_t turns_seen = 0;
    for (uint64_t group = 0; group < groups; ++group) {
      const uint64_t first = RoomSample::place(group * RoomSample::kGroup);
      const uint64_t last = RoomSample::place((group + 1) * RoomSample::kGroup - 1);
      REQUIRE(last == first + RoomSample::kGroup - 1);
      REQUIRE(first / RoomSample::kInputs == group);
      REQUIRE(first % RoomSample::kGroup == 0);
      turns_seen |= uint64_t{1} << first % RoomSample::kInputs / RoomSample::kGroup;
    }
    CHECK(turns_seen == (uint64_t{1} << RoomSample::kStride) - 1);
    for (const uint64_t digits : {1, 2, 256, 2048}) {
      const uint64_t most = RoomSample::most_room(n, digits);
      const uint64_t all = RoomSample::size(n);
      CHECK(digits * RoomSample::room(all / digits) <= most);
      CHECK(RoomSample::room(all) + (digits - 1) * RoomSample::room(0) <= most);
      CHECK(RoomSample::room(all / digits) >= n / digits);
    }
  }
}

TEST_CASE("parts in rooms give what the plain loop gives, of every kind of labels") {
  std::mt19937_64 random(41);
  for (const Kind kind : kKinds) {
    check_rooms<uint32_t, uint32_t>("strategy=sharedSets,sortBits=8", 300000, kind,
                                    Misled::not_at_all, 0, Sum<uint32_t>{}, random);
  }
  for (const char* text : {"strategy=sharedSets,sortBits=1", "strategy=sharedSets,sortBits=5",
                           "strategy=sharedSets,sortBits=9", "strategy=sharedSets,sortBits=10",
                           "strategy=sharedSets,sortBits=11"}) {
    check_rooms<uint32_t, uint32_t>(text, 70001, Kind::skewed, Misled::not_at_all, 1,
                                    Sum<uint32_t>{}, random);
  }
}

TEST_CASE("what finds no room is combined all the same: samples that see other labels") {
  std::mt19937_64 random(42);
  for (const Misled misled : {Misled::wholly, Misled::by_a_tenth}) {
    for (const char* text : {"strategy=sharedSets,sortBits=3", "strategy=sharedSets,sortBits=8",
                             "strategy=sharedSets,sortBits=11"}) {
      check_rooms<uint32_t, uint32_t>(text, 70001, Kind::uniform, misled, 0, Sum<uint32_t>{},
                                      random);
    }
    check_rooms<uint32_t, uint32_t>("strategy=sharedSets,sortBits=9", 300000, Kind::sorted, misled,
                                    0, Sum<uint32_t>{}, random);
  }
  check_rooms<uint64_t, uint64_t>("strategy=sharedSets,sortBits=9", 300000, Kind::uniform,
                                  Misled::wholly, 1, Max<uint64_t>{}, random);
  check_rooms<uint16_t, float>("strategy=sharedSets,sortBits=4", 60000, Kind::uniform,
                               Misled::wholly, 0, Min<float>{}, random);
  check_rooms<uint32_t, double>("strategy=sharedSets,sortBits=10", 1 << 20, Kind::skewed,
                                Misled::by_a_tenth, 0, Sum<double>{}, random);
}

TEST_CASE("tiles whose labels are in order are left out of the partition, beside others") {
  std::mt19937_64 random(44);
  const char* plan = "strategy=sharedSets,sortBits=9";
  for (const uint64_t m :
       // Numbers of buckets: runs of 17 equal labels; runs of 3; one bucket of three has an input.
       {1000000, 5000000, 40000000}) {
    check_rooms<uint32_t, uint32_t>(plan, m, Kind::sorted, Misled::not_at_all, 0, Sum<uint32_t>{},
                                    random);
  }
  check_rooms<uint32_t, uint32_t>(plan, 5000000, Kind::sorted, Misled::by_a_tenth, 1,
                                  Sum<uint32_t>{}, random);
  check_rooms<uint64_t, uint64_t>(plan, 5000000, Kind::sorted, Misled::wholly, 1, Max<uint64_t>{},
                                  random);
  check_rooms<uint32_t, float>(plan, 5000000, Kind::sorted, Misled::not_at_all, 1, Sum<float>{},
                               random);
  check_rooms<uint32_t, double>(plan, 5000000, Kind::sorted, Misled::not_at_all, 0, Sum<double>{},
                                random);
}

TEST_CASE("counts and last writers of parts in rooms") {
  std::mt19937_64 random(43);
  const uint64_t m = 4000000;
  const GpuPlan plan = parse_gpu_plan("strategy=sharedSets,sortBits=8");
  for (const auto& [kind, misled] :
       {std::pair(Kind::uniform, Misled::not_at_all), std::pair(Kind::uniform, Misled::wholly),
        std::pair(Kind::sorted, Misled::not_at_all)}) {
    const auto labels = labels_of<uint32_t>(kind, misled, m, random);
    const auto values = make_values<uint32_t>(kInputs, random);
    std::vector<uint32_t> expected_counts(m, 5);
    std::vector<uint32_t> expected_last(m, 77);
    for (size_t i = 0; i < kInputs; ++i) {
      ++expected_counts[labels[i]];
      expected_last[labels[i]] = values[i];
    }
    const DeviceArray<uint32_t> device_labels(labels);
    const DeviceArray<uint32_t> device_values(values);
    const DeviceArray<uint32_t> counts(std::vector<uint32_t>(m, 5));
    const DeviceArray<uint32_t> last(std::vector<uint32_t>(m, 77));
    const DeviceArray<std::byte> scratch(
        poison(std::max(histogram_scratch_bytes<uint32_t, uint32_t>(plan, kInputs, m),
                        scatter_scratch_bytes<uint32_t, uint32_t>(plan, kInputs, m))));
    histogram(nullptr, device_labels.read_only(), counts.span(), plan, scratch.span());
    scatter(nullptr, device_labels.read_only(), device_values.read_only(), last.span(), plan,
            scratch.span());
    PRESORT_CUDA(cudaDeviceSynchronize());
    CHECK((counts.host() == expected_counts));
    CHECK((last.host() == expected_last));
  }
}
