#include <algorithm>

#include "presort/probe/workloads/chase.h"
#include "presort/probe/workloads/workloads.h"

namespace presort::inline v0::probe {
namespace {

constexpr uint64_t kSetSteps = 1 << 13;
constexpr uint64_t kMostLines = 40;
constexpr int kSetSlices = 2;

// Times chases over lines of one set: lines that are a way's bytes apart lie in one set of a cache.
void chase_set(const Bench& bench, Arena& arena, uint64_t way_bytes, Quantity quantity) {
  for (uint64_t lines = 2; lines <= kMostLines && lines * way_bytes <= arena.bytes(); ++lines) {
    Chain chain(arena, way_bytes, lines);
    chain.chase(kSetSteps / 4);
    for (int i = 0; i < kSetSlices; ++i) {
      bench.add(quantity, lines, chain.chase(kSetSteps));
    }
  }
}

}  // namespace

void measure_sets(const Bench& bench) {
  for (const AnnouncedCache& cache : bench.topology.caches) {
    if (cache.ways == 0 || cache.level > 2) {
      continue;
    }
    const uint64_t way_bytes = cache.size_bytes / cache.ways;
    chase_set(bench, bench.huge, way_bytes,
              cache.level == 1 ? Quantity::setChaseL1 : Quantity::setChaseL2);
  }
}

}  // namespace presort::probe
