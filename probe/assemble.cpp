#include "probe/assemble.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "probe/arena.h"
#include "probe/draft.h"
#include "probe/percent.h"

namespace presort::probe {
namespace {

// A page chase that costs more than this beyond its cache hits walks although guest pages are
// 2 MiB: a hit in the second TLB adds up to 9 cycles, a walk that hits in L2 at least 20.
constexpr double kWalkCycles = 15;
// Fewer huge pages than this, and a chase over them says nothing about translation.
constexpr double kMostlyHuge = 0.9;
constexpr const char* kHostPageKey = "cpu.walk.nested.hostPage";

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

void set_core(Draft& draft, const Known& known) {
  Machine& m = draft.machine();
  m.name = "this-machine";
  m.clock_hz = std::round(1e3 / known.findings.cycle_ns.value) * 1e6;
  m.cores = known.topology.cores;
  m.dispatch_width = known.core.dispatch_width;
  m.window = known.core.window;
  draft.file_value("cpu.clock", m.clock_hz * 1e-9, "GHz", known.findings.cycle_ns.uncertainty);
  const Quality of_row = quality_of_row(known.core);
  draft.known_value("cpu.dispatchWidth", m.dispatch_width, "", of_row);
  draft.known_value("cpu.window.entries", m.window.entries, "", of_row);
  draft.known_value("cpu.window.loads", m.window.loads, "", of_row);
  draft.known_value("cpu.window.stores", m.window.stores, "", of_row);
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
}

// A decision is as good as the evidence is far from where it would turn.
Quality quality_of_decision(const Found& evidence, double threshold) {
  const double distance = std::abs(evidence.value - threshold);
  const double half_width = evidence.value * evidence.uncertainty;
  return distance > 2 * half_width ? Quality::good
         : distance > half_width   ? Quality::fair
                                   : Quality::poor;
}

void set_nested(Draft& draft, const Known& known) {
  if (known.surroundings.huge_fraction < kMostlyHuge) {
    draft.warn("huge pages are not available: chases over 2 MiB pages ran on " +
               percent(1 - known.surroundings.huge_fraction) + " small ones");
  }
  if (!known.cpu.hypervisor) {
    return;
  }
  if (known.surroundings.huge_fraction < kMostlyHuge || !known.findings.page_walk_ns) {
    draft.machine().walk.nested_host_page_bytes = kSmallPageBytes;
    draft.warn("the host's page size was not measured: 4 KiB is a guess");
    draft.known_value(kHostPageKey, kSmallPageBytes / 1024, "KiB", Quality::guess);
    return;
  }
  const Found evidence = {draft.cycles(known.findings.page_walk_ns->value),
                          known.findings.page_walk_ns->uncertainty};
  const uint64_t page_bytes = evidence.value > kWalkCycles ? kSmallPageBytes : kHugePageBytes;
  draft.machine().walk.nested_host_page_bytes = page_bytes;
  draft.report_value("cpu.walk.nested.evidence", evidence, "cy");
  draft.known_value(kHostPageKey, static_cast<double>(page_bytes / 1024), "KiB",
                    quality_of_decision(evidence, kWalkCycles));
}

void name_tables(Draft& draft, const Known& known) {
  const Quality of_row = quality_of_row(known.core);
  const Machine& m = draft.machine();
  for (const TlbLevel& tlb : m.tlb) {
    draft.known_value("cpu.tlb." + tlb.name + ".entries", static_cast<double>(tlb.entries), "",
                      of_row);
  }
  draft.known_value("cpu.walk.walkers", m.walk.walkers, "", of_row);
  // Published for no core: see core_table.cpp.
  draft.known_value("cpu.walk.caches.pde", static_cast<double>(m.walk.pde_entries), "",
                    Quality::guess);
  draft.known_value("cpu.walk.caches.pdpte", static_cast<double>(m.walk.pdpte_entries), "",
                    Quality::guess);
  draft.known_value("cpu.walk.caches.pml4e", static_cast<double>(m.walk.pml4e_entries), "",
                    Quality::guess);
}

void set_translation(Draft& draft, const Known& known) {
  Machine& m = draft.machine();
  const TlbGeometry& small = known.core.tlb_small;
  const TlbGeometry& huge = known.core.tlb_huge;
  if (known.core.tlb_unified) {
    m.tlb.push_back({"L1dTLB", {kSmallPageBytes, kHugePageBytes}, small.entries, small.ways, 0});
  } else {
    m.tlb.push_back({"L1dTLB-4K", {kSmallPageBytes}, small.entries, small.ways, 0});
    m.tlb.push_back({"L1dTLB-2M", {kHugePageBytes}, huge.entries, huge.ways, 0});
  }
  double second_cycles = known.core.tlb_second_cycles;
  if (known.findings.second_tlb_ns && known.findings.second_tlb_ns->value > 0) {
    second_cycles = draft.cycles(known.findings.second_tlb_ns->value);
    draft.file_value("cpu.tlb.STLB.latency", second_cycles, "cy",
                     known.findings.second_tlb_ns->uncertainty);
  } else {
    draft.known_value("cpu.tlb.STLB.latency", second_cycles, "cy", quality_of_row(known.core));
  }
  m.tlb.push_back({"STLB",
                   {kSmallPageBytes, kHugePageBytes},
                   known.core.tlb_second.entries,
                   known.core.tlb_second.ways,
                   second_cycles});
  m.walk.walkers = known.core.walkers;
  m.walk.enters_at = m.caches.front().name;
  m.walk.pde_entries = known.core.pde_entries;
  m.walk.pdpte_entries = known.core.pdpte_entries;
  m.walk.pml4e_entries = known.core.pml4e_entries;
  m.frames = Frames::random;
  name_tables(draft, known);
  set_nested(draft, known);
}

void set_memory(Draft& draft, const Known& known) {
  Memory& memory = draft.machine().memory;
  const double last_ns = known.findings.levels.back().latency_ns.value;
  memory.latency_ns = rounded(std::max(known.findings.memory_latency_ns.value, 1.05 * last_ns));
  draft.file_value("memory.latency", memory.latency_ns, "ns",
                   known.findings.memory_latency_ns.uncertainty);
  if (const auto& most = known.findings.most_core_gbs) {
    memory.per_core_bandwidth = rounded(most->value) * 1e9;
    memory.bandwidth = memory.per_core_bandwidth;
    draft.file_value("memory.perCoreBandwidth", rounded(most->value), "GB/s", most->uncertainty);
  } else {
    memory.bandwidth = rounded(64 / memory.latency_ns * draft.machine().caches.front().queue) * 1e9;
    draft.warn("bandwidth was not measured: it is a guess from latency and overlap");
    draft.known_value("memory.bandwidth", memory.bandwidth * 1e-9, "GB/s", Quality::guess);
  }
  if (known.findings.read_all_gbs) {
    memory.bandwidth =
        std::max(memory.per_core_bandwidth, rounded(known.findings.read_all_gbs->value) * 1e9);
    draft.file_value("memory.bandwidth", memory.bandwidth * 1e-9, "GB/s",
                     known.findings.read_all_gbs->uncertainty);
  }
  if (known.findings.streaming_store_gbs) {
    // One core keeps `queue` fill buffers busy: each is held for queue times the time per line.
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
  set_translation(draft, known);
  set_memory(draft, known);
  report_rest(draft, known);
  return std::move(draft).result();
}

}  // namespace presort::probe
