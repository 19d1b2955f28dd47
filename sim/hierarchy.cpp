#include "sim/hierarchy.h"

namespace presort::sim {

Hierarchy::Hierarchy(const Machine& machine, AddressSpace space, MemoryMode mode, uint64_t seed)
    : space_(std::move(space)),
      caches_(machine, seed),
      translation_(machine, space_, caches_, seed),
      core_(machine, mode, translation_, caches_),
      ns_per_cycle_(1e9 / machine.clock_hz) {
  for (const CacheLevel& level : machine.caches) {
    level_names_.push_back(level.name);
  }
}

void Hierarchy::run(std::span<const Access> records) {
  for (const Access& record : records) {
    accesses_ += record.kind != AccessKind::branch;
  }
  core_.run(records);
}

void Hierarchy::warm(std::span<const Access> records) {
  for (const Access& record : records) {
    if (record.kind == AccessKind::branch) {
      continue;
    }
    const uint64_t line = translation_.warm(record.address) >> caches_.line_shift();
    if (record.kind == AccessKind::streamingStore) {
      caches_.warm_stream_store(line);
    } else {
      caches_.warm(0, line, record.kind == AccessKind::store);
    }
  }
}

void Hierarchy::run(AccessSource& source) {
  for (auto records = source.next(); !records.empty(); records = source.next()) {
    run(records);
  }
}

void Hierarchy::warm(AccessSource& source) {
  for (auto records = source.next(); !records.empty(); records = source.next()) {
    warm(records);
  }
}

void Hierarchy::prime(size_t level, uint64_t address, bool dirty) {
  caches_.prime(level, translation_.warm(address) >> caches_.line_shift(), dirty);
}

Statistics Hierarchy::statistics() const {
  Statistics result;
  result.ns = (core_.now() - reset_at_) * ns_per_cycle_;
  const std::vector<double>& blamed = core_.blamed();
  const auto add = [&](const std::string& name, size_t term) {
    result.stack_ns.emplace_back(name, blamed[term] * ns_per_cycle_);
  };
  add("core", kCore);
  for (size_t i = 0; i < level_names_.size(); ++i) {
    add(level_names_[i], kFirstLevel + i);
  }
  add("memoryLatency", kMemoryLatency);
  add("memoryBandwidth", kMemoryBandwidth);
  add("TLB", kTlb);
  add("branches", kBranches);
  add("stores", kStores);
  add("dependence", kDependence);
  result.levels = caches_.counts();
  result.tlb = translation_.counts();
  result.walks = translation_.walks();
  result.memory_reads = caches_.memory_reads();
  result.memory_writes = caches_.memory_writes();
  result.accesses = accesses_;
  return result;
}

void Hierarchy::reset_statistics() {
  caches_.reset_counts();
  translation_.reset_counts();
  core_.reset_blame();
  reset_at_ = core_.now();
  accesses_ = 0;
}

}  // namespace presort::sim
