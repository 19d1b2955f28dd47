#include "presort/probe/assemble/assemble.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "presort/probe/assemble/draft.h"

namespace presort::inline v0::probe {
namespace {

void set_provenance(Draft& draft, const Known& known) {
  const CpuIdentity& cpu = known.cpu;
  const std::string hypervisor = !cpu.hypervisor               ? "none"
                                 : cpu.hypervisor_name.empty() ? "yes"
                                                               : cpu.hypervisor_name;
  draft.machine().provenance = {{"source", "probe"},
                                {"date", known.surroundings.date},
                                {"cpu", cpu.name.empty() ? "unknown" : cpu.name},
                                {"core", std::string(known.core.name) + ", chosen by the probe"},
                                {"hypervisor", hypervisor}};
}

// Renamed memory: how soon a load that depends on the last store to one address has its data, after
// how many such loads, and whether software prefetches hinder it.
void set_renaming(Draft& draft, const Findings& findings) {
  // The core renames memory if a repeated update takes at most this share of the time through the
  // store buffer
  constexpr double kRenames = 0.7;
  Machine& m = draft.machine();
  const auto renamed = [&](const std::optional<Found>& found) {
    return found && draft.cycles(found->value) < kRenames * m.store_forward_cycles;
  };
  const auto& repeated = findings.repeated_forward_ns;
  if (!renamed(repeated)) {
    return;
  }
  m.repeated_forward_cycles = draft.cycles(repeated->value);
  draft.file_value("cpu.storeForwardRepeated", *m.repeated_forward_cycles, "cy",
                   repeated->uncertainty);
  if (const auto& after = findings.repeated_forward_after) {
    m.repeated_forward_after = std::max(1, static_cast<int>(std::lround(after->value)));
    draft.file_value("cpu.storeForwardRepeatsAfter", m.repeated_forward_after, "",
                     after->uncertainty);
  }
  // Strays matter if a core needs so many times the updates after one
  constexpr double kMore = 1.5;
  const auto& strays = findings.repeated_forward_after_strays;
  if (strays && strays->value > kMore * m.repeated_forward_after) {
    m.repeated_forward_after_strays = static_cast<int>(std::lround(strays->value));
    draft.file_value("cpu.storeForwardRepeatsAfterStrays", m.repeated_forward_after_strays, "",
                     strays->uncertainty);
  }
  if (const auto& beside = findings.prefetched_forward_ns) {
    m.repeated_forward_beside_prefetch = renamed(beside);
    draft.report_value("cpu.storeForwardBesidePrefetch", draft.cycles(beside->value), "cy",
                       beside->uncertainty);
  }
}

// Floats: how soon an update has the data of the last one, and how soon a sum in a register.
void set_floats(Draft& draft, const Findings& findings) {
  Machine& m = draft.machine();
  if (const auto& forward = findings.float_forward_ns) {
    m.float_forward_cycles = std::max(0.0, draft.cycles(forward->value));
    draft.file_value("cpu.storeForwardFloat", *m.float_forward_cycles, "cy", forward->uncertainty);
  }
  if (const auto& add = findings.float_add_ns) {
    m.float_add_cycles = draft.cycles(add->value);
    draft.file_value("cpu.floatAdd", m.float_add_cycles, "cy", add->uncertainty);
  }
}

// Sets how many stores ask for their lines before they retire. A flush loads what was just stored,
// by loads wider than the stores, so it waits until those have left the store buffer, behind the
// last flush's store of a line of memory. Where that line was not asked for ahead, each flush takes
// a memory latency. A Zen 3 takes 33 of 158 ns and a Zen 5 14 of 142, and all of their stores ask
// ahead (docs/results/loops.md).
void set_stores_ahead(Draft& draft, const Known& known) {
  constexpr double kOfLatency = 0.5;
  Window& window = draft.machine().window;
  const auto& flush = known.findings.flush_ns;
  draft.report_value("memory.flush", flush, "ns");
  if (window.stores_ahead > 0) {
    draft.known_value("cpu.window.storesAhead", window.stores_ahead, "",
                      quality_of_row(known.core));
  } else if (flush && flush->value < kOfLatency * known.findings.memory_latency_ns.value) {
    window.stores_ahead = window.stores;
    draft.file_value("cpu.window.storesAhead", window.stores_ahead, "", flush->uncertainty);
  }
}

void set_core(Draft& draft, const Known& known) {
  Machine& m = draft.machine();
  m.name = "this-machine";
  m.clock_hz = std::round(1e3 / known.findings.cycle_ns.value) * 1e6;
  m.cores = known.topology.cores;
  m.dispatch_width = known.core.dispatch_width;
  m.threads_per_core = known.core.threads_per_core;
  m.window = known.core.window;
  draft.file_value("cpu.clock", m.clock_hz * 1e-9, "GHz", known.findings.cycle_ns.uncertainty);
  const Quality of_row = quality_of_row(known.core);
  draft.known_value("cpu.dispatchWidth", m.dispatch_width, "", of_row);
  draft.known_value("cpu.threadsPerCore", m.threads_per_core, "", of_row);
  if (known.findings.issue_width) {
    draft.report_value("cpu.issueWidth", known.findings.issue_width, "");
  }
  draft.known_value("cpu.window.entries", m.window.entries, "", of_row);
  draft.known_value("cpu.window.stores", m.window.stores, "", of_row);
  set_stores_ahead(draft, known);
  draft.known_value("cpu.window.loadPorts", m.window.load_ports, "", of_row);
  m.branch_miss_cycles = known.core.branch_miss_cycles;
  if (known.findings.branch_miss_ns && known.findings.branch_miss_ns->value > 0) {
    m.branch_miss_cycles = draft.cycles(known.findings.branch_miss_ns->value);
    draft.file_value("cpu.branchMiss", m.branch_miss_cycles, "cy",
                     known.findings.branch_miss_ns->uncertainty);
  } else {
    draft.known_value("cpu.branchMiss", m.branch_miss_cycles, "cy", of_row);
  }
  if (known.findings.store_forward_ns) {
    m.store_forward_cycles = std::max(1.0, draft.cycles(known.findings.store_forward_ns->value));
    draft.file_value("cpu.storeForward", m.store_forward_cycles, "cy",
                     known.findings.store_forward_ns->uncertainty);
  } else {
    draft.known_value("cpu.storeForward", m.store_forward_cycles, "cy", Quality::guess);
  }
  set_renaming(draft, known.findings);
  set_floats(draft, known.findings);
}

// Sets the bandwidth of writes, if they have a way of their own to memory: if what one core moves
// when it copies, two lines in and one out for each line, is more than all cores read. Its stores
// past the caches are how fast it writes at least.
void set_way_of_writes(Draft& draft, const Known& known) {
  constexpr double kMovedOverRead = 1.1;
  const auto& copied = known.findings.copy_gbs;
  const auto& stored = known.findings.streaming_store_gbs;
  Memory& memory = draft.machine().memory;
  if (copied && stored && 3e9 * copied->value > kMovedOverRead * memory.bandwidth) {
    memory.write_bandwidth = bytes_per_second(std::max(copied->value, stored->value));
    draft.file_value("memory.writeBandwidth", memory.write_bandwidth * 1e-9, "GB/s",
                     stored->uncertainty);
  }
}

void set_memory(Draft& draft, const Known& known) {
  Memory& memory = draft.machine().memory;
  const double last_ns = known.findings.levels.back().latency_ns.value;
  memory.latency_ns = rounded(std::max(known.findings.memory_latency_ns.value, 1.05 * last_ns));
  draft.file_value("memory.latency", memory.latency_ns, "ns",
                   known.findings.memory_latency_ns.uncertainty);
  if (const auto& most = known.findings.most_core_gbs) {
    memory.per_core_bandwidth = bytes_per_second(most->value);
    memory.bandwidth = memory.per_core_bandwidth;
    draft.file_value("memory.perCoreBandwidth", rounded(most->value), "GB/s", most->uncertainty);
  } else {
    memory.bandwidth =
        bytes_per_second(64 / memory.latency_ns * draft.machine().caches.front().queue);
    draft.warn("bandwidth was not measured: it is a guess from latency and overlap");
    draft.known_value("memory.bandwidth", memory.bandwidth * 1e-9, "GB/s", Quality::guess);
  }
  const std::optional<Found> of_node = read_of_node_gbs(known);
  if (const auto& read_all = of_node ? of_node : known.findings.read_all_gbs) {
    memory.bandwidth = std::max(memory.per_core_bandwidth, bytes_per_second(read_all->value));
    draft.file_value("memory.bandwidth", memory.bandwidth * 1e-9, "GB/s", read_all->uncertainty);
  } else if (known.findings.most_core_gbs && draft.machine().cores > 1) {
    draft.warn(
        "the bandwidth of all cores was not measured: memory.bandwidth is what one core reaches");
  }
  set_way_of_writes(draft, known);
  if (known.findings.streaming_store_gbs) {
    // Time that a streaming store holds a fill buffer: one core's stores keep `queue` of them busy,
    // so `queue` times the time per line.
    const Found& gbs = *known.findings.streaming_store_gbs;
    memory.streaming_store_ns = rounded(draft.machine().caches.front().queue * 64 / gbs.value);
    draft.file_value("memory.streamingStore", memory.streaming_store_ns, "ns", gbs.uncertainty);
  }
}

}  // namespace

ProbeResult assemble(const Findings& findings, const Estimates& estimates, const Topology& topology,
                     const CpuIdentity& cpu, const CoreDefaults& core,
                     const Surroundings& surroundings) {
  const Known known{findings, estimates, topology, cpu, core, surroundings};
  Draft draft(findings.cycle_ns.value);
  for (const auto* warnings : {&topology.warnings, &findings.warnings}) {
    for (const std::string& warning : *warnings) {
      draft.warn(warning);
    }
  }
  set_provenance(draft, known);
  set_core(draft, known);
  set_caches(draft, known);
  check_ways(draft, known);
  set_translation(draft, known);
  set_memory(draft, known);
  set_line_transfer(draft, known);
  set_nodes(draft, known);
  set_team(draft, known);
  report_rest(draft, known);
  return std::move(draft).result();
}

}  // namespace presort::probe
