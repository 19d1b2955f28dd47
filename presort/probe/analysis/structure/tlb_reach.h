// How many pages the TLBs reach, from chases of one line per page over more and more pages. Pure
// functions.
#pragma once

#include <optional>
#include <string>

#include "presort/probe/analysis/findings.h"
#include "presort/probe/analysis/quality.h"
#include "presort/probe/analysis/structure/curve.h"
#include "presort/probe/assemble/core_defaults.h"

namespace presort::inline v0::probe {

// Time that translation adds to a chase's step: the chase over pages less a chase over as many
// lines side by side. Single spikes are taken out of both first. `bytes` of both curves' points is
// a number of lines; points that only one curve has are left out.
Curve cost_of_pages(const Curve& pages, const Curve& lines);

// Entries of the first TLB, where a hit in the second adds `second_ns`: the number of pages at
// which the cost passes half of that (with random replacement, 1.386 times the entries: see
// Capacity in curve.h).
std::optional<Found> first_entries(const Curve& cost, double second_ns);

// Entries of the second TLB, looking from `first_pages` on: the number of pages at which walks cost
// half of what they cost with one and a half times the pages, and no less than a hit. (At one and a
// half times nearly all steps walk; with far more pages a walk itself takes longer, as its tables
// outgrow the caches.) With random replacement this is up to a quarter too many. Empty when the
// cost never gets there.
std::optional<Found> second_entries(const Curve& cost, double second_ns, double first_pages);

struct TlbReach {
  std::optional<Found> first;   // effective entries of the first TLB, 4 KiB pages
  std::optional<Found> second;  // effective entries of the second TLB, 4 KiB pages
};

// Finds the entries of both TLBs. `second_ns`: time that a hit in the second TLB adds; 0: not
// known, then nothing is found.
TlbReach find_tlb_reach(const Curve& cost, double second_ns);

// The geometry that the machine file gets for a TLB, and where it comes from.
struct ChosenTlb {
  TlbGeometry geometry;
  bool is_measured = false;  // false: the geometry is that of the core's row (core_table.cpp)
  std::string remark;  // sentence on how the core's row and the measurement differ; may be empty
};

// Chooses a TLB's geometry. That of the core's row (core_table.cpp) where the measurement confirms
// it (within its uncertainty and a quarter), where it is more than a factor of two away (then
// something else was measured), and where a documented row has fewer entries (a core has no more
// than are documented; a sibling may use a part); the last two with a remark. Otherwise the nearest
// that hardware would have: ways (the row's, or 4, 5, 6, 8, 12, 16, 24) times a power of two, and
// for a fully associative TLB a multiple of 8.
ChosenTlb choose_tlb(const std::string& name, const TlbGeometry& row, Quality quality,
                     const std::optional<Found>& entries);

}  // namespace presort::probe
