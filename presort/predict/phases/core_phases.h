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
#include "presort/predict/phases/kinds/segment_items.h"
#include "presort/predict/phases/kinds/updates.h"
#include "presort/predict/phases/partition_state.h"
#include "presort/predict/phases/phase_simulator.h"
#include "presort/predict/phases/run_bytes.h"
#include "presort/predict/phases/streams.h"
#include "presort/predict/phases/update_machine.h"
#include "presort/predict/sampling/excerpt.h"
#include "presort/predict/sampling/phase_job.h"

namespace presort::inline v0::predict {

template <class Label, class Value>
class CorePhases final : public PhaseSimulator, private TypedUpdates<Label, Value> {
 public:
  CorePhases(const Machine& machine, const SimulationOptions& options, const Problem& problem,
             PageSize page_size, size_t threads)
      : machine_(machine),
        update_machine_(update_machine(machine, problem)),
        parts_machine_(without_transfers(update_machine_)),
        options_(options),
        problem_(problem),
        page_bytes_(page_bytes(page_size)),
        threads_(threads),
        own_{0, problem.m},
        partitions_(threads),
        chosen_(threads, std::vector<uint32_t>(cpu::kOwnedBlock)),
        stride_((problem.m + kLineBytes - 1) / kLineBytes * kLineBytes) {
    const CacheLevel& last = machine_.caches.back();
    last_level_bytes_ = static_cast<uint64_t>(static_cast<double>(last.size_bytes) * last.share);
    line_bytes_ = last.line_bytes;
    for (const CacheLevel& level : machine_.caches) {
      held_above_ += level.name == last.name ? 0 : level.size_bytes / level.line_bytes;
    }
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
  using Core = Sampler::OneCore;

  // Number of inputs that are simulated untimed before the first timed slice, and before each later
  // slice.
  struct WarmUp {
    uint64_t first = 0;
    uint64_t later = 0;
  };
  // Inputs that warm the caches before each later slice
  static constexpr uint64_t kRewarmItems = 2048;
  // Most inputs that warm the caches before a slice
  static constexpr uint64_t kLongestWarm = 1 << 18;
  // Records that warm the caches in one call
  static constexpr size_t kLinesAtATime = 1024;

  // Warm-up of a phase whose working set is touched by `items` inputs and stays in the caches
  // between slices.
  static WarmUp reused(uint64_t items) { return {items, std::min(items, kRewarmItems)}; }

  // Warm-up of a phase that writes to output places which advance; all places are written within
  // `items` inputs. In each slice the lines at the places are new, and the caches are full of the
  // phase's earlier output. Measured by 10 bits without buffers, n = 2^20, 2^18 buckets: the
  // predicted time was 2 % above that of all inputs simulated; with kRewarmItems before each later
  // slice it was 35 % below.
  WarmUp written(uint64_t items) const {
    const uint64_t fill = last_level_bytes_ / (sizeof(Label) + sizeof(Value));
    return {std::max(items, fill), items};
  }

  // Offset, in bytes, of thread t's array in a region; uneven, so that the same elements of all
  // threads are not in one set of a cache.
  static uint64_t apart(size_t t, uint64_t bytes) {
    constexpr uint64_t kApart = uint64_t{1} << 30;
    return t * (kApart + (bytes + kLineBytes - 1) / kLineBytes * kLineBytes);
  }

  // Divides `count` items into shares, one for each thread.
  std::vector<cpu::Share> divide(uint64_t count) const {
    std::vector<cpu::Share> shares;
    for (size_t t = 0; t < threads_; ++t) {
      shares.push_back(cpu::share_of(count, t, threads_));
    }
    return shares;
  }

  // Longest sequence, in items, that is run through the caches as a whole (sampling/replay.h).
  uint64_t replayed() const {
    return threads_ == 1 ? options_.replayed_inputs
                         : std::min(options_.replayed_inputs, kReplayItems);
  }

  static Machine without_transfers(Machine machine) {
    machine.line_transfer_ns = 0;
    return machine;
  }

  // Makes a job (phase_job.h) with the given shares, whose arrays have at most `elements` elements.
  PhaseJob job_of(std::vector<cpu::Share> shares, uint64_t total, uint64_t elements);
  PhaseJob job_of_inputs(const PhaseInput& input, WarmUp warm_up);
  PhaseJob job_of_array(std::vector<cpu::Share> shares, uint64_t total, uint64_t elements);
  PhaseEstimate sample(const PhaseJob& job);
  PhaseEstimate sample_updates(const PhaseJob& job);

  // Number of parts like `input` to simulate untimed before it, so that tables and buffers are in
  // the caches, as they are for all parts but the first. Measured: 2^24 inputs sorted by 20 bits in
  // three passes, parts of 1024 inputs in the third pass: 27.5 ns predicted with a first part
  // alone, 10.8 ns with these parts before it, 7.3 ns in real runs.
  static uint64_t preceding_parts(const PhaseInput& input) {
    constexpr uint64_t kInputs = 1 << 15;
    const uint64_t n = input.labels->size();
    return input.is_part && n > 0 && n <= kLongestWarm ? (kInputs + n - 1) / n : 0;
  }

  // Moves the arrays to the addresses of part k, if each part has n elements.
  void move_to_part(uint64_t k, uint64_t n) {
    // Alignment of a part's start, in elements; larger than a write buffer
    constexpr uint64_t kAlignment = 1024;
    moved_ = k * ((n + kAlignment - 1) / kAlignment * kAlignment);
  }

  // Moves the arrays to new addresses for a slice. Every slice has inputs and outputs of its own,
  // as far from those of earlier slices as the arrays are long, so that no slice finds data in the
  // caches that another slice has brought there. The distance is a multiple of 2^21 elements, so
  // that page offsets and cache sets stay the same.
  void move_arrays(uint64_t slice, uint64_t n) {
    constexpr uint64_t kStep = uint64_t{1} << 21;
    constexpr uint64_t kLargestElement = 16;  // bytes of the largest element that an array can have
    constexpr uint64_t kRegionBytes = address_of(static_cast<Region>(1));
    const uint64_t step = (n + kStep - 1) / kStep * kStep;
    const uint64_t fits = kRegionBytes / kLargestElement / step - 1;
    moved_ = step * (slice % std::max<uint64_t>(1, fits));
  }

  template <class T>
  uint64_t moved(Region region) const {
    return address_of(region) + moved_ * sizeof(T);
  }
  PhaseInput moved_input(PhaseInput input) const {
    input.offset += moved_;
    return input;
  }

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

  // How much of the memory system accesses before a slice warm.
  enum class Warms {
    all,
    lastLevel,  // the last cache level alone, by accesses that the other levels have forgotten
  };
  static void warm(Core core, std::span<const sim::Access> accesses, Warms what) {
    what == Warms::all ? core.warm(accesses) : core.warm_last_level(accesses);
  }
  uint64_t remembered_inputs(double lines) const;
  double input_lines(const PhaseInput& input) const;
  double lines_in_order(const PhaseInput& input, uint64_t end) const;
  void move_buckets(PhaseJob& job, const PhaseInput& input);

  void warm_past(Core core, const PhaseInput& input, uint64_t begin, int slice);
  bool forgets_slowly(uint64_t bucket_lines) const;
  double share_of_streams(double streams, uint64_t bucket_lines) const;
  void fill_last_level(Core core, const PhaseInput& input, uint64_t end,
                       uint64_t most = ~uint64_t{0});
  void warm_by_age(Core core, const PhaseInput& input, uint64_t first, uint64_t last,
                   double lines = 1);
  void warm_pass_before(Core core, const PhaseInput& input, const cpu::Share& buckets);
  void warm_lines(Core core, uint64_t from, uint64_t to, Warms what = Warms::all);
  void warm_pages(Core core, uint64_t from, uint64_t to);

  void warm_positions(Core core, const std::vector<size_t>& positions, Layout layout, Region to,
                      Region to_values);

  // Warms each digit's place in the output as if it had just been written: its page is in the TLB
  // and, with ordinary stores, its line in the caches.
  void warm_outputs(Core core, const std::vector<size_t>& positions, Region region,
                    uint64_t element_bytes) {
    warm_places(core, positions, region, element_bytes, sim::AccessKind::store);
  }

  void warm_places(Core core, const std::vector<size_t>& positions, Region region,
                   uint64_t element_bytes, sim::AccessKind kind);
  void warm_inputs(Core core, const PhaseInput& input, uint64_t first, uint64_t last,
                   Warms what = Warms::all);
  uint64_t elements_between_lines() const;
  void add_input_lines(const PhaseInput& input, uint64_t index,
                       std::vector<sim::Access>& accesses) const;

  // The address and the element size of an array that a phase reads or writes from one end to the
  // other.
  struct Stream {
    Region region;
    uint64_t element_bytes;
    sim::AccessKind kind;
  };
  void add_lines(const Stream& stream, uint64_t first, uint64_t last,
                 std::vector<sim::Access>& accesses) const;

  // What earlier phases and runs have left in the caches (keeping.h).
  bool is_kept(const PhaseInput& input) const;
  std::vector<Stream> arrays_of(const PhaseInput& input) const;
  std::vector<Stream> arrays_of_results(const PhaseInput& input) const;
  void bring_back(Core core, const std::vector<Stream>& arrays, uint64_t first, uint64_t last,
                  uint64_t since_bytes);
  void touch_buckets_of(Core core, const LabelSource& labels, uint64_t first, uint64_t last);
  bool may_touch_all(uint64_t inputs, uint64_t buckets) const;
  // True if each of several threads writes the results of those inputs that update its own buckets
  bool writes_own_results() const {
    return threads_ > 1 && has_results(problem_.operation) && own_.count() < problem_.m;
  }
  sim::Access result_access(const PhaseInput& input, uint64_t index) const {
    const bool in_pairs = input.has_values && input.layout == Layout::pairs;
    const uint64_t bytes = in_pairs ? sizeof(cpu::Pair<Label, Value>) : sizeof(Value);
    return {address_of(input.results_region) + (input.offset + index) * bytes,
            sim::AccessKind::store,
            4,
            0,
            0,
            0};
  }
  void touch_own_results(Core core, const PhaseInput& input, const cpu::Share& own);
  void touch_others(Core core, uint64_t bytes);
  std::vector<Stream> arrays_of_output(const cpu::WriteBuffers& through, Region to,
                                       Region to_values) const;
  void keep(PhaseJob& job, const PhaseInput& input, std::vector<Stream> others = {});
  void warm_moved(Core core, const PhaseInput& input, uint64_t begin, std::vector<size_t> positions,
                  const cpu::Digit& digit, const std::vector<Stream>& outputs);
  template <class Lines>
  void warm_streams(Core core, uint64_t begin, double bytes_per_item, Lines lines);

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
  static uint64_t item_of(const cpu::SegmentCut& cut) {
    // Number of items before a value in a segmented operation: earlier values, and the ends of
    // earlier segments
    return cut.segment + cut.value;
  }
  template <class Kernel>
  SegmentItems<Kernel, Label> segment_items();
  void add_segment_lines(uint64_t first, uint64_t last, std::vector<sim::Access>& accesses) const;
  double segment_item_bytes() const;

  // Constants and members for simulating the parts of a partition; each thread works on consecutive
  // parts.
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

  // Address of the results of inputs: at the place of the values, or in the region that `input`
  // names.
  static uint64_t results_at(const PhaseInput& input) {
    const bool in_pairs = input.has_values && input.layout == Layout::pairs;
    const uint64_t bytes = in_pairs ? sizeof(cpu::Pair<Label, Value>) : sizeof(Value);
    return address_of(input.results_region) + input.offset * bytes;
  }

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

  Machine machine_;
  Machine update_machine_;  // machine on which updates of buckets run (update_machine.h)
  // Machine on which updates run after a pre-sort. Threads have parts of their own, and are seldom
  // at work at two sides of a line at a time
  Machine parts_machine_;
  SimulationOptions options_;
  Problem problem_;
  uint64_t page_bytes_;
  size_t threads_;
  uint64_t last_level_bytes_;
  uint64_t line_bytes_;
  uint64_t held_above_ = 0;  // lines that the cache levels above the last one hold together
  uint64_t moved_ = 0;       // elements by which all arrays are moved for the current slice
  uint64_t buckets_ = 0;     // simulated address of the buckets
  cpu::Share own_;           // range of buckets of the simulated thread or range pass
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

template <class Label, class Value>
PhaseJob CorePhases<Label, Value>::job_of(std::vector<cpu::Share> shares, uint64_t total,
                                          uint64_t elements) {
  own_ = {0, problem_.m};
  PhaseJob job;
  job.shares = std::move(shares);
  job.total = total;
  job.replayed = replayed();
  job.move = [this, elements](uint64_t slice) { move_arrays(slice, elements); };
  job.prepare = [](Sampler&, size_t, uint64_t, int) {};
  return job;
}

// Makes streams over inputs, one stream for each thread's share.
template <class Label, class Value>
PhaseJob CorePhases<Label, Value>::job_of_inputs(const PhaseInput& input, WarmUp warm_up) {
  const uint64_t n = input.labels->size();
  PhaseJob job = job_of(divide(n), n, threads_ == 1 ? n : problem_.n);
  job.first_warm_up = warm_up.first;
  job.later_warm_up = warm_up.later;
  job.preceding = preceding_parts(input);
  job.move_to_part = [this, n](uint64_t k) { move_to_part(k, n); };
  keep(job, input);
  return job;
}

// Makes streams over an array without contents; a stream can be opened for the whole array at once.
template <class Label, class Value>
PhaseJob CorePhases<Label, Value>::job_of_array(std::vector<cpu::Share> shares, uint64_t total,
                                                uint64_t elements) {
  PhaseJob job = job_of(std::move(shares), total, threads_ == 1 ? elements : problem_.n);
  if (threads_ == 1) {
    job.first_warm_up = kRewarmItems;
    job.later_warm_up = kRewarmItems;
    job.open_to = [](uint64_t) { return ~uint64_t{0}; };
  }
  return job;
}

template <class Label, class Value>
PhaseEstimate CorePhases<Label, Value>::sample(const PhaseJob& job) {
  buckets_ = address_of(Region::buckets);
  return sample_job(machine_, options_, page_bytes_, job);
}

// Like sample(), of a job that updates buckets.
template <class Label, class Value>
PhaseEstimate CorePhases<Label, Value>::sample_updates(const PhaseJob& job) {
  buckets_ = address_of(Region::buckets);
  return sample_job(update_machine_, options_, page_bytes_, job);
}

}  // namespace presort::predict

#include "presort/predict/phases/keeping.h"
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
#include "presort/predict/phases/warming.h"

namespace presort::inline v0::predict {

// Makes the simulator for a type of labels. Only widths matter: f32 is simulated as u32.
template <class Label>
std::unique_ptr<PhaseSimulator> make_core_phases(const Machine& machine,
                                                 const SimulationOptions& options,
                                                 const Problem& problem, PageSize page_size,
                                                 size_t threads) {
  if (size_bytes(problem.types.value) == 8) {
    return std::make_unique<CorePhases<Label, uint64_t>>(machine, options, problem, page_size,
                                                         threads);
  }
  return std::make_unique<CorePhases<Label, uint32_t>>(machine, options, problem, page_size,
                                                       threads);
}

}  // namespace presort::predict
