// Scans per label, rows and groups of several devices beside plain loops over the inputs of all.
#include <doctest/doctest.h>

#include <random>
#include <unordered_map>

#include "presort/gpu/devices/groups.cuh"
#include "presort/gpu/devices/multiscan.cuh"
#include "presort/gpu/devices/rows.cuh"
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
                           {50'000, 0},
                           {600'001, 17},
                           {600'001, 1 << 20}};

std::vector<uint64_t> sizes_of(uint64_t all, size_t devices, bool is_even,
                               std::mt19937_64& random) {
  return is_even ? even_ranges(all, devices) : random_sizes(all, devices, random);
}

// Calls run(devices, size, is_even, random) for all groups of devices and sizes; m = 0 stands for
// as many buckets as inputs.
template <class Run>
void for_all(const Run& run) {
  std::mt19937_64 random(51);
  for (const auto& numbers : groups()) {
    const Devices devices(numbers, Repeats::allowed);
    for (const Size& size : kSizes) {
      for (const bool is_even : {true, false}) {
        CAPTURE(numbers.size());
        CAPTURE(size.n);
        CAPTURE(size.m);
        CAPTURE(is_even);
        run(devices, Size{size.n, size.m == 0 ? size.n : size.m}, is_even, random);
      }
    }
  }
}

// a ⊙ b = b where b is not 0: the last value that is not 0. It does not commute.
struct LastOne {
  static constexpr bool is_commutative = false;
  constexpr uint32_t identity() const { return 0; }
  constexpr uint32_t operator()(uint32_t a, uint32_t b) const { return b != 0 ? b : a; }
};

template <Scan kScan, class Label, class Value, class M>
void check_multiscan() {
  for_all([](const Devices& devices, const Size& size, bool is_even, std::mt19937_64& random) {
    const Kind kind = presort::gpu::test::kKinds[random() % 5];
    const auto labels = presort::gpu::test::make_labels<Label>(kind, size.n, size.m, random);
    const auto values = presort::gpu::test::make_values<Value>(size.n, random);
    auto buckets = presort::gpu::test::make_values<Value>(size.m, random);
    const auto inputs = sizes_of(size.n, devices.size(), is_even, random);
    const auto owned = sizes_of(size.m, devices.size(), is_even, random);
    const SharedArrays<Label> own_labels(devices, cut(labels, devices.size(), inputs));
    const SharedArrays<Value> own_values(devices, cut(values, devices.size(), inputs));
    const SharedArrays<Value> own_buckets(devices, cut(buckets, devices.size(), owned));
    const SharedArrays<Value> results(
        devices, cut(std::vector<Value>(size.n, Value{9}), devices.size(), inputs));
    std::vector<Value> expected(size.n);
    for (size_t i = 0; i < size.n; ++i) {
      Value& bucket = buckets[labels[i]];
      const Value before = bucket;
      bucket = M{}(bucket, values[i]);
      expected[i] = kScan == Scan::exclusive ? before : bucket;
    }
    multiscan<kScan>(devices, own_labels.shares(), own_values.shares(), own_buckets.shares(),
                     results.shares(), M{});
    devices.synchronize();
    CHECK(difference(results.host(), expected) == "");
    CHECK(difference(own_buckets.host(), buckets) == "");
  });
}

// Rows of whole numbers, small enough that float sums are exact.
template <class Value>
std::vector<Value> small_numbers(size_t count, std::mt19937_64& random) {
  std::vector<Value> numbers(count);
  for (Value& number : numbers) {
    number = static_cast<Value>(random() % 8);
  }
  return numbers;
}

template <class Label, class Value, class M>
void check_rows(uint64_t columns, std::optional<DeviceScheme> scheme) {
  for_all([&](const Devices& devices, const Size& size, bool is_even, std::mt19937_64& random) {
    if (size.n > 200'000 || size.m > 200'000) {
      return;
    }
    const Kind kind = presort::gpu::test::kKinds[random() % 5];
    const auto labels = presort::gpu::test::make_labels<Label>(kind, size.n, size.m, random);
    const auto values = small_numbers<Value>(size.n * columns, random);
    auto buckets = small_numbers<Value>(size.m * columns, random);
    const auto inputs = sizes_of(size.n, devices.size(), is_even, random);
    const auto owned = sizes_of(size.m, devices.size(), is_even, random);
    const auto elements = [&](std::vector<uint64_t> sizes) {
      for (uint64_t& one : sizes) {
        one *= columns;
      }
      return sizes;
    };
    const SharedArrays<Label> own_labels(devices, cut(labels, devices.size(), inputs));
    const SharedArrays<Value> own_values(devices, cut(values, devices.size(), elements(inputs)));
    const SharedArrays<Value> own_buckets(devices, cut(buckets, devices.size(), elements(owned)));
    for (size_t i = 0; i < size.n; ++i) {
      for (uint64_t c = 0; c < columns; ++c) {
        Value& bucket = buckets[labels[i] * columns + c];
        bucket = M{}(bucket, values[i * columns + c]);
      }
    }
    const RowsOfDevices rows(devices, own_labels.shares(), owned, columns, sizeof(Value),
                             {.scheme = scheme});
    CHECK((!scheme || rows.scheme() == *scheme));
    multireduce_rows(rows, own_values.shares(), own_buckets.shares(), M{});
    devices.synchronize();
    CHECK(difference(own_buckets.host(), buckets) == "");
  });
}

template <class Value>
struct Group {
  Value sum = 0;
  uint32_t count = 0;
  bool operator==(const Group&) const = default;
};

template <class Key, class Value>
void check_groups(bool has_counts, std::optional<DeviceScheme> scheme) {
  for_all([&](const Devices& devices, const Size& size, bool is_even, std::mt19937_64& random) {
    if (size.n > 200'000) {
      return;
    }
    std::vector<Key> keys(size.n);
    for (Key& key : keys) {
      const uint64_t one = random() % size.m;
      key = one == 0 ? std::numeric_limits<Key>::max() : static_cast<Key>(one * one * 77 - 5);
    }
    const auto values = presort::gpu::test::make_values<Value>(size.n, random);
    std::unordered_map<Key, Group<Value>> expected;
    for (size_t i = 0; i < size.n; ++i) {
      Group<Value>& group = expected[keys[i]];
      group.sum = static_cast<Value>(group.sum + values[i]);
      group.count += has_counts;
    }
    const auto inputs = sizes_of(size.n, devices.size(), is_even, random);
    const std::vector<uint64_t> rooms(devices.size(), expected.size());
    const uint64_t all_rooms = expected.size() * devices.size();
    const SharedArrays<Key> own_keys(devices, cut(keys, devices.size(), inputs));
    const SharedArrays<Value> own_values(devices, cut(values, devices.size(), inputs));
    const SharedArrays<Key> group_keys(devices,
                                       cut(std::vector<Key>(all_rooms), devices.size(), rooms));
    const SharedArrays<Value> sums(devices,
                                   cut(std::vector<Value>(all_rooms), devices.size(), rooms));
    const SharedArrays<uint32_t> counts(
        devices, cut(std::vector<uint32_t>(has_counts ? all_rooms : 0), devices.size(),
                     has_counts ? rooms : std::vector<uint64_t>(devices.size())));
    const auto sizes =
        group_sum(devices, own_keys.shares(), own_values.shares(), group_keys.shares(),
                  sums.shares(), counts.shares(), {.scheme = scheme});
    const auto all_keys = group_keys.host();
    const auto all_sums = sums.host();
    const auto all_counts = counts.host();
    std::unordered_map<Key, Group<Value>> found;
    uint64_t all = 0;
    uint64_t elsewhere = 0;  // groups that stand on another device than their key's owner
    for (size_t d = 0; d < devices.size(); ++d) {
      const KeyOwners owners{static_cast<int>(devices.size())};
      all += sizes[d];
      for (uint64_t i = d * rooms[0]; i < d * rooms[0] + std::min(sizes[d], rooms[0]); ++i) {
        found[all_keys[i]] = {all_sums[i], has_counts ? all_counts[i] : 0};
        elsewhere += owners.owner(static_cast<GroupKey<Key>>(all_keys[i])) != static_cast<int>(d);
      }
    }
    CHECK(all == expected.size());
    CHECK(elsewhere == 0);
    CHECK(found == expected);
  });
}

}  // namespace

TEST_CASE("several devices scan per label as one loop over all inputs") {
  check_multiscan<Scan::exclusive, uint32_t, uint32_t, Sum<uint32_t>>();
  check_multiscan<Scan::inclusive, uint64_t, uint32_t, LastOne>();
  check_multiscan<Scan::inclusive, uint32_t, int64_t, Max<int64_t>>();
}

TEST_CASE("scans of floats by several devices have the same bits in every run") {
  std::mt19937_64 random(3);
  for (const auto& numbers : groups()) {
    const Devices devices(numbers, Repeats::allowed);
    constexpr size_t kInputs = 500'000;
    constexpr uint64_t kBuckets = 3000;
    const auto labels =
        presort::gpu::test::make_labels<uint32_t>(Kind::uniform, kInputs, kBuckets, random);
    std::vector<float> values(kInputs);
    for (float& value : values) {
      value = static_cast<float>(random() % 1000) / 3;
    }
    const auto inputs = even_ranges(kInputs, devices.size());
    const auto owned = even_ranges(kBuckets, devices.size());
    const SharedArrays<uint32_t> own_labels(devices, cut(labels, devices.size(), inputs));
    const SharedArrays<float> own_values(devices, cut(values, devices.size(), inputs));
    std::vector<float> first;
    for (int run = 0; run < 3; ++run) {
      const SharedArrays<float> buckets(devices,
                                        cut(std::vector<float>(kBuckets), devices.size(), owned));
      const SharedArrays<float> results(devices,
                                        cut(std::vector<float>(kInputs), devices.size(), inputs));
      multiscan<Scan::inclusive>(devices, own_labels.shares(), own_values.shares(),
                                 buckets.shares(), results.shares());
      devices.synchronize();
      first = run == 0 ? results.host() : first;
      CHECK(difference(results.host(), first) == "");
    }
  }
}

TEST_CASE("several devices reduce rows as one loop over all inputs") {
  for (const std::optional<DeviceScheme> scheme :
       {std::optional<DeviceScheme>{}, std::optional{DeviceScheme::tables},
        std::optional{DeviceScheme::inputs}}) {
    check_rows<uint32_t, float, Sum<float>>(4, scheme);
    check_rows<uint64_t, float, Sum<float>>(3, scheme);
    check_rows<uint32_t, float, Sum<float>>(1, scheme);
    check_rows<uint32_t, uint32_t, LastOne>(36, scheme);
  }
}

TEST_CASE("several devices sum groups as a map does") {
  for (const std::optional<DeviceScheme> scheme :
       {std::optional<DeviceScheme>{}, std::optional{DeviceScheme::tables},
        std::optional{DeviceScheme::inputs}}) {
    check_groups<uint32_t, uint32_t>(false, scheme);
    check_groups<int64_t, uint64_t>(true, scheme);
  }
}

TEST_CASE("scans, rows and groups refuse schemes and plans that they do not have") {
  const Devices devices({0});
  const std::vector<std::vector<uint32_t>> one = {{0}};
  const SharedArrays<uint32_t> array(devices, one);
  const SharedArrays<uint32_t> other(devices, one);
  const auto shares = array.shares();
  const auto others = other.shares();
  const DevicesCall rounds = {.scheme = DeviceScheme::rounds};
  CHECK_THROWS_WITH_AS(
      (multiscan<Scan::exclusive>(devices, shares, shares, shares, others, {}, rounds)),
      "scheme: accepted on several devices for multiscan: tables", PlanError);
  CHECK_THROWS_WITH_AS((RowsOfDevices(devices, shares, {1}, 1, 4, rounds)),
                       "scheme: accepted for rows: tables, inputs", PlanError);
  CHECK_THROWS_WITH_AS(group_sum(devices, shares, shares, shares, others, others, rounds),
                       "scheme: accepted for groups: tables, inputs", PlanError);
  CHECK_THROWS_AS((RowsOfDevices(devices, shares, {1, 1}, 1, 4)), PlanError);
  CHECK_THROWS_AS((RowsOfDevices(devices, shares, {1}, 0, 4)), PlanError);
}
