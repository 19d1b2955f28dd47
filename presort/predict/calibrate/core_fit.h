// Fits what the micro-operations of the kernels cost a core (core/machine/core_costs.h), from timed
// runs whose data lie in its nearest caches.
#pragma once

#include <vector>

#include "presort/core/base/stop.h"
#include "presort/core/machine/core_costs.h"
#include "presort/core/machine/machine.h"

namespace presort::inline v0::predict {

// Least core_share of a measured point that the fit uses: its time must be limited by the core.
// core_share is the part of the simulated time, at one dispatch slot for each micro-operation, that
// remains without memory and all caches but the first. Micro-operations that take more slots only
// add to that part.
inline constexpr double kCoreBound = 0.8;

// Fits the dispatch slots of each micro-operation, >= 0, that minimise the absolute relative errors
// of the simulated times of the measured points. Time that is not dispatch is taken from a simulation and
// kept; the rest is the counts of micro-operations in the kernels' own traces times the slots
// (non-negative least squares). The simulation is repeated with the new slots until they settle. A
// line move takes no longer than the core's bandwidth allows. A weak pull towards one slot decides
// between costs that the points do not tell apart. The values of machine.costs are ignored.
// Simulates on `threads` threads.
// Requires: measured_ns > 0 in every point
// Errors:   InputError when no point is bound by the core; PlanError as simulate_hot; Stopped once
//           `stop` asks for it
CoreCalibration fit_core_costs(Machine machine, const std::vector<CalibrationPoint>& measured,
                               size_t threads, StopToken stop = {});

}  // namespace presort::predict
