#include "presort/gpu/plan/parts_timing.h"

#include <algorithm>
#include <cstdint>

#include "presort/core/base/checked.h"
#include "presort/gpu/detail/digit.h"

namespace presort::inline v0::gpu {
namespace {

Problem with_buckets_of_parts(Problem problem, int parts) {
  problem.m = saturating_multiply(problem.m, static_cast<uint64_t>(parts));
  return problem;
}

Problem within_l2(Problem problem, const Gpu& gpu) {
  const uint64_t most = gpu.l2_effective_bytes / 2 / size_bytes(problem.types.value);
  problem.m = std::min(problem.m, std::max<uint64_t>(most, 1));
  return problem;
}

double moved_bytes(const Types& types, int parts) {
  return static_cast<double>(size_bytes(types.label)) +
         parts * static_cast<double>(size_bytes(types.value));
}

}  // namespace

PartsTiming::PartsTiming(const Gpu& gpu, const Problem& problem, int parts)
    : gpu_(gpu),
      parts_(parts),
      label_bits_(label_bits(problem.m)),
      moved_(moved_bytes(problem.types, parts) / moved_bytes(problem.types, 1)),
      all_(with_buckets_of_parts(problem, parts)),
      near_(within_l2(all_, gpu)),
      labels_of_all_(all_),
      labels_of_near_(near_) {}

double PartsTiming::ns(const GpuPlan& plan, double enough_ns) const {
  if (plan.presort) {
    return moved_ * plan_ns(gpu_, all_, labels_of_all_, plan, enough_ns / moved_);
  }
  if (plan.strategy == GpuStrategy::globalSets) {
    return plan_ns(gpu_, all_, labels_of_all_, plan, enough_ns) +
           (parts_ - 1) * plan_ns(gpu_, near_, labels_of_near_, plan, enough_ns);
  }
  return parts_ * plan_ns(gpu_, all_, labels_of_all_, plan, enough_ns / parts_);
}

}  // namespace presort::gpu
