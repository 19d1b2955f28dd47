#include "presort/predict/phases/phase_simulator.h"

#include "presort/core/error.h"
#include "presort/predict/phases/single_core_phases.h"

namespace presort::inline v0::predict {

template class SingleCorePhases<uint32_t, uint32_t>;
template class SingleCorePhases<uint32_t, uint64_t>;
template class SingleCorePhases<uint64_t, uint32_t>;
template class SingleCorePhases<uint64_t, uint64_t>;

namespace {

// The simulator sees widths, not interpretations: f32 is simulated as u32.
template <class Label>
std::unique_ptr<PhaseSimulator> with_label(const Machine& machine, const SimulationOptions& options,
                                           const Problem& problem, PageSize page_size) {
  if (size_bytes(problem.types.value) == 8) {
    return std::make_unique<SingleCorePhases<Label, uint64_t>>(machine, options, problem,
                                                               page_size);
  }
  return std::make_unique<SingleCorePhases<Label, uint32_t>>(machine, options, problem, page_size);
}

[[noreturn]] void refuse_one_thread() {
  throw Error("what threads do beside their shares is simulated by a team");
}

}  // namespace

PhaseEstimate PhaseSimulator::fill_tables() {
  refuse_one_thread();
}

PhaseEstimate PhaseSimulator::update_tables(const PhaseInput&, cpu::Distances) {
  refuse_one_thread();
}

PhaseEstimate PhaseSimulator::merge_tables(const LabelSource&) {
  refuse_one_thread();
}

PhaseEstimate PhaseSimulator::scan_first_share(const PhaseInput&, cpu::Distances) {
  refuse_one_thread();
}

PhaseEstimate PhaseSimulator::prefix_tables() {
  refuse_one_thread();
}

PhaseEstimate PhaseSimulator::scan_other_shares(const PhaseInput&, cpu::Distances) {
  refuse_one_thread();
}

PhaseEstimate PhaseSimulator::reduce_tails(const LabelSource&) {
  refuse_one_thread();
}

std::unique_ptr<PhaseSimulator> make_phase_simulator(const Machine& machine,
                                                     const SimulationOptions& options,
                                                     const Problem& problem, PageSize page_size) {
  if (problem.types.label == ScalarType::u64) {
    return with_label<uint64_t>(machine, options, problem, page_size);
  }
  return with_label<uint32_t>(machine, options, problem, page_size);
}

}  // namespace presort::predict
