#include "presort/predict/closed_form/hit_ratios/reuse_times.h"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "presort/core/labels/labels.h"
#include "presort/core/problem.h"

namespace presort::inline v0::predict::reuse_times_test {
namespace {

ReuseTimes times_of(const LabelSource& labels) {
  const int bits = label_bits(labels.buckets());
  const uint64_t n = labels.size();
  std::vector<uint64_t> all(n);
  labels.generate(0, all);
  CellCounts counts(n, bits);
  counts.add(all);
  counts.finish();
  ReuseTimes times(labels, 0, n, bits);
  const std::span<const uint64_t> span(all);
  times.add(span.first(n / 2));
  times.add(span.subspan(n / 2));
  times.finish(counts);
  return times;
}

// Oracle for reuse times: looks at all inputs that follow each input.
LifeTable looked_up(const LabelSource& labels, int unit, int part) {
  std::vector<uint64_t> all(labels.size());
  labels.generate(0, all);
  LifeTable table;
  for (size_t i = 0; i < all.size(); ++i) {
    uint64_t inputs = 0;
    bool touched = false;
    for (size_t j = i + 1; j < all.size() && !touched; ++j) {
      inputs += all[j] >> part == all[i] >> part;
      touched = all[j] >> unit == all[i] >> unit;
    }
    touched ? table.add_touched(inputs) : table.add_untouched(inputs);
  }
  return table;
}

bool equal(const LifeTable& a, const LifeTable& b) {
  for (size_t bin = 0; bin < LifeTable::kBins; ++bin) {
    if (a.touched(bin) != b.touched(bin) || a.untouched(bin) != b.untouched(bin)) {
      return false;
    }
  }
  return true;
}

constexpr const char* kDistributions[] = {"uniform",      "zipf:1.1",   "zipf-contiguous:0.9",
                                          "clustered:16", "sequential", "sorted",
                                          "permutation",  "degenerate"};

TEST_CASE("of few inputs all times are exact, of all units in all parts") {
  for (const char* distribution : kDistributions) {
    for (const uint64_t m : {1, 2, 17, 300, 40000}) {
      const auto labels = make_labels(parse_distribution("", distribution), 250, m, 1);
      const ReuseTimes times = times_of(*labels);
      const int bits = label_bits(m);
      for (int part = bits; part >= 0; part -= part > 8 ? 3 : 1) {
        for (int unit = part; unit >= 0; unit -= unit > 6 ? 3 : 1) {
          CAPTURE(distribution);
          CAPTURE(m);
          CAPTURE(unit);
          CAPTURE(part);
          CHECK(equal(times.table(unit, part), looked_up(*labels, unit, part)));
        }
      }
    }
  }
}

TEST_CASE("of up to 1024 inputs all times in the whole are exact") {
  for (const char* distribution : kDistributions) {
    const uint64_t m = 5000;
    const auto labels = make_labels(parse_distribution("", distribution), 1000, m, 1);
    const ReuseTimes times = times_of(*labels);
    const int bits = label_bits(m);
    for (const int unit : {0, 4, 9, bits}) {
      CAPTURE(distribution);
      CAPTURE(unit);
      CHECK(equal(times.table(unit, bits), looked_up(*labels, unit, bits)));
    }
  }
}

// Tolerances: three standard deviations of a share among 1024 watched inputs are 0.047. In parts,
//             inputs are counted by slices of the sequence, which adds to that.
TEST_CASE("of more inputs times are right to the sample") {
  for (const char* distribution : {"uniform", "zipf:1.1", "clustered:16", "sorted"}) {
    const uint64_t m = 1 << 12;
    const auto labels = make_labels(parse_distribution("", distribution), 20000, m, 1);
    const ReuseTimes times = times_of(*labels);
    for (const auto& [unit, part] : {std::pair{0, 12}, {4, 12}, {4, 8}, {0, 6}, {2, 4}}) {
      const Survival sampled(times.table(unit, part), 1);
      const Survival exact(looked_up(*labels, unit, part), 1);
      for (double inputs = 1; inputs < 3000; inputs *= 1.7) {
        CAPTURE(distribution);
        CAPTURE(unit);
        CAPTURE(part);
        CAPTURE(inputs);
        CHECK(std::abs(sampled.longer(inputs) - exact.longer(inputs)) < (part == 12 ? 0.047 : 0.1));
      }
    }
  }
}

TEST_CASE("one input is never touched again") {
  const auto labels = make_labels({}, 1, 10, 1);
  const ReuseTimes times = times_of(*labels);
  CHECK(times.table(0, 4).untouched(0) == 1);
  CHECK(times.table(4, 4).untouched(0) == 1);
}

}  // namespace
}  // namespace presort::predict::reuse_times_test
