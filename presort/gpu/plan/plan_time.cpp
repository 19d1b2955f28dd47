#include "presort/gpu/plan/plan_time.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "presort/gpu/detail/digit.h"
#include "presort/gpu/plan/plan_check.h"
#include "presort/gpu/plan/times/plan_timing.h"

namespace presort::inline v0::gpu {

size_t first_of_fastest(const std::vector<double>& times) {
  const double least = *std::min_element(times.begin(), times.end());
  const auto near = [least](double time) { return time <= least * (1 + kTieOfPlans); };
  return static_cast<size_t>(std::find_if(times.begin(), times.end(), near) - times.begin());
}

TileShape partition_tile(int bits, uint64_t pair_bytes) {
  if (pair_bytes == 12) {  // labels beside values
    return {.inputs = 1024 * 10, .blocks = 1};
  }
  const bool is_wide = bits > 8;
  const int threads = is_wide ? 1024 : 512;
  const int items = (bits > 10 ? 14 : 12) / (pair_bytes <= 8 ? 1 : 2);
  return {.inputs = threads * items, .blocks = is_wide ? 1 : 2};
}

TileShape stable_partition_tile(int bits, uint64_t pair_bytes) {
  const bool is_wide = bits > 8;
  const int threads = is_wide ? 1024 : 384;
  const int items = (is_wide ? 12 : 20) / (pair_bytes <= 8 ? 1 : 2);
  return {.inputs = threads * items, .blocks = is_wide ? 1 : 2};
}

PlanTime plan_time(const Gpu& gpu, const Problem& problem, const GpuPlan& plan) {
  const LabelFacts labels(problem);
  PlanTiming timing(gpu, problem, labels, plan);
  PlanTime time;
  time.ns_per_input = timing.total_ns();
  time.phases = timing.phases();
  return time;
}

PlanTime ordered_plan_time(const Gpu& gpu, const Problem& problem, const GpuPlan& plan) {
  const LabelFacts labels(problem);
  PlanTiming timing(gpu, problem, labels, plan);
  PlanTime time;
  time.ns_per_input = timing.ordered_ns();
  time.phases = timing.phases();
  return time;
}

double plan_ns(const Gpu& gpu, const Problem& problem, const LabelFacts& labels,
               const GpuPlan& plan, double enough_ns) {
  return PlanTiming(gpu, problem, labels, plan, enough_ns).total_ns();
}

}  // namespace presort::gpu
