// How many pages the TLBs reach, from chases of one line per page over more and more pages. Pure
// functions.
#pragma once

#include <optional>
#include <string>

#include "presort/probe/analysis/curve.h"
#include "presort/probe/analysis/findings.h"
#include "presort/probe/analysis/quality.h"
#include "presort/probe/assemble/core_defaults.h"

namespace presort::inline v0::probe {

// The chase over pages less a chase over as many lines side by side: what translation adds.
// Single spikes are taken out of both first. Both curves are over numbers of lines (`bytes` of a
// point is a number); points that only one of them has are left out.
Curve cost_of_pages(const Curve& pages, const Curve& lines);

// Entries of the first TLB, where a hit in the second adds `second_ns`: the cost passes half of
// that at as many pages (with random replacement at 1.386 times as many: see Capacity in curve.h).
std::optional<Found> first_entries(const Curve& cost, double second_ns);

// Entries of the second TLB, from `first_pages` on: where walks cost half of what they cost with
// one and a half times the pages (there nearly all steps walk, while with far more pages a walk
// itself takes longer, for its tables outgrow the caches), and no less than the hit. With random
// replacement this is up to a quarter too many. Empty when the cost never gets there.
std::optional<Found> second_entries(const Curve& cost, double second_ns, double first_pages);

struct TlbReach {
  std::optional<Found> first;   // effective entries of the first TLB, 4 KiB pages
  std::optional<Found> second;  // effective entries of the second TLB, 4 KiB pages
};

// `second_ns`: what a hit in the second TLB adds; nothing is found where it is not known (0).
TlbReach find_tlb_reach(const Curve& cost, double second_ns);

// The TLB that goes into the machine file.
struct ChosenTlb {
  TlbGeometry geometry;
  bool is_measured = false;  // false: the geometry is that of the core's row
  std::string remark;  // sentence that says how the row and the measurement differ; may be empty
};

// A TLB's geometry. That of the core's row where the measurement confirms it (within its
// uncertainty and a quarter), where it is more than a factor of two away (then something else was
// measured), and where a documented row has fewer entries (a core has no more than are documented;
// it may have less, when its sibling uses a part); the last two with a remark. Otherwise the
// nearest that hardware would have: ways (the row's, or 4, 5, 6, 8, 12, 16, 24) times a power of
// two, and for a fully associative TLB a multiple of 8.
ChosenTlb choose_tlb(const std::string& name, const TlbGeometry& row, Quality quality,
                     const std::optional<Found>& entries);

}  // namespace presort::probe
