// The members of SingleCorePhases (predict/phases/single_core_phases.h) for phases that go through
// their arrays in order, whatever the labels are.
#pragma once

#include <span>
#include <vector>

#include "presort/predict/phases/single_core_phases.h"

namespace presort::inline v0::predict {

// Lines of the array that elements [first, last) are the first to touch.
template <class Label, class Value>
void SingleCorePhases<Label, Value>::add_lines(const Stream& stream, uint64_t first, uint64_t last,
                                               std::vector<sim::Access>& accesses) const {
  const uint64_t begin = address_of(stream.region) + moved_ * stream.element_bytes;
  const uint64_t end = begin + last * stream.element_bytes;
  const uint64_t from = begin + first * stream.element_bytes + line_bytes_ - 1;
  for (uint64_t line = from / line_bytes_ * line_bytes_; line < end; line += line_bytes_) {
    accesses.push_back({line, stream.kind, 4, 0, 0, 0});
  }
}

// Items before `begin`, as far back as the last level holds what they touch: `bytes_per_item`.
// lines(first, last, accesses) adds what items [first, last) touch.
template <class Label, class Value>
template <class Lines>
void SingleCorePhases<Label, Value>::warm_streams(auto& sampler, uint64_t begin,
                                                  double bytes_per_item, Lines lines) {
  constexpr uint64_t kItemsOfBlock = 4096;  // items whose lines are touched array by array
  const double held = 1.25 * static_cast<double>(last_level_bytes_) / bytes_per_item /
                      static_cast<double>(sharers_);
  std::vector<sim::Access> accesses;
  for (uint64_t at = begin - std::min(begin, static_cast<uint64_t>(held)); at < begin;
       at += kItemsOfBlock) {
    accesses.clear();
    lines(at, std::min(begin, at + kItemsOfBlock), accesses);
    sampler.warm(accesses);
  }
}

// Times items of a phase without inputs. make() gives the phase on the arrays where they stand;
// prepare(sampler, begin, slice) sets the state that it has at item `begin`. No array has more than
// `longest` elements.
template <class Label, class Value>
template <class Make, class PrepareItems>
PhaseEstimate SingleCorePhases<Label, Value>::sample_items(uint64_t items, uint64_t longest,
                                                           Make make, PrepareItems prepare) {
  if (options_.excerpt != nullptr) {
    Sampler sampler(machine_, options_, page_bytes_);
    const auto phase = make();
    const auto bounds = options_.excerpt->bounds(items);
    for (size_t i = 0; i + 1 < bounds.size(); ++i) {
      run_step(sampler, phase, bounds[i], bounds[i + 1], Step::lead);
      options_.excerpt->end_piece(bounds[i + 1] - bounds[i]);
    }
    return {};
  }
  if (options_.full || items <= options_.replayed_inputs) {
    return replay(items, [&](Sampler& sampler, const ReplaySchedule& schedule) {
      prepare(sampler, 0, 0);
      const auto phase = make();
      run_schedule(sampler, schedule, 0, 0, items, [&](uint64_t first, uint64_t last, Step step) {
        run_step(sampler, phase, first, last, step);
      });
    });
  }
  Sampler sampler(machine_, options_, page_bytes_);
  for (int k = 0; k < kMaxSlices; ++k) {
    if (k >= kMinSlices && sampler.ci95_relative() <= options_.ci95_relative) {
      break;
    }
    const uint64_t first = slice_start(static_cast<uint64_t>(k), items, kSliceItems);
    const uint64_t lead = first - std::min(first, kLeadItems);
    const uint64_t begin = lead - std::min(lead, kRewarmItems);
    move_arrays(static_cast<uint64_t>(k), longest);
    prepare(sampler, begin, k);
    const auto phase = make();
    run_step(sampler, phase, begin, lead, Step::warm);
    run_step(sampler, phase, lead, first, Step::lead);
    run_step(sampler, phase, first, first + kSliceItems, Step::time);
  }
  return sampler.estimate();
}

}  // namespace presort::predict
