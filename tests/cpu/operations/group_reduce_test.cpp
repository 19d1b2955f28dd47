// Tests reductions by key against a hash map, with tables so small that parts overflow and are divided.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <random>
#include <ranges>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "presort/core/error.h"
#include "presort/cpu/group_reduce.h"

namespace presort::inline v0::test::group_reduce_test {
namespace {

// Bytes of tables: half of the cache; of 16 places; of 64 and more.
constexpr size_t kTables[] = {0, 400, 4096};

template <class T>
bool same_bits(const T& a, const T& b) {
  return std::ranges::equal(std::as_bytes(std::span(&a, 1)), std::as_bytes(std::span(&b, 1)));
}

// Compares groups with those of a hash map: keys, values in every bit, counts.
template <class Key, class Value, class M>
void check_groups(const std::vector<Key>& keys, const std::vector<Value>& values, const M& monoid,
                  const GroupOptions& options) {
  CAPTURE(keys.size());
  CAPTURE(options.table_bytes);
  struct Group {
    Value value;
    uint64_t count;
  };
  std::unordered_map<Key, Group> expected;
  for (size_t i = 0; i < keys.size(); ++i) {
    Group& group = expected.try_emplace(keys[i], Group{monoid.identity(), 0}).first->second;
    group.value = monoid(group.value, values[i]);
    ++group.count;
  }
  const auto groups = group_reduce(keys, values, monoid, options);
  REQUIRE(groups.keys.size() == expected.size());
  REQUIRE(groups.values.size() == expected.size());
  REQUIRE(groups.counts.size() == (options.counts ? expected.size() : 0));
  size_t wrong = 0;
  for (size_t i = 0; i < groups.keys.size(); ++i) {
    const auto found = expected.find(groups.keys[i]);
    if (found == expected.end() || !same_bits(found->second.value, groups.values[i]) ||
        (options.counts && found->second.count != groups.counts[i])) {
      ++wrong;
    } else {
      expected.erase(found);  // a key that came twice is missing the second time
    }
  }
  CHECK(wrong == 0);
}

enum class Kind { equal, different, random, few, skewed, markers };
constexpr Kind kKinds[] = {Kind::equal, Kind::different, Kind::random,
                           Kind::few,   Kind::skewed,    Kind::markers};

template <class Key>
Key key_of_kind(Kind kind, size_t i, size_t n, std::mt19937_64& random) {
  using Hash = std::conditional_t<sizeof(Key) == 8, uint64_t, uint32_t>;
  const uint64_t any = random();
  switch (kind) {
    case Kind::equal:
      return Key{7};
    case Kind::different:
      return static_cast<Key>(i);
    case Kind::random:
      return static_cast<Key>(any);
    case Kind::few:
      return static_cast<Key>(any % 10);
    case Kind::skewed:  // half of the inputs have the largest key
      return any % 2 == 0 ? std::numeric_limits<Key>::max()
                          : static_cast<Key>(random() % (n / 10 + 1));
    default:  // 0, all bits set, and the key whose hash marks empty places
      const Key markers[] = {Key{0}, static_cast<Key>(~Hash{0}),
                             static_cast<Key>(key_of(kNoHash<Hash>)), static_cast<Key>(any % 1000)};
      return markers[any / 1000 % 4];
  }
}

template <class Key, class Value, class M>
void check_all(const M& monoid, bool counts) {
  std::mt19937_64 random(7);
  for (const size_t threads : {1, 3}) {
    cpu::ThreadTeam team(threads);
    for (const size_t n : {0, 1, 2, 15, 16, 17, 255, 256, 257, 20'000, 70'001}) {
      for (const Kind kind : kKinds) {
        std::vector<Key> keys(n);
        std::vector<Value> values(n);
        for (size_t i = 0; i < n; ++i) {
          keys[i] = key_of_kind<Key>(kind, i, n, random);
          const double any = static_cast<double>(random() % 2001);
          values[i] = static_cast<Value>(std::is_floating_point_v<Value> ? any / 7 - 100 : any);
        }
        for (const size_t table : kTables) {
          GroupOptions options{.call = {}, .counts = counts, .table_bytes = table};
          options.call.threads = &team;
          check_groups(keys, values, monoid, options);
        }
      }
    }
  }
}

// Takes the right one of two values, unless that is the identity.
struct Last {
  static constexpr bool is_commutative = false;
  constexpr uint32_t identity() const { return 0; }
  constexpr uint32_t operator()(uint32_t a, uint32_t b) const { return b == 0 ? a : b; }
};

// A sum that throws at the value 13.
struct Throws {
  static constexpr bool is_commutative = true;
  int identity() const { return 0; }
  int operator()(int a, int b) const {
    if (b == 13) {
      throw std::string("thirteen");
    }
    return a + b;
  }
};

}  // namespace

TEST_CASE("groups are those of a hash map: sums of 8-byte integers with counts") {
  check_all<uint64_t, uint64_t>(Sum<uint64_t>{}, true);
}

TEST_CASE(
    "groups are those of a hash map: sums of floats, in every bit, with any number of threads") {
  check_all<int32_t, float>(Sum<float>{}, true);
  check_all<int64_t, double>(Sum<double>{}, false);
}

TEST_CASE("groups are those of a hash map: the largest and the smallest value") {
  check_all<uint32_t, double>(Max<double>{}, false);
  check_all<int64_t, int64_t>(Min<int64_t>{}, true);
}

TEST_CASE("groups of an operator that does not commute keep the order of the inputs") {
  check_all<uint64_t, uint32_t>(Last{}, true);
}

TEST_CASE("more groups than a sample finds outgrow the tables, and are partitioned") {
  // One key in 64 and fewer is drawn; the first half of the inputs has one key.
  constexpr size_t kInputs = 200'000;
  std::vector<uint64_t> keys(kInputs, 1);
  std::vector<uint64_t> values(kInputs, 2);
  for (size_t i = kInputs - 2000; i < kInputs; ++i) {
    keys[i] = i;
  }
  for (const size_t threads : {1, 4}) {
    cpu::ThreadTeam team(threads);
    GroupOptions options{.call = {}, .counts = true, .table_bytes = size_t{512} * 24};
    options.call.threads = &team;
    check_groups(keys, values, Sum<uint64_t>{}, options);
    CHECK(group_sum(keys, values, options).partitioned);
  }
}

TEST_CASE("scratch that is kept serves calls of any size") {
  cpu::Scratch scratch;
  for (const size_t n : {100'000, 1000, 150'000}) {
    std::vector<uint64_t> keys(n);
    for (size_t i = 0; i < n; ++i) {
      keys[i] = i / 2;
    }
    GroupOptions options{.call = {}, .counts = true, .table_bytes = 4096};
    options.call.scratch = &scratch;
    check_groups(keys, keys, Sum<uint64_t>{}, options);
  }
}

TEST_CASE("keys and values of different lengths are refused") {
  const std::vector<uint64_t> keys(3);
  const std::vector<double> values(2);
  CHECK_THROWS_WITH_AS(group_sum(keys, values), "keys and values differ in length: 3 and 2",
                       PlanError);
}

TEST_CASE("what the operator throws comes out, and the next call is right") {
  std::vector<uint32_t> keys(50'000);
  std::vector<int> values(50'000, 1);
  for (size_t i = 0; i < keys.size(); ++i) {
    keys[i] = static_cast<uint32_t>(i);
  }
  cpu::ThreadTeam team(2);
  GroupOptions options{.call = {}, .counts = true, .table_bytes = 4096};
  options.call.threads = &team;
  values[40'000] = 13;
  CHECK_THROWS_AS(group_reduce(keys, values, Throws{}, options), std::string);
  values[40'000] = 1;
  check_groups(keys, values, Throws{}, options);
}

}  // namespace presort::test::group_reduce_test
