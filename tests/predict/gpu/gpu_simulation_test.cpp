// Simulated GPU plans (predict/gpu/): what is known of kernels without a simulation, and the shape of
// the tables of Eilers 2014.
#include "presort/predict/gpu/gpu_simulation.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "bench/gpu/thesis_simulated.h"
#include "presort/core/error.h"
#include "presort/io/machine/machine_file.h"
#include "presort/predict/gpu/kernel_waits.h"
#include "presort/predict/gpu/kernels.h"
#include "presort/predict/gpu/labels/label_stream.h"

namespace presort::inline v0::predict::gpu_simulation_test {
namespace {

const GpuHardware& hardware_of(const std::string& name) {
  static const Machine h200 =
      io::read_machine(std::string(PRESORT_SOURCE_DIR) + "/configs/machines/h200.yaml");
  static const Machine gtx =
      io::read_machine(std::string(PRESORT_SOURCE_DIR) + "/configs/machines/gtx-690.yaml");
  return name == "h200" ? *h200.gpu_hardware : *gtx.gpu_hardware;
}

std::shared_ptr<const LabelSource> labels_of(const Problem& problem) {
  return make_labels(problem.distribution, problem.n, problem.m, problem.seed);
}

Problem problem_of(Operation operation, uint64_t n, uint64_t m) {
  Problem problem;
  problem.operation = operation;
  problem.n = n;
  problem.m = m;
  return problem;
}

GpuPrediction simulate(const Problem& problem, const std::string& plan) {
  return simulate_gpu_plan(hardware_of("h200"), problem, parse_gpu_plan(plan), labels_of(problem));
}

double thesis_ns(int log2_buckets, int sets, int sort_bits, bool degenerate) {
  bench::ThesisCase one;
  one.n = uint64_t{1} << 24;
  one.log2_buckets = log2_buckets;
  one.sets = sets;
  one.sort_bits = sort_bits;
  one.degenerate = degenerate;
  return bench::thesis_update_ns(hardware_of("gtx-690"), one);
}

double scatter_ns(int log2_buckets) {
  bench::ThesisCase one;
  one.n = uint64_t{1} << 24;
  one.log2_buckets = log2_buckets;
  one.is_scatter = true;
  return bench::thesis_update_ns(hardware_of("gtx-690"), one);
}

}  // namespace

TEST_CASE("phases add up, and none is faster than its busiest resource") {
  for (const auto& [operation, keys] : std::vector<std::pair<Operation, const char*>>{
           {Operation::multireduce, "sortBits=0,strategy=globalSets"},
           {Operation::multireduce, "sortBits=6,passes=2"},
           {Operation::histogram, "sortBits=8"},
           {Operation::scatter, "sortBits=6,strategy=globalSets"},
           {Operation::gather, "sortBits=0,strategy=globalSets"}}) {
    const char* const plan = keys;
    CAPTURE(plan);
    const GpuPrediction prediction = simulate(problem_of(operation, 1 << 22, 1 << 18), plan);
    double sum = 0;
    for (const GpuPhasePrediction& phase : prediction.phases) {
      CHECK(phase.ns_per_input >= sim::gpu::longest(phase.busy).ns + phase.serial_ns * 0.999);
      CHECK(phase.bound == sim::gpu::longest(phase.busy).resource);
      CHECK(phase.counts.sectors > 0);
      sum += phase.ns_per_input;
    }
    CHECK(prediction.ns_per_input == doctest::Approx(sum));
    CHECK(prediction.simulated_inputs > 0);
  }
}

TEST_CASE("plain atomics: sectors are known") {
  // 32 bytes of labels and values for each 4 inputs, and a sector for almost every random bucket
  const GpuPrediction random = simulate(problem_of(Operation::multireduce, 1 << 24, 1 << 20),
                                        "sortBits=0,strategy=globalSets");
  REQUIRE(random.phases.size() == 1);
  CHECK(random.phases[0].counts.sectors == doctest::Approx(0.25 + 1).epsilon(0.001));
  CHECK(random.phases[0].counts.atomic_lanes == doctest::Approx(1).epsilon(0.001));
  // Labels in order: a warp's 32 labels lie in 4 sectors.
  Problem ordered = problem_of(Operation::multireduce, 1 << 24, 1 << 24);
  ordered.distribution.kind = DistributionKind::sequential;
  const GpuPrediction in_order = simulate(ordered, "sortBits=0,strategy=globalSets");
  CHECK(in_order.phases[0].counts.atomic_sectors == doctest::Approx(4 / 32.0));
  CHECK(in_order.ns_per_input < random.ns_per_input);
  // All labels equal: warps add up first.
  Problem equal = problem_of(Operation::multireduce, 1 << 24, 1 << 20);
  equal.distribution.kind = DistributionKind::degenerate;
  const GpuPrediction merged = simulate(equal, "sortBits=0,strategy=globalSets");
  CHECK(merged.phases[0].counts.atomic_lanes <= 1 / 32.0);
}

TEST_CASE("a partition reads every input and writes every pair once") {
  const GpuPrediction prediction =
      simulate(problem_of(Operation::multireduce, uint64_t{1} << 26, 1 << 22), "sortBits=8");
  REQUIRE(prediction.phases.size() == 3);
  const GpuPhasePrediction& partition = prediction.phases[1];
  CHECK(partition.name == "partition");
  CHECK(partition.counts.memory_read == doctest::Approx(8 / 32.0).epsilon(0.05));
  // Pairs, and those sectors of which two tiles write a part
  CHECK(partition.counts.memory_written > 8 / 32.0 * 0.8);
  CHECK(partition.counts.memory_written < 8 / 32.0 * 1.5);
}

TEST_CASE("a partition of larger values writes labels beside values, without gaps") {
  Problem problem = problem_of(Operation::multireduce, uint64_t{1} << 26, 1 << 22);
  problem.types.value = ScalarType::u64;
  const GpuPrediction prediction = simulate(problem, "sortBits=8");
  REQUIRE(prediction.phases.size() == 3);
  const GpuPhasePrediction& partition = prediction.phases[1];
  // Sectors of which two tiles write a part may be read before they are whole.
  CHECK(partition.counts.memory_read > 12 / 32.0 * 0.95);
  CHECK(partition.counts.memory_read < 12 / 32.0 * 1.3);
  CHECK(partition.counts.memory_written > 12 / 32.0 * 0.8);
  CHECK(partition.counts.memory_written < 12 / 32.0 * 1.5);
  // A pair would have 16 bytes
  CHECK(prediction.phases[2].counts.memory_read < 16 / 32.0);
}

TEST_CASE("a gather of a small table hits the L1, of a large one memory") {
  const GpuPrediction small =
      simulate(problem_of(Operation::gather, 1 << 24, 1 << 10), "sortBits=0,strategy=globalSets");
  CHECK(small.phases[0].counts.l1_hits > 0.9 * (small.phases[0].counts.sectors - 0.25));
  const GpuPrediction large = simulate(problem_of(Operation::gather, 1 << 24, uint64_t{1} << 28),
                                       "sortBits=0,strategy=globalSets");
  CHECK(large.phases[0].counts.memory_read > 0.9);
  CHECK(large.ns_per_input > 3 * small.ns_per_input);
}

TEST_CASE("more memory bandwidth, a larger L2 or more multiprocessors never cost time") {
  const Problem problem = problem_of(Operation::multireduce, 1 << 24, uint64_t{1} << 24);
  const GpuPlan plan = parse_gpu_plan("sortBits=0,strategy=globalSets");
  const auto time = [&](const GpuHardware& hardware) {
    return simulate_gpu_plan(hardware, problem, plan, labels_of(problem)).ns_per_input;
  };
  const double before = time(hardware_of("h200"));
  GpuHardware faster = hardware_of("h200");
  faster.memory.bandwidth *= 2;
  faster.memory.row_reads *= 2;
  faster.memory.row_writes *= 2;
  CHECK(time(faster) <= before * 1.001);
  GpuHardware larger = hardware_of("h200");
  larger.l2.size_bytes *= 4;
  CHECK(time(larger) < before);
}

TEST_CASE("blocks that drift apart work on many parts at a time") {
  GpuHardware together = hardware_of("h200");
  together.block_lead = 0;
  const auto atomics_ns = [](const GpuHardware& hardware, uint64_t m, const char* plan) {
    const Problem problem = problem_of(Operation::multireduce, uint64_t{1} << 26, m);
    return simulate_gpu_plan(hardware, problem, parse_gpu_plan(plan), labels_of(problem))
        .phases.back()
        .ns_per_input;
  };
  // Few lines of one part, or those of many parts at a time
  const char* const few = "sortBits=7,strategy=globalSets";
  CHECK(atomics_ns(hardware_of("h200"), 1 << 12, few) < atomics_ns(together, 1 << 12, few) / 2);
  // Parts whose buckets fit the L2 one by one, but not together
  const char* const many = "sortBits=6,strategy=globalSets";
  const uint64_t buckets = uint64_t{1} << 26;
  CHECK(atomics_ns(hardware_of("h200"), buckets, many) > 2 * atomics_ns(together, buckets, many));
}

TEST_CASE("ordered labels: blocks that found a hot label join the lanes of others") {
  // One label after the other, each of a seventeenth of the inputs. The first tiles of all blocks have the
  // first two labels; warps of other labels update a bucket once, all at one address at a time.
  Problem problem = problem_of(Operation::multireduce, 12611541, 17);
  problem.distribution.kind = DistributionKind::sorted;
  const GpuPrediction atomics = simulate(problem, "sortBits=0,strategy=globalSets");
  const double least = 1e9 / hardware_of("h200").l2.address_atomics;
  CHECK(atomics.ns_per_input > 0.3 * least / 32);
  CHECK(atomics.ns_per_input <
        1.5 * least / 32);  // measured on an H200, a third of the inputs: 0.019 ns
  CHECK(simulate(problem, "sortBits=0").ns_per_input < atomics.ns_per_input);
  // All inputs have one label, which every block finds: nothing is updated in the L2 but its words.
  problem.distribution.kind = DistributionKind::degenerate;
  CHECK(simulate(problem, "sortBits=0,strategy=globalSets").ns_per_input < 0.02 * least);
}

TEST_CASE("few inputs of one label: lanes of a warp are joined") {
  for (const uint64_t n : {uint64_t{1} << 15, uint64_t{1} << 18, uint64_t{1} << 22}) {
    CAPTURE(n);
    Problem problem = problem_of(Operation::histogram, n, 64);
    problem.distribution.kind = DistributionKind::degenerate;
    const GpuPrediction joined = simulate(problem, "sortBits=0,strategy=globalSets");
    CHECK(joined.phases[0].counts.atomic_lanes <= 1 / 32.0);
  }
}

TEST_CASE("a scatter of few inputs takes three steps for each, whatever the plan") {
  const Problem problem = problem_of(Operation::scatter, 1 << 20, 1 << 25);
  const GpuPrediction plain = simulate(problem, "sortBits=0,strategy=globalSets");
  REQUIRE(plain.phases.size() == 3);
  CHECK(simulate(problem, "sortBits=9").ns_per_input == doctest::Approx(plain.ns_per_input));
  // Oracle: a label of each input in four sectors of a warp, and a word for each input
  CHECK(plain.phases[0].counts.sectors == doctest::Approx(4 / 32.0 + 1).epsilon(0.01));
  CHECK(plain.phases[0].name == "clear");
  CHECK(plain.phases[1].counts.atomic_lanes == doctest::Approx(1).epsilon(0.05));
  const Problem more = problem_of(Operation::scatter, 1 << 20, 1 << 23);
  CHECK(simulate(more, "sortBits=0,strategy=globalSets").phases.size() == 2);
}

TEST_CASE("a scatter of ordered pairs moves values along") {
  const GpuPrediction prediction =
      simulate(problem_of(Operation::scatter, 1 << 22, 1 << 20), "sortBits=8,passes=2");
  REQUIRE(prediction.phases.size() == 5);
  CHECK(prediction.phases[0].name == "histogram");
  CHECK(prediction.phases[1].name == "partition");
  CHECK(prediction.phases[4].name == "assign");
}

TEST_CASE("a partial sort takes a count and a partition for each pass") {
  // 22 bits in two passes: each counts 2^11 digits, not 2^22.
  const GpuPrediction sort =
      simulate(problem_of(Operation::partialSort, 1 << 20, 1 << 22), "sortBits=22,passes=2");
  REQUIRE(sort.phases.size() == 4);
  for (const size_t pass : {size_t{0}, size_t{2}}) {
    CHECK(sort.phases[pass].name == "histogram");
    CHECK(sort.phases[pass + 1].name == "partition");
    CHECK(sort.phases[pass].ns_per_input < 2 * sort.phases[pass + 1].ns_per_input);
  }
}

TEST_CASE("tables of several sets are added up by lanes that each begin in a bank of their own") {
  const GpuHardware hardware = hardware_of("h200");
  const KernelWaits waits(hardware);
  CHECK(waits.add_sets(4096, 1, 4) == 0);
  // Oracle: each of 128 warps reads its sets by one pass over the banks each; 8 bytes take two.
  const double cycle_ns = 1e9 / hardware.clock_hz;
  CHECK(waits.add_sets(4096, 32, 4) == doctest::Approx(128.0 * 32 * cycle_ns));
  CHECK(waits.add_sets(4096, 2, 4) == doctest::Approx(128.0 * 2 * cycle_ns));
  CHECK(waits.add_sets(4096, 2, 8) == doctest::Approx(128.0 * 2 * 2 * cycle_ns));
}

TEST_CASE("lanes at one bucket: sums take turns, ones are counted together, equal packs once") {
  constexpr uint64_t kInputs = 1 << 16;
  TableUpdates kernel;
  kernel.n = kInputs;
  kernel.range_buckets = 64;
  const auto passes_of_row = [&](bool counts, uint64_t labels) {
    kernel.counts = counts;
    uint64_t i = 0;
    const KernelSample sample = sample_table_updates(hardware_of("h200"), kernel,
                                                     [&] { return i++ / kernel.pack % labels; });
    return sample.counts.shared_passes / (static_cast<double>(kInputs) / 32);
  };
  for (const int pack : {1, 2, 4}) {
    kernel.pack = pack;
    // Oracle: of L labels by turns, 32 / L lanes meet at each, and the labels lie in banks of their
    // own.
    CHECK(passes_of_row(false, 2) == doctest::Approx(16));
    CHECK(passes_of_row(false, 32) == doctest::Approx(1));
    CHECK(passes_of_row(true, 2) == doctest::Approx(1));
    CHECK(passes_of_row(false, 1) == doctest::Approx(1.0 / pack));
    CHECK(passes_of_row(true, 1) == doctest::Approx(1.0 / pack));
  }
}

TEST_CASE("a partition counts a row of one digit by one lane") {
  const auto passes_of_row = [](uint64_t labels) {
    PartitionPass pass;
    pass.n = uint64_t{1} << 16;
    pass.tile_inputs = 1024;
    uint64_t i = 0;
    const KernelSample sample =
        sample_partition(hardware_of("h200"), pass, [&] { return i++ % labels; });
    return sample.counts.shared_passes / (static_cast<double>(pass.n) / 32);
  };
  // Two labels by turns: 16 lanes take turns at each counter; pairs go to 16 places side by side in
  // each half.
  CHECK(passes_of_row(2) - passes_of_row(1) >= 15);
}

TEST_CASE("operations without a simulation, and plans that do not fit, are refused") {
  CHECK_THROWS_AS(simulate(problem_of(Operation::multiscan, 1 << 20, 256), "sortBits=0"),
                  PlanError);
  CHECK_THROWS_AS(
      simulate(problem_of(Operation::multireduce, 1 << 20, 256), "sortBits=12,passes=1"),
      PlanError);
}

TEST_CASE("ordered labels come part after part") {
  const auto labels = make_labels({}, 4096, 1024, 1);
  const LabelParts parts(labels, 3);
  CHECK(parts.count() == 8);
  CHECK(parts.buckets_of_part() == 128);
  OrderedStream stream(parts, 0, 0);
  uint64_t before = 0;
  for (int i = 0; i < 3000; ++i) {
    const uint64_t part = stream.next() / 128;
    REQUIRE(part >= before);
    before = part;
  }
  CHECK(before >= 4);
  LabelStream plain(labels, 4090);
  std::vector<uint64_t> all(4096);
  labels->generate(0, all);
  for (uint64_t i = 4090; i < 4090 + 100; ++i) {
    CHECK(plain.next() == all[i % 4096]);
  }
}

TEST_CASE("Eilers 2014, table 4.1: a cliff where the sets no longer fit the L2") {
  // Up to 2^16 buckets of all sets he measured 0.13 to 0.24 ns, from 2^18 on 1.15 and more.
  const double before = thesis_ns(16, 1, 0, false);
  CHECK(thesis_ns(12, 1, 0, false) < 0.25);
  CHECK(before < 0.25);
  CHECK(thesis_ns(18, 1, 0, false) > 2.5 * before);
  CHECK(thesis_ns(20, 1, 0, false) > 5 * before);
  // The number of buckets of all sets together decides.
  CHECK(thesis_ns(14, 16, 0, false) == doctest::Approx(thesis_ns(18, 1, 0, false)).epsilon(0.15));
}

TEST_CASE("Eilers 2014, figure 4.10: equal labels take turns, sets help") {
  const double one = thesis_ns(8, 1, 0, true);
  CHECK(one > 0.7);  // he: about 1 ns
  CHECK(thesis_ns(8, 8, 0, true) < one / 4);
}

TEST_CASE("Eilers 2014, table 4.2: with a pre-sort a rest of about seven bits is best") {
  // 2^20 buckets in 4 sets: 22 bits. Sorted by 15 of them, the segments of all blocks fit the L2.
  double least = HUGE_VAL;
  int best = 0;
  for (const int bits : {0, 5, 10, 15, 20}) {
    const double time = bench::thesis_sort_ns(bits) + thesis_ns(20, 4, bits, false);
    if (time < least) {
      least = time;
      best = bits;
    }
  }
  CHECK(22 - best >= 5);
  CHECK(22 - best <= 12);
  CHECK(best > 0);
}

TEST_CASE("Eilers 2014, table 4.3: a scatter's step at 2^18 buckets") {
  const double before = scatter_ns(16);
  CHECK(before < 0.25);                  // he: 0.22
  CHECK(scatter_ns(18) > 1.5 * before);  // he: 2.7 times
  CHECK(scatter_ns(22) > 3 * before);    // he: 4.6 times
}

}  // namespace presort::predict::gpu_simulation_test
