#include "presort/gpu/histogram.cuh"

#include <algorithm>

#include "tests/gpu/support.cuh"

using namespace presort;
using namespace presort::gpu;
using namespace presort::gpu::test;

namespace {

template <class Label, class Count>
void check_counts(size_t n, uint64_t m, Kind kind, size_t skip, const GpuPlan& plan,
                  std::mt19937_64& random) {
  const auto labels = make_labels<Label>(kind, n, m, random);
  const std::vector<Count> before(m, Count{5});
  std::vector<Count> expected = before;
  for (const Label label : labels) {
    ++expected[label];
  }
  const DeviceArray<Label> device_labels(labels, skip);
  const DeviceArray<Count> counts(before);
  const DeviceArray<std::byte> scratch(poison(histogram_scratch_bytes<Label, Count>(plan, n, m)));
  histogram(nullptr, device_labels.read_only(), counts.span(), plan, scratch.span());
  CAPTURE(n);
  CAPTURE(m);
  CAPTURE(skip);
  CAPTURE(static_cast<int>(kind));
  CAPTURE(to_string(plan));
  CHECK(counts.host() == expected);
}

std::vector<GpuPlan> plans_for(uint64_t m) {
  std::vector<GpuPlan> plans;
  for (const char* text :
       {"strategy=sharedSets", "strategy=globalSets", "strategy=sharedSets,nSets=4",
        "strategy=sharedSets,rangePasses=2", "strategy=sharedSets,sortBits=4",
        "strategy=globalSets,sortBits=14,passes=2"}) {
    const GpuPlan plan = parse_gpu_plan(text);
    try {
      check_gpu_plan(plan, {1, m, 4}, current_device_limits());
      plans.push_back(plan);
    } catch (const PlanError&) {
    }
  }
  return plans;
}

}  // namespace

TEST_CASE("labels of one byte: every size around warps, packs and tiles, behind odd addresses") {
  std::mt19937_64 random(11);
  const GpuPlan plan = parse_gpu_plan("strategy=sharedSets");
  constexpr size_t kTile = 16 * kCountBytesThreads * kCountBytesPacks;
  for (const size_t skip : {0, 1, 7, 15}) {
    for (const size_t n :
         {size_t{0}, size_t{1}, size_t{14}, size_t{15}, size_t{16}, size_t{17}, size_t{31},
          size_t{32}, size_t{33}, kTile - 1, kTile, kTile + 1, kTile + 17, 3 * kTile + 31}) {
      check_counts<uint8_t, uint32_t>(n, 256, Kind::uniform, skip, plan, random);
    }
  }
}

TEST_CASE("labels of one byte: every kind of labels, few bins and many, counts of both widths") {
  std::mt19937_64 random(12);
  for (const Kind kind : kKinds) {
    for (const uint64_t m : {1, 2, 64, 255, 256}) {
      for (const GpuPlan& plan : plans_for(m)) {
        check_counts<uint8_t, uint32_t>(300007, m, kind, 3, plan, random);
        check_counts<uint8_t, uint64_t>(300007, m, kind, 0, plan, random);
      }
    }
  }
  check_counts<uint8_t, uint32_t>(100000, 256, Kind::uniform, 0,
                                  parse_gpu_plan("strategy=sharedSets"), random);
}

TEST_CASE("labels of every width, with every plan, for sizes around warps and tiles") {
  std::mt19937_64 random(10);
  const auto check = [&]<class Label>(Label, uint64_t m) {
    for (const GpuPlan& plan : plans_for(m)) {
      for (const size_t n : {0, 1, 31, 32, 33, 8191, 8192, 8193, 150001}) {
        check_counts<Label, uint32_t>(n, m, Kind::uniform, n % 2, plan, random);
      }
      check_counts<Label, uint32_t>(150001, m, Kind::few, 0, plan, random);
    }
  };
  check(uint8_t{}, 256);
  check(uint16_t{}, 1000);
  check(uint16_t{}, 65536);
  check(uint32_t{}, 300000);
  check(uint64_t{}, 300000);
}

TEST_CASE("labels of two bytes in one table: sizes around packs and tiles, behind odd addresses") {
  std::mt19937_64 random(13);
  const GpuPlan plan = parse_gpu_plan("strategy=sharedSets");
  REQUIRE(counts_shorts(plan, 2, 60000, 4, current_device_limits()));
  constexpr size_t kTile = kShortsOfPack * kCountShortsThreads * kCountShortsPacks;
  for (const size_t skip : {0, 1, 3, 7}) {
    for (const size_t n : {size_t{0}, size_t{1}, size_t{6}, size_t{7}, size_t{8}, size_t{9},
                           size_t{31}, kTile - 1, kTile, kTile + 1, kTile + 9, 3 * kTile + 31}) {
      check_counts<uint16_t, uint32_t>(n, 65536, Kind::uniform, skip, plan, random);
    }
  }
  for (const Kind kind : kKinds) {
    check_counts<uint16_t, uint32_t>(300007, 65536, kind, 1, plan, random);
    check_counts<uint16_t, uint64_t>(300007, 60000, kind, 0, plan, random);
  }
}

TEST_CASE("counters of two bytes go round, both halves of a word at any time") {
  std::mt19937_64 random(14);
  const GpuPlan plan = parse_gpu_plan("strategy=sharedSets");
  const size_t n = size_t{132} << 19;  // number of labels: several times 2^16 a block
  const auto check = [&]<class Count>(Count, uint64_t m, uint16_t low, uint16_t high) {
    std::vector<uint16_t> labels(n);
    std::vector<Count> expected(m, Count{5});
    for (uint16_t& label : labels) {
      const uint64_t any = random();
      label = any % 64 == 0 ? static_cast<uint16_t>(any / 64 % m) : any % 2 == 0 ? low : high;
      ++expected[label];
    }
    const DeviceArray<uint16_t> device_labels(labels);
    const DeviceArray<Count> counts(std::vector<Count>(m, Count{5}));
    histogram(nullptr, device_labels.read_only(), counts.span(), plan, {});
    CAPTURE(m);
    CHECK(counts.host() == expected);
  };
  check(uint32_t{}, 65536, 7, 7 + 32768);
  check(uint64_t{}, 65536, 32767, 65535);
  check(uint32_t{}, 60000, 30000,
        31000);  // number of buckets: no label uses the high half of a counter word
  check(uint64_t{}, 60000, 30000, 32768);
}
