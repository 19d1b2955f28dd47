#include "presort/cpu/plan/phase_spec.h"

#include <cmath>

#include "presort/core/base/overloaded.h"
#include "presort/cpu/detail/set_reduce.h"

namespace presort::inline v0::cpu {

namespace {

// The name of the phase that reads or updates the buckets, or of the phase that replaces it in an
// operation without buckets.
std::string update_name(Operation operation) {
  switch (operation) {
    case Operation::multireduce:
    case Operation::multireduceInOrder:
    case Operation::segmentedReduce:
    case Operation::reduceAxes:
      return "reduce";
    case Operation::scatter:
      return "scatter";
    case Operation::gather:
      return "gather";
    case Operation::histogram:
      return "count";
    case Operation::multiscan:
    case Operation::segmentedScan:
    case Operation::scan:
      return "scan";
    case Operation::compact:
      return "compact";
    case Operation::multitag:
      return "tag";
    case Operation::partialSort:
      return "unpack";
  }
  return "";
}

std::string numbered(std::string name, const Pass& pass) {
  name += ' ';
  name += std::to_string(pass.from.passes + 1);
  return name;
}

std::string range_name(const RangePass& range) {
  std::string name = "range ";
  name += std::to_string(range.pass + 1);
  name += " of ";
  name += std::to_string(range.passes);
  return name += ": ";
}

// Number of parts into which a pass and all passes before it divide the inputs.
double parts_after(const Pass& pass) {
  return std::ldexp(1.0, pass.bits_above + pass.bits);
}

}  // namespace

std::string name_of(const PhaseSpec& phase, Operation operation) {
  const std::string update = update_name(operation);
  return std::visit(
      Overloaded{
          [&](const phase::UpdateRange& at) { return range_name(at.range) + update; },
          [](const phase::FillTables&) -> std::string { return "fill tables"; },
          [](const phase::MergeTables&) -> std::string { return "merge tables"; },
          [&](const phase::ScanFirstShare&) { return update + " first share"; },
          [](const phase::PrefixTables&) -> std::string { return "prefix tables"; },
          [&](const phase::ScanOtherShares&) { return update + " other shares"; },
          [](const phase::ClearSets&) -> std::string { return "clear sets"; },
          [](const phase::CountInSets&) -> std::string { return "count in sets"; },
          [](const phase::ReduceInSets&) -> std::string { return "reduce in sets"; },
          [](const phase::AddSets&) -> std::string { return "add sets"; },
          [](const phase::Histogram& at) { return numbered("histogram", at.pass); },
          [](const phase::Partition& at) { return numbered("partition", at.pass); },
          [](const phase::Drain& at) { return numbered("drain", at.pass); },
          [](const phase::SortFew& at) { return numbered("sort few", at.pass); },
          [](const phase::PermuteBack& at) { return numbered("permute back", at.pass); },
          [](const phase::CountRun& at) { return numbered("count", at.pass); },
          [](const phase::MoveRun& at) { return numbered("radix", at.pass); },
          [](const phase::ClearPlaces&) -> std::string { return "clear places"; },
          [](const phase::CountParts&) -> std::string { return "count parts"; },
          [](const phase::SumCounts&) -> std::string { return "sum counts"; },
          [](const phase::PlaceInputs&) -> std::string { return "place"; },
          [](const phase::CheckOffsets&) -> std::string { return "check offsets"; },
          [](const phase::ReduceTails&) -> std::string { return "reduce tails"; },
          [&](const auto&) { return update; },
      },
      phase);
}

PhaseKind kind_of(const PhaseSpec& phase) {
  return std::visit(Overloaded{
                        [](const phase::UpdateRange&) { return PhaseKind::rangePass; },
                        [](const phase::Histogram&) { return PhaseKind::count; },
                        [](const phase::CountRun&) { return PhaseKind::count; },
                        [](const phase::CountParts&) { return PhaseKind::count; },
                        [](const phase::Partition&) { return PhaseKind::move; },
                        [](const phase::Drain&) { return PhaseKind::move; },
                        [](const phase::SortFew&) { return PhaseKind::move; },
                        [](const phase::MoveRun&) { return PhaseKind::move; },
                        [](const phase::PlaceInputs&) { return PhaseKind::move; },
                        [](const phase::PermuteBack&) { return PhaseKind::takeBack; },
                        [](const phase::UpdateAll&) { return PhaseKind::update; },
                        [](const phase::UpdateParts&) { return PhaseKind::update; },
                        [](const phase::UpdateTables&) { return PhaseKind::update; },
                        [](const phase::ScanFirstShare&) { return PhaseKind::update; },
                        [](const phase::ScanOtherShares&) { return PhaseKind::update; },
                        [](const phase::CountInSets&) { return PhaseKind::update; },
                        [](const phase::ReduceInSets&) { return PhaseKind::update; },
                        [](const phase::Unpack&) { return PhaseKind::update; },
                        [](const phase::RunSegments&) { return PhaseKind::update; },
                        [](const auto&) { return PhaseKind::other; },
                    },
                    phase);
}

double items_per_input(const PhaseSpec& phase, const Problem& problem) {
  const auto inputs = static_cast<double>(problem.n);
  const auto buckets = static_cast<double>(problem.m);
  const auto digits =
      static_cast<double>(make_digit(0, label_bits(problem.m))
                              .count());  // number of labels: in a pass, a digit is a label
  const auto cleared = problem.operation == Operation::histogram
                           ? kHistogramSets * digits
                           : static_cast<double>(kReduceSets * set_stride(problem.m));
  return std::visit(Overloaded{
                        [&](const phase::FillTables&) { return buckets / inputs; },
                        [&](const phase::MergeTables&) { return buckets / inputs; },
                        [&](const phase::PrefixTables&) { return buckets / inputs; },
                        [&](const phase::ClearSets&) { return cleared / inputs; },
                        [&](const phase::AddSets&) { return buckets / inputs; },
                        [](const phase::ReduceInSets&) { return 1.0 / kReduceSets; },
                        [&](const phase::Drain& at) { return parts_after(at.pass) / inputs; },
                        [&](const phase::ClearPlaces&) { return (digits + 1) / inputs; },
                        [&](const phase::SumCounts&) { return digits / inputs; },
                        [&](const phase::CheckOffsets&) { return (buckets + 1) / inputs; },
                        [&](const phase::RunSegments&) { return (inputs + buckets) / inputs; },
                        [](const auto&) { return 1.0; },
                    },
                    phase);
}

}  // namespace presort::cpu
