#include "presort/predict/sampling/sampling.h"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "presort/predict/sampling/student.h"
#include "tests/sim/small_machine.h"

namespace presort::inline v0::predict::sampling_test {
namespace {

using doctest::Approx;

constexpr uint64_t kBatch = 1024;  // number of items in a batch, whose mean is one observation

// A phase whose item i takes ops[i / kBatch] + 1 micro-operations of 0.25 ns, and nothing else.
struct KnownPhase {
  std::vector<int> ops;
  void step(uint64_t first, uint64_t last, TracingMemory& memory) const {
    for (uint64_t i = first; i < last; ++i) {
      memory.ops(ops[i / kBatch]);
      memory.load(TracedArray<uint32_t>{1 << 20}, 0);
    }
  }
};

double ns(double ops) {
  return (ops + 1) / 4;
}

class Rig {
 public:
  // Runs the phase first until its time per item is steady.
  Rig() : sampler(test::small_machine(), {}, sim::AddressSpace(4096)) {
    sampler.lead_in(KnownPhase{{3}}, 0, 500);
  }
  Sampler sampler;
};

TEST_CASE("the mean is the time of the slice per item, its variance that of the batch means") {
  Rig rig;
  CHECK(rig.sampler.ci95_relative() == std::numeric_limits<double>::infinity());
  rig.sampler.time(KnownPhase{{3, 7, 23}}, 0, 3 * kBatch);
  const PhaseEstimate estimate = rig.sampler.estimate();
  const double mean = (ns(3) + ns(7) + ns(23)) / 3;
  double squares = 0;
  for (const int ops : {3, 7, 23}) {
    squares += (ns(ops) - mean) * (ns(ops) - mean);
  }
  CHECK(estimate.ns_per_item == Approx(mean));
  // By hand: the interval uses Student's t, 4.303 for two degrees of freedom.
  CHECK(estimate.variance == Approx(squares / 2 / 3 * std::pow(4.303 / 1.96, 2)));
  CHECK(rig.sampler.ci95_relative() == Approx(4.303 * std::sqrt(squares / 6) / mean));
}

TEST_CASE("one batch tells no interval, equal batches tell one of nothing") {
  Rig rig;
  rig.sampler.time(KnownPhase{{3, 3}}, 0, kBatch);
  CHECK(rig.sampler.ci95_relative() == std::numeric_limits<double>::infinity());
  rig.sampler.time(KnownPhase{{3, 3}}, kBatch, 2 * kBatch);
  CHECK(rig.sampler.ci95_relative() == Approx(0).epsilon(1e-6));
}

TEST_CASE("the last batch takes what is left over") {
  Rig rig;
  const KnownPhase phase{{3, 7, 7}};
  rig.sampler.time(phase, 0, 2 * kBatch + 500);
  const PhaseEstimate estimate = rig.sampler.estimate();
  const double total = 1024 * ns(3) + 1524 * ns(7);
  CHECK(estimate.ns_per_item == Approx(total / 2548));
  CHECK(estimate.items == 2548);
  const double half = (ns(7) - ns(3)) / 2;
  CHECK(estimate.variance == Approx(widened(2 * half * half / 2, 1)));
}

TEST_CASE("strata count by their weights, however many items of each were timed") {
  Rig rig;
  rig.sampler.begin_stratum(1);
  rig.sampler.time(KnownPhase{{3, 3, 3, 3}}, 0, 4 * kBatch);
  rig.sampler.begin_stratum(3);
  rig.sampler.lead_in(KnownPhase{{7}}, 0, 500);
  rig.sampler.time(KnownPhase{{7, 15}}, 0, 2 * kBatch);
  const PhaseEstimate estimate = rig.sampler.estimate();
  const double second = (ns(7) + ns(15)) / 2;
  const double half = (ns(15) - ns(7)) / 2;
  CHECK(estimate.ns_per_item == Approx(0.25 * ns(3) + 0.75 * second));
  CHECK(estimate.variance == Approx(0.75 * 0.75 * widened((2 * half * half) / 2, 1)));
}

TEST_CASE("clusters count alike, and their spread is part of the error") {
  Rig rig;
  const std::vector<int> costs = {3, 7, 15};
  double mean = 0;
  for (const int ops : costs) {
    rig.sampler.begin_cluster(0);
    rig.sampler.begin_stratum(2);
    rig.sampler.lead_in(KnownPhase{{ops}}, 0, 500);
    rig.sampler.time(KnownPhase{std::vector<int>(8, ops)}, 0, (ops == 3 ? 8 : 2) * kBatch);
    mean += ns(ops) / 3;
  }
  double squares = 0;
  for (const int ops : costs) {
    squares += (ns(ops) - mean) * (ns(ops) - mean);
  }
  const PhaseEstimate estimate = rig.sampler.estimate();
  CHECK(rig.sampler.clusters() == 3);
  CHECK(estimate.ns_per_item == Approx(mean));
  CHECK(estimate.variance == Approx(widened(squares / 2 / 3, 2)));
}

TEST_CASE("slices whose batches are alike differ from each other") {
  Rig rig;
  rig.sampler.time(KnownPhase{{3, 3, 3, 3}}, 0, 4 * kBatch);
  rig.sampler.lead_in(KnownPhase{{7}}, 0, 500);
  rig.sampler.time(KnownPhase{{7, 7, 7, 7}}, 0, 4 * kBatch);
  const double half = (ns(7) - ns(3)) / 2;
  CHECK(rig.sampler.estimate().variance == Approx(widened(2 * half * half / 2, 1)));
}

TEST_CASE("a slice in pieces is one slice, and without a slice open nothing closes") {
  Rig pieces;
  pieces.sampler.close_slice();
  pieces.sampler.open_slice();
  pieces.sampler.time_piece(KnownPhase{{3, 7}}, 0, 100);
  pieces.sampler.time_piece(KnownPhase{{3, 7}}, 100, 2 * kBatch);
  pieces.sampler.close_slice();
  pieces.sampler.close_slice();
  Rig whole;
  whole.sampler.time(KnownPhase{{3, 7}}, 0, 2 * kBatch);
  CHECK(pieces.sampler.estimate().ns_per_item == whole.sampler.estimate().ns_per_item);
  CHECK(pieces.sampler.estimate().items == 2 * kBatch);
}

TEST_CASE("what is complete has no error") {
  Rig rig;
  rig.sampler.time(KnownPhase{{3, 7, 23}}, 0, 3 * kBatch);
  rig.sampler.set_complete();
  CHECK(rig.sampler.estimate().variance == 0);
  CHECK(rig.sampler.ci95_relative() == 0);
}

TEST_CASE("the time stack is per item too and sums to the mean") {
  Rig rig;
  rig.sampler.begin_stratum(1);
  rig.sampler.time(KnownPhase{{3, 31}}, 0, 2 * kBatch);
  rig.sampler.begin_stratum(4);
  rig.sampler.time(KnownPhase{{63}}, 0, kBatch);
  const PhaseEstimate estimate = rig.sampler.estimate();
  double sum = 0;
  for (const auto& [name, part] : estimate.stack_ns) {
    CHECK(part >= 0);
    sum += part;
  }
  CHECK(sum == Approx(estimate.ns_per_item));
}

TEST_CASE("only what was timed counts, but all accesses are told") {
  Rig rig;
  rig.sampler.core(0).warm(std::vector<sim::Access>(30, sim::Access{1 << 20}));
  rig.sampler.warm(KnownPhase{{3, 3, 3}}, 0, 2 * kBatch);
  rig.sampler.time(KnownPhase{{3, 3, 3}}, 0, kBatch);
  const PhaseEstimate estimate = rig.sampler.estimate();
  CHECK(estimate.items == kBatch);
  CHECK(estimate.levels[0].accesses == kBatch);
  CHECK(estimate.levels[0].hits == kBatch);
  CHECK(estimate.accesses == 500 + 30 + 2 * kBatch + kBatch);
}

TEST_CASE("counts are summed over slices, level by level") {
  std::vector<LevelCounts> sum;
  add_counts(sum, {{"L1", 10, 6, 4, 1, 2}, {"L2", 4, 1, 3, 0, 0}});
  add_counts(sum, {{"L1", 5, 5, 0, 0, 1}, {"L2", 1, 1, 0, 7, 0}});
  CHECK(sum[0].name == "L1");
  CHECK(sum[0].accesses == 15);
  CHECK(sum[0].hits == 11);
  CHECK(sum[0].misses == 4);
  CHECK(sum[0].writebacks == 1);
  CHECK(sum[0].prefetches == 3);
  CHECK(sum[1].writebacks == 7);
}

}  // namespace
}  // namespace presort::predict::sampling_test
