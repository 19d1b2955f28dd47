// The way a plan runs: which code goes over its inputs. The list of its phases (phase_list.h), the
// kernels that carry them out, and the scratch that these need, all follow from this one decision.
#pragma once

#include "presort/core/plan/cpu_plan.h"

namespace presort::inline v0::cpu {

enum class Execution {
  direct,           // the plain loop; for a partial sort, a counting sort
  rangePasses,      // the plain loop on one range of the buckets after the other
  sets,             // the plain loop, or a count of labels, in several sets of buckets
  privateTables,    // every thread runs the plain loop with a table of its own
  bufferedPresort,  // passes through write buffers, each part in one piece
  chunkedPresort,   // one pass through write buffers, each part in a chain of chunks
  plainRadix,       // the thesis' radix sort
};

// How a plan runs. Requires: check_plan(plan, problem) passes; the problem is not one on segments, whose
// plans all run alike
constexpr Execution execution_of(const CpuPlan& plan) {
  if (plan.base.strategy == CpuStrategy::privateTables) {
    return Execution::privateTables;
  }
  if (plan.base.strategy == CpuStrategy::plainRadix) {
    return Execution::plainRadix;
  }
  if (plan.presort) {
    return plan.presort->chunk_bytes > 0 ? Execution::chunkedPresort : Execution::bufferedPresort;
  }
  if (plan.base.n_sets > 1) {
    return Execution::sets;
  }
  return plan.base.range_passes > 1 ? Execution::rangePasses : Execution::direct;
}

}  // namespace presort::cpu
