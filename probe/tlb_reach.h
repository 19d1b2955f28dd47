// How many pages the TLBs reach, from chases of one line per page over more and more pages. Pure
// functions.
#pragma once

#include <optional>
#include <string>

#include "probe/core_defaults.h"
#include "probe/curve.h"
#include "probe/findings.h"

namespace presort::probe {

// The chase over pages less a chase over as many lines side by side: what translation adds.
// Single spikes are taken out of both first. Both curves are over numbers of lines (`bytes` of a
// point is a number); points that only one of them has are left out.
Curve cost_of_pages(const Curve& pages, const Curve& lines);

// Entries of a TLB whose misses cost `miss_ns` where its hits cost `hit_ns`: the cost passes half
// of the way at as many pages (with random replacement at 1.386 times as many: see Capacity in
// curve.h). Only points from `first_pages` on. Empty when the cost never gets there.
std::optional<Found> tlb_entries(const Curve& cost, double hit_ns, double miss_ns,
                                 uint64_t first_pages);

struct TlbReach {
  std::optional<Found> first;   // effective entries, 4 KiB pages
  std::optional<Found> second;  // the same
};

// `second_ns`: what a hit in the second TLB adds. A miss there costs what the most pages cost,
// provided that this is at least twice as much.
TlbReach find_tlb_reach(const Curve& cost, double second_ns);

// What goes into the machine file.
struct ChosenTlb {
  TlbGeometry geometry;
  bool is_measured = false;  // else that of the row
  std::string remark;        // when the row's number is not that of the measurement; may be empty
};

// The row's geometry where the measurement confirms it (within its uncertainty and a quarter),
// and where it is more than a factor of two away, with a remark: then something else was measured.
// Between those, the nearest that hardware would have: ways (the row's, or 4, 5, 6, 8, 12, 16, 24)
// times a power of two, and for a fully associative TLB a multiple of 8.
ChosenTlb choose_tlb(const std::string& name, const TlbGeometry& row,
                     const std::optional<Found>& entries);

}  // namespace presort::probe
