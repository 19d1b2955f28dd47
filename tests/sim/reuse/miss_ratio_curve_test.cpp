#include "presort/sim/reuse/miss_ratio_curve.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "presort/core/base/random.h"
#include "presort/sim/trace/readers/line_splitter.h"
#include "tests/sim/random_machine.h"

namespace presort::inline v0::sim::miss_ratio_curve_test {
namespace {

using namespace test;

std::vector<uint64_t> sizes_to(uint64_t last) {
  std::vector<uint64_t> sizes(last);
  std::iota(sizes.begin(), sizes.end(), uint64_t{1});
  return sizes;
}

// Oracle: misses of a simulated LRU cache of one set.
uint64_t simulated_misses(uint64_t lines, const Records& records) {
  Machine machine = small_machine();
  machine.caches = {small_level("L1", 1, lines, 4, 10)};
  Hierarchy hierarchy(machine, AddressSpace(4096), MemoryMode::pipelined, 1);
  hierarchy.count(records);
  return hierarchy.statistics().levels[0].misses;
}

Records without_streaming_stores(Records records) {
  std::erase_if(records,
                [](const Access& access) { return access.kind == AccessKind::streamingStore; });
  return records;
}

TEST_CASE("the misses of every size are those of the simulated fully associative LRU cache") {
  holds("random records, all sizes to beyond the footprint", [] {
    const Records records = without_streaming_stores(random_records(600));
    MissRatioCurve curve(64);
    const auto cut = between<size_t>(0, records.size());
    curve.add(std::span(records).first(cut));
    curve.add(std::span(records).subspan(cut));
    const std::vector<uint64_t> sizes = sizes_to(curve.lines() + 2);
    const std::vector<uint64_t> misses = curve.misses(sizes);
    for (size_t i = 0; i < sizes.size(); i += i < 20 ? 1 : between<size_t>(1, 40)) {
      RC_ASSERT(misses[i] == simulated_misses(sizes[i], records));
    }
    RC_ASSERT(std::is_sorted(misses.rbegin(), misses.rend()));
    RC_ASSERT(misses.back() == curve.cold());
    RC_ASSERT(curve.cold() == curve.lines());
  });
}

TEST_CASE("an access is a use of each line that it touches, as the line splitter cuts it") {
  class Source final : public AccessSource {
   public:
    explicit Source(Records records) : records_(std::move(records)) {}
    std::span<const Access> next() override {
      given_ = std::exchange(records_, {});
      return given_;
    }

   private:
    Records records_;
    Records given_;
  };
  holds("records of up to 64 bytes anywhere", [] {
    Records records = random_records(300);
    for (Access& record : records) {
      record.address += between<uint64_t>(0, 63);
      record.size = record.kind == AccessKind::branch ? 1 : between<uint8_t>(1, 64);
    }
    const uint64_t line_bytes = uint64_t{16} << between(0, 3);
    Source source(without_streaming_stores(records));
    LineSplitter splitter(source, line_bytes);
    MissRatioCurve whole(line_bytes);
    MissRatioCurve split(line_bytes);
    whole.add(without_streaming_stores(records));
    split.add(splitter.next());
    RC_ASSERT(whole.uses() == split.uses());
    RC_ASSERT(whole.straddling() == splitter.straddling());
    RC_ASSERT(split.straddling() == 0);
    RC_ASSERT(whole.misses(sizes_to(50)) == split.misses(sizes_to(50)));
  });
}

TEST_CASE("no access, one access") {
  MissRatioCurve curve(64);
  CHECK(curve.misses(sizes_to(2)) == std::vector<uint64_t>{0, 0});
  CHECK(curve.lines() == 0);
  curve.add({});
  curve.add(Records{branch(7, true)});
  CHECK(curve.uses() == 0);
  curve.add(Records{load(5)});
  CHECK(curve.uses() == 1);
  CHECK(curve.cold() == 1);
  CHECK(curve.misses(sizes_to(2)) == std::vector<uint64_t>{1, 1});
}

TEST_CASE("streaming stores go past the caches and are told apart") {
  MissRatioCurve curve(64);
  curve.add(Records{load(1), record(AccessKind::streamingStore, 2), load(1)});
  CHECK(curve.streaming_stores() == 1);
  CHECK(curve.uses() == 2);
  CHECK(curve.lines() == 1);
}

TEST_CASE("four sizes an octave up to the last line") {
  using Sizes = std::vector<uint64_t>;
  CHECK(curve_sizes(0) == Sizes{});
  CHECK(curve_sizes(1) == Sizes{1});
  CHECK(curve_sizes(2) == Sizes{1, 2});
  CHECK(curve_sizes(8) == Sizes{1, 2, 3, 4, 5, 6, 7, 8});
  CHECK(curve_sizes(9) == Sizes{1, 2, 3, 4, 5, 6, 7, 8, 9});
  CHECK(curve_sizes(21) == Sizes{1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16, 20, 21});
  CHECK(curve_sizes(uint64_t{1} << 40).size() == 3 + 4 * 38 + 1);
}

// Makes `count` uses of lines below `lines`; low lines are used more often.
Records skewed(uint64_t count, uint64_t lines) {
  Records records;
  for (uint64_t i = 0; i < count; ++i) {
    const double random = unit_double(random_u64(3, i));
    records.push_back(load(static_cast<uint64_t>(random * random * static_cast<double>(lines))));
  }
  return records;
}

TEST_CASE("an eighth of the lines tells nearly the same curve") {
  constexpr uint64_t kUses = 1 << 20;
  const Records records = skewed(kUses, 1 << 16);
  MissRatioCurve exact(64);
  MissRatioCurve sampled(64, 0.125);
  exact.add(records);
  sampled.add(records);
  CHECK(sampled.uses() == exact.uses());
  std::vector<uint64_t> sizes = curve_sizes(exact.lines());
  std::erase_if(sizes, [&](uint64_t size) { return size < sampled.smallest(); });
  const std::vector<uint64_t> a = exact.misses(sizes);
  const std::vector<uint64_t> b = sampled.misses(sizes);
  double worst = 0;
  for (size_t i = 0; i < sizes.size(); ++i) {
    worst = std::max(worst, std::abs(static_cast<double>(a[i]) - static_cast<double>(b[i])));
  }
  CHECK(worst / kUses < 0.02);
  CHECK(worst > 0);
  CHECK(static_cast<double>(sampled.lines()) ==
        doctest::Approx(static_cast<double>(exact.lines())).epsilon(0.05));
}

TEST_CASE("a sampled curve is that of the sampled lines, stretched in both directions") {
  holds("random records and rates", [] {
    const double rate = between(1, 99) / 100.0;
    const Records records = without_streaming_stores(random_records(600));
    Records followed;
    for (const Access& access : records) {
      MissRatioCurve alone(64, rate);
      alone.add(std::span(&access, 1));
      if (alone.cold() > 0) {
        followed.push_back(access);
      }
    }
    MissRatioCurve curve(64, rate);
    MissRatioCurve exact(64);
    curve.add(records);
    exact.add(followed);
    const auto stretched = [&](uint64_t count) {
      return std::min<uint64_t>(curve.uses(), std::llround(static_cast<double>(count) / rate));
    };
    RC_ASSERT(curve.lines() == stretched(exact.lines()));
    RC_ASSERT(curve.cold() == stretched(exact.cold()));
    for (uint64_t size = 1; size < 60; ++size) {
      // With sampling, a line hits a cache of `size` lines if fewer than size · rate sampled lines
      // were used since its last use.
      uint64_t held = 1;
      while (static_cast<double>(held) < static_cast<double>(size) * rate) {
        ++held;
      }
      const std::vector<uint64_t> sizes = {size};
      const std::vector<uint64_t> sampled = {held};
      RC_ASSERT(curve.misses(sizes)[0] == stretched(exact.misses(sampled)[0]));
    }
  });
}

TEST_CASE("a sampled curve tells of caches from 32 sampled lines on") {
  CHECK(MissRatioCurve(64).smallest() == 1);
  CHECK(MissRatioCurve(64, 0.25).smallest() == 128);
  CHECK(MissRatioCurve(64, 0.3).smallest() == 107);
}

TEST_CASE("a rate that follows no line tells of no miss") {
  MissRatioCurve curve(64, 1e-18);
  curve.add(skewed(1000, 100));
  CHECK(curve.uses() == 1000);
  CHECK(curve.lines() == 0);
  CHECK(curve.misses(sizes_to(3)) == std::vector<uint64_t>{0, 0, 0});
}

}  // namespace
}  // namespace presort::sim::miss_ratio_curve_test
