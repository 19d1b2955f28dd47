// How large predicted problems may be, so that a prediction takes seconds and a bounded amount of
// memory whatever n and m are. Simulations of whole problems (SimulationOptions: full, record_only
// without an excerpt) take time in proportion to n up to these limits.
#pragma once

#include <cstdint>

#include "presort/core/machine/machine.h"
#include "presort/core/plan/cpu_plan.h"
#include "presort/core/problem.h"

namespace presort::inline v0::predict {

// The most inputs, and the most buckets, of any prediction. Each array has a tebibyte of the
// simulated address space (layout.h), and a pair of a label and a value has up to 16 bytes.
inline constexpr uint64_t kMostInputs = uint64_t{1} << 36;
inline constexpr uint64_t kMostBuckets = uint64_t{1} << 36;

// The most values, and the most segments, of a segmented operation: finding where segments begin
// takes a look at as many labels.
inline constexpr uint64_t kMostSegmentValues = uint64_t{1} << 28;
inline constexpr uint64_t kMostSegments = uint64_t{1} << 28;

// The most parts of a partial sort by counting: the simulation keeps a place for each part.
inline constexpr uint64_t kMostCountedParts = uint64_t{1} << 24;

// The most inputs on a machine with a block device that are all simulated: a page cache holds too
// much to be warmed for a sample of every access. A pass with random pages takes 1.5 to 3
// microseconds an input (docs/results/storage.md), and a plan of plainRadix takes up to 2 * 8
// passes, so a prediction takes seconds. For more inputs the waits for the device are told by pages
// (storage/stored_phases.h), if the plan's are known so; otherwise the caller has to ask for a full
// simulation.
inline constexpr uint64_t kMostStoredInputs = uint64_t{1} << 21;
inline constexpr uint64_t kMostStoredInputsInFull = uint64_t{1} << 32;

// True if an operation's phases can be simulated.
constexpr bool is_simulated(Operation operation) {
  return operation != Operation::compact && operation != Operation::reduceAxes &&
         operation != Operation::multireduceInOrder;
}

// Checks the limits of all predictions. Errors: InputError naming n or m, what was found and what
// is accepted; also for an operation that is not simulated
void check_predictable(const Problem& problem);

// How much of a problem is simulated: a sample of its inputs, or all inputs.
enum class Extent { sampled, full };

// Checks the limits of simulations. Requires: check_predictable passes
void check_simulatable(const Machine& machine, const Problem& problem, const CpuPlan& plan,
                       Extent extent);

}  // namespace presort::predict
