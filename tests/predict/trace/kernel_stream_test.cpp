#include "presort/predict/trace/kernel_stream.h"

#include <doctest/doctest.h>

#include <map>
#include <numeric>
#include <string>
#include <vector>

#include "presort/core/error.h"
#include "presort/predict/trace/layout.h"
#include "tests/sim/small_machine.h"

namespace presort::inline v0::predict::kernel_stream_test {
namespace {

using sim::Access;
using sim::AccessKind;

// The fields of a simulated access that these tests compare.
struct Touch {
  AccessKind kind;
  uint64_t address;
  bool operator==(const Touch&) const = default;
};

class Collector final : public sim::AccessSink {
 public:
  void write(std::span<const Access> records) override {
    for (const Access& record : records) {
      if (record.kind != AccessKind::branch) {
        touches.push_back({record.kind, record.address});
      }
    }
  }
  std::vector<Touch> touches;
};

Problem problem(uint64_t n, uint64_t m, Operation operation = Operation::multireduce) {
  Problem result;
  result.operation = operation;
  result.n = n;
  result.m = m;
  return result;
}

std::vector<uint64_t> labels_of(const Problem& what) {
  std::vector<uint64_t> labels(what.n);
  make_labels(what.distribution, what.n, what.m, what.seed)->generate(0, labels);
  return labels;
}

std::vector<Touch> stream(const Problem& what, const std::string& plan) {
  Collector collector;
  const auto labels = make_labels(what.distribution, what.n, what.m, what.seed);
  stream_kernel(test::small_machine(), what, parse_cpu_plan(plan), labels, collector);
  return collector.touches;
}

TEST_CASE("the plain loop: label, value, bucket, bucket of every input, and nothing else") {
  constexpr uint64_t kWindow = 1 << 17;  // number of inputs that are looked at together
  for (const uint64_t n : {uint64_t{1}, uint64_t{255}, uint64_t{256}, uint64_t{257}, kWindow - 1,
                           kWindow, kWindow + 1, 3 * kWindow}) {
    CAPTURE(n);
    const Problem what = problem(n, 1000);
    std::vector<Touch> expected;
    for (uint64_t i = 0; const uint64_t label : labels_of(what)) {
      const uint64_t bucket = address_of(Region::buckets) + 4 * label;
      expected.push_back({AccessKind::load, address_of(Region::labels) + 4 * i});
      expected.push_back({AccessKind::load, address_of(Region::values) + 4 * i});
      expected.push_back({AccessKind::load, bucket});
      expected.push_back({AccessKind::store, bucket});
      ++i;
    }
    CHECK(stream(what, "sortBits=0") == expected);
  }
}

TEST_CASE("range passes: every label once in each, every bucket of an input once in all") {
  for (const Operation operation :
       {Operation::multireduce, Operation::scatter, Operation::histogram}) {
    for (const char* distribution : {"uniform", "zipf:1", "sorted"}) {
      Problem what = problem(1000, 101, operation);
      what.distribution = parse_distribution("dist", distribution);
      std::map<uint64_t, int> buckets;
      for (const uint64_t label : labels_of(what)) {
        ++buckets[address_of(Region::buckets) + 4 * label];
      }
      std::map<uint64_t, int> found;
      std::map<uint64_t, int> chosen;
      for (const Touch& touch : stream(what, "rangePasses=3")) {
        const uint64_t region = touch.address - touch.address % address_of(Region{1});
        if (touch.kind == AccessKind::store && region == address_of(Region::buckets)) {
          ++found[touch.address];
        } else if (touch.kind == AccessKind::store) {
          ++chosen[region];
        }
      }
      CHECK(found == buckets);
      CHECK(chosen == std::map<uint64_t, int>{{address_of(Region::chosen), 3000}});
    }
  }
}

TEST_CASE("gather: label, table, result of every input, and nothing else") {
  const Problem what = problem(1000, 1 << 10, Operation::gather);
  std::vector<Touch> expected;
  for (uint64_t i = 0; const uint64_t label : labels_of(what)) {
    expected.push_back({AccessKind::load, address_of(Region::labels) + 4 * i});
    expected.push_back({AccessKind::load, address_of(Region::buckets) + 4 * label});
    expected.push_back({AccessKind::store, address_of(Region::results) + 4 * i});
    ++i;
  }
  CHECK(stream(what, "sortBits=0") == expected);
}

// Counts how often each byte address of a region is touched.
std::map<uint64_t, int> touches_of(const std::vector<Touch>& touches, Region region,
                                   AccessKind kind) {
  std::map<uint64_t, int> counts;
  for (const Touch& touch : touches) {
    const uint64_t offset = touch.address - address_of(region);
    if (touch.kind == kind && offset < uint64_t{1} << 40) {
      ++counts[offset];
    }
  }
  return counts;
}

TEST_CASE("a pre-sort reads every label for its histogram and again to move it") {
  const Problem what = problem(200000, 1 << 16);
  const auto touches = stream(what, "sortBits=6");
  const auto labels = touches_of(touches, Region::labels, AccessKind::load);
  const auto values = touches_of(touches, Region::values, AccessKind::load);
  REQUIRE(labels.size() == what.n);
  REQUIRE(values.size() == what.n);
  for (uint64_t i = 0; i < what.n; ++i) {
    REQUIRE(labels.at(4 * i) == 2);
    REQUIRE(values.at(4 * i) == 1);
  }
}

TEST_CASE("a pre-sort updates the buckets of one part after those of another, one per input") {
  const Problem what = problem(200000, 1 << 16, Operation::scatter);
  uint64_t part = 0;
  uint64_t stores = 0;
  uint64_t backward = 0;
  for (const Touch& touch : stream(what, "sortBits=6")) {
    const uint64_t offset = touch.address - address_of(Region::buckets);
    if (touch.kind == AccessKind::store && offset < 4 * what.m) {
      // The part of the access: labels of 16 bits are sorted by 6
      const uint64_t now = offset / 4 >> 10;
      backward += now < part;
      part = now;
      ++stores;
    }
  }
  CHECK(backward == 0);
  CHECK(part == 63);
  CHECK(static_cast<double>(stores) == doctest::Approx(200000).epsilon(0.001));
}

TEST_CASE("a pre-sorted gather sets the results of its parts, and reads each on the way back") {
  const Problem what = problem(200000, 1 << 16, Operation::gather);
  const auto touches = stream(what, "sortBits=6");
  const auto labels = touches_of(touches, Region::labels, AccessKind::load);
  const auto results = touches_of(touches, Region::results, AccessKind::store);
  REQUIRE(labels.size() == what.n);
  REQUIRE(results.size() == what.n);
  for (uint64_t i = 0; i < what.n; ++i) {
    // Each label is read three times: to count, to partition, and on the way back
    REQUIRE(labels.at(4 * i) == 3);
    REQUIRE(results.at(4 * i) == 1);
  }
  CHECK(touches_of(touches, Region::values, AccessKind::load).empty());
  const auto set = touches_of(touches, Region::partitioned_values, AccessKind::store);
  const auto read = touches_of(touches, Region::partitioned_values, AccessKind::load);
  CHECK(static_cast<double>(set.size()) ==
        doctest::Approx(static_cast<double>(what.n)).epsilon(0.01));
  CHECK(static_cast<double>(read.size()) ==
        doctest::Approx(static_cast<double>(what.n)).epsilon(0.01));
}

TEST_CASE("what the buffers hold at the end is written too: of every digit, in its part") {
  const Problem what = problem(1 << 16, 1 << 16);
  const auto touches = stream(what, "sortBits=9,bufferBytes=64,layout=pairs");
  const auto flushed = touches_of(touches, Region::partitioned, AccessKind::streamingStore);
  const auto drained = touches_of(touches, Region::partitioned, AccessKind::store);
  CHECK(!flushed.empty());
  std::map<uint64_t, int> digits;
  for (const auto& [offset, count] : drained) {
    ++digits[offset / (what.n / 512 * 8)];
  }
  CHECK(digits.size() > 256);
}

std::vector<uint64_t> offsets_of(const Problem& what) {
  std::vector<uint64_t> offsets(what.m + 1, 0);
  for (const uint64_t label : labels_of(what)) {
    ++offsets[label + 1];
  }
  std::partial_sum(offsets.begin(), offsets.end(), offsets.begin());
  return offsets;
}

TEST_CASE("segments: all offsets are checked, then each segment's offsets, values and results") {
  for (const char* labels : {"uniform", "degenerate", "sequential"}) {
    for (const Operation operation : {Operation::segmentedReduce, Operation::segmentedScan}) {
      for (const uint64_t n : {1, 300, 1000}) {
        Problem what = problem(n, 300, operation);
        what.distribution = parse_distribution("dist", labels);
        const std::vector<uint64_t> offsets = offsets_of(what);
        const auto at = [](Region region, uint64_t i) { return address_of(region) + 4 * i; };
        std::vector<Touch> expected;
        for (uint64_t s = 0; s <= what.m; ++s) {
          expected.push_back({AccessKind::load, at(Region::labels, s)});
        }
        for (uint64_t s = 0; s < what.m; ++s) {
          expected.push_back({AccessKind::load, at(Region::labels, s)});
          expected.push_back({AccessKind::load, at(Region::labels, s + 1)});
          const bool reduces = operation == Operation::segmentedReduce;
          for (uint64_t i = offsets[s]; i < offsets[s + 1];) {
            expected.push_back({AccessKind::load, at(Region::values, i)});
            // The next access covers four values in a register, or one
            i += reduces && i + 4 <= offsets[s + 1] ? 4 : 1;
            if (!reduces) {
              expected.push_back({AccessKind::store, at(Region::results, i - 1)});
            }
          }
          if (reduces) {
            expected.push_back({AccessKind::store, at(Region::results, s)});
          }
        }
        CAPTURE(to_string(what));
        CHECK(stream(what, "sortBits=0") == expected);
      }
    }
  }
}

// Checks that a sort has stored n elements of 4 bytes in the region, each once, in stores of
// `together` elements.
void check_all_stored(const std::vector<Touch>& touches, Region region, uint64_t n,
                      uint64_t together = 1) {
  const auto stored = touches_of(touches, region, AccessKind::store);
  REQUIRE(stored.size() == n / together);
  for (uint64_t i = 0; i < n; i += together) {
    REQUIRE(stored.at(4 * i) == 1);
  }
}

TEST_CASE("a counting sort counts every label, and puts each input to a place of its own") {
  const Problem what = problem(1 << 12, 200, Operation::partialSort);
  const auto touches = stream(what, "sortBits=0");
  const auto labels = touches_of(touches, Region::labels, AccessKind::load);
  REQUIRE(labels.size() == what.n);
  for (const auto& [offset, count] : labels) {
    REQUIRE(count == 2);
  }
  CHECK(touches_of(touches, Region::values, AccessKind::load).size() == what.n);
  check_all_stored(touches, Region::sorted_labels, what.n);
  check_all_stored(touches, Region::results, what.n);
  const auto places = touches_of(touches, Region::buckets, AccessKind::store);
  const std::vector<uint64_t> starts = offsets_of(what);
  // The array holds 256 starts of parts, and the end of the last part
  REQUIRE(places.size() == 257);
  for (uint64_t part = 0; part < 256; ++part) {
    const uint64_t inputs = part < what.m ? starts[part + 1] - starts[part] : 0;
    // Two more accesses to a part's counter: to clear it and to sum up
    CHECK(places.at(8 * part) == static_cast<int>(2 + 2 * inputs));
  }
}

TEST_CASE("a partial sort moves every input into a partition, and from there to its place") {
  for (const char* plan : {"sortBits=8,bufferBytes=64B", "sortBits=8,layout=separate"}) {
    const Problem what = problem(100000, 256, Operation::partialSort);
    const auto touches = stream(what, plan);
    CHECK(touches_of(touches, Region::labels, AccessKind::load).size() == what.n);
    CHECK(touches_of(touches, Region::values, AccessKind::load).size() == what.n);
    check_all_stored(touches, Region::sorted_labels, what.n, 4);
    check_all_stored(touches, Region::results, what.n, 4);
    // The starts of 256 parts and the end of the last are cleared; the starts are made whole later
    const auto places = touches_of(touches, Region::buckets, AccessKind::store);
    REQUIRE(places.size() == 257);
    for (uint64_t part = 0; part < 256; ++part) {
      CHECK(places.at(8 * part) == 2);
    }
    CHECK(places.at(8 * 256) == 1);
  }
}

TEST_CASE("a plan of several partitions is refused, one that does not fit too") {
  Collector collector;
  const Problem what = problem(1000, 1 << 16);
  const auto labels = make_labels(what.distribution, what.n, what.m, what.seed);
  const auto stream_with = [&](const char* plan) {
    stream_kernel(test::small_machine(), what, parse_cpu_plan(plan), labels, collector);
  };
  CHECK_THROWS_WITH_AS(stream_with("sortBits=8,passes=2"),
                       "passes: found 2, accepted for the accesses of a whole kernel: 1",
                       PlanError);
  CHECK_THROWS_AS(stream_with("sortBits=30"), PlanError);
  CHECK(collector.touches.empty());
  CHECK_NOTHROW(stream_with("strategy=plainRadix,sortBits=8,passes=2"));
}

}  // namespace
}  // namespace presort::predict::kernel_stream_test
