// Simulates a phase of a plan by its value.
#pragma once

#include "presort/cpu/plan/phase_spec.h"
#include "presort/predict/phases/phase_inputs.h"
#include "presort/predict/phases/phase_simulator.h"

namespace presort::inline v0::predict {

// Requires: the phase belongs to the plan that `inputs` was made for, or stands for one of it
//           (phase_key.h) Errors:   as the simulator's member
PhaseEstimate simulate_phase(PhaseSimulator& simulator, const cpu::PhaseSpec& phase,
                             const PhaseInputs& inputs);

}  // namespace presort::predict
