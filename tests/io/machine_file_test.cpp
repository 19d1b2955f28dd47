#include "presort/io/machine/machine_file.h"

#include <doctest/doctest.h>

#include "presort/io/yaml/yaml_tree.h"
#include "tests/io/fixtures.h"

namespace machine_file_test {

using namespace presort;
using namespace presort::io;
using namespace presort::io::test;

TEST_CASE("a machine with only the required keys gets the documented defaults") {
  const Machine machine = read_machine(valid_path("machine_small.yaml"));
  CHECK(machine.name == "small");
  CHECK(machine.clock_hz == 2e9);
  CHECK(machine.branch_miss_cycles == 15);
  CHECK(machine.store_forward_cycles == 5);
  REQUIRE(machine.caches.size() == 2);
  const CacheLevel& l2 = machine.caches[1];
  CHECK(l2.policy == Replacement::lru);
  CHECK(l2.queue == 8);  // queue by default that of the level above
  CHECK(l2.shared_by == 1);
  CHECK(l2.share == 1);
  CHECK(!l2.hashed);
  CHECK(l2.slices == 1);
  CHECK(l2.fill == Fill::onMiss);
  CHECK(l2.inclusion == Inclusion::nonInclusive);
  CHECK(l2.write == WriteMode::back);
  CHECK(l2.write_allocate);
  CHECK(l2.sector_bytes == 0);
  CHECK(machine.write_combining == 0);
  CHECK(machine.threads_per_core == 1);
  CHECK(machine.prefetchers.empty());
  CHECK(machine.tlb.empty());
  CHECK(machine.walk == PageWalk{});
  CHECK(machine.frames == Frames::random);
  CHECK(machine.memory.row_hit_ns == 0);
  CHECK(machine.memory.per_core_bandwidth == 0);
  CHECK(machine.provenance.empty());
  CHECK_FALSE(machine.gpu.has_value());
}

TEST_CASE("every key of a machine file arrives where it belongs") {
  const Machine machine = read_machine(valid_path("machine_full.yaml"));
  CHECK(machine.name == "full: every key");
  CHECK(machine.cores == 2);
  CHECK(machine.dispatch_width == 4);
  CHECK(machine.window == Window{224, 56, 160, 10, 32, 2, 2});
  // Branch miss: 6.4 ns at 2.5 GHz are 16 cycles
  CHECK(machine.branch_miss_cycles == doctest::Approx(16));
  CHECK(machine.store_forward_cycles == 4);
  CHECK(machine.repeated_forward_cycles == 1);
  CHECK(machine.repeated_forward_after == 8);
  CHECK(machine.repeated_forward_after_strays == 64);
  CHECK(machine.repeated_forward_beside_prefetch);
  REQUIRE(machine.caches.size() == 3);
  CHECK(machine.caches[0] == CacheLevel{.name = "L1d",
                                        .size_bytes = 32 << 10,
                                        .ways = 8,
                                        .latency_cycles = 4,
                                        .queue = 12,
                                        .bandwidth = 100e9,
                                        .write_bandwidth = 50e9});
  CHECK(machine.write_combining == 10);
  CHECK(machine.threads_per_core == 2);
  CHECK(machine.caches[1].policy == Replacement::random);
  CHECK(machine.caches[1].inclusion == Inclusion::inclusive);
  CHECK(machine.caches[1].write == WriteMode::through);
  CHECK_FALSE(machine.caches[1].write_allocate);
  CHECK(machine.caches[1].line_bytes == 128);
  CHECK(machine.caches[1].sector_bytes == 64);
  // An exclusive cache, because it is filled on eviction
  CHECK(machine.caches[2].inclusion == Inclusion::exclusive);
  CHECK(machine.caches[2].latency_cycles == doctest::Approx(70));  // latency: 28 ns at 2.5 GHz
  CHECK(machine.caches[2].share == 0.3);
  CHECK(machine.caches[2].hashed);
  CHECK(machine.caches[2].slices == 4);
  CHECK(machine.caches[2].fill == Fill::onEvict);
  CHECK(machine.caches[2].shared_by == 2);
  CHECK(machine.prefetchers == std::vector<Prefetcher>{{"L1d", PrefetcherKind::nextLine, 1, 1},
                                                       {"L2", PrefetcherKind::stream, 2, 20}});
  REQUIRE(machine.tlb.size() == 3);
  CHECK(machine.tlb[2] ==
        TlbLevel{"STLB", {4096, 2 << 20}, 1536, 12, 9, ReplacementKind::treePlru});
  CHECK(machine.walk == PageWalk{2, "L1d", 32, 4, 0, 4096, ReplacementKind::nru, 20, 16, 26, 20});
  REQUIRE(machine.gpu.has_value());
  CHECK(*machine.gpu == Gpu{.name = "A GPU",
                            .architecture = "sm_90",
                            .multiprocessors = 132,
                            .clock_hz = 2e9,
                            .threads_of_multiprocessor = 2048,
                            .shared_bytes_of_multiprocessor = 228 << 10,
                            .shared_bytes_of_block = 227 << 10,
                            .l2_bytes = 60 << 20,
                            .l2_effective_bytes = 42 << 20,
                            .memory_bytes = uint64_t{140} << 30,
                            .launch_ns = 2000,
                            .step_ns = 5000,
                            .read_bandwidth = 4.1e12,
                            .copy_bandwidth = 3.9e12,
                            .l2_read_bandwidth = 6e12,
                            .atomics_of_address = 1.36e9,
                            .atomics_crowded = 34e9,
                            .atomics_in_l2 = 97e9,
                            .atomics_in_memory = 16e9,
                            .reads_in_l2 = 140e9,
                            .reads_in_memory = 35e9,
                            .shared_atomics = 2e12,
                            .shared_reads = 3.5e12,
                            .table_updates = 800e9,
                            .table_quarters = 900e9,
                            .table_swaps = 400e9,
                            .table_swap_quarters = 450e9});
  CHECK(machine.memory.latency_ns == doctest::Approx(120));  // latency: 300 cycles at 2.5 GHz
  CHECK(machine.memory.row_hit_ns == -25);
  CHECK(machine.memory.per_core_bandwidth == 11e9);
  CHECK(machine.memory.streaming_store_ns == 60);
  CHECK(machine.memory.row_cycle_ns == 46);
  CHECK(machine.memory.turnaround_ns == doctest::Approx(8));  // turnaround: 20 cycles at 2.5 GHz
  CHECK(machine.memory.write_batch == 24);
}

TEST_CASE("provenance is free text; nested maps become dotted keys") {
  const Machine machine = read_machine(valid_path("machine_full.yaml"));
  const std::vector<std::pair<std::string, std::string>> expected = {
      {"source", "probe"},
      {"date", "2026-11-21"},
      {"uncertainty.L3.latency", "4%"},
      {"uncertainty.odd key: ", "a \"quoted\" text"},
  };
  CHECK(machine.provenance == expected);
}

TEST_CASE("a block device under the memory, with its defaults and without") {
  const Storage disk = *read_machine(valid_path("machine_disk.yaml")).storage;
  CHECK(disk.kind == DeviceKind::disk);
  CHECK(disk.page_cache_bytes == 64 << 20);
  CHECK(disk.page_bytes == 4096);
  CHECK(disk.read_ahead_bytes == 128 << 10);
  CHECK(disk.write_cluster_bytes == 1 << 20);
  CHECK(disk.faults == 1);
  CHECK(disk.queue_depth == 32);
  CHECK(disk.latency_ns == 0);
  CHECK(disk.request_ns == 0);
  CHECK(disk.read_bandwidth == 175e6);
  CHECK(disk.seek_ns == 8.5e6);
  CHECK(disk.rotation_ns == 8.33e6);
  const Storage expected{.kind = DeviceKind::ssd,
                         .page_cache_bytes = 1 << 30,
                         .page_bytes = 16 << 10,
                         .read_ahead_bytes = 256 << 10,
                         .write_cluster_bytes = 2 << 20,
                         .faults = 4,
                         .queue_depth = 64,
                         .latency_ns = 50e3,
                         .request_ns = 13.3e3,
                         .read_bandwidth = 500e6,
                         .write_bandwidth = 410e6,
                         .erase_block_bytes = 4 << 20,
                         .over_provisioning = 0.07};
  CHECK(read_machine(valid_path("machine_ssd.yaml")).storage == expected);
  CHECK_FALSE(read_machine(valid_path("machine_small.yaml")).storage.has_value());
}

TEST_CASE("a machine is written and read back") {
  const TemporaryFolder folder;
  for (const char* name :
       {"machine_small.yaml", "machine_full.yaml", "machine_disk.yaml", "machine_ssd.yaml"}) {
    const Machine machine = read_machine(valid_path(name));
    write_machine(folder.file("out.yaml"), machine);
    CHECK(read_machine(folder.file("out.yaml")) == machine);
    CHECK(machine_to_text(parse_machine(machine_to_text(machine), "text")) ==
          machine_to_text(machine));
  }
}

TEST_CASE("a machine that could not be read back is not written") {
  const TemporaryFolder folder;
  Machine machine = read_machine(valid_path("machine_small.yaml"));
  machine.caches[1].ways = 17;
  const std::string message = input_error([&] { write_machine(folder.file("a.yaml"), machine); });
  CHECK(contains(message, "cpu.caches[1]"));
  CHECK(folder.entries() == 0);
}

TEST_CASE("files that cannot be read are named") {
  const TemporaryFolder folder;
  CHECK(contains(input_error([&] { read_machine(folder.file("none.yaml")); }),
                 "none.yaml: cannot be read: No such file"));
  CHECK(contains(input_error([&] { read_machine(folder.file("")); }), "found a folder"));
}

}  // namespace machine_file_test
