#include "presort/core/plan/plan_keys.h"

#include "presort/core/fields/rows.h"
#include "presort/core/plan/sort_bits_key.h"

namespace presort::inline v0::fields {
namespace {

int& passes_of(GpuPlan& plan) {
  return plan.presort->passes;
}

const char* why_no_passes(const GpuPlan& plan) {
  return plan.presort ? nullptr : "with a pre-sort (sortBits of at least 1)";
}

constexpr Field kGpuPlanRows[] = {
    sort_bits_row<GpuPlan>(),
    number<&passes_of>("passes", kPlanBits, stated, "radix passes that the pre-sort is split into",
                       {.default_text = "one for every 12 bits begun",
                        .why_not = of_object<&why_no_passes>,
                        .applies_text = "with a pre-sort"}),
    choice<&GpuPlan::strategy, kGpuStrategies>(
        "strategy", stated,
        "where buckets are updated. sharedSets: in tables in the shared memory of the blocks. "
        "globalSets: by atomics in the L2"),
    number<&GpuPlan::range_passes>("rangePasses", kPlanNumber, stated,
                                   "ranges of the buckets, each updated by blocks of its own that "
                                   "read all inputs: so many, or "
                                   "as many as tables in shared memory need"),
    number<&GpuPlan::n_sets>("nSets", kPlanNumber, stated,
                             "copies of the buckets that inputs of a block update in turn; merged "
                             "at the end; a power of "
                             "two, at most 32"),
};

}  // namespace

constexpr FieldTable kGpuPlan = {"How a problem is computed on a GPU.", kGpuPlanRows,
                                 plan_with_presort<GpuPlan>, TableLayout::flow, JsonNames::keys};

}  // namespace presort::fields
