#include "presort/core/machine/machine.h"

#include <doctest/doctest.h>

#include <functional>
#include <limits>

#include "tests/core/machine/full_machine.h"

namespace machine_test {

using namespace presort;

namespace {

Machine sound_machine() {
  Machine machine;
  machine.name = "example";
  machine.clock_hz = 2.5e9;
  machine.cores = 2;
  machine.window = {224, 56};
  CacheLevel l1{"L1d", 32 << 10, 8};
  l1.latency_cycles = 4;
  l1.queue = 12;
  CacheLevel l2{"L2", 1 << 20, 16};
  l2.latency_cycles = 14;
  l2.queue = 16;
  CacheLevel l3{"L3", 36608 << 10, 11};
  l3.latency_cycles = 70;
  l3.queue = 32;
  l3.shared_by = 2;
  l3.share = 0.3;
  l3.fill = Fill::onEvict;
  machine.caches = {l1, l2, l3};
  machine.prefetchers = {{"L1d", PrefetcherKind::nextLine, 1, 1},
                         {"L2", PrefetcherKind::stream, 2, 20}};
  machine.tlb = {{"L1dTLB", {4096}, 64, 4, 0}, {"STLB", {4096, 2 << 20}, 1536, 12, 9}};
  machine.walk.enters_at = "L1d";
  machine.walk.nested_host_page_bytes = 4096;
  machine.memory.latency_ns = 120;
  machine.memory.row_hit_ns = -25;
  machine.memory.channels = 6;
  machine.memory.banks = 16;
  machine.memory.bandwidth = 100e9;
  return machine;
}

struct Flaw {
  const char* key_path;
  std::function<void(Machine&)> make;
};

void check_flaws(const std::vector<Flaw>& flaws) {
  for (const Flaw& flaw : flaws) {
    CAPTURE(flaw.key_path);
    Machine machine = sound_machine();
    flaw.make(machine);
    const auto problem = find_machine_problem(machine);
    REQUIRE(problem.has_value());
    CHECK(problem->key_path == flaw.key_path);
    CHECK(problem->message.starts_with("found '"));
    CHECK(problem->message.find("', accepted: ") != std::string::npos);
  }
}

constexpr double kNotANumber = std::numeric_limits<double>::quiet_NaN();

}  // namespace

TEST_CASE("a sound machine has no problem") {
  CHECK_FALSE(find_machine_problem(sound_machine()).has_value());
  Machine machine = sound_machine();
  machine.tlb.clear();
  machine.prefetchers.clear();
  machine.walk = {};
  CHECK_FALSE(find_machine_problem(machine).has_value());
}

TEST_CASE("the number of sets need not be a power of two") {
  const Machine machine = sound_machine();
  CHECK(set_count(machine.caches[0]) == 64);
  CHECK(set_count(machine.caches[1]) == 1024);
  CHECK(set_count(machine.caches[2]) == 53248);  // number of sets: 13 · 2^12
}

TEST_CASE("a core without clock, width or window is refused") {
  check_flaws({
      {"cpu.clock", [](Machine& m) { m.clock_hz = 0; }},
      {"cpu.clock", [](Machine& m) { m.clock_hz = kNotANumber; }},
      {"cpu.cores", [](Machine& m) { m.cores = 0; }},
      {"cpu.dispatchWidth", [](Machine& m) { m.dispatch_width = 0; }},
      {"cpu.threadsPerCore", [](Machine& m) { m.threads_per_core = 0; }},
      {"cpu.costs.load", [](Machine& m) { m.costs[MicroOp::load] = -0.5; }},
      {"cpu.costs.lineMove", [](Machine& m) { m.costs[MicroOp::lineMove] = kNotANumber; }},
      {"cpu.window.entries", [](Machine& m) { m.window.entries = 0; }},
      {"cpu.window.stores", [](Machine& m) { m.window.stores = -1; }},
      {"cpu.branchMiss", [](Machine& m) { m.branch_miss_cycles = -1; }},
      {"cpu.storeForward", [](Machine& m) { m.store_forward_cycles = -1; }},
      {"cpu.writeCombining", [](Machine& m) { m.write_combining = -1; }},
  });
}

// Gives the second level so many slices.
std::function<void(Machine&)> with_slices(int slices) {
  return [slices](Machine& m) { m.caches[1].slices = slices; };
}

TEST_CASE("a cache whose geometry contradicts itself is refused") {
  check_flaws({
      {"cpu.caches", [](Machine& m) { m.caches.clear(); }},
      {"cpu.caches[0].size", [](Machine& m) { m.caches[0].size_bytes = 0; }},
      {"cpu.caches[0].size", [](Machine& m) { m.caches[0].size_bytes += 1; }},
      {"cpu.caches[0].size", [](Machine& m) { m.caches[0].size_bytes += 64; }},
      {"cpu.caches[0].ways", [](Machine& m) { m.caches[0].ways = uint64_t{1} << 60; }},
      {"cpu.caches[1].ways", [](Machine& m) { m.caches[1].ways = 0; }},
      {"cpu.caches[1].line", [](Machine& m) { m.caches[1].line_bytes = 0; }},
      {"cpu.caches[1].line", [](Machine& m) { m.caches[1].line_bytes = 96; }},
      {"cpu.caches[2].line", [](Machine& m) { m.caches[2].line_bytes = 128; }},
      {"cpu.caches[1].sector", [](Machine& m) { m.caches[1].sector_bytes = 128; }},
      {"cpu.caches[1].sector", [](Machine& m) { m.caches[1].sector_bytes = 48; }},
      {"cpu.caches[1].sector",
       // Differs from the L1d's 64 B
       [](Machine& m) { m.caches[1].sector_bytes = 32; }},
      // 64 sectors in a line: more than kMaxSectors
      {"cpu.caches[0].sector", [](Machine& m) { m.caches[0].sector_bytes = 1; }},
      {"cpu.caches[1].slices", with_slices(0)},
      {"cpu.caches[1].slices", with_slices(3)},
      {"cpu.caches[1].slices", with_slices(4096)},  // more than the level has sets
  });
}

TEST_CASE("a cache whose name, latency, queue, share or fill makes no sense is refused") {
  check_flaws({
      {"cpu.caches[1].name", [](Machine& m) { m.caches[1].name = "L1d"; }},
      {"cpu.caches[1].name", [](Machine& m) { m.caches[1].name = ""; }},
      {"cpu.caches[0].latency", [](Machine& m) { m.caches[0].latency_cycles = 0; }},
      {"cpu.caches[1].latency", [](Machine& m) { m.caches[1].latency_cycles = 4; }},
      {"cpu.caches[1].latency", [](Machine& m) { m.caches[1].latency_cycles = kNotANumber; }},
      {"cpu.caches[0].queue", [](Machine& m) { m.caches[0].queue = 0; }},
      {"cpu.caches[0].fill", [](Machine& m) { m.caches[0].fill = Fill::onEvict; }},
      {"cpu.caches[0].inclusion", [](Machine& m) { m.caches[0].inclusion = Inclusion::inclusive; }},
      {"cpu.caches[1].fill", [](Machine& m) { m.caches[1].inclusion = Inclusion::exclusive; }},
      {"cpu.caches[2].fill", [](Machine& m) { m.caches[2].inclusion = Inclusion::inclusive; }},
      {"cpu.caches[2].share", [](Machine& m) { m.caches[2].share = 0; }},
      {"cpu.caches[2].share", [](Machine& m) { m.caches[2].share = 1.01; }},
      {"cpu.caches[2].share", [](Machine& m) { m.caches[2].share = kNotANumber; }},
      {"cpu.caches[2].sharedBy", [](Machine& m) { m.caches[2].shared_by = 3; }},
      {"cpu.caches[2].sharedBy", [](Machine& m) { m.caches[2].shared_by = 0; }},
  });
}

TEST_CASE("lines of several lengths go together when their sectors do") {
  Machine machine = sound_machine();
  machine.caches[1].line_bytes = 128;
  machine.caches[1].sector_bytes = 64;
  CHECK_FALSE(find_machine_problem(machine).has_value());
  CHECK(unit_bytes(machine.caches[1]) == 64);
  CHECK(unit_bytes(machine.caches[0]) == 64);
}

TEST_CASE("a prefetcher needs a level, a degree and a distance") {
  check_flaws({
      {"cpu.prefetchers[1].level", [](Machine& m) { m.prefetchers[1].level = "L4"; }},
      {"cpu.prefetchers[0].degree", [](Machine& m) { m.prefetchers[0].degree = 0; }},
      {"cpu.prefetchers[0].distance", [](Machine& m) { m.prefetchers[0].distance = 0; }},
  });
  Machine machine = sound_machine();
  machine.prefetchers[0].level = "L1";
  CHECK(find_machine_problem(machine)->message ==
        "found 'L1', accepted: L1d, L2, L3 (did you mean 'L1d'?)");
}

TEST_CASE("translation that contradicts itself is refused") {
  check_flaws({
      {"cpu.tlb[0].page", [](Machine& m) { m.tlb[0].page_bytes.clear(); }},
      {"cpu.tlb[0].page", [](Machine& m) { m.tlb[0].page_bytes = {5000}; }},
      {"cpu.tlb[1].page",
       [](Machine& m) {
         m.tlb[1].page_bytes = {4096, 32};
       }},
      {"cpu.tlb[0].ways", [](Machine& m) { m.tlb[0].ways = 0; }},
      {"cpu.tlb[0].entries", [](Machine& m) { m.tlb[0].entries = 0; }},
      {"cpu.tlb[1].entries", [](Machine& m) { m.tlb[1].entries = 1537; }},
      {"cpu.tlb[1].latency", [](Machine& m) { m.tlb[1].latency_cycles = -1; }},
      {"cpu.tlb[1].name", [](Machine& m) { m.tlb[1].name = "L1dTLB"; }},
      {"cpu.walk.entersAt", [](Machine& m) { m.walk.enters_at = "L9"; }},
      {"cpu.walk.walkers", [](Machine& m) { m.walk.walkers = 0; }},
      {"cpu.walk.nested.hostPage", [](Machine& m) { m.walk.nested_host_page_bytes = 3; }},
  });
}

TEST_CASE("memory that is faster than a cache, or has no capacity, is refused") {
  check_flaws({
      {"memory.latency", [](Machine& m) { m.memory.latency_ns = 0; }},
      // latency of memory below that of the last level, 70 cycles at 2.5 GHz
      {"memory.latency", [](Machine& m) { m.memory.latency_ns = 28; }},
      {"memory.rowHit", [](Machine& m) { m.memory.row_hit_ns = 1; }},
      {"memory.rowHit", [](Machine& m) { m.memory.row_hit_ns = -120; }},
      {"memory.channels", [](Machine& m) { m.memory.channels = 0; }},
      {"memory.banks", [](Machine& m) { m.memory.banks = 0; }},
      {"memory.rowSize", [](Machine& m) { m.memory.row_bytes = 0; }},
      {"memory.bandwidth", [](Machine& m) { m.memory.bandwidth = 0; }},
      {"memory.perCoreBandwidth", [](Machine& m) { m.memory.per_core_bandwidth = -1; }},
      {"memory.streamingStore", [](Machine& m) { m.memory.streaming_store_ns = -1; }},
      {"memory.rowCycle", [](Machine& m) { m.memory.row_cycle_ns = -1; }},
      // row cycle below the 25 ns that a row hit saves
      {"memory.rowCycle", [](Machine& m) { m.memory.row_cycle_ns = 24; }},
      {"memory.rowCycle", [](Machine& m) { m.memory.row_cycle_ns = kNotANumber; }},
      {"memory.writeBandwidth", [](Machine& m) { m.memory.write_bandwidth = -1; }},
      {"memory.turnaround", [](Machine& m) { m.memory.turnaround_ns = -1; }},
      {"memory.writeBatch", [](Machine& m) { m.memory.write_batch = 0; }},
  });
}

TEST_CASE("storage without room for a page, or without what its kind needs, is refused") {
  const auto with = [](std::function<void(Storage&)> change) {
    return [change](Machine& machine) {
      machine.storage = Storage{.page_cache_bytes = 1 << 20,
                                .read_bandwidth = 5e8,
                                .write_bandwidth = 4e8,
                                .erase_block_bytes = 1 << 21,
                                .over_provisioning = 0.1};
      change(*machine.storage);
    };
  };
  Machine machine = sound_machine();
  with([](Storage&) {})(machine);
  CHECK_FALSE(find_machine_problem(machine).has_value());
  with([](Storage& s) {
    s.kind = DeviceKind::disk;
    s.erase_block_bytes = 0;
  })(machine);
  CHECK_FALSE(find_machine_problem(machine).has_value());
  check_flaws({
      {"storage.pageSize", with([](Storage& s) { s.page_bytes = 0; })},
      {"storage.pageSize", with([](Storage& s) { s.page_bytes = 5000; })},
      {"storage.pageSize", with([](Storage& s) { s.page_bytes = 32; })},
      {"storage.pageCache", with([](Storage& s) { s.page_cache_bytes = 0; })},
      {"storage.pageCache", with([](Storage& s) { s.page_cache_bytes = 4097; })},
      {"storage.readAhead", with([](Storage& s) { s.read_ahead_bytes = 2048; })},
      {"storage.writeCluster", with([](Storage& s) { s.write_cluster_bytes = 0; })},
      {"storage.faults", with([](Storage& s) { s.faults = 0; })},
      {"storage.queueDepth", with([](Storage& s) { s.queue_depth = 0; })},
      {"storage.latency", with([](Storage& s) { s.latency_ns = -1; })},
      {"storage.requestTime", with([](Storage& s) { s.request_ns = kNotANumber; })},
      {"storage.readBandwidth", with([](Storage& s) { s.read_bandwidth = 0; })},
      {"storage.writeBandwidth", with([](Storage& s) { s.write_bandwidth = -1; })},
      {"storage.eraseBlock", with([](Storage& s) { s.erase_block_bytes = 2048; })},
      {"storage.overProvisioning", with([](Storage& s) { s.over_provisioning = 0; })},
      {"storage.seek", with([](Storage& s) {
         s.kind = DeviceKind::disk;
         s.seek_ns = -1;
       })},
      {"storage.rotation", with([](Storage& s) {
         s.kind = DeviceKind::disk;
         s.rotation_ns = -1;
       })},
  });
}

TEST_CASE("an adjacent-line prefetcher has nothing to choose") {
  const auto with = [](int degree, int distance) {
    return [=](Machine& machine) {
      machine.prefetchers = {{"L2", PrefetcherKind::adjacentLine, degree, distance}};
    };
  };
  Machine machine = sound_machine();
  with(1, 1)(machine);
  CHECK_FALSE(find_machine_problem(machine).has_value());
  check_flaws({
      {"cpu.prefetchers[0].degree", with(2, 1)},
      {"cpu.prefetchers[0].distance", with(1, 2)},
  });
}

TEST_CASE(
    "only a stream goes on into the next virtual page, and not into the next physical one too") {
  const auto with = [](PrefetcherKind kind, bool cross_page) {
    return [=](Machine& machine) {
      machine.prefetchers = {{.level = "L2", .kind = kind, .cross_page = cross_page}};
      machine.prefetchers[0].crosses_after = 3;
    };
  };
  Machine machine = sound_machine();
  with(PrefetcherKind::stream, false)(machine);
  CHECK_FALSE(find_machine_problem(machine).has_value());
  check_flaws({
      {"cpu.prefetchers[0].crossesAfter", with(PrefetcherKind::nextLine, false)},
      {"cpu.prefetchers[0].crossesAfter", with(PrefetcherKind::ipStride, false)},
      {"cpu.prefetchers[0].crossesAfter", with(PrefetcherKind::stream, true)},
  });
}

TEST_CASE("names that cannot be shown are refused") {
  Machine machine = sound_machine();
  machine.gpu = Gpu{.name = "gpu", .architecture = "sm_90"};
  machine.gpu_hardware = test::full_gpu_hardware();
  struct Case {
    const char* key_path;
    std::string* name;
  };
  for (const auto& [key_path, name] : {Case{"name", &machine.name},
                                       {"cpu.caches[1].name", &machine.caches[1].name},
                                       {"cpu.tlb[0].name", &machine.tlb[0].name},
                                       {"gpu.name", &machine.gpu->name},
                                       {"gpu.architecture", &machine.gpu->architecture},
                                       {"gpuHardware.name", &machine.gpu_hardware->name}}) {
    CAPTURE(key_path);
    const std::string kept = *name;
    for (const std::string bad : {"a\nb", "\x1b[2J", "\xff", "\u2028"}) {
      *name = bad;
      const auto problem = find_machine_problem(machine);
      REQUIRE(problem.has_value());
      CHECK(problem->key_path == key_path);
      CHECK(problem->message.find("accepted: UTF-8 text without control characters") !=
            std::string::npos);
    }
    *name = std::string(5000, 'a');
    CHECK(find_machine_problem(machine)->message.starts_with("found 5000 bytes, accepted: "));
    *name = kept;
  }
}

TEST_CASE("parts of a GPU that contradict each other are refused") {
  Machine machine = sound_machine();
  machine.gpu_hardware = test::full_gpu_hardware();
  CHECK_FALSE(find_machine_problem(machine).has_value());
  const auto with = [](const std::function<void(GpuHardware&)>& change) {
    return [change](Machine& m) {
      m.gpu_hardware = test::full_gpu_hardware();
      change(*m.gpu_hardware);
    };
  };
  check_flaws({
      {"gpuHardware.l2.line", with([](GpuHardware& gpu) { gpu.l2.line_bytes = 192; })},
      {"gpuHardware.l2.line", with([](GpuHardware& gpu) { gpu.l2.line_bytes = 2048; })},
      {"gpuHardware.l2.sector", with([](GpuHardware& gpu) { gpu.l2.sector_bytes = 512; })},
      {"gpuHardware.l2.slices", with([](GpuHardware& gpu) { gpu.l2.slices = 95; })},
      {"gpuHardware.l2.size", with([](GpuHardware& gpu) { gpu.l2.size_bytes = 64 << 10; })},
      {"gpuHardware.l2.size",
       with([](GpuHardware& gpu) { gpu.l2.size_bytes = gpu.memory.size_bytes + 1; })},
      {"gpuHardware.l1.size", with([](GpuHardware& gpu) { gpu.l1.size_bytes = 1024; })},
      {"gpuHardware.sharedPerBlock",
       with([](GpuHardware& gpu) { gpu.shared_bytes_of_block = gpu.shared.size_bytes + 1; })},
      {"gpuHardware.memory.row", with([](GpuHardware& gpu) { gpu.memory.row_bytes = 1000; })},
      {"gpuHardware.tlb.page", with([](GpuHardware& gpu) { gpu.tlb.page_bytes = 5000; })},
      {"gpuHardware.tlb.reach", with([](GpuHardware& gpu) { gpu.tlb.reach_bytes = 1 << 20; })},
      {"gpuHardware.l2.lineAtomics", with([](GpuHardware& gpu) { gpu.l2.line_atomics = 0; })},
  });
}

TEST_CASE("more levels than a time stack has terms for are refused") {
  check_flaws({
      {"cpu.caches", [](Machine& m) { m.caches.resize(300, m.caches[0]); }},
      {"cpu.tlb", [](Machine& m) { m.tlb.resize(17, m.tlb[0]); }},
      {"cpu.prefetchers", [](Machine& m) { m.prefetchers.resize(17, m.prefetchers[0]); }},
      {"cpu.tlb[0].page", [](Machine& m) { m.tlb[0].page_bytes.resize(17, 4096); }},
  });
}

}  // namespace machine_test
