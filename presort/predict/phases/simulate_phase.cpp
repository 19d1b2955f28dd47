#include "presort/predict/phases/simulate_phase.h"

#include "presort/core/base/overloaded.h"

namespace presort::inline v0::predict {

namespace {

namespace phase = cpu::phase;

// A partition pass of a pre-sort: the inputs that the pass reads, the digit that it orders by, and
// where it writes.
struct PlacedPass {
  PhaseInput input;
  cpu::Digit digit;
  PassOutput output;
};

PlacedPass placed(const cpu::Pass& pass, const PhaseInputs& inputs) {
  return {inputs.at(pass.from), cpu::digit_of(pass, inputs.bits()),
          output_of_pass(pass.from.passes)};
}

PhaseEstimate count(PhaseSimulator& simulator, const cpu::Pass& pass, const PhaseInputs& inputs) {
  const auto [input, digit, output] = placed(pass, inputs);
  return simulator.histogram(input, digit);
}

PhaseEstimate permute_back(PhaseSimulator& simulator, const phase::PermuteBack& back,
                           const PhaseInputs& inputs) {
  const auto [input, digit, output] = placed(back.pass, inputs);
  const cpu::Columns columns = cpu::columns_of_parts(inputs.problem().operation, back.layout);
  const PhaseInput parts = inputs.at({back.pass.from.passes + 1, columns, false});
  return simulator.permute_back(input, digit, {back.buffer_bytes, back.layout},
                                parts.results_region);
}

PhaseEstimate count_parts(PhaseSimulator& simulator, const PhaseInputs& inputs) {
  PhaseInput alone = inputs.whole();
  alone.has_values = false;
  return simulator.count_parts(alone);
}

}  // namespace

PhaseEstimate simulate_phase(PhaseSimulator& simulator, const cpu::PhaseSpec& phase,
                             const PhaseInputs& inputs) {
  const cpu::Digit whole_label = cpu::make_digit(0, inputs.bits());
  return std::visit(
      Overloaded{
          [&](const phase::UpdateAll& at) {
            return simulator.direct(inputs.whole(), at.distances);
          },
          [&](const phase::UpdateRange& at) {
            return simulator.range_pass(inputs.whole(), at.distances, at.range);
          },
          [&](const phase::UpdateParts& at) {
            const Parts parts{inputs.labels(), inputs.bits() - at.bits,
                              inputs.bits() - at.first_bits};
            return simulator.direct_on_parts(parts, inputs.at(at.from), at.distances);
          },
          [&](const phase::FillTables&) { return simulator.fill_tables(); },
          [&](const phase::UpdateTables& at) {
            return simulator.update_tables(inputs.whole(), at.distances);
          },
          [&](const phase::MergeTables&) { return simulator.merge_tables(*inputs.labels()); },
          [&](const phase::ScanFirstShare& at) {
            return simulator.scan_first_share(inputs.whole(), at.distances);
          },
          [&](const phase::PrefixTables&) { return simulator.prefix_tables(); },
          [&](const phase::ScanOtherShares& at) {
            return simulator.scan_other_shares(inputs.whole(), at.distances);
          },
          [&](const phase::ClearSets&) { return simulator.clear_sets(); },
          [&](const phase::CountInSets&) {
            return simulator.count_in_sets(inputs.whole(), whole_label);
          },
          [&](const phase::ReduceInSets&) { return simulator.reduce_in_sets(inputs.whole()); },
          [&](const phase::AddSets&) { return simulator.add_sets(); },
          [&](const phase::Histogram& at) { return count(simulator, at.pass, inputs); },
          [&](const phase::Partition& at) {
            const auto [input, digit, output] = placed(at.pass, inputs);
            return simulator.partition(input, digit, at.through, output.to, output.to_values);
          },
          [&](const phase::Drain& at) {
            const auto [input, digit, output] = placed(at.pass, inputs);
            return simulator.drain(input.labels->size(), digit, at.through, output.to,
                                   output.to_values);
          },
          [&](const phase::SortFew& at) {
            return simulator.sort_few(inputs.at(at.pass.from),
                                      cpu::digit_of(at.pass, inputs.bits()), at.run_bits,
                                      at.inputs);
          },
          [&](const phase::PermuteBack& at) { return permute_back(simulator, at, inputs); },
          [&](const phase::CountRun& at) { return count(simulator, at.pass, inputs); },
          [&](const phase::MoveRun& at) {
            const auto [input, digit, output] = placed(at.pass, inputs);
            return simulator.plain_radix(input, digit, output.to, output.to_values,
                                         Region::positions);
          },
          [&](const phase::Unpack& at) { return simulator.unpack(inputs.at(at.from)); },
          [&](const phase::ClearPlaces&) { return simulator.clear_places(); },
          [&](const phase::CountParts&) { return count_parts(simulator, inputs); },
          [&](const phase::SumCounts&) { return simulator.sum_counts(); },
          [&](const phase::PlaceInputs&) {
            return simulator.plain_radix(inputs.whole(), whole_label, Region::sorted_labels,
                                         Region::results, Region::buckets);
          },
          [&](const phase::CheckOffsets&) { return simulator.check_offsets(*inputs.labels()); },
          [&](const phase::ReduceTails&) { return simulator.reduce_tails(*inputs.labels()); },
          [&](const phase::RunSegments&) { return simulator.run_segments(*inputs.labels()); },
      },
      phase);
}

}  // namespace presort::predict
