#include <string>
#include <utility>

#include "presort/core/text/units.h"
#include "presort/probe/analysis/structure/curve.h"
#include "presort/probe/assemble/draft.h"

namespace presort::inline v0::probe {
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
  for (const auto& [quantity, key] : {std::pair{Quantity::randomUpdates, "randomReadModifyWrite"},
                                      std::pair{Quantity::randomLoads, "randomRead"}}) {
    const auto found = known.estimates.find({quantity, kReferenceFootprint});
    if (found != known.estimates.end()) {
      draft.report_value(std::string("memory.") + key, found->second.value_ns, "ns",
                         found->second.uncertainty);
    }
  }
}

// Reports every series over a footprint or a number of chases, for readers and fits.
void report_curves(Draft& draft, const Known& known) {
  static constexpr std::pair<Quantity, const char*> kCurves[] = {
      {Quantity::chaseHuge, "curve.chase2MiB."},
      {Quantity::chaseSmall, "curve.chase4KiB."},
      {Quantity::pageChase, "curve.pageChase."},
      {Quantity::randomLoads, "curve.randomRead."},
      {Quantity::randomUpdates, "curve.randomReadModifyWrite."}};
  static constexpr std::pair<Quantity, const char*> kCounted[] = {
      {Quantity::chainsCache, "chains.cache."},         {Quantity::chainsMemory, "chains.memory."},
      {Quantity::smallPages, "curve.pages4KiB."},       {Quantity::hugePages, "curve.pages2MiB."},
      {Quantity::fewPagesOfLines, "curve.lines."},      {Quantity::walkChains, "chains.walk."},
      {Quantity::walkedMisses, "chains.walkedMisses."}, {Quantity::setChaseL1, "curve.setOfL1d."},
      {Quantity::setChaseL2, "curve.setOfL2."},         {Quantity::walkLoads, "loads.walk."}};
  for (const auto& [key, estimate] : known.estimates) {
    for (const auto& [quantity, prefix] : kCurves) {
      if (quantity == key.quantity) {
        draft.report_value(prefix + format_bytes(key.at), estimate.value_ns, "ns",
                           estimate.uncertainty);
      }
    }
    for (const auto& [quantity, prefix] : kCounted) {
      if (quantity == key.quantity) {
        draft.report_value(prefix + std::to_string(key.at), estimate.value_ns, "ns",
                           estimate.uncertainty);
      }
    }
  }
}

}  // namespace

void report_rest(Draft& draft, const Known& known) {
  report_extras(draft, known);
  report_traffic(draft, known);
  report_curves(draft, known);
}

}  // namespace presort::probe
