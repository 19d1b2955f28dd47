// The machine on which phases that update buckets run. Updates of floats take their data from the
// store buffer later than integers do, and no core that was measured renames memory for them: an
// update of one f32 or f64 counter takes 12.0 cycles, of one u32 or u64 counter 1.4 (two-core
// virtual machine, Zen-5-class core, 2026-11-26).
#pragma once

#include "presort/core/machine/machine.h"
#include "presort/core/problem.h"

namespace presort::inline v0::predict {

// `machine`, with its store forwarding that of the problem's values.
inline Machine update_machine(const Machine& machine, const Problem& problem) {
  const bool floats =
      problem.types.value == ScalarType::f32 || problem.types.value == ScalarType::f64;
  Machine result = machine;
  if (floats && machine.float_forward_cycles) {
    result.store_forward_cycles = *machine.float_forward_cycles;
    result.repeated_forward_cycles.reset();
  }
  return result;
}

}  // namespace presort::predict
