// Tests sums by key on a GPU against a plain hash map.
#include <unordered_map>

#include "presort/gpu/group_sum.cuh"
#include "tests/gpu/support.cuh"

using namespace presort;
using namespace presort::gpu;
using namespace presort::gpu::test;

namespace presort::gpu::group_sum_test {

template <class Value>
struct Group {
  Value sum = 0;
  uint32_t count = 0;
  bool operator==(const Group&) const = default;
};

template <class Key, class Value>
using Groups = std::unordered_map<Key, Group<Value>>;

template <class Key, class Value>
Groups<Key, Value> plain_groups(const std::vector<Key>& keys, const std::vector<Value>& values) {
  Groups<Key, Value> groups;
  for (size_t i = 0; i < keys.size(); ++i) {
    Group<Value>& group = groups[keys[i]];
    group.sum = static_cast<Value>(group.sum + values[i]);
    ++group.count;
  }
  return groups;
}

// Groups in arrays as a map. Requires: no key stands twice
template <class Key, class Value>
Groups<Key, Value> as_map(const std::vector<Key>& keys, const std::vector<Value>& sums,
                          const std::vector<uint32_t>& counts, size_t size) {
  Groups<Key, Value> groups;
  for (size_t i = 0; i < size; ++i) {
    groups.insert({keys[i], {sums[i], counts[i]}});
  }
  REQUIRE(groups.size() == size);
  return groups;
}

// Runs a plan, or the call that chooses one, with arrays of `room` groups.
template <class Key, class Value>
void check_groups(const std::vector<Key>& keys, std::optional<GroupPlan> plan, bool has_counts,
                  size_t skip = 0) {
  std::mt19937_64 random(keys.size());
  const auto values = make_values<Value>(keys.size(), random);
  auto expected = plain_groups(keys, values);
  const size_t room = expected.size();
  CAPTURE(keys.size());
  CAPTURE(room);
  CAPTURE(plan ? plan->bits : -1);
  const DeviceArray<Key> in(keys, skip);
  const DeviceArray<Value> of(values, skip);
  const DeviceArray<Key> group_keys(std::vector<Key>(room), skip);
  const DeviceArray<Value> sums(std::vector<Value>(room), skip);
  const DeviceArray<uint32_t> counts(std::vector<uint32_t>(has_counts ? room : 0));
  const DeviceArray<uint64_t> found(std::vector<uint64_t>{99});
  uint64_t size = 0;
  if (plan) {
    const DeviceArray<std::byte> scratch(
        poison(group_sum_scratch_bytes<Key, Value>(*plan, keys.size(), has_counts)));
    group_sum(nullptr, in.read_only(), of.read_only(), group_keys.span(), sums.span(),
              counts.span(), found.span().data(), *plan, scratch.span());
    size = found.host()[0];
  } else {
    size = group_sum(nullptr, in.read_only(), of.read_only(), group_keys.span(), sums.span(),
                     counts.span());
  }
  REQUIRE(size == room);
  auto found_counts = counts.host();
  if (!has_counts) {
    found_counts.assign(room, 0);
    for (auto& [key, group] : expected) {
      group.count = 0;
    }
  }
  CHECK(as_map(group_keys.host(), sums.host(), found_counts, room) == expected);
}

// n keys of which about `different` are different, among them the largest and the smallest.
template <class Key>
std::vector<Key> random_keys(size_t n, uint64_t different, std::mt19937_64& random) {
  std::vector<Key> keys(n);
  for (Key& key : keys) {
    const uint64_t one = random() % different;
    key = one == 0   ? std::numeric_limits<Key>::max()
          : one == 1 ? std::numeric_limits<Key>::min()
                     : static_cast<Key>(hash_of(one * 77));
  }
  return keys;
}

constexpr GroupPlan kPlans[] = {{0}, {1}, {6}, {11}, {12}, {14}};

template <class Key, class Value>
void check_types(uint64_t seed) {
  std::mt19937_64 random(seed);
  for (const size_t n : {0, 1, 2, 31, 33, 8191, 8192, 8193, 100003}) {
    const GroupPlan plan = kPlans[random() % std::size(kPlans)];
    for (const uint64_t different : {1, 2, 1000, 1000000000}) {
      const auto keys = random_keys<Key>(n, different, random);
      check_groups<Key, Value>(keys, plan, random() % 2 == 0, n % 2);
      check_groups<Key, Value>(keys, std::nullopt, random() % 2 == 0);
    }
  }
}

// A key whose hash is the marker of empty places, and others beside it.
template <class Key>
std::vector<Key> keys_with_marker(size_t n, std::mt19937_64& random) {
  std::vector<Key> keys(n);
  for (Key& key : keys) {
    key = key_of(random() % 3 == 0 ? kNoHash<Key> : static_cast<Key>(random() % 5));
  }
  return keys;
}

// Sums by keys that were made to collide: in the part, in the table, and with the empty marker.
void check_collisions(size_t in_part, size_t in_place, size_t marked,
                      std::span<const GroupPlan> plans) {
  std::mt19937_64 random(73);
  std::vector<uint64_t> one_part(in_part);
  std::vector<uint64_t> one_place(in_place);
  for (uint64_t& key : one_part) {
    key = key_of(uint64_t{0xabc} << 52 | random() % (in_part * 2 / 3) << 9);
  }
  for (uint64_t& key : one_place) {
    key = key_of(random() % (in_place / 2) << 40 | 0x12345678u);
  }
  for (const GroupPlan plan : plans) {
    check_groups<uint64_t, uint64_t>(one_part, plan, true);
    check_groups<uint64_t, uint32_t>(one_place, plan, true);
    check_groups<uint64_t, uint64_t>(keys_with_marker<uint64_t>(marked, random), plan, true);
    check_groups<uint32_t, uint64_t>(keys_with_marker<uint32_t>(marked, random), plan, true);
  }
}

}  // namespace presort::gpu::group_sum_test

using namespace presort::gpu::group_sum_test;

TEST_CASE("sums by key are those of a plain map, for every type") {
  check_types<uint32_t, uint32_t>(61);
  check_types<uint64_t, uint64_t>(62);
  check_types<int32_t, int64_t>(63);
  check_types<int64_t, int32_t>(64);
  check_types<uint64_t, double>(65);
  check_types<uint32_t, double>(66);
  check_types<uint64_t, float>(67);
  check_types<uint32_t, float>(68);
}

TEST_CASE("every plan gives the groups of many keys, that tables cannot all hold as well") {
  std::mt19937_64 random(71);
  for (const uint64_t different : {uint64_t{20}, uint64_t{30000}, ~uint64_t{0}}) {
    const auto keys = random_keys<uint64_t>(2000003, different, random);
    for (const GroupPlan plan : kPlans) {
      check_groups<uint64_t, double>(keys, plan, true);
    }
    check_groups<uint64_t, double>(keys, std::nullopt, true);
  }
}

TEST_CASE("a frequent key among many others, and keys in order") {
  std::mt19937_64 random(72);
  auto keys = random_keys<uint64_t>(1500001, 400000, random);
  for (size_t i = 0; i < keys.size(); i += 1 + random() % 3) {
    keys[i] = 12345;
  }
  std::vector<uint64_t> ordered(1000001);
  for (size_t i = 0; i < ordered.size(); ++i) {
    ordered[i] = i / 40;
  }
  for (const GroupPlan plan : kPlans) {
    check_groups<uint64_t, double>(keys, plan, true);
    check_groups<uint64_t, uint64_t>(ordered, plan, false);
  }
  check_groups<uint64_t, double>(keys, std::nullopt, true);
  check_groups<uint64_t, uint64_t>(ordered, std::nullopt, true);
}

TEST_CASE("keys that were made to collide: in the part, in the table, and with the empty marker") {
  check_collisions(300007, 60013, 50000, kPlans);
}

TEST_CASE("few keys that were made to collide" * doctest::test_suite("sanitized")) {
  constexpr GroupPlan kFewParts[] = {{0}, {3}};
  check_collisions(2003, 701, 999, kFewParts);
}

TEST_CASE("where there is no room for all groups, those that fit are whole, and all are counted") {
  std::mt19937_64 random(74);
  const auto keys = random_keys<uint64_t>(100000, 5000, random);
  const auto values = make_values<uint64_t>(keys.size(), random);
  const auto expected = plain_groups(keys, values);
  constexpr size_t kRoom = 1000;
  const DeviceArray<uint64_t> in(keys);
  const DeviceArray<uint64_t> of(values);
  const DeviceArray<uint64_t> group_keys(std::vector<uint64_t>(kRoom + 1, 7));
  const DeviceArray<uint64_t> sums(std::vector<uint64_t>(kRoom + 1, 7));
  const DeviceArray<uint32_t> counts(std::vector<uint32_t>(kRoom + 1, 7));
  const uint64_t found =
      group_sum(nullptr, in.read_only(), of.read_only(), group_keys.span().first(kRoom),
                sums.span().first(kRoom), counts.span().first(kRoom));
  CHECK(found == expected.size());
  for (const auto& [key, group] : as_map(group_keys.host(), sums.host(), counts.host(), kRoom)) {
    const auto whole = expected.find(key);
    REQUIRE(whole != expected.end());
    CHECK(group == whole->second);
  }
  CHECK(group_keys.host()[kRoom] == 7);
  CHECK(sums.host()[kRoom] == 7);
  CHECK(counts.host()[kRoom] == 7);
}

TEST_CASE("the number of groups is guessed from a sample") {
  constexpr uint64_t kInputs = 100000000;
  constexpr uint64_t kSampled = 131072;
  CHECK(estimated_groups(1000, {1000, 77, 70}) == 77);
  CHECK(estimated_groups(kInputs, {kSampled, 1000, 0}) == doctest::Approx(1000).epsilon(0.01));
  CHECK(estimated_groups(kInputs, {kSampled, kSampled, kSampled}) == doctest::Approx(kInputs));
  // Draws 131072 of 10^7 keys, all as frequent: 131072 − 131072² / (2 · 10^7) are different.
  CHECK(estimated_groups(kInputs, {kSampled, 130217, 129362}) ==
        doctest::Approx(1e7).epsilon(0.02));
  CHECK(choose_group_plan(kInputs, 1000, 10000).bits == 0);
  CHECK(choose_group_plan(kInputs, 1e5, 10000).bits == 9);
  CHECK(choose_group_plan(kInputs, 1e7, 10000).bits == 11);
  CHECK(choose_group_plan(uint64_t{1} << 31, 2e9, 10000).bits == kMaxPartBits);
  CHECK(choose_group_plan(20000, 20000, 10000).bits == 2);
}

TEST_CASE("bad calls of a group-by are refused before anything is launched") {
  const DeviceArray<uint64_t> keys(std::vector<uint64_t>(100));
  const DeviceArray<float> values(std::vector<float>(100));
  const DeviceArray<uint64_t> group_keys(std::vector<uint64_t>(100));
  const DeviceArray<float> sums(std::vector<float>(100));
  const DeviceArray<uint32_t> counts(std::vector<uint32_t>(100));
  const DeviceArray<uint64_t> found(std::vector<uint64_t>{99});
  const size_t bytes = group_sum_scratch_bytes<uint64_t, float>({3}, 100, true);
  const DeviceArray<std::byte> scratch(poison(bytes));
  const auto call = [&](auto of, auto to, auto number, GroupPlan plan, size_t scratch_bytes) {
    group_sum(nullptr, keys.read_only(), of, group_keys.span(), to, number, found.span().data(),
              plan, scratch.span().first(scratch_bytes));
  };
  CHECK_THROWS_AS(call(values.read_only().first(99), sums.span(), counts.span(), {3}, bytes),
                  PlanError);
  CHECK_THROWS_AS(call(values.read_only(), sums.span().first(99), counts.span(), {3}, bytes),
                  PlanError);
  CHECK_THROWS_AS(call(values.read_only(), sums.span(), counts.span().first(9), {3}, bytes),
                  PlanError);
  CHECK_THROWS_AS(call(values.read_only(), sums.span(), counts.span(), {3}, bytes - 64), PlanError);
  CHECK_THROWS_WITH_AS(call(values.read_only(), sums.span(), counts.span(), {15}, bytes),
                       "bits: found 15, accepted: 0 to 14", PlanError);
  CHECK_THROWS_AS((group_sum_scratch_bytes<uint64_t, float>({0}, (uint64_t{1} << 31) + 1, true)),
                  PlanError);
  CHECK_THROWS_AS(group_sum(nullptr, keys.read_only(), values.read_only(), keys.span(), sums.span(),
                            counts.span(), found.span().data(), {3}, scratch.span()),
                  SpanError);
  CHECK(found.host()[0] == 99);
}
