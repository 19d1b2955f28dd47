// What chases over pages and over sets tell of the core's own tables. Pure functions.
#pragma once

#include <cstdint>
#include <optional>

#include "presort/probe/analysis/findings.h"
#include "presort/probe/analysis/tlb_reach.h"

namespace presort::inline v0::probe {

// Anything that was not measured, or that no curve shows, is empty.
struct Structure {
  TlbReach small_pages;                // over 4 KiB pages
  std::optional<Found> huge_first;     // entries of the first TLB over 2 MiB pages
  std::optional<Found> walkers;        // walks at a time, not rounded
  std::optional<Found> walk_alone_ns;  // a walk that nothing else is under way with
  // From a walk to the next where many loads wait for theirs, of guest pages of 4 KiB and 2 MiB.
  std::optional<Found> walk_interval_ns;
  std::optional<Found> huge_walk_interval_ns;
  std::optional<uint64_t> l1_ways;
  std::optional<uint64_t> l2_ways;
};

Structure find_structure(const Estimates& estimates, const Findings& findings);

}  // namespace presort::probe
