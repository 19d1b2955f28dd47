// The memory system of a GPU (sim/gpu/gpu_memory.h, device_l2.h) against plain lists and sums.
#include "presort/sim/gpu/gpu_memory.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <list>
#include <map>
#include <string_view>
#include <vector>

#include "presort/core/base/random.h"
#include "tests/sim/dice.h"

namespace presort::inline v0::sim::gpu::gpu_memory_test {
namespace {

using test::Dice;

// A small GPU: one slice, one set of 4 lines with 4 sectors of 32 bytes.
GpuHardware small_gpu() {
  GpuHardware gpu;
  gpu.name = "small";
  gpu.multiprocessors = 2;
  gpu.clock_hz = 1e9;
  gpu.shared.size_bytes = gpu.shared_bytes_of_block = 48 << 10;
  gpu.l2.size_bytes = 512;
  gpu.l2.ways = 4;
  gpu.l2.bandwidth = 32e9;       // a sector a nanosecond
  gpu.l2.atomics = 0.5e9;        // 2 ns for each sector with atomics
  gpu.l2.line_atomics = 0.25e9;  // 4 ns
  gpu.l2.address_atomics = 1e9;  // 1 ns for each lane
  gpu.memory.size_bytes = uint64_t{1} << 30;
  gpu.memory.bandwidth = 16e9;  // 2 ns for each sector
  gpu.memory.row_reads = 0.1e9;
  gpu.memory.row_writes = 0.05e9;
  gpu.memory.row_bytes = 128;
  return gpu;
}

double busy(const GpuMemory& memory, std::string_view resource) {
  for (const GpuBusy& each : memory.busy_ns()) {
    if (each.resource == resource) {
      return each.ns;
    }
  }
  FAIL("no resource " << resource);
  return 0;
}

WarpAccess one_lane(uint64_t address, WarpAccessKind kind) {
  WarpAccess access;
  access.kind = kind;
  access.lanes = 1;
  access.addresses[0] = address;
  return access;
}

// Oracle: the lines of the one set in order of use, the last one first; dirty flag of each sector held.
struct Lines {
  std::list<std::pair<uint64_t, std::map<uint64_t, bool>>> lines;
  uint64_t reads = 0, writes = 0;

  bool access(uint64_t sector, WarpAccessKind kind) {
    auto at = std::find_if(lines.begin(), lines.end(),
                           [&](const auto& line) { return line.first == sector / 4; });
    if (at == lines.end()) {
      if (lines.size() == 4) {
        for (const auto& [unit, dirty] : lines.back().second) {
          writes += dirty ? 1 : 0;
        }
        lines.pop_back();
      }
      lines.emplace_front(sector / 4, std::map<uint64_t, bool>());
    } else {
      lines.splice(lines.begin(), lines, at);
    }
    auto& sectors = lines.front().second;
    const bool hit = sectors.contains(sector);
    reads += !hit && kind != WarpAccessKind::store ? 1 : 0;
    sectors[sector] = sectors[sector] || kind != WarpAccessKind::load;
    return hit;
  }
};

}  // namespace

TEST_CASE("the L2 holds lines of sectors in order of use") {
  for (uint64_t seed = 0; seed < 200; ++seed) {
    CAPTURE(seed);
    Dice dice(seed);
    const GpuHardware gpu = small_gpu();
    DeviceL2 l2(gpu, 0);
    Lines oracle;
    const uint64_t sectors = dice.between(1, 64);
    for (int i = 0; i < 300; ++i) {
      const uint64_t sector = dice.below(sectors);
      const WarpAccessKind kinds[] = {WarpAccessKind::load, WarpAccessKind::store,
                                      WarpAccessKind::atomic};
      const WarpAccessKind kind = kinds[dice.below(3)];
      REQUIRE(l2.access(sector, kind) == oracle.access(sector, kind));
    }
    CHECK(l2.memory_reads() == oracle.reads);
    CHECK(l2.memory_writes() == oracle.writes);
  }
}

TEST_CASE("atomics take turns at an address and at a slice") {
  const GpuHardware gpu = small_gpu();
  WarpAccess access;
  access.kind = WarpAccessKind::atomic;
  GpuMemory same(gpu, 0);
  same.access(0, access);  // 32 lanes at one address
  CHECK(busy(same, "atomics at one slice") == doctest::Approx(32));
  CHECK(busy(same, "atomics") == doctest::Approx(2));
  CHECK(same.counts().atomic_lanes == 32);
  CHECK(same.counts().atomic_sectors == 1);
  for (uint64_t lane = 0; lane < 32; ++lane) {
    access.addresses[lane] = 4 * lane;
  }
  GpuMemory line(gpu, 0);
  line.access(0, access);  // 4 sectors of one line
  CHECK(busy(line, "atomics at one slice") == doctest::Approx(16));
  CHECK(busy(line, "atomics") == doctest::Approx(8));
  CHECK(busy(line, "L2") == doctest::Approx(4));
  CHECK(busy(line, "memory") == doctest::Approx(8));
  CHECK(busy(line, "memory rows") == doctest::Approx(10));  // one row is read
}

TEST_CASE("a warm-up of the L2 alone leaves what other accesses leave there, and counts nothing") {
  for (uint64_t seed = 0; seed < 50; ++seed) {
    CAPTURE(seed);
    Dice dice(seed);
    const GpuHardware gpu = small_gpu();
    GpuMemory warmed(gpu, 0);
    GpuMemory used(gpu, 0);
    warmed.warm_l2_alone(true);
    std::vector<WarpAccess> accesses;
    for (int i = 0; i < 40; ++i) {
      WarpAccess access;
      access.kind = dice.below(2) == 0 ? WarpAccessKind::load : WarpAccessKind::atomic;
      access.lanes = static_cast<uint32_t>(dice.below(uint64_t{1} << 32));
      for (uint64_t& address : access.addresses) {
        address = 4 * dice.below(400);
      }
      std::sort(access.addresses.begin(), access.addresses.end());  // no sector comes back
      accesses.push_back(access);
    }
    for (const WarpAccess& access : accesses) {
      warmed.access(0, access);
      warmed.access_shared(access);
      used.access(0, access);
    }
    CHECK(warmed.counts().sectors == 0);
    CHECK(warmed.counts().shared_passes == 0);
    CHECK(busy(warmed, "atomics") == 0);
    warmed.warm_l2_alone(false);
    warmed.clear_counts();
    used.clear_counts();
    for (const WarpAccess& access : accesses) {
      warmed.access(1, access);
      used.access(1, access);
    }
    CHECK(warmed.counts().l2_hits == used.counts().l2_hits);
  }
}

TEST_CASE("addresses lie in slices line by line, or as an H200 has them") {
  GpuHardware gpu = small_gpu();
  gpu.l2.slices = 4;
  // Time of the busiest slice when each of `pieces` neighbouring pieces has one sector updated
  const auto ns_of = [&](uint64_t pieces, uint64_t bytes) {
    GpuMemory memory(gpu, 0);
    for (uint64_t piece = 0; piece < pieces; ++piece) {
      memory.access(0, one_lane(piece * bytes, WarpAccessKind::atomic));
    }
    return busy(memory, "atomics at one slice");
  };
  CHECK(ns_of(4, 128) == doctest::Approx(4));  // each in its own slice
  CHECK(ns_of(8, 128) == doctest::Approx(8));
  // Pieces 0 to 3 of 256 bytes lie in slices of their own, or in a, b, b, a where bit 512 is folded
  gpu.l2.interleave_bytes = 256;
  CHECK(ns_of(4, 256) == doctest::Approx(4));
  gpu.l2.folded_bytes = {512, 16 << 10, 64 << 10};
  CHECK(ns_of(1, 256) == doctest::Approx(4));
  CHECK(ns_of(2, 256) == doctest::Approx(4));
  CHECK(ns_of(3, 256) == doctest::Approx(8));
  CHECK(ns_of(4, 256) == doctest::Approx(8));
  CHECK(ns_of(8, 256) == doctest::Approx(8));
  CHECK(ns_of(8, 32) == doctest::Approx(32));  // sectors of one piece are in one slice
}

TEST_CASE("an L1 serves what its own multiprocessor loaded; stores and other loads go on") {
  GpuHardware gpu = small_gpu();
  gpu.l1 = {1024, 4, 30};
  GpuMemory memory(gpu, 0);
  memory.access(0, one_lane(64, WarpAccessKind::load));
  memory.access(0, one_lane(68, WarpAccessKind::load));
  CHECK(memory.counts().l1_hits == 1);
  memory.access(1, one_lane(64, WarpAccessKind::load));
  memory.access(0, one_lane(64, WarpAccessKind::store));
  CHECK(memory.counts().l1_hits == 1);
  CHECK(memory.counts().l2_hits == 2);
  CHECK(memory.counts().l2_misses == 1);
  CHECK(memory.counts().load_misses == 1);
  memory.access(1, one_lane(4096, WarpAccessKind::store));
  CHECK(memory.counts().l2_misses == 2);
  CHECK(memory.counts().load_misses == 1);
  memory.clear_counts();
  CHECK(memory.counts().sectors == 0);
  CHECK(memory.counts().load_misses == 0);
  CHECK(busy(memory, "L1 and shared memory") == 0);
}

TEST_CASE("a store of a part of a sector reads the rest where errors are corrected by sectors") {
  for (const bool ecc : {false, true}) {
    GpuHardware gpu = small_gpu();
    gpu.memory.ecc = ecc;
    GpuMemory memory(gpu, 0);
    memory.access(0, one_lane(0, WarpAccessKind::store));
    CHECK(memory.counts().memory_read == (ecc ? 1 : 0));
    WarpAccess row;
    row.kind = WarpAccessKind::store;
    for (uint64_t lane = 0; lane < 32; ++lane) {
      row.addresses[lane] = 1024 + 4 * lane;
    }
    memory.access(0, row);  // whole sectors
    CHECK(memory.counts().memory_read == (ecc ? 1 : 0));
  }
}

TEST_CASE("pages beyond the reach of translation are walked to") {
  GpuHardware gpu = small_gpu();
  gpu.tlb = {uint64_t{4} * 4096, 4096, 100, 2};
  GpuMemory memory(gpu, 0);
  for (int turn = 0; turn < 2; ++turn) {
    for (uint64_t page = 0; page < 4; ++page) {
      memory.access(0, one_lane(page * 4096, WarpAccessKind::load));
    }
  }
  CHECK(memory.counts().walks == 4);
  memory.access(0, one_lane(uint64_t{4} * 4096, WarpAccessKind::load));
  memory.access(0, one_lane(0, WarpAccessKind::load));  // page 0 was used longest ago
  CHECK(memory.counts().walks == 6);
  CHECK(busy(memory, "translation") == doctest::Approx(6 * 100 / 2.0));
}

TEST_CASE("a sample of the lines tells the hit ratio and the traffic of all") {
  GpuHardware gpu = small_gpu();
  gpu.l2.size_bytes = 1 << 20;
  gpu.l2.line_bytes = 32;
  gpu.l2.ways = 16;
  gpu.l2.slices = 8;
  gpu.memory.row_bytes = 1024;
  GpuMemory all(gpu, 0);
  GpuMemory sample(gpu, 3);
  const auto run = [&](GpuMemory& memory, uint64_t rows) {
    for (uint64_t i = 0; i < rows; ++i) {
      WarpAccess access;
      access.kind = WarpAccessKind::atomic;
      for (uint64_t lane = 0; lane < 32; ++lane) {
        access.addresses[lane] = 4 * bounded(random_u64(5, 32 * i + lane), 1 << 19);
      }
      memory.access(static_cast<int>(i % 2), access);
    }
  };
  for (GpuMemory* each : {&all, &sample}) {
    run(*each, 8192);
    each->clear_counts();
    run(*each, 4096);
  }
  // Random words of twice the L2: half of them hit.
  CHECK(all.counts().l2_hit_ratio() == doctest::Approx(0.5).epsilon(0.04));
  CHECK(sample.counts().l2_hit_ratio() ==
        doctest::Approx(all.counts().l2_hit_ratio()).epsilon(0.05));
  CHECK(sample.counts().memory_written ==
        doctest::Approx(all.counts().memory_written).epsilon(0.1));
  CHECK(sample.counts().sectors == all.counts().sectors);
}

TEST_CASE("a filled L2 evicts as much as comes in") {
  GpuHardware gpu = small_gpu();
  gpu.l2.size_bytes = 1 << 18;
  GpuMemory memory(gpu, 0);
  memory.fill_l2(1);
  CHECK(memory.counts().memory_written == 0);
  for (uint64_t sector = 0; sector < 4096; ++sector) {
    memory.access(0, one_lane(32 * sector, WarpAccessKind::load));
  }
  CHECK(memory.counts().memory_read == 4096);
  CHECK(memory.counts().memory_written == doctest::Approx(4096).epsilon(0.02));
}

TEST_CASE("counts add up and scale") {
  GpuCounts counts;
  counts.sectors = 3;
  counts.walks = 5;
  counts += counts;
  CHECK(counts.sectors == 6);
  CHECK(counts.scaled(0.5).walks == 5);
  CHECK(GpuCounts().l2_hit_ratio() == 1);
  CHECK(longest({{"a", 1}, {"b", 3}, {"c", 2}}).resource == "b");
}

}  // namespace presort::sim::gpu::gpu_memory_test
