#include "presort/predict/phases/phase_simulator.h"

#include <string>

#include "presort/core/error.h"

namespace presort::inline v0::predict {

// Functions that make simulators, by label type: defined in core_phases_u32.cpp and
// core_phases_u64.cpp, which compile in parallel.
template <class Label>
std::unique_ptr<PhaseSimulator> make_core_phases(const Machine& machine,
                                                 const SimulationOptions& options,
                                                 const Problem& problem, PageSize page_size,
                                                 size_t threads, const ArrayPlaces& places);

std::unique_ptr<PhaseSimulator> make_phase_simulator(const Machine& machine,
                                                     const SimulationOptions& options,
                                                     const Problem& problem, PageSize page_size,
                                                     int threads, const ArrayPlaces& places) {
  if (threads > machine.cores) {
    throw PlanError("threads: found '" + std::to_string(threads) + "', accepted: 1 to " +
                    std::to_string(machine.cores) + ", the cores of " + machine.name);
  }
  if (threads > 1 && machine.storage) {
    throw PlanError(
        "threads: plans of several threads are not predicted for a machine with a "
        "block device");
  }
  const auto count = static_cast<size_t>(threads);
  if (problem.types.label == ScalarType::u64) {
    return make_core_phases<uint64_t>(machine, options, problem, page_size, count, places);
  }
  return make_core_phases<uint32_t>(machine, options, problem, page_size, count, places);
}

}  // namespace presort::predict
