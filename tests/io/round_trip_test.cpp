// Files that are written and read back give the same random machines, tuned files and problems.
#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <algorithm>

#include "presort/core/machine/fields/machine_fields.h"
#include "presort/io/machine/machine_file.h"
#include "presort/io/plans/problem_file.h"
#include "presort/io/plans/tuned_file.h"
#include "tests/io/fixtures.h"

namespace round_trip_test {

using namespace presort;
using namespace presort::io;

namespace {

int between(int low, int high) {
  return *rc::gen::inRange(low, high + 1);
}

// Draws any double in a range, not only round numbers.
double real_between(double low, double high) {
  const double part = between(0, 1 << 30) / static_cast<double>(1 << 30);
  return low + (high - low) * part;
}

std::string text() {
  return *rc::gen::container<std::string>(rc::gen::inRange<char>(' ', '\x7f'));
}

// Draws a name that is not empty. (Appended in steps: gcc 12 warns of + in vain.)
std::string named(const char* prefix, const std::string& rest) {
  std::string name = prefix;
  name += rest;
  return name;
}

std::vector<std::pair<std::string, std::string>> text_pairs() {
  std::vector<std::pair<std::string, std::string>> pairs;
  for (int i = between(0, 3); i > 0; --i) {
    // a number in the key keeps keys distinct
    pairs.emplace_back(std::to_string(i) + text(), text());
  }
  return pairs;
}

Replacement policy() {
  return parse_replacement(
      "policy", *rc::gen::element<std::string>("lru", "tree-plru", "random", "drrip",
                                               "QLRU_H21_MR31_R1_U3_UMO", "QLRU_H00_M1_R2_U1"));
}

CacheLevel cache_level(int index) {
  CacheLevel level;
  level.name = named("L", std::to_string(index));
  level.ways = static_cast<uint64_t>(between(1, 16));
  level.size_bytes = level.line_bytes * level.ways << between(4, 4 + 3 * index);
  level.policy = policy();
  level.latency_cycles = index * 10 + real_between(0, 5);
  level.queue = between(1, 64);
  level.bandwidth = between(0, 1) == 1 ? real_between(1e9, 1e12) : 0;
  level.write_bandwidth = between(0, 1) == 1 ? real_between(1e9, 1e12) : 0;
  level.shared_by = 1;
  level.share = real_between(0.25, 1);
  level.hashed = between(0, 1) == 1;
  level.slices = 1 << between(0, 3);
  level.fill = index > 1 ? *rc::gen::element(Fill::onMiss, Fill::onEvict) : Fill::onMiss;
  if (index > 1) {
    const Inclusion kept = level.fill == Fill::onMiss ? Inclusion::inclusive : Inclusion::exclusive;
    level.inclusion = *rc::gen::element(Inclusion::nonInclusive, kept);
  }
  level.write = *rc::gen::element(WriteMode::back, WriteMode::through);
  level.write_allocate = between(0, 1) == 1;
  level.sector_bytes = *rc::gen::element<uint64_t>(0, level.line_bytes);
  return level;
}

TlbLevel tlb_level(int index) {
  TlbLevel level;
  level.name = named("TLB", std::to_string(index));
  level.page_bytes = {4096};
  if (between(0, 1) == 1) {
    level.page_bytes.push_back(2 << 20);
  }
  level.ways = static_cast<uint64_t>(between(1, 8));
  level.entries = level.ways << between(2, 6);
  level.latency_cycles = real_between(0, 20);
  level.policy = policy();
  return level;
}

Memory memory() {
  Memory memory;
  memory.latency_ns = real_between(60, 200);
  memory.row_hit_ns = -real_between(0, 50);
  memory.channels = between(1, 12);
  memory.banks = between(1, 32);
  memory.row_bytes = uint64_t{1024} << between(0, 4);
  memory.bandwidth = real_between(1e9, 400e9);
  memory.per_core_bandwidth = between(0, 1) * memory.bandwidth;
  memory.streaming_store_ns = real_between(0, 100);
  memory.row_cycle_ns = between(0, 1) * real_between(50, 90);
  memory.write_bandwidth = 1e9 * between(0, 60);
  memory.turnaround_ns = between(0, 1) * real_between(0, 20);
  memory.write_batch = between(1, 64);
  return memory;
}

Storage storage() {
  Storage storage;
  storage.kind = *rc::gen::element(DeviceKind::disk, DeviceKind::ssd);
  storage.page_bytes = uint64_t{1024} << between(0, 4);
  storage.page_cache_bytes = storage.page_bytes * static_cast<uint64_t>(between(1, 1 << 20));
  storage.read_ahead_bytes = storage.page_bytes * static_cast<uint64_t>(between(1, 64));
  storage.write_cluster_bytes = storage.page_bytes * static_cast<uint64_t>(between(1, 256));
  storage.faults = between(1, 8);
  storage.queue_depth = between(1, 64);
  storage.latency_ns = real_between(0, 1e5);
  storage.request_ns = real_between(0, 1e4);
  storage.read_bandwidth = real_between(1e8, 1e10);
  storage.write_bandwidth = real_between(1e8, 1e10);
  if (storage.kind == DeviceKind::disk) {
    storage.seek_ns = real_between(1e5, 1e7);
    storage.rotation_ns = real_between(1e5, 1e7);
  } else {
    storage.erase_block_bytes = storage.page_bytes << between(0, 8);
    storage.over_provisioning = real_between(0.01, 1);
  }
  return storage;
}

Gpu gpu() {
  Gpu gpu;
  gpu.name = named("gpu", text());
  gpu.architecture = "sm_" + std::to_string(between(70, 120));
  gpu.multiprocessors = between(1, 200);
  gpu.clock_hz = real_between(5e8, 3e9);
  gpu.threads_of_multiprocessor = between(512, 2048);
  gpu.shared_bytes_of_block = static_cast<uint64_t>(between(1 << 14, 1 << 18));
  gpu.shared_bytes_of_multiprocessor = gpu.shared_bytes_of_block + 1024;
  gpu.l2_effective_bytes = static_cast<uint64_t>(between(1 << 18, 1 << 26));
  gpu.l2_bytes = gpu.l2_effective_bytes * 2;
  gpu.memory_bytes = gpu.l2_bytes * static_cast<uint64_t>(between(16, 4096));
  gpu.launch_ns = real_between(0, 1e4);
  gpu.step_ns = real_between(0, 1e4);
  gpu.l2_latency_ns = real_between(0, 1e4);
  gpu.shared_latency_ns = real_between(0, 1e4);
  if (between(0, 1) == 1) {
    gpu.link_bandwidth = real_between(1e9, 1e12);
    gpu.link_latency_ns = real_between(0, 1e5);
  }
  for (const Field& ceiling : fields::kGpuCeilings.rows) {
    real_number(ceiling, &gpu) = real_between(1e8, 5e12);
  }
  return gpu;
}

GpuHardware gpu_hardware() {
  GpuHardware gpu;
  gpu.name = named("parts", text());
  gpu.multiprocessors = between(1, 200);
  gpu.clock_hz = real_between(5e8, 3e9);
  gpu.warps_of_multiprocessor = between(1, 64);
  gpu.shared_bytes_of_block = static_cast<uint64_t>(between(1 << 14, 1 << 18));
  gpu.shared.size_bytes = gpu.shared_bytes_of_block + 1024;
  gpu.shared.latency_cycles = real_between(0, 50);
  gpu.shared.atomic_cycles = real_between(1, 50);
  gpu.l1 = {between(0, 1) == 1 ? uint64_t{64} << 10 : 0, 8, real_between(0, 50)};
  gpu.l2.slices = between(1, 48) * 2;
  gpu.l2.partitions = between(1, 2);
  gpu.l2.share = real_between(0.25, 1);
  gpu.l2.ways = static_cast<uint64_t>(between(1, 16));
  gpu.l2.size_bytes = static_cast<uint64_t>(between(1 << 20, 1 << 26));
  for (double GpuL2::*const rate :
       {&GpuL2::bandwidth, &GpuL2::atomics, &GpuL2::line_atomics, &GpuL2::address_atomics}) {
    gpu.l2.*rate = real_between(1e8, 5e12);
  }
  gpu.memory.size_bytes = gpu.l2.size_bytes * static_cast<uint64_t>(between(16, 4096));
  for (double GpuDeviceMemory::*const rate :
       {&GpuDeviceMemory::bandwidth, &GpuDeviceMemory::row_reads, &GpuDeviceMemory::row_writes}) {
    gpu.memory.*rate = real_between(1e8, 5e12);
  }
  gpu.memory.latency_ns = real_between(100, 1000);
  gpu.tlb.reach_bytes = between(0, 1) == 1 ? uint64_t{1} << 34 : 0;
  return gpu;
}

// Memory nodes of a machine with `cores` cores, two of them or as many as cores up to four.
Numa numa(int cores) {
  Numa numa;
  const int nodes = std::min(cores, between(2, 4));
  for (int node = 0; node < nodes; ++node) {
    numa.nodes.push_back({named("n", std::to_string(node) + text()),
                          node + 1 < nodes ? cores / nodes : cores - node * (cores / nodes)});
  }
  for (const NumaNode& cores_of : numa.nodes) {
    for (const NumaNode& memory_of : numa.nodes) {
      if (cores_of.name != memory_of.name) {
        numa.links.push_back(
            {cores_of.name, memory_of.name, real_between(200, 900), real_between(1e9, 4e11)});
      }
    }
  }
  return numa;
}

Machine machine() {
  Machine machine;
  machine.name = named("m", text());
  machine.clock_hz = real_between(1e9, 5e9);
  machine.cores = between(1, 64);
  machine.dispatch_width = between(1, 8);
  machine.window = {between(16, 512), between(16, 128), between(0, 300), between(0, 20),
                    between(0, 99),   between(0, 4),    between(0, 4)};
  machine.branch_miss_cycles = real_between(5, 30);
  machine.store_forward_cycles = real_between(3, 10);
  if (between(0, 1) == 1) {
    machine.repeated_forward_cycles = real_between(0, 3);
  }
  machine.repeated_forward_after = between(1, 300);
  machine.repeated_forward_after_strays = between(0, 300);
  machine.repeated_forward_beside_prefetch = between(0, 1) == 1;
  if (machine.cores > 1 && between(0, 1) == 1) {
    machine.numa = numa(machine.cores);
  }
  const int levels = between(1, 3);
  for (int i = 1; i <= levels; ++i) {
    machine.caches.push_back(cache_level(i));
  }
  machine.prefetchers.push_back(
      {"L1",
       *rc::gen::element(PrefetcherKind::nextLine, PrefetcherKind::ipStride,
                         PrefetcherKind::stream),
       between(1, 4), between(4, 20), between(0, 1) == 1, between(0, 20)});
  machine.prefetchers.push_back({"L1", PrefetcherKind::adjacentLine});
  for (int i = between(0, 2); i > 0; --i) {
    machine.tlb.push_back(tlb_level(i));
  }
  machine.walk = {between(1, 4),
                  "L1",
                  32,
                  4,
                  2,
                  std::nullopt,
                  policy(),
                  static_cast<double>(between(0, 60)),
                  between(0, 20),
                  static_cast<double>(between(0, 40)),
                  std::nullopt};
  if (between(0, 1) == 1) {
    machine.walk.large_interval_cycles = between(1, 40);
  }
  if (between(0, 1) == 1) {
    machine.walk.nested_host_page_bytes = 4096;
  }
  machine.frames = *rc::gen::element(Frames::contiguous, Frames::random);
  machine.memory = memory();
  if (between(0, 1) == 1) {
    machine.storage = storage();
  }
  if (between(0, 1) == 1) {
    machine.gpu = gpu();
  }
  if (between(0, 1) == 1) {
    machine.gpu_hardware = gpu_hardware();
  }
  machine.provenance = text_pairs();
  for (int i = between(0, 2); i > 0; --i) {
    machine.probed.push_back({.key = named("k", std::to_string(i) + text()),
                              .value = text(),
                              .uncertainty = real_between(0, 2),
                              .quality = *rc::gen::element(Quality::good, Quality::guess)});
  }
  return machine;
}

Problem problem() {
  Problem problem;
  problem.operation = *rc::gen::element(Operation::multireduce, Operation::scatter);
  problem.n = uint64_t{1} + *rc::gen::arbitrary<uint32_t>();
  problem.m = uint64_t{1} + *rc::gen::arbitrary<uint32_t>();
  problem.distribution.kind = *rc::gen::element(DistributionKind::uniform, DistributionKind::zipf,
                                                DistributionKind::sorted);
  if (problem.distribution.kind == DistributionKind::zipf) {
    problem.distribution.parameter = real_between(0.1, 8);
  }
  problem.types.value = *rc::gen::element(ScalarType::u32, ScalarType::f64);
  problem.seed = *rc::gen::arbitrary<uint64_t>();
  return problem;
}

// Draws a plan that the problem's labels have enough bits for.
CpuPlan plan_of(const Problem& problem) {
  const CpuPlan drawn = parse_cpu_plan(*rc::gen::element<std::string>(
      "sortBits=0", "sortBits=0,prefetchDistance=16", "sortBits=9,passes=1,streaming=false",
      "sortBits=14,passes=2,pageSize=4KiB", "sortBits=4,strategy=plainRadix"));
  return can_run(drawn, problem) ? drawn : parse_cpu_plan("sortBits=0");
}

bool equal(const TunedEntry& a, const TunedEntry& b) {
  return a.problem == b.problem && a.plan == b.plan &&
         a.predicted_ns_per_input == b.predicted_ns_per_input && a.direct_plan == b.direct_plan &&
         a.direct_ns_per_input == b.direct_ns_per_input && a.runner_up == b.runner_up &&
         a.runner_up_ns_per_input == b.runner_up_ns_per_input && a.matters == b.matters &&
         a.origin == b.origin;
}

TunedEntry tuned_entry() {
  TunedEntry entry;
  entry.problem = problem();
  entry.plan = plan_of(entry.problem);
  entry.predicted_ns_per_input = real_between(0, 100);
  entry.direct_plan = plan_of(entry.problem);
  entry.direct_ns_per_input = real_between(0, 100);
  entry.runner_up = plan_of(entry.problem);
  entry.runner_up_ns_per_input = real_between(0, 100);
  entry.matters = between(0, 1) == 1;
  entry.origin = *rc::gen::element(Origin::simulation, Origin::measurement);
  return entry;
}

}  // namespace

TEST_CASE("any machine that can be simulated is written and read back") {
  CHECK(rc::check([] {
    const Machine original = machine();
    const auto problem_found = find_machine_problem(original);
    RC_ASSERT(!problem_found.has_value());
    RC_ASSERT(parse_machine(machine_to_text(original), "text") == original);
  }));
}

TEST_CASE("any problem is written and read back") {
  CHECK(rc::check([] {
    std::vector<Problem> problems(static_cast<size_t>(between(1, 4)));
    for (Problem& each : problems) {
      each = problem();
    }
    RC_ASSERT(parse_problems(problems_to_text(problems), "text") == problems);
  }));
}

TEST_CASE("any tuned file is written and read back") {
  CHECK(rc::check([] {
    Tuned original;
    original.machine = named("m", text());
    original.fingerprint = {text_pairs(), text_pairs()};
    original.provenance = text_pairs();
    original.complete = between(0, 1) == 1;
    for (int i = between(0, 3); i > 0; --i) {
      original.entries.push_back(tuned_entry());
    }
    const Tuned read = parse_tuned(tuned_to_text(original), "text");
    RC_ASSERT(read.machine == original.machine);
    RC_ASSERT(read.fingerprint.hard == original.fingerprint.hard);
    RC_ASSERT(read.fingerprint.soft == original.fingerprint.soft);
    RC_ASSERT(read.provenance == original.provenance);
    RC_ASSERT(read.complete == original.complete);
    RC_ASSERT(std::equal(read.entries.begin(), read.entries.end(), original.entries.begin(),
                         original.entries.end(), equal));
  }));
}

}  // namespace round_trip_test
