// Predicted times of plans for values of several parts that are summed by themselves
// (core/sum_of_parts.h) and are too large for a value type of plan times. They follow from the
// times of one part's type (plan_time.h):
//   atomics   of the first part, into as many buckets as there are parts; those of the others find the
//             bucket's sector in the L2, as if all buckets fitted there
//   tables    an update for each part; as many buckets as there are parts
//   pre-sort  the same buckets; an input moves its label once, and all of its parts
// No CUDA types.
#pragma once

#include <limits>

#include "presort/core/machine/gpu.h"
#include "presort/core/plan/gpu_plan.h"
#include "presort/core/problem.h"
#include "presort/gpu/plan/labels/label_facts.h"
#include "presort/gpu/plan/plan_list.h"
#include "presort/gpu/plan/plan_time.h"

namespace presort::inline v0::gpu {

class PartsTiming {
 public:
  // Requires: problem.types.value is the type of a part; parts >= 1; `gpu` outlives this object
  PartsTiming(const Gpu& gpu, const Problem& problem, int parts);
  PartsTiming(const PartsTiming&) = delete;
  PartsTiming& operator=(const PartsTiming&) = delete;

  // The predicted time of a plan, ns an input; at least enough_ns once it takes that long.
  // Requires: one of the plans of for_each_plan
  double ns(const GpuPlan& plan, double enough_ns = std::numeric_limits<double>::infinity()) const;

  // Calls a function with each plan that fits, simpler ones first.
  template <class Call>
  void for_each_plan(const Call& call) const {
    for_each_gpu_plan(all_, limits_of(gpu_), [&](const GpuPlan& plan) {
      if (!plan.presort || plan.presort->sort_bits <= label_bits_) {
        call(plan);
      }
    });
  }

 private:
  const Gpu& gpu_;
  int parts_;
  int label_bits_;  // bits of a label
  double moved_;  // bytes that a pre-sort moves of an input, over those of one part with its label
  Problem all_;   // the problem with buckets for each part
  Problem near_;  // the same with no more buckets than the L2 holds
  LabelFacts labels_of_all_;
  LabelFacts labels_of_near_;
};

}  // namespace presort::gpu
