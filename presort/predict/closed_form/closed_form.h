// The time of a phase without a simulation of the whole memory: a few hundred inputs of the phase
// pass through the simulator's core. Where each line and page is found comes from the closed-form
// hit ratios of a Setting. The phases, their records and the core are those of the simulator;
// simulated caches and TLBs, and their warm-up, are not needed. docs/explanation/model.md derives
// the model and names its errors.
#pragma once

#include <memory>

#include "presort/core/machine/machine.h"
#include "presort/core/plan/cpu_plan.h"
#include "presort/core/problem.h"
#include "presort/predict/closed_form/hit_ratios/empirical_labels.h"
#include "presort/predict/phases/phase_simulator.h"
#include "presort/predict/sampling/file_places.h"

namespace presort::inline v0::predict {

// True if a label file, or another distribution that the closed form measures, has too few labels
// to tell the distribution, from which hit ratios come (core/choice/label_sample.h).
bool too_few_to_tell(const Problem& problem);

// True if there is a closed form for all phases of a plan. There is none for several threads,
// private tables, segments, a counting sort (moves without buffers are up to 2.3 times off: 8.2
// instead of 3.6 ns by 12 bits on emerald-rapids-host), or a file with too few labels. On a machine
// with a block device there is one for plans of in_stored_phases() (storage/stored_phases.h).
bool in_closed_form(const Machine& machine, const Problem& problem, const CpuPlan& plan);

// Makes a PhaseSimulator for one thread that uses the closed form, a hundred times as fast as
// simulating. Estimates have only times and cache counts filled in.
// Errors: PlanError for a machine with a block device; Error for private tables
std::unique_ptr<PhaseSimulator> make_closed_form(const Machine& machine, const Problem& problem,
                                                 PageSize page_size,
                                                 std::shared_ptr<const EmpiricalLabels> measured,
                                                 FilePlaces places = FilePlaces::several);

}  // namespace presort::predict
