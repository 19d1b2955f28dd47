// Tests blocks that take one tile each, of few tiles too, against pipelines and plain loops.
#include "presort/gpu/block/tile_block.cuh"

#include <algorithm>

#include "presort/gpu/compact.cuh"
#include "presort/gpu/segmented_scan.cuh"
#include "tests/gpu/ordered/segments/segment_monoids.cuh"
#include "tests/gpu/support.cuh"

using namespace presort;
using namespace presort::gpu;
using namespace presort::gpu::test;

namespace {

constexpr TileSchedule kSchedules[] = {TileSchedule::blocks, TileSchedule::pipelines};

// Numbers of values around one, 33 and 1057 tiles: of one, two and three levels of groups.
template <class Value>
std::vector<size_t> sizes() {
  constexpr size_t kTile = 8 * WarpStages<Value>::kValues;
  return {2 * kTile - 1, 2 * kTile, 2 * kTile + 1, 33 * kTile + 7, 1057 * kTile - 3};
}

template <class Value>
class Case {
 public:
  Case(size_t n, size_t skip, std::mt19937_64& random)
      : n_(n), skip_(skip), values_(any_values<Value>(n, random)), heads_(n), in_(values_, skip) {
    for (uint8_t& head : heads_) {
      head = random() % 5000 == 0 ? 1 : 0;
    }
  }

  template <class M>
  std::vector<Value> scanned(const M& monoid, bool has_heads, TileSchedule schedule) const {
    const DeviceArray<uint8_t> heads(heads_);
    const DeviceArray<Value> results(std::vector<Value>(n_), skip_);
    Carver size;
    LookBack<Value>::take(size, tile_count<Value>(n_));
    const DeviceArray<std::byte> scratch(poison(size.used_bytes()));
    Carver carver(scratch.span().data());
    const auto look_back = LookBack<Value>::take(carver, tile_count<Value>(n_));
    const auto scan = [&](const auto& of) {
      const ScanArguments<Value, std::decay_t<decltype(of)>> arguments{
          in_.span().data(), results.span().data(), of, n_, skip_ == 0};
      scan_tiles<Scan::inclusive>(nullptr, arguments, look_back, monoid, schedule);
    };
    if (has_heads) {
      scan(ByteHeads{heads.span().data(), true});
    } else {
      scan(NoHeads{});
    }
    return results.host();
  }
  template <class M>
  std::vector<Value> scanned_plainly(const M& monoid, bool has_heads) const {
    std::vector<Value> results(n_);
    Value sum = monoid.identity();
    for (size_t i = 0; i < n_; ++i) {
      sum = has_heads && heads_[i] != 0 ? values_[i] : monoid(sum, values_[i]);
      results[i] = sum;
    }
    return results;
  }

  // Keeps the values without a head, in place.
  std::vector<Value> compacted(TileSchedule schedule) const {
    std::vector<uint8_t> keep(n_);
    std::transform(heads_.begin(), heads_.end(), keep.begin(),
                   [](uint8_t head) { return head == 0 ? uint8_t{1} : uint8_t{0}; });
    const DeviceArray<uint8_t> flags(keep);
    const DeviceArray<Value> place(values_, skip_);
    const DeviceArray<uint64_t> count(std::vector<uint64_t>{77});
    const DeviceArray<std::byte> scratch(poison(compact_scratch_bytes<Value>(n_)));
    Carver carver(scratch.span().data());
    const auto look_back = LookBack<uint64_t>::take(carver, tile_count<Value>(n_));
    Value* at = place.span().data();
    compact_tiles(
        nullptr,
        CompactArguments<Value, KeepFlagged>{
            at, at, nullptr, count.span().data(), {{flags.span().data(), true}}, n_, skip_ == 0},
        look_back, schedule);
    auto found = place.host();
    found.resize(count.host()[0]);
    return found;
  }
  std::vector<Value> compacted_plainly() const {
    std::vector<Value> kept;
    for (size_t i = 0; i < n_; ++i) {
      if (heads_[i] == 0) {
        kept.push_back(values_[i]);
      }
    }
    return kept;
  }

 private:
  size_t n_;
  size_t skip_;
  std::vector<Value> values_;
  std::vector<uint8_t> heads_;
  DeviceArray<Value> in_;
};

template <class Value, class M>
void check(const M& monoid, uint64_t seed) {
  std::mt19937_64 random(seed);
  for (const size_t n : sizes<Value>()) {
    for (const size_t skip : {0, 1}) {
      const Case<Value> with(n, skip, random);
      for (const TileSchedule schedule : kSchedules) {
        CAPTURE(n);
        CAPTURE(skip);
        CAPTURE(static_cast<int>(schedule));
        for (const bool has_heads : {false, true}) {
          CHECK(with.scanned(monoid, has_heads, schedule) ==
                with.scanned_plainly(monoid, has_heads));
        }
        CHECK(with.compacted(schedule) == with.compacted_plainly());
      }
    }
  }
}

}  // namespace

TEST_CASE("blocks of one tile scan and compact as pipelines do") {
  check<uint32_t>(Sum<uint32_t>{}, 51);
  check<Line>(ComposeLines{}, 52);
}

TEST_CASE("blocks of one tile round sums of floats as pipelines do") {
  std::mt19937_64 random(53);
  const size_t n = size_t{700} * 8 * WarpStages<float>::kValues + 5;
  std::vector<float> values(n);
  for (float& value : values) {
    value = std::uniform_real_distribution<float>(-1, 1)(random);
  }
  const DeviceArray<float> in(values);
  std::vector<std::vector<float>> found;
  for (const TileSchedule schedule : kSchedules) {
    const DeviceArray<float> results(std::vector<float>(n, 7));
    const DeviceArray<std::byte> scratch(poison(scan_scratch_bytes<float>(n)));
    Carver carver(scratch.span().data());
    const auto look_back = LookBack<float>::take(carver, tile_count<float>(n));
    const ScanArguments<float, NoHeads> arguments{
        in.span().data(), results.span().data(), {}, n, true};
    scan_tiles<Scan::exclusive>(nullptr, arguments, look_back, Sum<float>{}, schedule);
    found.push_back(results.host());
  }
  CHECK(found[0] == found[1]);
}

namespace {

// The later of two numbers that is not 0: an operator that does not commute.
struct LaterNumber {
  static constexpr bool is_commutative = false;
  __host__ __device__ uint32_t identity() const { return 0; }
  __host__ __device__ uint32_t operator()(uint32_t a, uint32_t b) const { return b != 0 ? b : a; }
};

template <Scan kScan, class Value, class M>
void check_wide_scan(uint64_t n, const M& monoid) {
  std::vector<Value> values(n);
  for (uint64_t i = 0; i < n; ++i) {
    values[i] = static_cast<Value>(i % 7 == 3 ? i % 2 + 1 : 0);  // sums below 2^24
  }
  const DeviceArray<Value> in(values);
  const DeviceArray<std::byte> scratch(poison(scan_scratch_bytes<Value>(n)));
  scan<kScan>(nullptr, in.read_only(), in.span(), monoid, scratch.span());
  Value sum = monoid.identity();
  for (Value& value : values) {
    const Value before = sum;
    sum = monoid(sum, value);
    value = kScan == Scan::inclusive ? sum : before;
  }
  CHECK(in.host() == values);
}

}  // namespace

TEST_CASE("scans are right on both sides of the number of values from which tiles are wide") {
  for (const uint64_t n : {kFewestOfWideTiles - 1, kFewestOfWideTiles, kFewestOfWideTiles + 8193}) {
    check_wide_scan<Scan::exclusive, float>(n, Sum<float>{});
    check_wide_scan<Scan::inclusive, uint32_t>(n, LaterNumber{});
  }
  check_wide_scan<Scan::inclusive, double>(kFewestOfWideTiles + 5, Sum<double>{});
}
