// The members of SingleCorePhases (predict/phases/single_core_phases.h) for what a partial sort
// does beside a partition, and without one (cpu/partial_sort.h).
#pragma once

#include "presort/cpu/phases/segmented.h"
#include "presort/cpu/phases/unpack.h"
#include "presort/predict/phases/segment_items.h"
#include "presort/predict/phases/single_core_phases.h"

namespace presort::inline v0::predict {

// Parts follow each other, but for the rest of a buffer.
template <class Label, class Value>
template <class View>
auto SingleCorePhases<Label, Value>::unpacking(const View& view) const {
  return cpu::Unpack<TracingMemory, View, Label, Value>{
      view, {moved<Label>(Region::sorted_labels)}, {moved<Value>(Region::results)}, 0};
}

template <class Label, class Value>
void SingleCorePhases<Label, Value>::warm_unpacked(auto& sampler, const PhaseInput& input,
                                                   uint64_t begin) {
  constexpr uint64_t kBytes = 2 * (sizeof(Label) + sizeof(Value));  // read and written
  warm_streams(
      sampler, begin, kBytes,
      [&](uint64_t first, uint64_t last, std::vector<sim::Access>& accesses) {
        for (uint64_t i = first; i < last; ++i) {
          add_input_lines(input, i, accesses);
        }
        add_lines({Region::sorted_labels, sizeof(Label), sim::AccessKind::store}, first, last,
                  accesses);
        add_lines({Region::results, sizeof(Value), sim::AccessKind::store}, first, last, accesses);
      });
}

template <class Label, class Value>
PhaseEstimate SingleCorePhases<Label, Value>::unpack(const PhaseInput& input) {
  return sample(
      input, reused(kRewarmItems), 0,
      [&](Sampler& sampler, auto view, uint64_t first, uint64_t last, Step step) {
        if constexpr (!kIsLabels<decltype(view)>) {
          run_step(sampler, unpacking(view), first, last, step);
        }
      },
      [&](Sampler& sampler, const PhaseInput& moved, uint64_t begin, int slice) {
        if (slice == 0) {
          warm_unpacked(sampler, moved, begin);
        }
      });
}

// The places stand where buckets do.
template <class Label, class Value>
PhaseEstimate SingleCorePhases<Label, Value>::clear_places() {
  const uint64_t parts = uint64_t{1} << label_bits(problem_.m);
  const auto make = [&] {
    return cpu::FillTable<TracingMemory, size_t>{{moved<size_t>(Region::buckets)}, 0};
  };
  return sample_items(parts + 1, parts + 1, make, [](Sampler&, uint64_t, int) {});
}

// A histogram, but for the type of its counts.
template <class Label, class Value>
PhaseEstimate SingleCorePhases<Label, Value>::count_parts(const PhaseInput& labels) {
  Problem counting = problem_;
  counting.operation = Operation::histogram;
  counting.types.value = ScalarType::u64;
  const PageSize pages =
      page_bytes_ == page_bytes(PageSize::k2MiB) ? PageSize::k2MiB : PageSize::k4KiB;
  return SingleCorePhases<Label, uint64_t>(machine_, options_, counting, pages).direct(labels, {});
}

template <class Label, class Value>
PhaseEstimate SingleCorePhases<Label, Value>::sum_counts() {
  const uint64_t parts = uint64_t{1} << label_bits(problem_.m);
  using Scan = cpu::ScanValues<cpu::Scan::exclusive, TracingMemory, size_t, Sum<size_t>>;
  const auto make = [&] {
    const uint64_t places = moved<size_t>(Region::buckets);
    return CarryingPhase<Scan, size_t>{Scan{{places}, {places}, {}}};
  };
  // The counting has left them in the caches, if they fit.
  const auto prepare = [&](Sampler& sampler, uint64_t begin, int slice) {
    if (slice == 0) {
      const uint64_t held = std::min(parts, last_level_bytes_ / sizeof(size_t));
      std::vector<sim::Access> accesses;
      add_lines({Region::buckets, sizeof(size_t), sim::AccessKind::store}, begin,
                std::min(parts, begin + held), accesses);
      sampler.warm(accesses);
    }
  };
  return sample_items(parts, parts, make, prepare);
}

}  // namespace presort::predict
