#include "presort/predict/size_limits.h"

#include <string>

#include "presort/core/error.h"
#include "presort/core/text/units.h"
#include "presort/predict/storage/stored_phases.h"

namespace presort::inline v0::predict {

namespace {

void check_at_most(const char* name, uint64_t found, uint64_t most, const char* what) {
  if (found > most) {
    throw InputError(std::string(name) + ": found '" + format_count(found) +
                     "', accepted by predictions: at most " + format_count(most) + " " + what);
  }
}

}  // namespace

void check_predictable(const Problem& problem) {
  if (!is_simulated(problem.operation)) {
    throw InputError("op: found '" + to_name(kOperations, problem.operation) +
                     "', accepted by predictions for a CPU: any other; a GPU has predictions of it "
                     "(tune --device gpu)");
  }
  check_at_most("n", problem.n, kMostInputs, "inputs, for which there are simulated addresses");
  check_at_most("m", problem.m, kMostBuckets, "buckets, for which there are simulated addresses");
}

void check_simulatable(const Machine& machine, const Problem& problem, const CpuPlan& plan,
                       Extent extent) {
  if (is_segmented(problem.operation)) {
    check_at_most("n", problem.n, kMostSegmentValues, "values in segments");
    check_at_most("m", problem.m, kMostSegments, "segments");
  }
  if (problem.operation == Operation::partialSort && !plan.presort) {
    check_at_most("m", problem.m, kMostCountedParts, "parts of a sort that counts (sortBits=0)");
  }
  if (machine.storage && (extent == Extent::full || !in_stored_phases(problem, plan))) {
    const bool in_full = extent == Extent::full;
    check_at_most("n", problem.n, in_full ? kMostStoredInputsInFull : kMostStoredInputs,
                  in_full ? "inputs on a machine with a block device"
                          : "inputs on a machine with a block device, all of which are simulated; "
                            "a full simulation (simulate --full) takes more");
  }
}

}  // namespace presort::predict
