// PhaseSimulator for one label and one value type.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <span>
#include <type_traits>
#include <vector>

#include "presort/core/error.h"
#include "presort/core/monoid.h"
#include "presort/cpu/detail/results.h"
#include "presort/cpu/phases/buffers.h"
#include "presort/cpu/phases/direct_ahead.h"
#include "presort/cpu/phases/owned_direct.h"
#include "presort/cpu/phases/private_tables.h"
#include "presort/cpu/phases/segmented.h"
#include "presort/cpu/phases/update.h"
#include "presort/cpu/presort/buffer_capacity.h"
#include "presort/cpu/threads/shares.h"
#include "presort/predict/phases/partition_state.h"
#include "presort/predict/phases/phase_simulator.h"
#include "presort/predict/phases/segment_items.h"
#include "presort/predict/phases/updates.h"
#include "presort/predict/sampling/excerpt.h"
#include "presort/predict/sampling/replay.h"
#include "presort/predict/sampling/slices.h"

namespace presort::inline v0::predict {

template <class Label, class Value>
class SingleCorePhases : public PhaseSimulator, protected TypedUpdates<Label, Value> {
 public:
  SingleCorePhases(const Machine& machine, const SimulationOptions& options, const Problem& problem,
                   PageSize page_size)
      : machine_(machine),
        options_(options),
        problem_(problem),
        page_bytes_(page_bytes(page_size)),
        own_{0, problem.m} {
    const CacheLevel& last = machine_.caches.back();
    last_level_bytes_ = static_cast<uint64_t>(static_cast<double>(last.size_bytes) * last.share);
    line_bytes_ = last.line_bytes;
  }

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

  PhaseEstimate clear_sets() override;
  PhaseEstimate count_in_sets(const PhaseInput& input, const cpu::Digit& digit) override {
    return histogram(input, digit);
  }
  PhaseEstimate add_sets() override;
  PhaseEstimate reduce_in_sets(const PhaseInput& input) override;

  PhaseEstimate permute_back(const PhaseInput& input, const cpu::Digit& digit,
                             const cpu::WriteBuffers& through, Region from) override;

  PhaseEstimate unpack(const PhaseInput& input) override;
  PhaseEstimate clear_places() override;
  PhaseEstimate count_parts(const PhaseInput& labels) override;
  PhaseEstimate sum_counts() override;

  PhaseEstimate check_offsets(const LabelSource& labels) override;
  PhaseEstimate run_segments(const LabelSource& labels) override;

 protected:
  using Updates = TypedUpdates<Label, Value>;

  // Inputs to run untimed before the first slice and before each later one.
  struct WarmUp {
    uint64_t first = 0;
    uint64_t later = 0;
  };
  static constexpr uint64_t kRewarmItems = 2048;     // before a slice that is not the first
  static constexpr uint64_t kLongestWarm = 1 << 18;  // inputs
  static constexpr size_t kMinParts = 4;
  static constexpr size_t kMaxParts = 16;
  static constexpr size_t kMostPartsOfCluster = 2 * kSliceItems;  // where nearly all are empty

  template <class Phase>
  PhaseEstimate all_of(const Phase& phase, uint64_t items);
  void run_sets(Sampler& sampler, const PhaseInput& input, uint64_t first, uint64_t last,
                Step step);

  // The excerpt of a phase that has no inputs.
  template <class Phase>
  void record_some(Sampler& sampler, const Phase& phase, uint64_t items) {
    constexpr uint64_t kLead = 2;
    const uint64_t lead = std::min(kLead, items / 2);
    sampler.lead_in(phase, 0, lead);
    options_.excerpt->end_piece(lead);
    const uint64_t some = std::min(4 * kLead, items);
    sampler.lead_in(phase, lead, some);
    options_.excerpt->end_piece(some - lead);
  }

  template <class Phase>
  static void run_step(Sampler& sampler, const Phase& phase, uint64_t first, uint64_t last,
                       Step step) {
    switch (step) {
      case Step::warm:
        return sampler.warm(phase, first, last);
      case Step::lead:
        return sampler.lead_in(phase, first, last);
      case Step::time:
        return sampler.time(phase, first, last);
      case Step::piece:
        return sampler.time_piece(phase, first, last);
    }
  }

  template <class View, class Update>
  void run_direct(Sampler& sampler, const View& view, const Update& update,
                  cpu::Distances distances, uint64_t size, uint64_t first, uint64_t last,
                  Step step) {
    if constexpr (Updates::template goes_with<View>(static_cast<const Update*>(nullptr))) {
      const auto placed = Updates::template with_results<View>(update, results_);
      using Placed = std::remove_const_t<decltype(placed)>;
      const cpu::DirectAhead<TracingMemory, View, Value, Placed> phase{
          view, {buckets_}, placed, distances, size};
      run_step(sampler, phase, first, last, step);
    }
  }

  // For a phase whose working set `items` inputs touch, and which stays between slices.
  static WarmUp reused(uint64_t items) { return {items, std::min(items, kRewarmItems)}; }

  // For a phase that writes through the caches to places that move on, each again within `items`
  // inputs: its places are met anew in each slice, and the caches are full of what it wrote.
  // Measured: 10 bits without buffers, n = 2^20, 2^18 buckets: 35 % below all inputs simulated when
  //           only kRewarmItems precede a later slice, 2 % above with this.
  WarmUp written(uint64_t items) const {
    const uint64_t fill = last_level_bytes_ / (sizeof(Label) + sizeof(Value));
    return {std::max(items, fill), items};
  }

  using Window = InputWindow<Label, Value>;
  // Runs inputs [first, last) of a phase that are in the window. What is sampled is decided in one
  // place for all phases, and compiled once: so these are no template parameters.
  using Run = std::function<void(Sampler&, Window&, uint64_t first, uint64_t last, Step)>;
  // Sets the state that a phase has at element `begin` of the input.
  using Prepare = std::function<void(Sampler&, const PhaseInput&, uint64_t begin, int slice)>;

  // run(sampler, view, first, last, step) on the window's view.
  template <class RunView>
  static Run on_views(const RunView& run) {
    return [&run](Sampler& sampler, Window& window, uint64_t first, uint64_t last, Step step) {
      window.visit_any([&](auto view) { run(sampler, view, first, last, step); });
    };
  }

  // run(sampler, view, first, last, step) runs inputs of the phase on a view of them. Before each
  // slice the inputs of `warm_up` are run untimed, unless all that precede it are; `ahead` inputs
  // past its end are looked at.
  template <class RunView>
  PhaseEstimate sample(const PhaseInput& input, WarmUp warm_up, uint64_t ahead, const RunView& run,
                       const Prepare& prepare) {
    return sample_inputs(input, warm_up, ahead, on_views(run), prepare);
  }
  PhaseEstimate sample_inputs(const PhaseInput& input, WarmUp warm_up, uint64_t ahead,
                              const Run& run, const Prepare& prepare);

  // How many parts like `input` are run before it, so that together they are some inputs.
  // Measured: 2^24 inputs sorted by 20 bits in three passes, parts of 1024 inputs in the
  //           third: 27.5 ns with a first part alone, 10.8 with these, 7.3 measured.
  static uint64_t preceding_parts(const PhaseInput& input) {
    constexpr uint64_t kInputs = 1 << 15;
    const uint64_t n = input.labels->size();
    return input.is_part && n > 0 && n <= kLongestWarm ? (kInputs + n - 1) / n : 0;
  }

  // Arrays stand where part k of n elements each does.
  void move_to_part(uint64_t k, uint64_t n) {
    constexpr uint64_t kAlignment = 1024;  // of a part, elements: more than a buffer has
    moved_ = k * ((n + kAlignment - 1) / kAlignment * kAlignment);
  }

  PhaseInput run_preceding(Sampler& sampler, const PhaseInput& input, uint64_t ahead,
                           const Run& run, const Prepare& prepare);

  PhaseEstimate sample_slices(const PhaseInput& input, WarmUp warm_up, uint64_t ahead,
                              const Run& run, const Prepare& prepare);
  PhaseEstimate record_excerpt(const PhaseInput& input, uint64_t ahead, const Run& run,
                               const Prepare& prepare);
  using Play = std::function<void(Sampler&, const ReplaySchedule&)>;
  PhaseEstimate replay(uint64_t n, const Play& play);
  using RunItems = std::function<void(uint64_t first, uint64_t last, Step)>;
  void run_schedule(Sampler& sampler, const ReplaySchedule& schedule, uint64_t done, uint64_t first,
                    uint64_t last, const RunItems& run);
  void replay_inputs(Sampler& sampler, const ReplaySchedule& schedule, const PhaseInput& input,
                     uint64_t done, uint64_t ahead, const Run& run);

  template <class Make, class PrepareItems>
  PhaseEstimate sample_items(uint64_t items, uint64_t longest, Make make, PrepareItems prepare);

  // Every slice has inputs and outputs of its own, each as far from those before as the arrays are
  // long: none finds in the caches what another one has brought there, as it would where they are
  // large and the slices many. In whole 2^21 elements, so that pages and sets stay the same.
  void move_arrays(uint64_t slice, uint64_t n) {
    constexpr uint64_t kStep = uint64_t{1} << 21;
    constexpr uint64_t kLargestElement = 16;  // bytes
    constexpr uint64_t kRegionBytes = address_of(static_cast<Region>(1));
    const uint64_t step = (n + kStep - 1) / kStep * kStep;
    const uint64_t fits = kRegionBytes / kLargestElement / step - 1;
    moved_ = step * (slice % std::max<uint64_t>(1, fits));
  }

  template <class T>
  uint64_t moved(Region region) const {
    return address_of(region) + moved_ * sizeof(T);
  }

  void warm_past(auto& sampler, const PhaseInput& input, uint64_t begin, int slice);
  void warm_pass_before(auto& sampler, const PhaseInput& input, const cpu::Share& buckets);
  void warm_lines(auto& sampler, uint64_t from, uint64_t to);
  void warm_pages(auto& sampler, uint64_t from, uint64_t to);

  void warm_positions(auto& sampler, const std::vector<size_t>& positions, Layout layout, Region to,
                      Region to_values);

  // Each digit's place in the output has been written to a moment ago: its page is known, its line
  // is in the caches where the stores are ordinary ones.
  void warm_outputs(auto& sampler, const std::vector<size_t>& positions, Region region,
                    uint64_t element_bytes) {
    warm_places(sampler, positions, region, element_bytes, sim::AccessKind::store);
  }

  void warm_places(auto& sampler, const std::vector<size_t>& positions, Region region,
                   uint64_t element_bytes, sim::AccessKind kind);
  void warm_inputs(auto& sampler, const PhaseInput& input, uint64_t first, uint64_t last);
  void add_input_lines(const PhaseInput& input, uint64_t index,
                       std::vector<sim::Access>& accesses) const;

  // An array that is gone through in order.
  struct Stream {
    Region region;
    uint64_t element_bytes;
    sim::AccessKind kind;
  };
  void add_lines(const Stream& stream, uint64_t first, uint64_t last,
                 std::vector<sim::Access>& accesses) const;
  template <class Lines>
  void warm_streams(auto& sampler, uint64_t begin, double bytes_per_item, Lines lines);

  template <class View>
  auto unpacking(const View& view) const;
  void warm_unpacked(auto& sampler, const PhaseInput& input, uint64_t begin);

  // A sum that is made one by one, though it is simulated as one of integers.
  struct RoundedSum : Sum<Value> {
    static constexpr bool is_associative = false;
  };
  bool rounds() const {
    return problem_.types.value == ScalarType::f32 || problem_.types.value == ScalarType::f64;
  }

  using RoundedReduce = cpu::ReduceSegments<TracingMemory, Label, Value, RoundedSum>;
  using SegmentReduce = cpu::ReduceSegments<TracingMemory, Label, Value, Sum<Value>>;
  using SegmentScan =
      cpu::ScanSegments<cpu::Scan::exclusive, TracingMemory, Label, Value, Sum<Value>>;
  std::span<const Label> offsets_of(const LabelSource& labels);
  TracedArray<const Label> traced_offsets();
  auto checking_offsets();
  template <class Kernel>
  SegmentItems<Kernel, Label> segment_items();
  void add_segment_lines(uint64_t first, uint64_t last, std::vector<sim::Access>& accesses) const;
  double segment_item_bytes() const;
  void warm_segments(auto& sampler, uint64_t begin);

  template <class Update>
  void time_part(Sampler& sampler, const PhaseInput& part, const Update& update,
                 cpu::Distances distances, double cluster_items);
  template <class Update>
  void time_cluster(Sampler& sampler, const Parts& parts, const PhaseInput& place,
                    const Update& update, cpu::Distances distances, uint64_t first_part);
  template <class Update>
  void replay_parts(Sampler& sampler, const ReplaySchedule& schedule, const Parts& parts,
                    const PhaseInput& place, const Update& update, cpu::Distances distances);
  Parts of_some_inputs(Parts parts) const;
  void warm_preceding(auto& sampler, const PhaseInput& place, uint64_t first_bucket,
                      double inputs_per_bucket);
  PhaseInput part_input(const Parts& parts, const PhaseInput& place, uint64_t part) const;

  template <class View>
  static constexpr bool kIsLabels = Updates::template kIsLabels<View>;
  template <class View, class From>
  static constexpr bool kHasResults = Updates::template kHasResults<View, From>;

  template <class F>
  PhaseEstimate dispatch_update(F f) {
    return Updates::with_update_of(problem_.operation, f);
  }

  // The results of input i stand at the place of its value, or where the input says.
  static uint64_t results_at(const PhaseInput& input) {
    const bool in_pairs = input.has_values && input.layout == Layout::pairs;
    const uint64_t bytes = in_pairs ? sizeof(cpu::Pair<Label, Value>) : sizeof(Value);
    return address_of(input.results_region) + input.offset * bytes;
  }
  void place_results(const PhaseInput& input) { results_ = results_at(input); }

  sim::AccessKind bucket_access() const {
    return writes_buckets(problem_.operation) ? sim::AccessKind::store : sim::AccessKind::load;
  }

  uint64_t buffer_capacity(const cpu::WriteBuffers& through) const {
    return has_values(problem_.operation)
               ? cpu::buffer_capacity(through, sizeof(Label), sizeof(Value),
                                      sizeof(cpu::Pair<Label, Value>))
               : cpu::buffer_capacity(through, sizeof(Label));
  }

  // Elements of a chunk of a pre-sort into chunks; 0 for other pre-sorts.
  uint64_t chunk_elements(const cpu::WriteBuffers& through) const {
    cpu::WriteBuffers chunk = through;
    chunk.bytes = through.chunk_bytes;
    return through.chunk_bytes == 0 ? 0
                                    : std::max(buffer_capacity(chunk), buffer_capacity(through));
  }

  // Calls f with the buffers that stand `apart` bytes into their region.
  template <class F>
  void with_buffers(const cpu::WriteBuffers& through, Region to, Region to_values, F f,
                    uint64_t apart = 0) {
    if (through.streaming) {
      with_flush<cpu::Flush::streaming>(through, to, to_values, f, apart);
    } else {
      with_flush<cpu::Flush::cached>(through, to, to_values, f, apart);
    }
  }

  template <class F>
  void with_label_buffers(const cpu::WriteBuffers& through, Region to, F f, uint64_t apart = 0) {
    const auto call = [&]<cpu::Flush kFlush>(std::integral_constant<cpu::Flush, kFlush>) {
      f(cpu::LabelBuffers<TracingMemory, Label, kFlush>{
          {address_of(Region::buffers) + apart}, {moved<Label>(to)}, buffer_capacity(through)});
    };
    if (through.streaming) {
      call(std::integral_constant<cpu::Flush, cpu::Flush::streaming>{});
    } else {
      call(std::integral_constant<cpu::Flush, cpu::Flush::cached>{});
    }
  }

  // Calls f with write buffers for the operation's inputs: pairs, labels and values, or labels
  // alone.
  template <class F>
  void with_any_buffers(const cpu::WriteBuffers& through, Region to, Region to_values, F f,
                        uint64_t apart = 0) {
    if (has_values(problem_.operation)) {
      with_buffers(through, to, to_values, f, apart);
    } else {
      with_label_buffers(through, to, f, apart);
    }
  }

  // Whether inputs of the view go through such buffers.
  template <class View, class Buffers>
  static constexpr bool kGoesThrough =
      kIsLabels<View> ==
      std::is_same_v<Buffers, cpu::LabelBuffers<TracingMemory, Label, Buffers::kFlushes>>;

  // The buffers that inputs of the view go through.
  template <class View, class F>
  void with_buffers_of(const cpu::WriteBuffers& through, Region to, Region to_values, F f) {
    if constexpr (kIsLabels<View>) {
      with_label_buffers(through, to, f);
    } else {
      with_buffers(through, to, to_values, f);
    }
  }

  template <cpu::Flush kFlush, class F>
  void with_flush(const cpu::WriteBuffers& through, Region to, Region to_values, F f,
                  uint64_t apart) {
    const uint64_t capacity = buffer_capacity(through);
    if (through.layout == Layout::pairs) {
      f(cpu::PairBuffers<TracingMemory, Label, Value, kFlush>{
          {address_of(Region::buffers) + apart}, {moved<cpu::Pair<Label, Value>>(to)}, capacity});
    } else {
      f(cpu::SeparateBuffers<TracingMemory, Label, Value, kFlush>{
          {address_of(Region::buffers) + apart},
          {address_of(Region::value_buffers) + apart},
          {moved<Label>(to)},
          {moved<Value>(to_values)},
          capacity});
    }
  }

  Machine machine_;
  SimulationOptions options_;
  Problem problem_;
  uint64_t page_bytes_;
  uint64_t last_level_bytes_;
  uint64_t line_bytes_;
  uint64_t moved_ = 0;    // elements by which the arrays of the slice at hand stand further on
  uint64_t buckets_ = 0;  // where the buckets stand
  uint64_t results_ = 0;  // and the result of input 0 of what is simulated
  std::vector<Label> offsets_;  // of segments; see offsets_of
  cpu::Share own_;              // buckets of the thread, or of the range pass, that is simulated
  std::vector<uint32_t> chosen_in_range_ = std::vector<uint32_t>(cpu::kOwnedBlock);
  size_t sharers_ = 1;  // threads that fill the last level at the same time
};

}  // namespace presort::predict

#include "presort/predict/phases/direct.h"
#include "presort/predict/phases/partial_sort.h"
#include "presort/predict/phases/parts.h"
#include "presort/predict/phases/results.h"
#include "presort/predict/phases/segments.h"
#include "presort/predict/phases/sets.h"
#include "presort/predict/phases/sorting.h"
#include "presort/predict/phases/streams.h"
#include "presort/predict/sampling/typed_sampling.h"
#include "presort/predict/sampling/typed_warming.h"
