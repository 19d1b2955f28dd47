// How a problem is computed on a GPU: an optional pre-sort, and where the buckets are updated. In
// files and on the command line the keys are flat (plan_keys.h). gpu/plan/plan_check.h says which
// plans fit a problem and a device. No CUDA types.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "presort/core/device.h"
#include "presort/core/plan/plan_fields.h"
#include "presort/core/text/names.h"

namespace presort::inline v0 {

enum class GpuStrategy {
  // sharedSets: tables in the blocks' shared memory, each for a range of buckets if not all fit
  sharedSets,
  globalSets,  // globalSets: atomics to buckets in device memory, cached by the L2
};
inline constexpr Named<GpuStrategy> kGpuStrategies[] = {
    {"sharedSets", GpuStrategy::sharedSets},
    {"globalSets", GpuStrategy::globalSets},
};

struct GpuPresort {
  int sort_bits = 8;  // top bits of the label that the pre-sort orders by, >= 1
  int passes = 1;     // radix passes of the pre-sort
  bool operator==(const GpuPresort&) const = default;
};

struct GpuPlan {
  static constexpr Device kDevice = Device::gpu;

  std::optional<GpuPresort> presort;
  GpuStrategy strategy = GpuStrategy::sharedSets;
  // Traversals of the inputs, each for one range of labels, done at the same time by different
  // blocks. More traversals are made if tables in shared memory need them.
  int range_passes = 1;
  int n_sets = 1;  // copies of the buckets (sets) of each block, updated by turns
  bool operator==(const GpuPlan&) const = default;
};

// A GPU plan as keys and values, as text, and back; errors and order as plan_fields.h says.
std::vector<PlanField> plan_fields(const GpuPlan& plan);
std::string to_string(const GpuPlan& plan);
GpuPlan gpu_plan_from_fields(const std::vector<PlanField>& fields);
GpuPlan parse_gpu_plan(std::string_view text);

// Bits that each pass of a plan orders by, first pass first: sort_bits split as evenly as possible,
// the larger parts first. Empty without a pre-sort.
std::vector<int> bits_per_pass(const GpuPlan& plan);

// Bits of one pass of a plan: sort_bits split as evenly as possible, the larger parts first.
// Requires: 0 <= pass < presort.passes
constexpr int bits_of_pass(const GpuPresort& presort, int pass) {
  return presort.sort_bits / presort.passes + (pass < presort.sort_bits % presort.passes ? 1 : 0);
}

}  // namespace presort
