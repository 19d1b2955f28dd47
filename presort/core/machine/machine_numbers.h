// The numbers of a machine by their keys in core/machine/machine_ranges.h.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "presort/core/machine/machine.h"

namespace presort::inline v0 {

namespace detail {

template <class Level, class Visit>
void visit_cache(Level& level, size_t i, const Visit& visit) {
  visit("cpu.caches[].size", i, level.size_bytes);
  visit("cpu.caches[].ways", i, level.ways);
  visit("cpu.caches[].line", i, level.line_bytes);
  visit("cpu.caches[].latency", i, level.latency_cycles);
  visit("cpu.caches[].queue", i, level.queue);
  visit("cpu.caches[].bandwidth", i, level.bandwidth);
  visit("cpu.caches[].writeBandwidth", i, level.write_bandwidth);
  visit("cpu.caches[].sharedBy", i, level.shared_by);
  visit("cpu.caches[].share", i, level.share);
  visit("cpu.caches[].sector", i, level.sector_bytes);
}

template <class AnyMachine, class Visit>
void visit_core(AnyMachine& machine, const Visit& visit) {
  visit("cpu.clock", 0, machine.clock_hz);
  visit("cpu.cores", 0, machine.cores);
  visit("cpu.dispatchWidth", 0, machine.dispatch_width);
  visit("cpu.costs.plain", 0, machine.costs[MicroOp::plain]);
  visit("cpu.costs.load", 0, machine.costs[MicroOp::load]);
  visit("cpu.costs.store", 0, machine.costs[MicroOp::store]);
  visit("cpu.costs.branch", 0, machine.costs[MicroOp::branch]);
  visit("cpu.costs.prefetch", 0, machine.costs[MicroOp::prefetch]);
  visit("cpu.costs.lineMove", 0, machine.costs[MicroOp::lineMove]);
  visit("cpu.window.entries", 0, machine.window.entries);
  visit("cpu.window.loads", 0, machine.window.loads);
  visit("cpu.window.stores", 0, machine.window.stores);
  visit("cpu.window.registers", 0, machine.window.registers);
  visit("cpu.window.storeLines", 0, machine.window.store_lines);
  visit("cpu.window.storesAhead", 0, machine.window.stores_ahead);
  visit("cpu.window.storeRuns", 0, machine.window.store_runs);
  visit("cpu.window.loadPorts", 0, machine.window.load_ports);
  visit("cpu.branchMiss", 0, machine.branch_miss_cycles);
  visit("cpu.storeForward", 0, machine.store_forward_cycles);
  if (machine.repeated_forward_cycles) {
    visit("cpu.storeForwardRepeated", 0, *machine.repeated_forward_cycles);
  }
  visit("cpu.writeCombining", 0, machine.write_combining);
  visit("cpu.threadsPerCore", 0, machine.threads_per_core);
}

template <class AnyMachine, class Visit>
void visit_levels(AnyMachine& machine, const Visit& visit) {
  for (size_t i = 0; i < machine.caches.size(); ++i) {
    visit_cache(machine.caches[i], i, visit);
  }
  for (size_t i = 0; i < machine.prefetchers.size(); ++i) {
    visit("cpu.prefetchers[].degree", i, machine.prefetchers[i].degree);
    visit("cpu.prefetchers[].distance", i, machine.prefetchers[i].distance);
    visit("cpu.prefetchers[].yieldsAt", i, machine.prefetchers[i].yields_at);
  }
  for (size_t i = 0; i < machine.tlb.size(); ++i) {
    for (auto& page : machine.tlb[i].page_bytes) {
      visit("cpu.tlb[].page", i, page);
    }
    visit("cpu.tlb[].entries", i, machine.tlb[i].entries);
    visit("cpu.tlb[].ways", i, machine.tlb[i].ways);
    visit("cpu.tlb[].latency", i, machine.tlb[i].latency_cycles);
  }
}

template <class Walk, class Visit>
void visit_walk(Walk& walk, const Visit& visit) {
  visit("cpu.walk.walkers", 0, walk.walkers);
  visit("cpu.walk.caches.pde", 0, walk.pde_entries);
  visit("cpu.walk.caches.pdpte", 0, walk.pdpte_entries);
  visit("cpu.walk.caches.pml4e", 0, walk.pml4e_entries);
  if (walk.nested_host_page_bytes) {
    visit("cpu.walk.nested.hostPage", 0, *walk.nested_host_page_bytes);
  }
  visit("cpu.walk.overhead", 0, walk.overhead_cycles);
  visit("cpu.walk.outstanding", 0, walk.outstanding);
  visit("cpu.walk.interval", 0, walk.interval_cycles);
  if (walk.large_interval_cycles) {
    visit("cpu.walk.largePageInterval", 0, *walk.large_interval_cycles);
  }
}

template <class Memory, class Visit>
void visit_memory(Memory& memory, const Visit& visit) {
  visit("memory.latency", 0, memory.latency_ns);
  visit("memory.rowHit", 0, memory.row_hit_ns);
  visit("memory.channels", 0, memory.channels);
  visit("memory.banks", 0, memory.banks);
  visit("memory.rowSize", 0, memory.row_bytes);
  visit("memory.bandwidth", 0, memory.bandwidth);
  visit("memory.perCoreBandwidth", 0, memory.per_core_bandwidth);
  visit("memory.streamingStore", 0, memory.streaming_store_ns);
  visit("memory.rowCycle", 0, memory.row_cycle_ns);
  visit("memory.turnaround", 0, memory.turnaround_ns);
  visit("memory.writeBatch", 0, memory.write_batch);
}

template <class Storage, class Visit>
void visit_storage(Storage& storage, const Visit& visit) {
  visit("storage.pageCache", 0, storage.page_cache_bytes);
  visit("storage.pageSize", 0, storage.page_bytes);
  visit("storage.readAhead", 0, storage.read_ahead_bytes);
  visit("storage.writeCluster", 0, storage.write_cluster_bytes);
  visit("storage.faults", 0, storage.faults);
  visit("storage.queueDepth", 0, storage.queue_depth);
  visit("storage.latency", 0, storage.latency_ns);
  visit("storage.requestTime", 0, storage.request_ns);
  visit("storage.readBandwidth", 0, storage.read_bandwidth);
  visit("storage.writeBandwidth", 0, storage.write_bandwidth);
  if (storage.kind == DeviceKind::disk) {
    visit("storage.seek", 0, storage.seek_ns);
    visit("storage.rotation", 0, storage.rotation_ns);
  } else {
    visit("storage.eraseBlock", 0, storage.erase_block_bytes);
    visit("storage.overProvisioning", 0, storage.over_provisioning);
  }
}

template <class Gpu, class Visit>
void visit_gpu(Gpu& gpu, const Visit& visit) {
  visit("gpu.multiprocessors", 0, gpu.multiprocessors);
  visit("gpu.clock", 0, gpu.clock_hz);
  visit("gpu.threadsPerMultiprocessor", 0, gpu.threads_of_multiprocessor);
  visit("gpu.sharedPerMultiprocessor", 0, gpu.shared_bytes_of_multiprocessor);
  visit("gpu.sharedPerBlock", 0, gpu.shared_bytes_of_block);
  visit("gpu.l2", 0, gpu.l2_bytes);
  visit("gpu.l2Effective", 0, gpu.l2_effective_bytes);
  visit("gpu.memory", 0, gpu.memory_bytes);
  visit("gpu.launch", 0, gpu.launch_ns);
  visit("gpu.ceilings.read", 0, gpu.read_bandwidth);
  visit("gpu.ceilings.copy", 0, gpu.copy_bandwidth);
  visit("gpu.ceilings.l2Read", 0, gpu.l2_read_bandwidth);
  visit("gpu.ceilings.atomicsOneAddress", 0, gpu.atomics_of_address);
  visit("gpu.ceilings.atomicsCrowded", 0, gpu.atomics_crowded);
  visit("gpu.ceilings.atomicsL2", 0, gpu.atomics_in_l2);
  visit("gpu.ceilings.atomicsMemory", 0, gpu.atomics_in_memory);
  visit("gpu.ceilings.readsL2", 0, gpu.reads_in_l2);
  visit("gpu.ceilings.readsMemory", 0, gpu.reads_in_memory);
  visit("gpu.ceilings.sharedAtomics", 0, gpu.shared_atomics);
  visit("gpu.ceilings.sharedReads", 0, gpu.shared_reads);
  visit("gpu.ceilings.tableUpdates", 0, gpu.table_updates);
  visit("gpu.ceilings.tableQuarters", 0, gpu.table_quarters);
  visit("gpu.ceilings.tableSwaps", 0, gpu.table_swaps);
  visit("gpu.ceilings.tableSwapQuarters", 0, gpu.table_swap_quarters);
}

}  // namespace detail

// Calls visit(key, index, number) for each number that the machine has, in the order of a machine
// file. `key` is one of core/machine/machine_ranges.h; `index` is what stands for its []. `number`
// is an int, uint64_t or double of the machine, in the key's unit, and can be changed where it is
// not const. What the machine does not have (seek times of an SSD, a GPU) is not visited.
template <class AnyMachine, class Visit>
void for_each_number(AnyMachine& machine, const Visit& visit) {
  detail::visit_core(machine, visit);
  detail::visit_levels(machine, visit);
  detail::visit_walk(machine.walk, visit);
  detail::visit_memory(machine.memory, visit);
  if (machine.storage) {
    detail::visit_storage(*machine.storage, visit);
  }
  if (machine.gpu) {
    detail::visit_gpu(*machine.gpu, visit);
  }
}

}  // namespace presort
