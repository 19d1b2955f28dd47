// The sizes of a core's TLBs, walkers and sets, from chases over pages and over sets. Pure
// functions.
#pragma once

#include <cstdint>
#include <optional>

#include "presort/probe/analysis/findings.h"
#include "presort/probe/analysis/structure/tlb_reach.h"

namespace presort::inline v0::probe {

// Findings about a core's tables. Anything that was not measured, or that no curve shows, is empty.
struct Structure {
  TlbReach small_pages;                // entries of both TLBs over 4 KiB pages
  std::optional<Found> huge_first;     // entries of the first TLB over 2 MiB pages
  std::optional<Found> walkers;        // page walks that run at the same time, not rounded
  std::optional<Found> walk_alone_ns;  // time of a page walk with no other under way
  // Time between the starts of two page walks while many loads wait for walks: for guest pages of 4
  // KiB (walk_interval_ns) and of 2 MiB (huge_walk_interval_ns).
  std::optional<Found> walk_interval_ns;
  std::optional<Found> huge_walk_interval_ns;
  std::optional<uint64_t> l1_ways;
  std::optional<uint64_t> l2_ways;
};

Structure find_structure(const Estimates& estimates, const Findings& findings);

}  // namespace presort::probe
