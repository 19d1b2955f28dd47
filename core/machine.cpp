#include "core/machine.h"

#include "core/machine_check.h"

namespace presort {
namespace {

Found check_costs(const CoreCosts& costs) {
  for (const auto& [name, op] : kMicroOps) {
    if (Found found = unless_non_negative("cpu.costs." + std::string(name), costs[op], "")) {
      return found;
    }
  }
  return {};
}

Found check_core(const Machine& machine) {
  return first_of(unless_positive("cpu.clock", machine.clock_hz, "Hz"),
                  unless_at_least_one("cpu.cores", machine.cores),
                  unless_at_least_one("cpu.dispatchWidth", machine.dispatch_width),
                  unless_at_least_one("cpu.threadsPerCore", machine.threads_per_core),
                  check_costs(machine.costs),
                  unless_at_least_one("cpu.window.entries", machine.window.entries),
                  unless_at_least_one("cpu.window.loads", machine.window.loads),
                  unless_at_least_one("cpu.window.stores", machine.window.stores),
                  unless_non_negative("cpu.window.storeLines", machine.window.store_lines, ""),
                  unless_non_negative("cpu.window.storesAhead", machine.window.stores_ahead, ""),
                  unless_non_negative("cpu.window.storeRuns", machine.window.store_runs, ""),
                  unless_non_negative("cpu.window.loadPorts", machine.window.load_ports, ""),
                  unless_non_negative("cpu.branchMiss", machine.branch_miss_cycles, "cy"),
                  unless_non_negative("cpu.storeForward", machine.store_forward_cycles, "cy"),
                  unless_non_negative("cpu.storeForwardRepeated",
                                      machine.repeated_forward_cycles.value_or(0), "cy"),
                  unless_non_negative("cpu.writeCombining", machine.write_combining, ""));
}

Found memory_latency(const Machine& machine) {
  const Memory& memory = machine.memory;
  const CacheLevel& last = machine.caches.back();
  const double last_ns = last.latency_cycles * 1e9 / machine.clock_hz;
  if (!(memory.latency_ns > last_ns)) {
    return machine_problem("memory.latency", number_text(memory.latency_ns) + "ns",
                           "more than the " + number_text(last_ns) + "ns of " + last.name);
  }
  if (!(memory.row_hit_ns <= 0 && memory.latency_ns + memory.row_hit_ns > 0)) {
    return machine_problem("memory.rowHit", number_text(memory.row_hit_ns) + "ns",
                           "at most 0ns, and less than the latency below it");
  }
  return {};
}

// A row cannot be closed and the next one opened in less than a row miss waits for its row.
Found memory_banks(const Memory& memory) {
  if (memory.row_cycle_ns != 0 && !(memory.row_cycle_ns >= -memory.row_hit_ns)) {
    return machine_problem(
        "memory.rowCycle", number_text(memory.row_cycle_ns) + "ns",
        "0ns, or at least the " + number_text(-memory.row_hit_ns) + "ns that a row hit saves");
  }
  return first_of(unless_non_negative("memory.rowCycle", memory.row_cycle_ns, "ns"),
                  unless_non_negative("memory.turnaround", memory.turnaround_ns, "ns"),
                  unless_at_least_one("memory.writeBatch", memory.write_batch));
}

Found check_memory(const Machine& machine) {
  const Memory& memory = machine.memory;
  return first_of(unless_positive("memory.latency", memory.latency_ns, "ns"),
                  memory_latency(machine), unless_at_least_one("memory.channels", memory.channels),
                  unless_at_least_one("memory.banks", memory.banks),
                  unless_page("memory.rowSize", memory.row_bytes, machine.caches[0].line_bytes),
                  unless_positive("memory.bandwidth", memory.bandwidth, "B/s"),
                  unless_non_negative("memory.perCoreBandwidth", memory.per_core_bandwidth, "B/s"),
                  unless_non_negative("memory.streamingStore", memory.streaming_store_ns, "ns"),
                  memory_banks(memory));
}

}  // namespace

uint64_t set_count(const CacheLevel& level) {
  return level.size_bytes / (level.ways * level.line_bytes);
}

uint64_t unit_bytes(const CacheLevel& level) {
  return level.sector_bytes > 0 ? level.sector_bytes : level.line_bytes;
}

std::optional<MachineProblem> find_machine_problem(const Machine& machine) {
  for (const auto check : {check_core, check_caches, check_prefetchers, check_translation,
                           check_memory, check_storage, check_gpu}) {
    if (Found found = check(machine)) {
      return found;
    }
  }
  return {};
}

}  // namespace presort
