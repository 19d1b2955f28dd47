// The members of BasicCore (core.h); included where BasicCore is instantiated.
#pragma once

#include <algorithm>
#include <cstddef>

#include "presort/sim/pipeline/core.h"
#include "presort/sim/pipeline/core_stores.h"

namespace presort::inline v0::sim {

template <class Addresses, class Lines>
BasicCore<Addresses, Lines>::BasicCore(const Machine& machine, MemoryMode mode,
                                       Addresses& translation, Lines& caches, Paging* paging)
    : mode_(mode),
      translation_(translation),
      caches_(caches),
      paging_(paging),
      cycles_per_slot_(1.0 / machine.dispatch_width),
      plain_cost_(machine.costs[MicroOp::plain]),
      branch_miss_(machine.branch_miss_cycles),
      forward_(machine.store_forward_cycles),
      repeated_forward_(machine.repeated_forward_cycles.value_or(forward_)),
      float_add_(machine.float_add_cycles),
      renames_memory_(machine.repeated_forward_cycles.has_value()),
      first_latency_(machine.caches.front().latency_cycles),
      forwarding_(static_cast<size_t>(machine.window.stores)),
      renaming_(static_cast<uint32_t>(machine.repeated_forward_after),
                static_cast<uint32_t>(machine.repeated_forward_after_strays > 0
                                          ? machine.repeated_forward_after_strays
                                          : machine.repeated_forward_after),
                machine.repeated_forward_beside_prefetch),
      blamed_(kFirstLevel + machine.caches.size(), 0.0),
      window_(static_cast<uint64_t>(machine.window.entries)),
      registers_(static_cast<uint64_t>(machine.window.registers)),
      stores_(static_cast<size_t>(machine.window.stores)),
      store_lines_(std::max(1, machine.window.store_lines)),
      limits_store_lines_(machine.window.store_lines > 0),
      stores_ahead_(static_cast<uint64_t>(machine.window.stores_ahead)),
      runs_(machine.window.store_runs),
      port_cycles_(machine.window.load_ports > 0 ? 1.0 / machine.window.load_ports : 0) {
  for (size_t kind = 0; kind < kAccessKinds; ++kind) {
    for (const uint8_t size : {uint8_t{1}, kLineMoveBytes}) {
      const Access record{.kind = static_cast<AccessKind>(kind), .size = size};
      costs_[cost_index(record.kind, size)] = machine.costs[micro_op_of(record)];
    }
  }
}

template <class Addresses, class Lines>
void BasicCore<Addresses, Lines>::reset_blame() {
  std::fill(blamed_.begin(), blamed_.end(), 0.0);
}

template <class Addresses, class Lines>
void BasicCore<Addresses, Lines>::run(std::span<const Access> records) {
  LookAhead ahead;
  for (size_t k = 0; k < records.size(); ++k) {
    const Access& record = records[k];
    if constexpr (kLooksAhead) {
      if (k % LookAhead::kBlock == 0) {
        ahead.begin_block(records.subspan(k), translation_, caches_);
      }
    }
    course_.clear();
    const double t = dispatch(record);
    settle_until(t);
    double completed = t;
    switch (record.kind) {
      case AccessKind::load:
        completed = load(record, t);
        break;
      case AccessKind::store:
        completed = store(record, t);
        break;
      case AccessKind::streamingStore:
        completed = streaming_store(record, t);
        break;
      case AccessKind::prefetch:
        completed = prefetch(record, t);
        break;
      case AccessKind::branch:
        completed = branch(record, t);
        break;
    }
    completions_[sequence_ % kRing] = completed;
    ++sequence_;
  }
}

template <class Addresses, class Lines>
double BasicCore<Addresses, Lines>::dispatch(const Access& record) {
  const uint64_t ops = uint64_t{1} + record.micro_ops;
  micro_ops_ += ops;
  const double work = dispatch_work(record);
  double start = dispatched_;
  if (redirect_ > start) {
    start = redirect_;
    course_.wait_until(start, kBranches);
  }
  double t = start + work;
  course_.wait_until(t, kCore);
  results_ += record.micro_ops + (record.kind == AccessKind::load ? 1 : 0);
  t = std::max({t, window_.free_from(micro_ops_), registers_.free_from(results_)});
  const bool is_store =
      record.kind == AccessKind::store || record.kind == AccessKind::streamingStore;
  if (is_store) {
    if (stores_.full()) {
      stores_.pop(drain(stores_.oldest()));
    }
    if (stores_.free_from() > t) {
      t = stores_.free_from();
      course_.wait_until(t, kStores);
    }
  }
  // Dispatch time is charged to the core when the record retires, if nothing else delayed the
  // record.
  unhindered_work_ = t == dispatched_ + work ? work : 0;
  dispatched_ = t;
  started_ = t;
  return t;
}

template <class Addresses, class Lines>
void BasicCore<Addresses, Lines>::retire(double completed, uint8_t last_term) {
  if (completed > retired_) {
    // Where dispatch or load ports set the pace, records complete one pace apart, each a latency
    // after its start. This time is charged to the core, not to the latency.
    const bool paced_by_core = completed <= started_ + first_latency_;
    const double work = paced_by_core ? std::min(unhindered_work_, completed - retired_) : 0;
    blamed_[kCore] += work;
    course_.charge(retired_ + work, completed, last_term, blamed_);
    retired_ = completed;
  }
  window_.push(retired_, micro_ops_);
  registers_.push(retired_, results_);
}

// Time at which an access whose operands are there at `ready` may start, cycles.
template <class Addresses, class Lines>
double BasicCore<Addresses, Lines>::begin(double t, double ready) {
  double start = std::max(t, ready);
  if (mode_ == MemoryMode::dependent) {
    start = std::max(start, last_access_);
  }
  course_.wait_until(start, kDependence);
  return start;
}

// The physical address of a record, and the time when it is translated and its page is in memory.
template <class Addresses, class Lines>
typename Addresses::Reply BasicCore<Addresses, Lines>::locate(const Access& record, double start,
                                                              Paging::Use use) {
  typename Addresses::Reply place =
      translation_.translate(record.address, start, use == Paging::Use::read, course_);
  if (paging_ != nullptr) {
    place.ready = paging_->use(record.address, place.ready, use);
    course_.wait_until(place.ready, kStorage);
  }
  caches_.set_instruction(record.instruction, place.physical);
  return place;
}

// Time at which a load that is dispatched at `t` gets a load port, cycles.
template <class Addresses, class Lines>
double BasicCore<Addresses, Lines>::load_port(double t) {
  const double start = std::max(ports_taken_, t);
  ports_taken_ = start + port_cycles_;
  if (start > t) {
    started_ = start;
    unhindered_work_ = port_cycles_;
    course_.wait_until(start, kCore);
  }
  return start;
}

// Takes a load port once more for the current load.
template <class Addresses, class Lines>
void BasicCore<Addresses, Lines>::start_again() {
  ports_taken_ += port_cycles_;
}

template <class Addresses, class Lines>
double BasicCore<Addresses, Lines>::load(const Access& record, double t) {
  const double start = begin(load_port(t), completion(record.depends_on));
  const typename Addresses::Reply place = locate(record, start, Paging::Use::read);
  double completed = 0;
  const uint64_t line = place.physical >> caches_.line_shift();
  const typename Lines::Reply reply = caches_.access(0, line, place.ready, false, course_);
  const StoreForwarding::Found found = forwarding_.find(record.address, record.size, place.ready);
  const bool renamed =
      renames_memory_ && renaming_.load(record.instruction, record.address, found.forwards);
  if (found.forwards) {
    const double forward = renamed ? repeated_forward_ : forward_;
    completed = std::max(place.ready + first_latency_, found.data_ready + forward);
    course_.wait_until(completed, kDependence);
  }
  if (found.waits_for) {
    completed = std::max(completed, settle_through(*found.waits_for) + first_latency_);
    course_.wait_until(completed, kStores);
  }
  if (!found.forwards && !found.waits_for) {
    completed = reply.ready;
    if (!reply.first_level_hit) {
      start_again();
    }
  }
  translation_.finish(place, completed);
  last_access_ = completed;
  if (record.data_depends_on != 0 && float_add_ > 0) {
    completed = std::max(completed, completion(record.data_depends_on)) + float_add_;
    course_.wait_until(completed, kDependence);
  }
  retire(completed, kCore);
  return completed;
}

template <class Addresses, class Lines>
double BasicCore<Addresses, Lines>::prefetch(const Access& record, double t) {
  renaming_.prefetch(record.address);
  const double start = begin(load_port(t), completion(record.depends_on));
  const typename Addresses::Reply place =
      translation_.translate(record.address, start, true, course_);
  caches_.set_instruction(0, 0);
  Course unused;
  const uint64_t line = place.physical >> caches_.line_shift();
  const typename Lines::Reply reply = caches_.access(0, line, place.ready, false, unused);
  translation_.finish(place, reply.ready);
  const double completed = std::max(reply.accepted, place.ready) + 1;
  last_access_ = std::max(last_access_, mode_ == MemoryMode::dependent ? reply.ready : 0);
  retire(completed, kFirstLevel);
  return completed;
}

template <class Addresses, class Lines>
double BasicCore<Addresses, Lines>::branch(const Access& record, double t) {
  const double resolved = std::max(t, completion(record.depends_on)) + 1;
  course_.wait_until(resolved, kDependence);
  if (!predictor_.predict(record.address, record.size != 0)) {
    redirect_ = resolved + branch_miss_;
  }
  retire(resolved, kBranches);
  return resolved;
}

}  // namespace presort::sim
