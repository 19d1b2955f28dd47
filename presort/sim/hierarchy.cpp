#include "presort/sim/hierarchy.h"

#include "presort/sim/count_access.h"

namespace presort::inline v0::sim {

namespace {

Paging::Use use_of(AccessKind kind) {
  return kind == AccessKind::load    ? Paging::Use::read
         : kind == AccessKind::store ? Paging::Use::write
                                     : Paging::Use::stream;
}

uint64_t count_of_accesses(std::span<const Access> records) {
  uint64_t accesses = 0;
  for (const Access& record : records) {
    accesses += record.kind != AccessKind::branch;
  }
  return accesses;
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
  if (CountingPasses::fit(caches_, translation_)) {
    passes_.emplace(caches_, translation_);
  }
  if (LastLevel::fit(caches_)) {
    last_level_.emplace(caches_, translation_, machine.caches.back().policy);
  }
}

void Hierarchy::run(std::span<const Access> records) {
  if (sink_ != nullptr) {
    sink_->write(records);
  }
  accesses_ += count_of_accesses(records);
  core_.run(records);
}

void Hierarchy::count(std::span<const Access> records) {
  if (sink_ != nullptr) {
    sink_->write(records);
  }
  core_.settle();
  warm_pages(records);
  if (passes_) {
    accesses_ += passes_->count(records);
    return;
  }
  accesses_ += count_of_accesses(records);
  for (const Access& record : records) {
    count_access(record, translation_, caches_);
  }
}

void Hierarchy::warm_last_level(std::span<const Access> records) {
  if (!last_level_) {
    count(records);
    return;
  }
  if (sink_ != nullptr) {
    sink_->write(records);
  }
  core_.settle();
  warm_pages(records);
  last_level_->warm(records);
}

// Touches the pages of records without time, if there is a block device.
void Hierarchy::warm_pages(std::span<const Access> records) {
  if (!paging_) {
    return;
  }
  for (const Access& record : records) {
    if (record.kind != AccessKind::branch && record.kind != AccessKind::prefetch) {
      paging_->warm(record.address, use_of(record.kind));
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

Statistics Hierarchy::statistics() {
  core_.settle();
  Statistics result = gather_statistics(core_, caches_, translation_, reset_at_, ns_per_cycle_);
  if (paging_) {
    result.stack_ns.emplace_back("storage", core_.blamed()[kStorage] * ns_per_cycle_);
    result.storage = paging_->counts();
  }
  result.accesses = accesses_;
  return result;
}

void Hierarchy::reset_statistics() {
  core_.settle();
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
