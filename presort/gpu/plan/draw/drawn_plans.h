// Problems and plans of a GPU drawn at random, to judge predictions by: fresh ones for each seed, from all
// operations, types and kinds of labels. No CUDA types.
#pragma once

#include <cstdint>
#include <vector>

#include "presort/core/plan/gpu_plan.h"
#include "presort/core/problem.h"
#include "presort/gpu/plan/draw/rule_plans.h"
#include "presort/gpu/plan/limits.h"

namespace presort::inline v0::gpu {

struct DrawnPlans {
  Problem problem;
  std::vector<GpuPlan> plans;  // different plans, at least one
};

struct PlanDraw {
  uint64_t points = 300;  // pairs of a problem and a plan, at least; the last problem is kept whole
  uint64_t seed = 1;
  int log2_most_n = 26;  // n is from 2^12 to 2 to this power, evenly by its logarithm
  DeviceLimits device;   // plans fit this device
  uint64_t l2_bytes =
      0;  // L2 of the device; with it the plans of all rules are added (rule_plans.h)
};

// Draws problems until there are enough points. Equal arguments give equal draws. Of each problem the
// plain atomics are drawn, if it has them, and up to five other plans that fit. Plans by rules come
// behind these and count for no points: with them and without, the same problems and plans are drawn.
//   Two thirds of the problems are of the four operations that can be simulated, with labels that are
//   uniform, zipf, clustered, sorted or all equal; every third n and m is a power of two.
// Requires: points >= 1, 12 <= log2_most_n <= 31
std::vector<DrawnPlans> draw_plans(const PlanDraw& draw);

}  // namespace presort::gpu
