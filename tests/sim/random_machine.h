// Random valid machines and traces, for properties that hold for all of them.
#pragma once

#include "tests/core/machine/policy_names.h"
#include "tests/sim/pipeline/core_rig.h"
#include "tests/sim/property.h"

namespace presort::inline v0::test {

// Draws a block device and a page cache of few pages, so that short traces overflow the cache.
inline Storage random_storage() {
  Storage storage;
  storage.kind = *rc::gen::element(DeviceKind::disk, DeviceKind::ssd);
  storage.page_bytes = uint64_t{64} << between(0, 3);
  storage.page_cache_bytes = storage.page_bytes * between<uint64_t>(1, 40);
  storage.read_ahead_bytes = storage.page_bytes * between<uint64_t>(1, 4);
  storage.write_cluster_bytes = storage.page_bytes * between<uint64_t>(1, 4);
  storage.faults = between(1, 4);
  storage.queue_depth = between(1, 4);
  storage.latency_ns = between(0, 5000);
  storage.request_ns = between(0, 1000);
  storage.read_bandwidth = 1e8 * between(1, 20);
  storage.write_bandwidth = 1e8 * between(1, 20);
  storage.seek_ns = between(0, 10000);
  storage.rotation_ns = between(0, 10000);
  storage.erase_block_bytes = storage.page_bytes << between(0, 6);
  storage.over_provisioning = 0.05 * between(1, 10);
  return storage;
}

inline Machine random_machine() {
  Machine machine = small_machine();
  machine.caches.clear();
  const char* const names[] = {"L1", "L2", "L3"};
  const auto levels = between<size_t>(1, 3);
  for (size_t i = 0; i < levels; ++i) {
    CacheLevel level = small_level(names[i], between<uint64_t>(1, 9), between<uint64_t>(1, 4),
                                   between(1, 9) + 10 * static_cast<double>(i), between(1, 6));
    level.policy = parse_replacement("policy", random_policy());
    level.hashed = *rc::gen::arbitrary<bool>();
    level.share = *rc::gen::element(1.0, 0.4);
    machine.caches.push_back(level);
  }
  if (levels > 1 && *rc::gen::arbitrary<bool>()) {
    machine.caches.back().fill = Fill::onEvict;
  }
  for (size_t i = between<size_t>(0, 2); i > 0; --i) {
    Prefetcher prefetcher{names[between<size_t>(0, levels - 1)],
                          *rc::gen::element(PrefetcherKind::nextLine, PrefetcherKind::ipStride,
                                            PrefetcherKind::stream),
                          between(1, 4), between(1, 20), between(0, 1) == 1};
    if (between(0, 3) == 0) {
      prefetcher = {prefetcher.level, PrefetcherKind::adjacentLine};
    }
    if (prefetcher.kind == PrefetcherKind::stream && !prefetcher.cross_page) {
      prefetcher.crosses_after = between(0, 3);
    }
    machine.prefetchers.push_back(prefetcher);
  }
  machine.window = {between(1, 64), between(1, 16)};
  machine.dispatch_width = between(1, 6);
  machine.frames = *rc::gen::element(Frames::contiguous, Frames::random, Frames::coloured);
  if (*rc::gen::arbitrary<bool>()) {
    machine.tlb = {small_tlb("TLB", {4096}, 4, 2, 1), small_tlb("STLB", {4096, 2 << 20}, 8, 4, 7)};
    machine.tlb.back().policy = parse_replacement("policy", random_policy());
    machine.walk.cache_policy = parse_replacement("policy", random_policy());
    machine.walk.walkers = between(1, 2);
    machine.walk.pde_entries = between<uint64_t>(0, 4);
    if (*rc::gen::arbitrary<bool>()) {
      machine.walk.nested_host_page_bytes = 4096;
    }
  }
  machine.memory.row_hit_ns = -between(0, 20);
  machine.memory.bandwidth = 1e9 * between(1, 64);
  machine.memory.per_core_bandwidth = 1e9 * between(0, 20);
  machine.memory.write_bandwidth = 1e9 * between(0, 1) * between(1, 20);
  machine.memory.channels = between(1, 3);
  machine.memory.banks = between(1, 4);
  machine.memory.row_cycle_ns = between(0, 1) * between(20, 60);
  machine.memory.turnaround_ns = between(0, 1) * between(1, 20);
  machine.memory.write_batch = between(1, 8);
  if (between(0, 3) == 0) {
    machine.storage = random_storage();
  }
  return machine;
}

inline Records random_records(int longest) {
  using Kind = sim::AccessKind;
  Records records;
  const auto lines = between<uint64_t>(1, 400);
  for (int i = between(1, longest); i > 0; --i) {
    const Kind kind = *rc::gen::element(Kind::load, Kind::load, Kind::store, Kind::store,
                                        Kind::prefetch, Kind::streamingStore, Kind::branch);
    const auto back = [] { return static_cast<uint16_t>(between(0, 1) * between(0, 20)); };
    sim::Access access = record(kind, between<uint64_t>(0, lines),
                                static_cast<uint16_t>(between(0, 12)), back(), back());
    access.address += 4 * between<uint64_t>(0, 15);
    access.instruction = between<uint64_t>(0, 3);
    access.size = kind == Kind::branch ? static_cast<uint8_t>(between(0, 1)) : 4;
    records.push_back(access);
  }
  return records;
}

}  // namespace presort::test
