#include "presort/cpu/plan/team_rounds.h"

#include "presort/cpu/phases/histogram.h"
#include "presort/cpu/plan/execution.h"

namespace presort::inline v0::cpu {

uint64_t team_rounds(const Problem& problem, const CpuPlan& plan) {
  if (plan.resources.threads == 1) {
    return 0;
  }
  if (is_segmented(problem.operation)) {
    return scans_segments(problem.operation) ? 3 : 2;
  }
  if (problem.operation == Operation::reduceAxes) {
    return 1;
  }
  const uint64_t with_results = has_results(problem.operation) ? 1 : 0;
  switch (execution_of(plan)) {
    case Execution::direct:
    case Execution::rangePasses:
      return 1;
    case Execution::sets: {
      const uint64_t most = kMaxCountedInputs * static_cast<uint64_t>(plan.resources.threads);
      return 2 * ((problem.n + most - 1) / most);
    }
    case Execution::privateTables:
      return 2 + with_results;
    case Execution::bufferedPresort:
      return 3 + with_results;
    case Execution::chunkedPresort:
      return 2;
    case Execution::plainRadix:
      return 0;
  }
  return 0;
}

}  // namespace presort::cpu
