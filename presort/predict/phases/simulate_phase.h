// Simulates a phase of a plan by its value.
#pragma once

#include "presort/cpu/plan/phase_spec.h"
#include "presort/predict/phases/phase_inputs.h"
#include "presort/predict/phases/phase_simulator.h"

namespace presort::inline v0::predict {

// Requires: the phase is of the plan that the inputs are of, or one that stands for it
//           (phase_key.h)
// Errors:   those of the simulator
PhaseEstimate simulate_phase(PhaseSimulator& simulator, const cpu::PhaseSpec& phase,
                             const PhaseInputs& inputs);

}  // namespace presort::predict
