// Simulates a phase of a plan, given as a PhaseSpec.
#pragma once

#include "presort/cpu/plan/phase_spec.h"
#include "presort/predict/phases/phase_inputs.h"
#include "presort/predict/phases/phase_simulator.h"

namespace presort::inline v0::predict {

// Simulates one phase.
// Requires: the phase belongs to the plan that `inputs` was made for, or stands for a phase of that
//           plan (phase_key.h)
// Errors:   those of the simulator's members
PhaseEstimate simulate_phase(PhaseSimulator& simulator, const cpu::PhaseSpec& phase,
                             const PhaseInputs& inputs);

}  // namespace presort::predict
