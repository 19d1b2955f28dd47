#include "presort/probe/analysis/structure/structure.h"

#include "presort/probe/analysis/structure/ways.h"
#include "presort/probe/host/arena.h"
#include "presort/probe/workloads/walkers.h"

namespace presort::inline v0::probe {
namespace {

// The ways of a cache level, from chases over lines of one set: more lines than ways hit in the
// next level only.
std::optional<uint64_t> ways_of_level(const Estimates& estimates, const Findings& findings,
                                      Quantity quantity, size_t level) {
  if (level + 1 >= findings.levels.size()) {
    return std::nullopt;
  }
  return find_ways(curve_of(estimates, quantity, Clocking::core),
                   findings.levels[level].latency_ns.value,
                   findings.levels[level + 1].latency_ns.value);
}

}  // namespace

Structure find_structure(const Estimates& estimates, const Findings& findings) {
  Structure structure;
  const Curve lines = curve_of(estimates, Quantity::fewPagesOfLines, Clocking::core);
  const auto reach_over = [&](Quantity quantity) {
    const Curve pages = curve_of(estimates, quantity, Clocking::core);
    return find_tlb_reach(cost_of_pages(pages, lines),
                          findings.second_tlb_ns ? findings.second_tlb_ns->value : 0);
  };
  structure.small_pages = reach_over(Quantity::smallPages);
  structure.huge_first = reach_over(Quantity::hugePages).first;
  if (!lines.empty()) {
    const Curve chains = curve_of(estimates, Quantity::walkChains, Clocking::core);
    structure.walkers = find_walkers(chains, lines.back().ns);
    const double second_ns = findings.second_tlb_ns ? findings.second_tlb_ns->value : 0;
    structure.walk_alone_ns = walk_alone(chains, lines.back().ns + second_ns);
  }
  for (const CurvePoint& loads : curve_of(estimates, Quantity::walkLoads, Clocking::core)) {
    (loads.bytes == kSmallPageBytes ? structure.walk_interval_ns
                                    : structure.huge_walk_interval_ns) =
        Found{loads.ns, loads.uncertainty};
  }
  structure.l1_ways = ways_of_level(estimates, findings, Quantity::setChaseL1, 0);
  structure.l2_ways = ways_of_level(estimates, findings, Quantity::setChaseL2, 1);
  return structure;
}

}  // namespace presort::probe
