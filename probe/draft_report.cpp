#include <string>
#include <utility>

#include "core/units.h"
#include "probe/curve.h"
#include "probe/draft.h"

namespace presort::probe {
namespace {

void report_extras(Draft& draft, const Known& known) {
  draft.report_value("memory.readBandwidth", known.findings.read_gbs, "GB/s");
  draft.report_value("memory.streamingStoreBandwidth", known.findings.streaming_store_gbs, "GB/s");
  draft.report_value("memory.copyBandwidth", known.findings.copy_gbs, "GB/s");
  draft.report_value("memory.uncachedOverlap", known.findings.overlap_uncached, "");
  if (draft.machine().caches.size() > 1) {
    draft.report_value("cpu.caches." + draft.machine().caches.back().name + ".overlap",
                       known.findings.overlap_cache, "");
  }
  draft.report_value("cpu.walk.cost2MiB", known.findings.walk_huge_ns, "ns");
  draft.report_value("cpu.walk.cost4KiB", known.findings.walk_small_ns, "ns");
  const Curve updates = curve_of(known.estimates, Quantity::randomUpdates);
  const Curve loads = curve_of(known.estimates, Quantity::randomLoads);
  if (!updates.empty()) {
    draft.report_value("memory.randomReadModifyWrite", updates.back().ns, "ns",
                       updates.back().uncertainty);
  }
  if (!loads.empty()) {
    draft.report_value("memory.randomRead", loads.back().ns, "ns", loads.back().uncertainty);
  }
}

// Every series over a footprint or a number of chains, for reports and fits.
void report_curves(Draft& draft, const Known& known) {
  static constexpr std::pair<Quantity, const char*> kCurves[] = {
      {Quantity::chaseHuge, "curve.chase2MiB."},
      {Quantity::chaseSmall, "curve.chase4KiB."},
      {Quantity::pageChase, "curve.pageChase."},
      {Quantity::randomLoads, "curve.randomRead."},
      {Quantity::randomUpdates, "curve.randomReadModifyWrite."}};
  for (const auto& [key, estimate] : known.estimates) {
    for (const auto& [quantity, prefix] : kCurves) {
      if (quantity == key.quantity) {
        draft.report_value(prefix + format_bytes(key.at), estimate.value_ns, "ns",
                           estimate.uncertainty);
      }
    }
    if (key.quantity == Quantity::chainsCache || key.quantity == Quantity::chainsMemory) {
      const std::string where = key.quantity == Quantity::chainsCache ? "cache." : "memory.";
      draft.report_value("chains." + where + std::to_string(key.at), estimate.value_ns, "ns",
                         estimate.uncertainty);
    }
  }
}

}  // namespace

void report_rest(Draft& draft, const Known& known) {
  report_extras(draft, known);
  report_curves(draft, known);
}

}  // namespace presort::probe
