#include "presort/core/error.h"
#include "presort/predict/phases/phase_simulator.h"
#include "presort/predict/team/team_phases.h"

namespace presort::inline v0::predict {

namespace {

template <class Label>
std::unique_ptr<PhaseSimulator> with_label(const Machine& machine, const SimulationOptions& options,
                                           const Problem& problem, PageSize page_size,
                                           size_t threads) {
  if (size_bytes(problem.types.value) == 8) {
    return std::make_unique<TeamPhases<Label, uint64_t>>(machine, options, problem, page_size,
                                                         threads);
  }
  return std::make_unique<TeamPhases<Label, uint32_t>>(machine, options, problem, page_size,
                                                       threads);
}

}  // namespace

std::unique_ptr<PhaseSimulator> make_team_simulator(const Machine& machine,
                                                    const SimulationOptions& options,
                                                    const Problem& problem, PageSize page_size,
                                                    int threads) {
  if (threads > machine.cores) {
    throw PlanError("threads: found '" + std::to_string(threads) + "', accepted: 1 to " +
                    std::to_string(machine.cores) + ", the cores of " + machine.name);
  }
  if (machine.storage) {
    throw PlanError(
        "threads: plans of several threads are not predicted for a machine with a "
        "block device");
  }
  const auto count = static_cast<size_t>(threads);
  if (problem.types.label == ScalarType::u64) {
    return with_label<uint64_t>(machine, options, problem, page_size, count);
  }
  return with_label<uint32_t>(machine, options, problem, page_size, count);
}

}  // namespace presort::predict
