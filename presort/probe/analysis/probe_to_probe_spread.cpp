#include "presort/probe/analysis/probe_to_probe_spread.h"

#include <cmath>

namespace presort::inline v0::probe {
namespace {

// How far values move from probe to probe beyond their uncertainty within one; for a key, the first
// row whose prefix and suffix match counts. Half-widths are what must be added to the uncertainty
// from the passes to cover the 95 % spread of several probes: of 18 in ten minutes on a two-core
// virtual machine (Golden-Cove-class, its other core compiling), and of 7 in one and a half on a
// 16-core Emerald Rapids host; the larger of the two, 2026-11-21. The share of the last level is
// what other guests leave of it (0.09 to 0.31 on that host on one day), the placement of page
// frames decides what walks in small pages cost, and a busy sibling takes a part of the second TLB.
struct Row {
  std::string_view prefix;
  std::string_view suffix;
  double half_width;
};
constexpr Row kRows[] = {
    {"cpu.caches.", ".share", 0.6},
    {"cpu.caches.", ".effectiveSize", 0.6},
    {"cpu.caches.", ".halfMissFootprint", 0.6},
    {"cpu.caches.", ".overlap", 0.1},
    {"cpu.caches.L3.bandwidth", "", 0.05},
    {"cpu.tlb.STLB.", "ntries", 0.6},
    {"cpu.walk.", ".overlap", 0.6},
    {"cpu.walk.cost", "", 0.45},
    {"cpu.walk.missesOverlap", "", 0.1},
    {"cpu.walk.overhead", "", 0.45},
    {"cpu.walk.outstanding", "", 0.1},
    {"cpu.walk.", "nterval", 0.1},
    {"memory.latency", "", 0.05},
    {"memory.bandwidth", "", 0.12},
    {"memory.streamUnderRandom.L2", "", 0.3},
    {"memory.uncachedOverlap", "", 0},
    {"memory.random", "", 0.03},
    {"memory.", "", 0.08},
};

}  // namespace

double between_probes(std::string_view key) {
  for (const Row& row : kRows) {
    if (key.starts_with(row.prefix) && key.ends_with(row.suffix)) {
      return row.half_width;
    }
  }
  return 0;
}

void widen_between_probes(std::vector<ProbeValue>& values) {
  for (ProbeValue& value : values) {
    if (is_measured(value.quality)) {
      value.uncertainty = std::hypot(value.uncertainty, between_probes(value.key));
      value.quality = measured_quality(value.uncertainty, value.passes);
    }
  }
}

}  // namespace presort::probe
