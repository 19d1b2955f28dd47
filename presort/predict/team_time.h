// Time of the rounds of a plan's team of threads beside their work.
#pragma once

#include "presort/core/machine/machine.h"
#include "presort/core/prediction.h"

namespace presort::inline v0::predict {

// When the threads of a run were last at work.
enum class TeamState {
  again,  // again: in a run like it. The caller has only set the buckets since
  idle,   // idle: so long ago that they sleep
};

// True if the threads of a team sleep when the run begins: it is the first for long, or the caller
// took longer to set the buckets than the threads stay awake (cpu/threads/awake.h).
bool team_sleeps(const Machine& machine, const Problem& problem, TeamState state);

// Adds a phase "team" to a prediction, and its time to the time stack: that of all rounds of the
// plan's team (cpu/plan/team_rounds.h) beside their work. Nothing is added for one thread, or for a
// machine whose file has no `team`.
// Requires: prediction.problem and .plan are set, and the plan fits the problem
void add_team(Prediction& prediction, const Machine& machine, TeamState state);

}  // namespace presort::predict
