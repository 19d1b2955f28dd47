#include "presort/sim/statistics.h"

namespace presort::inline v0::sim {

Statistics gather_statistics(const Core& core, const CacheStack& caches,
                             const Translation& translation, double since, double ns_per_cycle) {
  Statistics result;
  result.ns = (core.now() - since) * ns_per_cycle;
  result.levels = caches.counts();
  const auto add = [&](const std::string& name, size_t term) {
    result.stack_ns.emplace_back(name, core.blamed()[term] * ns_per_cycle);
  };
  add("core", kCore);
  for (size_t i = 0; i < result.levels.size(); ++i) {
    add(result.levels[i].name, kFirstLevel + i);
  }
  add("memoryLatency", kMemoryLatency);
  add("memoryBandwidth", kMemoryBandwidth);
  add("TLB", kTlb);
  add("branches", kBranches);
  add("stores", kStores);
  add("dependence", kDependence);
  result.tlb = translation.counts();
  result.walks = translation.walks();
  result.memory_reads = caches.memory_reads();
  result.memory_writes = caches.memory_writes();
  result.memory_partial_writes = caches.partial_writes();
  return result;
}

}  // namespace presort::sim
