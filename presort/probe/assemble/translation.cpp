#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "presort/probe/analysis/percent.h"
#include "presort/probe/analysis/structure/structure.h"
#include "presort/probe/assemble/draft.h"
#include "presort/probe/host/arena.h"

namespace presort::inline v0::probe {
namespace {

// Cycles that a page chase over 2 MiB guest pages must add to a cache hit for its steps to be page
// walks: a hit in the second TLB adds up to 9 cycles, a walk that hits in L2 at least 20.
constexpr double kWalkCycles = 15;
// Share of the arena that must lie on 2 MiB pages for a chase over it to tell something about
// translation.
constexpr double kMostlyHuge = 0.9;
constexpr const char* kHostPageKey = "cpu.walk.nested.hostPage";

// Uncertainty of a decision by a threshold: half-width of the evidence / its distance from the
// threshold, at most 1.
double uncertainty_of_decision(const Found& evidence, double threshold) {
  const double distance = std::abs(evidence.value - threshold);
  const double half_width = evidence.value * evidence.uncertainty;
  return half_width < distance ? half_width / distance : 1;
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
  draft.file_value(kHostPageKey, static_cast<double>(page_bytes / 1024), "KiB",
                   uncertainty_of_decision(evidence, kWalkCycles));
}

// A TLB of the core's row (core_table.cpp), corrected by the number of pages that chases showed it
// to reach.
TlbLevel tlb_level(Draft& draft, const Known& known, const std::string& name,
                   const TlbGeometry& row, const std::optional<Found>& entries) {
  const ChosenTlb chosen = choose_tlb(name, row, quality_of_row(known.core), entries);
  const std::string key = "cpu.tlb." + name + ".entries";
  const auto value = static_cast<double>(chosen.geometry.entries);
  draft.report_value("cpu.tlb." + name + ".effectiveEntries", entries, "");
  if (chosen.is_measured) {
    draft.file_value(key, value, "", entries->uncertainty);
  } else {
    draft.known_value(key, value, "", quality_of_row(known.core));
  }
  if (!chosen.remark.empty()) {
    draft.warn(chosen.remark);
  }
  return {.name = name,
          .page_bytes = {},
          .entries = chosen.geometry.entries,
          .ways = chosen.geometry.ways};
}

double second_tlb_cycles(Draft& draft, const Known& known) {
  const std::string key = "cpu.tlb.STLB.latency";
  const auto& found = known.findings.second_tlb_ns;
  if (found && found->value > 0) {
    const double cycles = draft.cycles(found->value);
    draft.file_value(key, cycles, "cy", found->uncertainty);
    return cycles;
  }
  draft.known_value(key, known.core.tlb_second_cycles, "cy", quality_of_row(known.core));
  return known.core.tlb_second_cycles;
}

void set_tlbs(Draft& draft, const Known& known, const Structure& structure) {
  Machine& m = draft.machine();
  const auto add = [&](TlbLevel level, std::vector<uint64_t> page_bytes, double cycles) {
    level.page_bytes = std::move(page_bytes);
    level.latency_cycles = cycles;
    m.tlb.push_back(std::move(level));
  };
  // Where the host's pages are smaller than the guest's, the TLB entries are those of small pages.
  const bool whole_huge = known.surroundings.huge_fraction >= kMostlyHuge &&
                          m.walk.nested_host_page_bytes.value_or(kHugePageBytes) == kHugePageBytes;
  const auto huge_first = whole_huge ? structure.huge_first : std::nullopt;
  const TlbGeometry& small = known.core.tlb_small;
  const auto& first = structure.small_pages.first;
  if (known.core.tlb_unified) {
    add(tlb_level(draft, known, "L1dTLB", small, first), {kSmallPageBytes, kHugePageBytes}, 0);
  } else {
    add(tlb_level(draft, known, "L1dTLB-4K", small, first), {kSmallPageBytes}, 0);
    add(tlb_level(draft, known, "L1dTLB-2M", known.core.tlb_huge, huge_first), {kHugePageBytes}, 0);
  }
  add(tlb_level(draft, known, "STLB", known.core.tlb_second, structure.small_pages.second),
      {kSmallPageBytes, kHugePageBytes}, second_tlb_cycles(draft, known));
}

// Reports how many page walks overlap; a documented number of walkers stays. Chases overlapped 3.1
// to 6.4 walks on one Golden Cove (4 walkers, small host pages) from run to run, and 4.8 to 9.6 on
// another (large host pages): the time of a lone walk, by which the overlap is computed, includes
// waits for caches, and the walk starts later than one among many.
void set_walkers(Draft& draft, const Known& known, const std::optional<Found>& overlap) {
  const Quality of_row = quality_of_row(known.core);
  PageWalk& walk = draft.machine().walk;
  draft.report_value("cpu.walk.overlap", overlap, "");
  if (overlap && of_row == Quality::guess) {
    walk.walkers = std::max(1, static_cast<int>(std::lround(overlap->value)));
    draft.file_value("cpu.walk.walkers", walk.walkers, "",
                     std::hypot(overlap->uncertainty, 0.5 / walk.walkers));
  } else {
    walk.walkers = known.core.walkers;
    draft.known_value("cpu.walk.walkers", walk.walkers, "", of_row);
  }
}

// Sets the cycles of a page walk besides its reads: the time of a lone walk less the reads of the
// last entry of each dimension's table. Tables of so many pages fill the first level, so half of
// these reads are taken to hit it; entries of large pages are few.
void set_walk_overhead(Draft& draft, const std::optional<Found>& alone_ns) {
  if (!alone_ns) {
    return;
  }
  Machine& m = draft.machine();
  const double first = m.caches.front().latency_cycles;
  const double second = m.caches[std::min<size_t>(1, m.caches.size() - 1)].latency_cycles;
  const double last_entry = (first + second) / 2;
  double reads = last_entry;
  if (m.walk.nested_host_page_bytes) {
    reads += *m.walk.nested_host_page_bytes == kSmallPageBytes ? last_entry : first;
  }
  const double walk = draft.cycles(alone_ns->value);
  m.walk.overhead_cycles = rounded(std::max(0.0, walk - reads));
  if (m.walk.overhead_cycles > 0) {
    draft.file_value("cpu.walk.overhead", m.walk.overhead_cycles, "cy",
                     alone_ns->uncertainty * walk / m.walk.overhead_cycles);
  }
}

// Sets the intervals between page walks. Large guest pages have one of their own only where the
// host's pages are small.
void set_walk_intervals(Draft& draft, const Structure& structure) {
  PageWalk& walk = draft.machine().walk;
  const auto& small = structure.walk_interval_ns;
  const auto& large = structure.huge_walk_interval_ns;
  if (small) {
    walk.interval_cycles = rounded(draft.cycles(small->value));
    draft.file_value("cpu.walk.interval", walk.interval_cycles, "cy", small->uncertainty);
  }
  if (large && walk.nested_host_page_bytes == kSmallPageBytes) {
    walk.large_interval_cycles = rounded(draft.cycles(large->value));
    draft.file_value("cpu.walk.largePageInterval", *walk.large_interval_cycles, "cy",
                     large->uncertainty);
  }
}

// Sets how many misses behind page walks overlap. Measured on a Golden Cove: 13 to 16 whatever a
// walk costs (4 KiB pages, small host pages, 64 MiB to 1 GiB), where 23 misses overlap without
// walks. Where both overlap alike, there is no limit of its own.
void set_outstanding(Draft& draft, const std::optional<Found>& overlap) {
  constexpr double kFewer = 0.85;
  draft.report_value("cpu.walk.missesOverlap", overlap, "");
  PageWalk& walk = draft.machine().walk;
  if (overlap && overlap->value < kFewer * draft.machine().caches.front().queue) {
    walk.outstanding = std::max(1, static_cast<int>(std::lround(overlap->value)));
    draft.file_value("cpu.walk.outstanding", walk.outstanding, "",
                     std::hypot(overlap->uncertainty, 0.5 / walk.outstanding));
  }
}

void set_walk(Draft& draft, const Known& known, const Structure& structure) {
  PageWalk& walk = draft.machine().walk;
  set_walkers(draft, known, structure.walkers);
  set_walk_overhead(draft, structure.walk_alone_ns);
  set_walk_intervals(draft, structure);
  set_outstanding(draft, known.findings.overlap_walked);
  walk.enters_at = draft.machine().caches.front().name;
  walk.pde_entries = known.core.pde_entries;
  walk.pdpte_entries = known.core.pdpte_entries;
  walk.pml4e_entries = known.core.pml4e_entries;
  // Notes the sizes of page-walk caches as guesses: they are published for no core
  // (core_table.cpp).
  for (const auto& [name, entries] :
       {std::pair{"pde", walk.pde_entries}, std::pair{"pdpte", walk.pdpte_entries},
        std::pair{"pml4e", walk.pml4e_entries}}) {
    draft.known_value(std::string("cpu.walk.caches.") + name, static_cast<double>(entries), "",
                      Quality::guess);
  }
}

}  // namespace

void set_translation(Draft& draft, const Known& known) {
  const Structure structure = find_structure(known.estimates, known.findings);
  draft.machine().frames = Frames::random;
  set_nested(draft, known);
  set_tlbs(draft, known, structure);
  set_walk(draft, known, structure);
}

}  // namespace presort::probe
