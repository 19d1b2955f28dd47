// PhaseSimulator for one type of labels and one of values, and for one or more threads, each on a
// core of its own. Each thread has its own share of the inputs or buckets, and its own counts,
// positions and buffers.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <type_traits>
#include <vector>

#include "presort/core/error.h"
#include "presort/core/monoid.h"
#include "presort/cpu/detail/results.h"
#include "presort/cpu/phases/buffers.h"
#include "presort/cpu/phases/direct_ahead.h"
#include "presort/cpu/phases/histogram.h"
#include "presort/cpu/phases/owned_direct.h"
#include "presort/cpu/phases/private_tables.h"
#include "presort/cpu/phases/segmented.h"
#include "presort/cpu/phases/update.h"
#include "presort/cpu/presort/buffer_capacity.h"
#include "presort/cpu/threads/segment_shares.h"
#include "presort/cpu/threads/shares.h"
#include "presort/predict/phases/array_places.h"
#include "presort/predict/phases/kinds/segment_items.h"
#include "presort/predict/phases/kinds/updates.h"
#include "presort/predict/phases/partition_state.h"
#include "presort/predict/phases/phase_simulator.h"
#include "presort/predict/phases/run_bytes.h"
#include "presort/predict/phases/slices/phase_jobs.h"
#include "presort/predict/phases/streams.h"
#include "presort/predict/sampling/excerpt.h"
#include "presort/predict/sampling/phase_job.h"

namespace presort::inline v0::predict {

template <class Label, class Value>
class CorePhases final : public PhaseSimulator,
                         private PhaseJobs,
                         private TypedUpdates<Label, Value> {
 public:
  CorePhases(const Machine& machine, const SimulationOptions& options, const Problem& problem,
             PageSize page_size, size_t threads, const ArrayPlaces& places = {})
      : PhaseJobs(machine, options, problem, page_size, threads, places,
                  {sizeof(Label), sizeof(Value), sizeof(cpu::Pair<Label, Value>)}),
        partitions_(threads),
        chosen_(threads, std::vector<uint32_t>(cpu::kOwnedBlock)),
        stride_((problem.m + kLineBytes - 1) / kLineBytes * kLineBytes) {}

  PhaseEstimate direct(const PhaseInput& input, cpu::Distances distances) override;
  PhaseEstimate range_pass(const PhaseInput& input, cpu::Distances distances,
                           const cpu::RangePass& range) override;

  PhaseEstimate direct_on_parts(const Parts& parts, const PhaseInput& place,
                                cpu::Distances distances) override;

  PhaseEstimate histogram(const PhaseInput& input, const cpu::Digit& digit) override;
  PhaseEstimate partition(const PhaseInput& input, const cpu::Digit& digit,
                          const cpu::WriteBuffers& through, Region to, Region to_values) override;
  PhaseEstimate drain(uint64_t inputs, const cpu::Digit& digit, const cpu::WriteBuffers& through,
                      Region to, Region to_values) override;
  PhaseEstimate plain_radix(const PhaseInput& input, const cpu::Digit& digit, Region to,
                            Region to_values, Region positions) override;

  PhaseEstimate sort_few(const PhaseInput& input, const cpu::Digit& digit, int run_bits,
                         uint64_t inputs) override;

  PhaseEstimate clear_sets() override;
  PhaseEstimate count_in_sets(const PhaseInput& input, const cpu::Digit& digit) override;
  PhaseEstimate add_sets() override;
  PhaseEstimate reduce_in_sets(const PhaseInput& input) override;

  PhaseEstimate permute_back(const PhaseInput& input, const cpu::Digit& digit,
                             const cpu::WriteBuffers& through, Region from) override;

  PhaseEstimate unpack(const PhaseInput& input) override;
  CorePhases alone() const {  // one thread of the same problem
    return {machine_, options_, problem_,
            page_bytes_ == page_bytes(PageSize::k2MiB) ? PageSize::k2MiB : PageSize::k4KiB, 1};
  }
  PhaseEstimate clear_places() override;
  PhaseEstimate count_parts(const PhaseInput& labels) override;
  PhaseEstimate sum_counts() override;

  PhaseEstimate check_offsets(const LabelSource& labels) override;
  PhaseEstimate run_segments(const LabelSource& labels) override;
  PhaseEstimate reduce_tails(const LabelSource& labels) override;

  PhaseEstimate fill_tables() override;
  PhaseEstimate update_tables(const PhaseInput& input, cpu::Distances distances) override;
  PhaseEstimate merge_tables(const LabelSource& labels) override;
  PhaseEstimate scan_first_share(const PhaseInput& input, cpu::Distances distances) override;
  PhaseEstimate prefix_tables() override;
  PhaseEstimate scan_other_shares(const PhaseInput& input, cpu::Distances distances) override;

 private:
  using Updates = TypedUpdates<Label, Value>;

  template <class Make>
  std::unique_ptr<ItemStream> over(const PhaseInput& input, uint64_t first, uint64_t last,
                                   Make make) const {
    return std::make_unique<WindowStream<Label, Value, Make>>(moved_input(input), first, last,
                                                              std::move(make));
  }
  struct Nothing {};
  template <class Phase, class Kept = Nothing>
  static std::unique_ptr<ItemStream> plain_stream(const Phase& phase, Kept kept = {}) {
    return std::make_unique<PlainStream<Phase, Kept>>(phase, std::move(kept));
  }
  template <class Phase>
  std::unique_ptr<ItemStream> carrying_stream(const Phase& phase) const {
    if (threads_ == 1) {
      return plain_stream(phase);
    }
    return std::make_unique<RestartedStream<Phase>>(phase);
  }

  template <class Update>
  std::unique_ptr<ItemStream> direct_stream(const PhaseInput& input, uint64_t first, uint64_t last,
                                            uint64_t size, const TracedArray<Value>& buckets,
                                            const Update& update, cpu::Distances distances) const;
  template <class Update>
  PhaseEstimate owned_direct(const PhaseInput& input, const Update& update,
                             cpu::Distances distances, const cpu::RangePass& range);
  template <class Update>
  PhaseEstimate shared_direct(const PhaseInput& input, const Update& update,
                              cpu::Distances distances);

  // The phases of a pre-sort pass by one digit.
  PhaseEstimate count_digits(const PhaseInput& input, const cpu::Digit& digit, uint64_t apart);
  std::unique_ptr<ItemStream> partition_stream(size_t t, const PhaseInput& input, uint64_t first,
                                               uint64_t last, const cpu::Digit& digit,
                                               const cpu::WriteBuffers& through, Region to,
                                               Region to_values);
  std::unique_ptr<ItemStream> drain_stream(size_t t, const cpu::Digit& digit,
                                           const cpu::WriteBuffers& through, Region to,
                                           Region to_values);

  void move_buckets(PhaseJob& job, const PhaseInput& input);
  void warm_unpacked(Core core, const PhaseInput& input, uint64_t begin);

  // Number of counts of a histogram in sets: one for each bucket in each set.
  uint64_t set_elements() const { return cpu::kCountTables << label_bits(problem_.m); }
  template <class Element>
  PhaseEstimate clear_elements(uint64_t elements);
  template <class Element>
  PhaseEstimate add_elements(size_t stride, size_t sets);
  std::unique_ptr<ItemStream> sets_stream(const PhaseInput& input, uint64_t first, uint64_t last);

  // The private table of buckets of thread t, in simulated memory.
  TracedArray<Value> table(size_t t) const {
    return {address_of(Region::tables) + t * stride_ * sizeof(Value)};
  }
  TracedArray<uint8_t> marks(size_t t) const { return {address_of(Region::written) + t * stride_}; }
  void warm_table(Core core, size_t t);
  template <class Open>
  PhaseEstimate sample_tables(const PhaseInput& input, std::vector<cpu::Share> shares,
                              const Open& open);
  // The shares of the inputs that threads scan at a time. A scan divides the inputs into one share
  // more than threads; thread 0 has share `first`.
  std::vector<cpu::Share> scan_shares(size_t first) const {
    std::vector<cpu::Share> shares;
    for (size_t t = 0; t < threads_; ++t) {
      shares.push_back(cpu::share_of(problem_.n, first + t, threads_ + 1));
    }
    return shares;
  }
  void mark_written(const LabelSource& labels);

  // The sum of a type that rounds, simulated with integers: it must be added up one by one.
  struct RoundedSum : Sum<Value> {
    static constexpr bool is_associative = false;
    static constexpr bool kAddsFloats = true;
  };
  bool rounds() const {
    return problem_.types.value == ScalarType::f32 || problem_.types.value == ScalarType::f64;
  }

  using RoundedReduce = cpu::ReduceSegments<TracingMemory, Label, Value, RoundedSum>;
  using SegmentReduce = cpu::ReduceSegments<TracingMemory, Label, Value, Sum<Value>>;
  using SegmentScan =
      cpu::ScanSegments<cpu::Scan::exclusive, TracingMemory, Label, Value, Sum<Value>>;
  using RoundedScan =
      cpu::ScanSegments<cpu::Scan::exclusive, TracingMemory, Label, Value, RoundedSum>;
  std::span<const Label> offsets_of(const LabelSource& labels);
  TracedArray<const Label> traced_offsets();
  std::vector<cpu::SegmentShare> segment_shares() const;
  // Number of items before a value in a segmented operation: earlier values, and the ends of earlier
  // segments
  static uint64_t item_of(const cpu::SegmentCut& cut) { return cut.segment + cut.value; }
  template <class Kernel>
  SegmentItems<Kernel, Label> segment_items();
  void add_segment_lines(uint64_t first, uint64_t last, std::vector<sim::Access>& accesses) const;
  double segment_item_bytes() const;

  // Members that simulate the parts of a partition; each thread works on consecutive parts.
  static constexpr size_t kMinParts = 4;
  static constexpr size_t kMaxParts = 16;
  struct Group;
  struct Cut;
  Parts of_some_inputs(Parts parts) const;
  PhaseInput part_input(const Parts& parts, const PhaseInput& place, uint64_t part) const;
  std::vector<Group> groups_of(const Parts& parts);
  void sort_sample(const LabelSource& labels);
  uint64_t first_part_of(const Group& group, const Parts& parts, size_t cluster) const;
  uint64_t inputs_of(const Group& group, const Parts& parts, const PhaseInput& place) const;
  void warm_preceding(Core core, const PhaseInput& place, uint64_t first_bucket,
                      double inputs_per_bucket);
  std::vector<Cut> lead_in_cuts(const Group& group, const Parts& parts, const PhaseInput& place,
                                uint64_t part) const;
  void cut_parts(Sampler& sampler, size_t t, Group& group, const Parts& parts,
                 const PhaseInput& place, size_t cluster, bool is_first);
  void seek_part(Group& group, const Parts& parts, const PhaseInput& place, uint64_t at) const;
  template <class Update>
  std::unique_ptr<ItemStream> parts_stream(Group& group, const Parts& parts,
                                           const PhaseInput& place, uint64_t first, uint64_t last,
                                           const Update& update, cpu::Distances distances) const;
  void bring_back_parts(Core core, const std::vector<PhaseInput>& inputs, uint64_t first_bucket,
                        const Parts& parts);
  void align_cuts(std::vector<Group>& groups) const;
  template <class Update>
  void time_cuts(Sampler& sampler, const std::vector<Group>& groups, const Update& update,
                 cpu::Distances distances);
  template <class Update>
  PhaseEstimate sample_parts(const Parts& parts, const PhaseInput& place, std::vector<Group> groups,
                             const Update& update, cpu::Distances distances);
  template <class Update>
  PhaseEstimate replay_parts(const Parts& parts, const PhaseInput& place, std::vector<Group> groups,
                             const Update& update, cpu::Distances distances);

  template <class View>
  static constexpr bool kIsLabels = Updates::template kIsLabels<View>;

  template <class F>
  PhaseEstimate dispatch_update(F f) {
    return Updates::with_update_of(problem_.operation, f);
  }

  // Calls f with write buffers for the operation's inputs: pairs, labels and values, or labels
  // alone. The buffers stand `apart` bytes into their region.
  template <class F>
  void with_buffers(const cpu::WriteBuffers& through, Region to, Region to_values, uint64_t apart,
                    F f) {
    if (through.streaming) {
      with_flush<cpu::Flush::streaming>(through, to, to_values, apart, f);
    } else {
      with_flush<cpu::Flush::cached>(through, to, to_values, apart, f);
    }
  }

  template <cpu::Flush kFlush, class F>
  void with_flush(const cpu::WriteBuffers& through, Region to, Region to_values, uint64_t apart,
                  F f) {
    const uint64_t capacity = buffer_capacity(through);
    const uint64_t buffers = address_of(Region::buffers) + apart;
    if (!has_values(problem_.operation)) {
      f(cpu::LabelBuffers<TracingMemory, Label, kFlush>{{buffers}, {moved<Label>(to)}, capacity});
    } else if (through.layout == Layout::pairs) {
      f(cpu::PairBuffers<TracingMemory, Label, Value, kFlush>{
          {buffers}, {moved<cpu::Pair<Label, Value>>(to)}, capacity});
    } else {
      f(cpu::SeparateBuffers<TracingMemory, Label, Value, kFlush>{
          {buffers},
          {address_of(Region::value_buffers) + apart},
          {moved<Label>(to)},
          {moved<Value>(to_values)},
          capacity});
    }
  }

  // True if inputs with a given view (cpu/detail/input.h) go through write buffers of a given type.
  template <class View, class Buffers>
  static constexpr bool kGoesThrough =
      kIsLabels<View> ==
      std::is_same_v<Buffers, cpu::LabelBuffers<TracingMemory, Label, Buffers::kFlushes>>;

  std::vector<PartitionState> partitions_;  // current state of the partition, for each thread
  // Indices of the inputs that update the thread's own buckets, by thread
  std::vector<std::vector<uint32_t>> chosen_;
  // Elements from one thread's private table to the next thread's
  uint64_t stride_;
  // Marks of the buckets that a scatter has written in private tables
  std::vector<uint8_t> written_;
  std::vector<Label> offsets_;           // offsets of segments, computed by offsets_of()
  std::vector<uint64_t> sorted_labels_;  // a sample of the labels, sorted
};

}  // namespace presort::predict

#include "presort/predict/phases/kinds/direct.h"
#include "presort/predict/phases/kinds/few_inputs.h"
#include "presort/predict/phases/kinds/partial_sort.h"
#include "presort/predict/phases/kinds/parts.h"
#include "presort/predict/phases/kinds/results.h"
#include "presort/predict/phases/kinds/sampled_parts.h"
#include "presort/predict/phases/kinds/segments.h"
#include "presort/predict/phases/kinds/sets.h"
#include "presort/predict/phases/kinds/sorting.h"
#include "presort/predict/phases/kinds/tables.h"

namespace presort::inline v0::predict {

// Makes the simulator for a type of labels. Only widths matter: f32 is simulated as u32.
template <class Label>
std::unique_ptr<PhaseSimulator> make_core_phases(const Machine& machine,
                                                 const SimulationOptions& options,
                                                 const Problem& problem, PageSize page_size,
                                                 size_t threads, const ArrayPlaces& places) {
  if (size_bytes(problem.types.value) == 8) {
    return std::make_unique<CorePhases<Label, uint64_t>>(machine, options, problem, page_size,
                                                         threads, places);
  }
  return std::make_unique<CorePhases<Label, uint32_t>>(machine, options, problem, page_size,
                                                       threads, places);
}

}  // namespace presort::predict
