#include "presort/cpu/plan/phase_list.h"

#include "presort/cpu/plan/execution.h"
#include "presort/cpu/plan/passes.h"

namespace presort::inline v0::cpu {

namespace {

using Phases = std::vector<PhaseSpec>;

Phases segment_phases(const Problem& problem, const CpuPlan& plan) {
  if (plan.resources.threads > 1 && scans_segments(problem.operation)) {
    return {phase::CheckOffsets{}, phase::ReduceTails{}, phase::RunSegments{}};
  }
  return {phase::CheckOffsets{}, phase::RunSegments{}};
}

Phases table_phases(const Problem& problem, const CpuPlan& plan) {
  const Distances distances = plain_distances(plan.base);
  if (!has_results(problem.operation)) {
    return {phase::FillTables{}, phase::UpdateTables{distances}, phase::MergeTables{}};
  }
  Phases phases;
  if (plan.resources.threads > 1) {  // a scan by a single thread needs no table
    phases.emplace_back(phase::FillTables{});
  }
  phases.emplace_back(phase::ScanFirstShare{distances});
  phases.emplace_back(phase::PrefixTables{});
  phases.emplace_back(phase::ScanOtherShares{distances});
  return phases;
}

Phases set_phases(const Problem& problem) {
  if (problem.operation == Operation::histogram) {
    return {phase::ClearSets{}, phase::CountInSets{}, phase::AddSets{}};
  }
  return {phase::ClearSets{}, phase::ReduceInSets{}, phase::AddSets{}};
}

Phases range_phases(const CpuPlan& plan) {
  const auto passes = static_cast<size_t>(plan.base.range_passes);
  Phases phases;
  for (size_t pass = 0; pass < passes; ++pass) {
    phases.emplace_back(phase::UpdateRange{plain_distances(plan.base), {pass, passes}});
  }
  return phases;
}

Phases direct_phases(const Problem& problem, const CpuPlan& plan) {
  if (problem.operation == Operation::partialSort) {
    return {phase::ClearPlaces{}, phase::CountParts{}, phase::SumCounts{}, phase::PlaceInputs{}};
  }
  return {phase::UpdateAll{plain_distances(plan.base)}};
}

Phases radix_phases(const CpuPlan& plan) {
  Phases phases;
  for (const Pass& run : radix_runs(*plan.presort)) {
    phases.emplace_back(phase::CountRun{run});
    phases.emplace_back(phase::MoveRun{run});
  }
  const int bits = plan.presort->sort_bits;
  phases.emplace_back(phase::UpdateParts{
      plain_distances(plan.base), {plan.presort->passes, Columns::separate, false}, bits, bits});
  return phases;
}

// The phases of a buffered pre-sort; without chunks, a histogram tells where each part lies.
Phases buffered_phases(const Problem& problem, const CpuPlan& plan, bool in_one_piece) {
  const Presort& presort = *plan.presort;
  const WriteBuffers through = write_buffers(presort);
  const Passes passes = buffered_passes(presort, problem.operation);
  Phases phases;
  const bool sorts = problem.operation == Operation::partialSort;
  if (sorts) {
    phases.emplace_back(phase::ClearPlaces{});
  }
  for (const Pass& pass : passes) {
    if (sorts && pass.from.of_part) {
      Pass rest = pass;
      rest.bits = presort.sort_bits - pass.bits_above;
      phases.emplace_back(phase::SortFew{rest, pass.bits});
    }
    if (in_one_piece) {
      phases.emplace_back(phase::Histogram{pass});
    }
    phases.emplace_back(phase::Partition{pass, through});
    phases.emplace_back(phase::Drain{pass, through});
  }
  Place parts{presort.passes, columns_of_parts(problem.operation, presort.layout),
              presort.passes > 1};
  if (sorts) {
    parts.of_part = false;  // unpacking goes over all parts at once, not part by part
    phases.emplace_back(phase::Unpack{parts});
    phases.emplace_back(phase::SumCounts{});
    return phases;
  }
  phases.emplace_back(
      phase::UpdateParts{part_distances(plan.base), parts, presort.sort_bits, passes[0].bits});
  for (size_t pass = passes.size(); has_results(problem.operation) && pass-- > 0;) {
    phases.emplace_back(phase::PermuteBack{passes[pass], presort.layout, presort.buffer_bytes});
  }
  return phases;
}

}  // namespace

std::vector<PhaseSpec> list_phases(const Problem& problem, const CpuPlan& plan) {
  if (is_segmented(problem.operation)) {
    return segment_phases(problem, plan);
  }
  if (problem.operation == Operation::reduceAxes) {
    return {};  // it is not made of phases, and not simulated
  }
  switch (execution_of(plan)) {
    case Execution::direct:
      return direct_phases(problem, plan);
    case Execution::rangePasses:
      return range_phases(plan);
    case Execution::sets:
      return set_phases(problem);
    case Execution::privateTables:
      return table_phases(problem, plan);
    case Execution::bufferedPresort:
      return buffered_phases(problem, plan, true);
    case Execution::chunkedPresort:
      return buffered_phases(problem, plan, false);
    case Execution::plainRadix:
      return radix_phases(plan);
  }
  return {};
}

}  // namespace presort::cpu
