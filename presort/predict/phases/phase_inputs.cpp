#include "presort/predict/phases/phase_inputs.h"

#include <algorithm>
#include <span>
#include <utility>

#include "presort/cpu/presort/few_inputs.h"
#include "presort/predict/sampling/slices.h"

namespace presort::inline v0::predict {

namespace {

// The labels of the part that holds input `index`; labels of a part agree from bit `shift` up. If
// less than half an input is expected in the part, it is given one input.
std::shared_ptr<const LabelSource> part_of(const LabelSource& labels, uint64_t index, int shift) {
  uint64_t label = 0;
  labels.generate(index, std::span<uint64_t>(&label, 1));
  const uint64_t low = label >> shift << shift;
  const uint64_t high = std::min(labels.buckets(), low + (uint64_t{1} << shift));
  auto part = labels.restricted(low, high);
  return part->size() > 0 ? part : make_stored_labels({label}, 1, labels.buckets());
}

// The labels of a typical part that a pass by `digit` partitions: of the part of the first input
// looked at whose part is not one of few (cpu/presort/few_inputs.h), else of the largest.
std::shared_ptr<const LabelSource> typical_part(const LabelSource& labels, int shift,
                                                const cpu::Digit& digit) {
  constexpr int kLooks = 16;
  auto part = part_of(labels, slice_start(0, labels.size(), 1), shift);
  for (int look = 0; look < kLooks; ++look) {
    if (!cpu::is_few(part->size(), digit, cpu::kFewInputsPerDigit)) {
      return part;
    }
    auto other = part_of(labels, labels.size() / kLooks * static_cast<uint64_t>(look), shift);
    if (other->size() > part->size()) {
      part = std::move(other);
    }
  }
  return part;
}

}  // namespace

PhaseInputs::PhaseInputs(const Problem& problem, const std::vector<cpu::PhaseSpec>& phases,
                         std::shared_ptr<const LabelSource> labels, MostKept kept)
    : problem_(problem),
      labels_of_pass_{std::move(labels)},
      call_bytes_(predict::run_bytes(problem, phases)),
      run_bytes_(call_bytes_ > kept.of_passes ? kFromMemory : call_bytes_) {
  if (call_bytes_ > kept.of_call) {
    call_bytes_ = kFromMemory;
  }
  for (const cpu::PhaseSpec& phase : phases) {
    const auto* partition = std::get_if<cpu::phase::Partition>(&phase);
    if (partition != nullptr) {
      streamed_.push_back(partition->through.streaming);
    }
    // True if the pass partitions a part that the pass before has made
    if (partition != nullptr && partition->pass.from.of_part) {
      const int shift = bits() - partition->pass.bits_above;
      labels_of_pass_.push_back(
          typical_part(*labels_of_pass_.back(), shift, cpu::digit_of(partition->pass, bits())));
    }
  }
}

uint64_t PhaseInputs::since_bytes(const cpu::Place& place) const {
  const auto pass = static_cast<size_t>(place.passes);
  const bool streamed = pass > 0 && pass <= streamed_.size() && streamed_[pass - 1];
  return streamed ? kFromMemory : pass == 0 ? call_bytes_ : run_bytes_;
}

PhaseInput PhaseInputs::whole() const {
  return at({0, cpu::columns_of_call(problem_.operation), false});
}

PhaseInput PhaseInputs::at(const cpu::Place& place) const {
  // The labels after the last pass are those of one part of that pass's input.
  const size_t last = labels_of_pass_.size() - 1;
  const size_t pass = place.of_part ? std::min(static_cast<size_t>(place.passes), last) : 0;
  PhaseInput input;
  input.labels = labels_of_pass_[pass];
  input.layout = place.columns == cpu::Columns::pairs ? Layout::pairs : Layout::separate;
  input.has_values = place.columns != cpu::Columns::labels;
  input.is_part = place.of_part;
  input.since_bytes = since_bytes(place);
  if (place.passes > 0) {
    const PassOutput output = output_of_pass(place.passes - 1);
    input.first_region = output.to;
    input.second_region = output.to_values;
    input.results_region = place.columns == cpu::Columns::pairs ? output.to : output.to_values;
  }
  return input;
}

}  // namespace presort::predict
