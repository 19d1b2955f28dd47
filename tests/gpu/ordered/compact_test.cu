// Tests compaction and partition of arrays on a GPU against plain loops.
#include "presort/gpu/compact.cuh"
#include "tests/gpu/ordered/segments/segment_monoids.cuh"
#include "tests/gpu/support.cuh"

using namespace presort;
using namespace presort::gpu;
using namespace presort::gpu::test;

namespace {

struct IsOdd {
  template <class Value>
  __host__ __device__ bool operator()(const Value& value) const {
    return static_cast<uint64_t>(value) % 2 != 0;
  }
};

template <class Value, class IsKept, class Compact, class Partition>
void check_division(const std::vector<Value>& values, size_t skip, const IsKept& is_kept,
                    const Compact& compact, const Partition& partition) {
  std::vector<Value> kept;
  std::vector<Value> others;
  for (size_t i = 0; i < values.size(); ++i) {
    (is_kept(i) ? kept : others).push_back(values[i]);
  }
  const DeviceArray<Value> in(values, skip);
  const DeviceArray<uint64_t> count(std::vector<uint64_t>{99});
  const DeviceArray<std::byte> scratch(poison(compact_scratch_bytes<Value>(values.size())));
  const DeviceArray<Value> out(std::vector<Value>(kept.size()));
  compact(in.read_only(), out.span(), count.span().data(), scratch.span());
  CHECK(count.host()[0] == kept.size());
  CHECK(out.host() == kept);
  const DeviceArray<Value> again(std::vector<Value>(kept.size()));
  const DeviceArray<Value> rest(std::vector<Value>(others.size()));
  partition(in.read_only(), again.span(), rest.span(), count.span().data(), scratch.span());
  CHECK(count.host()[0] == kept.size());
  CHECK(again.host() == kept);
  CHECK(rest.host() == others);
  compact(in.read_only(), in.span(), count.span().data(),
          scratch.span());  // results overwrite the input: compaction in place
  CHECK(count.host()[0] == kept.size());
  auto found = in.host();
  found.resize(kept.size());
  CHECK(found == kept);
}

// Checks a compaction that keeps one in `rate` values.
template <class Value>
void check_values(size_t n, size_t skip, uint64_t rate, std::mt19937_64& random) {
  const auto values = any_values<Value>(n, random);
  std::vector<uint8_t> keep(n);
  for (uint8_t& flag : keep) {
    flag = random() % rate == 0 ? 3 : 0;
  }
  CAPTURE(n);
  CAPTURE(skip);
  CAPTURE(rate);
  const DeviceArray<uint8_t> flags(keep, skip);
  check_division(
      values, skip, [&](size_t i) { return keep[i] != 0; },
      [&](auto in, auto kept, uint64_t* count, auto scratch) {
        compact(nullptr, in, flags.read_only(), kept, count, scratch);
      },
      [&](auto in, auto kept, auto others, uint64_t* count, auto scratch) {
        partition(nullptr, in, flags.read_only(), kept, others, count, scratch);
      });
  if constexpr (std::is_arithmetic_v<Value>) {
    check_division(
        values, skip, [&](size_t i) { return IsOdd{}(values[i]); },
        [&](auto in, auto kept, uint64_t* count, auto scratch) {
          compact_if(nullptr, in, IsOdd{}, kept, count, scratch);
        },
        [&](auto in, auto kept, auto others, uint64_t* count, auto scratch) {
          partition_if(nullptr, in, IsOdd{}, kept, others, count, scratch);
        });
  }
}

template <class Value>
void check_sizes(uint64_t seed) {
  std::mt19937_64 random(seed);
  constexpr size_t kTile = 8 * WarpStages<Value>::kValues;
  for (const size_t n : {size_t{0}, size_t{1}, size_t{33}, kTile - 1, kTile, kTile + 1,
                         35 * kTile + 3, size_t{200001}}) {
    for (const uint64_t rate : {1, 2, 50, 1000000000}) {
      check_values<Value>(n, n % 2, rate, random);
    }
  }
}

}  // namespace

TEST_CASE("kept values stand in their order, in place as well, and the others in theirs") {
  check_sizes<uint8_t>(41);
  check_sizes<uint32_t>(42);
  check_sizes<double>(43);
  check_sizes<Span>(44);
  check_sizes<Sums>(45);
}

TEST_CASE("compaction of many tiles") {
  std::mt19937_64 random(46);
  for (int run = 0; run < 5; ++run) {
    check_values<uint32_t>(6000011, 0, 2, random);
  }
}

TEST_CASE("values are compacted alike on both sides of the number from which CUB takes them") {
  std::mt19937_64 random(47);
  for (const size_t n : {size_t{kFewestCompactedByCub - 1}, size_t{kFewestCompactedByCub}}) {
    for (const uint64_t rate : {1, 3, 1000000000}) {
      check_values<uint32_t>(n, n % 2, rate, random);
      check_values<double>(n, n % 2, rate, random);
    }
  }
  static_assert(compacts_by_cub<float>(kFewestCompactedByCub));
  static_assert(!compacts_by_cub<float>(kFewestCompactedByCub - 1));
  static_assert(!compacts_by_cub<uint8_t>(kFewestCompactedByCub));
}
