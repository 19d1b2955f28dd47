#include "presort/core/machine/machine.h"

#include <algorithm>
#include <bit>

#include "presort/core/fields/field_places.h"
#include "presort/core/machine/check/machine_check.h"
#include "presort/core/machine/fields/machine_fields.h"
#include "presort/core/machine/machine_state.h"

namespace presort::inline v0 {
namespace {

std::string ns_text(double ns) {
  return number_text(ns, RangeUnit::nanoseconds);
}

Found memory_latency(const Machine& machine) {
  const Memory& memory = machine.memory;
  const CacheLevel& last = machine.caches.back();
  const double last_ns = last.latency_cycles * 1e9 / machine.clock_hz;
  if (!(memory.latency_ns > last_ns)) {
    return machine_problem("memory.latency", ns_text(memory.latency_ns),
                           "more than the " + ns_text(last_ns) + " of " + last.name);
  }
  if (!(memory.row_hit_ns <= 0 && memory.latency_ns + memory.row_hit_ns > 0)) {
    return machine_problem("memory.rowHit", ns_text(memory.row_hit_ns),
                           "at most 0ns, and less than the latency below it");
  }
  return {};
}

// Checks a memory's banks: closing a row and opening the next must take at least as long as a row
// miss waits for its row.
Found memory_banks(const Memory& memory) {
  if (memory.row_cycle_ns != 0 && !(memory.row_cycle_ns >= -memory.row_hit_ns)) {
    return machine_problem(
        "memory.rowCycle", ns_text(memory.row_cycle_ns),
        "0ns, or at least the " + ns_text(-memory.row_hit_ns) + " that a row hit saves");
  }
  return {};
}

Found check_memory(const Machine& machine) {
  const Memory& memory = machine.memory;
  return first_of(memory_latency(machine),
                  unless_page("memory.rowSize", memory.row_bytes, machine.caches[0].line_bytes),
                  memory_banks(memory));
}

Found check_ranges(const Machine& machine) {
  const auto problem = find_range_problem(fields::kMachine, &machine);
  return problem ? Found{MachineProblem{problem->path, problem->message}} : Found{};
}

}  // namespace

uint64_t set_count(const CacheLevel& level) {
  return level.size_bytes / (level.ways * level.line_bytes);
}

uint64_t colour_bytes(const Machine& machine) {
  const CacheLevel& level = machine.caches[std::min<size_t>(1, machine.caches.size() - 1)];
  return std::bit_floor(level.size_bytes / level.ways);
}

uint64_t unit_bytes(const CacheLevel& level) {
  return level.sector_bytes > 0 ? level.sector_bytes : level.line_bytes;
}

std::optional<MachineProblem> find_machine_problem(const Machine& machine) {
  for (const auto check : {check_names, check_lists, check_ranges, check_caches, check_prefetchers,
                           check_translation, check_memory, check_numa, check_storage, check_gpu,
                           check_gpu_hardware, find_state_problem}) {
    if (Found found = check(machine)) {
      return found;
    }
  }
  return {};
}

}  // namespace presort
