#include "sim/hierarchy.h"

namespace presort::sim {

namespace {

Paging::Use use_of(AccessKind kind) {
  return kind == AccessKind::load    ? Paging::Use::read
         : kind == AccessKind::store ? Paging::Use::write
                                     : Paging::Use::stream;
}

}  // namespace

Hierarchy::Hierarchy(const Machine& machine, AddressSpace space, MemoryMode mode, uint64_t seed)
    : space_(std::move(space)),
      caches_(machine, seed),
      translation_(machine, space_, caches_, seed),
      paging_(machine.storage ? std::make_unique<Paging>(*machine.storage, machine.clock_hz)
                              : nullptr),
      core_(machine, mode, translation_, caches_, paging_.get()),
      ns_per_cycle_(1e9 / machine.clock_hz) {
  for (const CacheLevel& level : machine.caches) {
    level_names_.push_back(level.name);
  }
}

void Hierarchy::run(std::span<const Access> records) {
  if (sink_ != nullptr) {
    sink_->write(records);
  }
  for (const Access& record : records) {
    accesses_ += record.kind != AccessKind::branch;
  }
  core_.run(records);
}

void Hierarchy::count(std::span<const Access> records) {
  if (sink_ != nullptr) {
    sink_->write(records);
  }
  for (const Access& record : records) {
    if (record.kind == AccessKind::branch) {
      continue;
    }
    ++accesses_;
    if (paging_ && record.kind != AccessKind::prefetch) {
      paging_->warm(record.address, use_of(record.kind));
    }
    const uint64_t physical = translation_.warm(record.address);
    const bool prefetch = record.kind == AccessKind::prefetch;
    caches_.set_instruction(prefetch ? 0 : record.instruction, physical);
    if (record.kind == AccessKind::streamingStore) {
      caches_.warm_stream_store(physical, record.size);
    } else {
      caches_.warm(0, physical >> caches_.line_shift(), record.kind == AccessKind::store,
                   record.size);
    }
  }
}

void Hierarchy::run(AccessSource& source) {
  for (auto records = source.next(); !records.empty(); records = source.next()) {
    run(records);
  }
}

void Hierarchy::count(AccessSource& source) {
  for (auto records = source.next(); !records.empty(); records = source.next()) {
    count(records);
  }
}

void Hierarchy::prime(size_t level, uint64_t address, bool dirty) {
  caches_.prime(level, translation_.warm(address) >> caches_.line_shift(), dirty);
}

void Hierarchy::write_back_pages() {
  if (paging_) {
    core_.wait_until(paging_->write_back(core_.now()), kStorage);
  }
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
  if (paging_) {
    add("storage", kStorage);
    result.storage = paging_->counts();
  }
  result.levels = caches_.counts();
  result.tlb = translation_.counts();
  result.walks = translation_.walks();
  result.memory_reads = caches_.memory_reads();
  result.memory_writes = caches_.memory_writes();
  result.memory_partial_writes = caches_.partial_writes();
  result.accesses = accesses_;
  return result;
}

void Hierarchy::reset_statistics() {
  caches_.reset_counts();
  translation_.reset_counts();
  if (paging_) {
    paging_->reset_counts();
  }
  core_.reset_blame();
  reset_at_ = core_.now();
  accesses_ = 0;
}

}  // namespace presort::sim
