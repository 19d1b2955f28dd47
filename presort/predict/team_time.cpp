#include "presort/predict/team_time.h"

#include <chrono>
#include <utility>

#include "presort/cpu/plan/team_rounds.h"
#include "presort/cpu/threads/awake.h"

namespace presort::inline v0::predict {

bool team_sleeps(const Machine& machine, const Problem& problem, TeamState state) {
  if (state == TeamState::idle) {
    return true;
  }
  if (!writes_buckets(problem.operation)) {
    return false;
  }
  const Memory& memory = machine.memory;
  const double bytes_per_second =
      memory.per_core_bandwidth > 0 ? memory.per_core_bandwidth : memory.bandwidth;
  const double bytes =
      static_cast<double>(problem.m) * static_cast<double>(size_bytes(problem.types.value));
  return bytes / bytes_per_second > std::chrono::duration<double>(cpu::kAwake).count();
}

void add_team(Prediction& prediction, const Machine& machine, TeamState state) {
  const Problem& problem = prediction.problem;
  const uint64_t rounds = cpu::team_rounds(problem, prediction.plan);
  if (rounds == 0 || !machine.team) {
    return;
  }
  const auto threads = static_cast<size_t>(prediction.plan.resources.threads);
  const double first = team_sleeps(machine, problem, state) ? machine.team->waking_round_of(threads)
                                                            : machine.team->round_of(threads);
  const double ns = (first + static_cast<double>(rounds - 1) * machine.team->round_of(threads)) /
                    static_cast<double>(problem.n);
  PhasePrediction phase;
  phase.name = "team";
  phase.kind = PhaseKind::other;
  phase.ns_per_input = ns;
  phase.stack_ns = {{"team", ns}};
  prediction.ns_per_input += ns;
  prediction.stack_ns.emplace_back("team", ns);
  prediction.phases.push_back(std::move(phase));
}

}  // namespace presort::predict
