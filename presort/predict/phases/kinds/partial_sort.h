// The members of CorePhases (predict/phases/core_phases.h) for a partial sort (cpu/partial_sort.h):
// the phases besides its partition, and those of a counting sort by one thread, which has no
// partition.
#pragma once

#include "presort/cpu/phases/segmented.h"
#include "presort/cpu/phases/unpack.h"
#include "presort/predict/phases/core_phases.h"
#include "presort/predict/phases/kinds/segment_items.h"

namespace presort::inline v0::predict {

template <class Label, class Value>
void CorePhases<Label, Value>::warm_unpacked(Core core, const PhaseInput& input, uint64_t begin) {
  // Bytes that a copy reads and writes for each input
  constexpr uint64_t kBytes = 2 * (sizeof(Label) + sizeof(Value));
  warm_streams(
      core, begin, kBytes, [&](uint64_t first, uint64_t last, std::vector<sim::Access>& accesses) {
        for (uint64_t i = first; i < last; ++i) {
          add_input_lines(input, i, accesses);
        }
        add_lines({Region::sorted_labels, sizeof(Label), sim::AccessKind::store}, first, last,
                  accesses);
        add_lines({Region::results, sizeof(Value), sim::AccessKind::store}, first, last, accesses);
      });
}

// Simulates the copy of a partial sort from the partition to the result. Parts of the partition
// follow each other in memory, with gaps of less than a write buffer.
template <class Label, class Value>
PhaseEstimate CorePhases<Label, Value>::unpack(const PhaseInput& input) {
  PhaseJob job = job_of_inputs(input, threads_ == 1 ? reused(kRewarmItems) : WarmUp{});
  job.prepare = [&](Sampler& sampler, size_t t, uint64_t begin, int slice) {
    if (slice == 0) {
      warm_unpacked(sampler.core(t), moved_input(input), begin);
    }
  };
  job.open = [&](size_t, uint64_t first, uint64_t last) {
    return over(
        input, first, last, [this](auto view) requires(!kIsLabels<decltype(view)>) {
          return cpu::Unpack<TracingMemory, decltype(view), Label, Value>{
              view, {moved<Label>(Region::sorted_labels)}, {moved<Value>(Region::results)}, 0};
        });
  };
  return sample(job);
}

// Simulates clearing the array of part places of a counting sort; the array stands in the region of
// the buckets.
template <class Label, class Value>
PhaseEstimate CorePhases<Label, Value>::clear_places() {
  if (threads_ > 1) {
    return alone().clear_places();
  }
  const uint64_t places = (uint64_t{1} << label_bits(problem_.m)) + 1;
  PhaseJob job = job_of_array({{0, places}}, places, places);
  job.open = [&](size_t, uint64_t, uint64_t) {
    return plain_stream(cpu::FillTable<TracingMemory, size_t>{{moved<size_t>(Region::buckets)}, 0});
  };
  return sample(job);
}

// Simulates the counting of a counting sort, which is a histogram with another type of counts.
template <class Label, class Value>
PhaseEstimate CorePhases<Label, Value>::count_parts(const PhaseInput& labels) {
  Problem counting = problem_;
  counting.operation = Operation::histogram;
  counting.types.value = ScalarType::u64;
  const PageSize pages =
      page_bytes_ == page_bytes(PageSize::k2MiB) ? PageSize::k2MiB : PageSize::k4KiB;
  return CorePhases<Label, uint64_t>(machine_, options_, counting, pages, 1).direct(labels, {});
}

template <class Label, class Value>
PhaseEstimate CorePhases<Label, Value>::sum_counts() {
  if (threads_ > 1) {
    return alone().sum_counts();
  }
  const uint64_t parts = uint64_t{1} << label_bits(problem_.m);
  PhaseJob job = job_of_array({{0, parts}}, parts, parts);
  // The counting loop before this phase has left the counts in the caches, if they fit.
  job.prepare = [&](Sampler& sampler, size_t t, uint64_t begin, int slice) {
    if (slice == 0) {
      const uint64_t held = std::min(parts, last_level_bytes_ / sizeof(size_t));
      std::vector<sim::Access> accesses;
      add_lines({Region::buckets, sizeof(size_t), sim::AccessKind::store}, begin,
                std::min(parts, begin + held), accesses);
      sampler.core(t).warm(accesses);
    }
  };
  job.open = [&](size_t, uint64_t, uint64_t) {
    using Scan = cpu::ScanValues<cpu::Scan::exclusive, TracingMemory, size_t, Sum<size_t>>;
    const uint64_t places = moved<size_t>(Region::buckets);
    return carrying_stream(CarryingPhase<Scan, size_t>{Scan{{places}, {places}, {}}});
  };
  return sample(job);
}

}  // namespace presort::predict
