// Plans that rules take for a GPU without predictions: what choices by predictions are compared with.
// Pure functions. No CUDA types.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "presort/core/plan/gpu_plan.h"
#include "presort/core/problem.h"
#include "presort/gpu/plan/limits.h"

namespace presort::inline v0::gpu {

// The figures of a device that rules for plans use.
struct RuledDevice {
  DeviceLimits limits;
  uint64_t l2_bytes = 0;
};

struct PlanRule {
  const char* name;
  bool is_fixed;  // looks at neither n nor the size of caches: a candidate for the best fixed plan
  GpuPlan (*plan)(const Problem& problem, const RuledDevice& device);
};

// The rules, for operations whose plans are in any order of the inputs:
//   plain atomics                  no pre-sort, buckets in device memory
//   tables, else atomics           tables in shared memory, in as few ranges as fit, where there are as
//                                  many multiprocessors
//   8 sorted bits, then atomics    one pass
//   8 sorted bits, then tables     atomics where a part does not fit
//   14 sorted bits, then tables    two passes; atomics where a part does not fit
//   the thesis' rule               from 2^16 buckets on sorts until 7 bits are left, then atomics
//                                  (Eilers 2014, table 4.2)
//   Futhark's formula              tables of M sets in S ranges if S <= 3 (compare and swap: 4):
//                                  M = min(L / (m e), n / (2 blocks m)), S = ⌈M m e / L⌉; otherwise
//                                  traversals of 0.4 of the L2, each of which is a part of a pre-sort
// Source of the last: Henriksen, Hellfritzsch, Sadayappan, Oancea, "Compiling Generalized Histograms for
// GPU", SC'20. L: shared memory of a block, e: bytes of a bucket; one block a multiprocessor. Sets are a
// power of two, at most 32, here.
std::span<const PlanRule> plan_rules();

// The plan that a rule takes; no value where the problem has no plans in any order, a single plan, or no
// such plan.
std::optional<GpuPlan> ruled_plan(const PlanRule& rule, const Problem& problem,
                                  const RuledDevice& device);

}  // namespace presort::gpu
