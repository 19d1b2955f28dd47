#include "presort/gpu/plan/plan_time.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "presort/gpu/detail/digit.h"
#include "presort/gpu/plan/ceilings.h"
#include "presort/gpu/plan/kept_buckets.h"
#include "presort/gpu/plan/narrow_labels.h"
#include "presort/gpu/plan/plan_check.h"
#include "presort/gpu/plan/plan_list.h"
#include "presort/gpu/plan/room_sample.h"
#include "presort/gpu/plan/times/joined_updates.h"
#include "presort/gpu/plan/times/one_plan_time.h"
#include "presort/gpu/plan/times/part_visits.h"
#include "presort/gpu/plan/times/phase_times.h"
#include "presort/gpu/plan/times/tile_waits.h"

namespace presort::inline v0::gpu {
namespace {

constexpr double kSector = 32;  // bytes of an L2 sector

// Number of steps of each phase: kernels, or parts of kernels between barriers, that wait for each other.
constexpr int kStepsOfCount = 2;      // histogram: counts are cleared, then counted
constexpr int kStepsOfPartition = 2;  // partition: counts are summed up, then pairs are moved

// Waits of a block with a table between its barriers beside those that are counted, and those of its
// look for hot buckets, ns. Measured time less the counted one, of fewer than 2^16 inputs: without a
// look 2.2 to 2.5 µs, with one 5.7 to 8.5 (one H100, seed 518, 2026-11-26).
constexpr double kTableWaits = 2300;
constexpr double kHotWaits = 4500;

class Timing {
 public:
  // enough_ns: once the phases take so long, the rest of them is left out
  Timing(const Gpu& gpu, const Problem& problem, const LabelFacts& labels, const GpuPlan& plan,
         double enough_ns = std::numeric_limits<double>::infinity())
      : enough_ns_(enough_ns),
        gpu_(gpu),
        problem_(problem),
        labels_(labels),
        plan_(plan),
        at_(gpu, problem),
        phases_(at_) {
    const auto label = static_cast<double>(size_bytes(problem.types.label));
    const auto value = static_cast<double>(size_bytes(problem.types.value));
    const bool is_scatter = problem.operation == Operation::scatter;
    const bool reads_values = problem.operation == Operation::multireduce ||
                              problem.operation == Operation::multireduceInOrder ||
                              problem.operation == Operation::multiscan ||
                              problem.operation == Operation::partialSort;
    label_ = label;
    input_ = label + (reads_values ? value : 0);
    // Bytes of a table entry; a scatter's is an index, as it first finds the last index of each label.
    entry_ = is_scatter ? 4 : value;
    // Labels and values of one size move as pairs, others as two arrays (GaplessOutput).
    pair_ = label + entry_;
    arrays_ = label == entry_ ? 1 : 2;
  }

  // Total time of a plan, ns an input: adds up its phases. Called once for each plan.
  double total_ns() {
    if (problem_.operation == Operation::gather) {
      gather();
    } else if (has_one_gpu_plan(problem_.operation)) {
      add_one_plan(problem_, at_, phases_);
    } else if (scans_buckets(problem_.operation)) {
      scan();
    } else if (problem_.operation == Operation::multireduceInOrder) {
      reduce_in_order();
    } else if (problem_.operation == Operation::partialSort) {
      sort();
    } else if (problem_.operation == Operation::scatter && scatters_few(problem_.n, problem_.m)) {
      scatter_few();
    } else if (scatters_pairs()) {
      scatter_pairs();
    } else {
      update();
      if (problem_.operation == Operation::scatter) {
        assign();
      }
    }
    return phases_.total_ns();
  }

  // Total time of a plan for a multireduce in the order of the inputs, ns an input. Called once for
  // each plan, in place of total_ns().
  double ordered_ns() {
    reduce_in_order();
    return phases_.total_ns();
  }

  std::vector<GpuPhase> phases() const { return phases_.phases(); }

 private:
  double m() const { return static_cast<double>(problem_.m); }
  TableShape table(double buckets, int sets) const {
    // Sums of integers take atomics, of one word or of two (gpu/detail/shared_combine.cuh).
    const bool is_float =
        problem_.types.value == ScalarType::f32 || problem_.types.value == ScalarType::f64;
    const bool counts = problem_.operation == Operation::histogram && entry_ <= 4 && !plan_.presort;
    return {entry_, buckets, sets, is_float && problem_.operation != Operation::scatter, counts};
  }
  double table_bytes() const { return m() * entry_; }

  // Time, ns for each input, of looks at a table. Where all inputs of a warp have one label (`alike`), the warp
  // updates its bucket once (gpu/block/shared_table.cuh).
  double looks_ns(double ranges, const TableShape& table, bool alike) const {
    constexpr double kLanesOfWarp = 32;
    constexpr double kNoConflict = 1e9;  // buckets
    return alike ? at_.table_looks(ranges, {entry_, kNoConflict, 1, false, false}) / kLanesOfWarp
                 : at_.table_looks(ranges, table);
  }
  bool all_equal() const { return problem_.distribution.kind == DistributionKind::degenerate; }

  // Adds a phase of `steps` kernels, or parts of a kernel between barriers, that wait for each
  // other.
  void add(const char* name, Bound bound, int steps = 1) { phases_.add(name, bound, steps); }

  void update() {
    if (plan_.presort) {
      presort();
      // Each pair of a part is read, whatever is done with it then.
      if (is_enough(at_.read(pair_))) {
        return add("parts", {"memory", at_.read(pair_)});
      }
      return plan_.strategy == GpuStrategy::globalSets ? atomics_of_parts() : tables_of_parts();
    }
    if (problem_.operation == Operation::histogram) {
      const auto label = static_cast<size_t>(label_);
      if (counts_bytes(plan_, label)) {
        return narrow_tables(at_.shared_update(), kCountBytesShared);
      }
      if (counts_shorts(plan_, label, problem_.m, static_cast<size_t>(entry_), limits_of(gpu_))) {
        return narrow_tables(at_.shared_atomic(), kCountShortsShared);
      }
    }
    return plan_.strategy == GpuStrategy::globalSets ? atomics() : tables();
  }

  // Time, ns for each input, that a block with a table waits between its barriers: for its look at inputs,
  // its first inputs, and the buckets in the L2.
  double waits_of_block() const {
    constexpr double kAccesses = 3;  // accesses that wait for the one before
    return at_.of_all(kAccesses * gpu_.l2_latency_ns);
  }

  // True if blocks with a table look for hot buckets (gpu/device/update_shared.cuh).
  bool looks_for_hot() const {
    constexpr double kFewestBuckets = 32;
    return (entry_ == 8 || table(m(), 1).swaps) && m() > kFewestBuckets;
  }

  // Adds a histogram with a table of all labels, `bytes` large, in each multiprocessor.
  void narrow_tables(double update_ns, size_t bytes) {
    const double blocks = gpu_.multiprocessors;
    Bound bound{"memory", at_.read(label_)};
    bound.at_least("shared memory", update_ns);
    bound.ns += at_.of_all(at_.l2(2 * blocks * table_bytes()));
    bound.ns += at_.fill_tables(blocks * static_cast<double>(bytes));
    bound.ns += waits_of_block();
    add("tables", bound);
  }

  void atomics() {
    const JoinedUpdates joined(problem_, labels_, entry_, 0);
    Bound bound = at_.atomics(table_bytes(), labels_.sectors_share(entry_), joined.updates());
    add_atomics(bound.at_least("memory", at_.read(input_)));
  }

  // Adds atomics. Blocks that look for hot labels are bound by their instructions where those have most inputs.
  void add_atomics(Bound bound) {
    if (problem_.n >= kFewestInputsOfLook) {
      bound.at_least("instructions", at_.instructions(kInstructionsOfRow));
    }
    add("atomics", bound);
  }

  void tables() {
    const double ranges =
        ranges_of(plan_, problem_.m, static_cast<size_t>(entry_), limits_of(gpu_));
    const double blocks =
        gpu_.multiprocessors / ranges;  // number of blocks that work on each range of buckets
    Bound bound{"memory", at_.read(input_)};
    bound.at_least("L2", at_.l2(ranges * input_));
    bound.at_least("shared memory",
                   looks_ns(ranges, table(m() / ranges, plan_.n_sets), all_equal()));
    bound.ns += at_.add_sets(m() / ranges, plan_.n_sets, entry_);
    // Every block combines its table with the buckets by consecutive atomics, counted as bytes read
    // and written.
    bound.ns += at_.of_all(at_.l2(2 * blocks * table_bytes()));
    bound.ns += at_.fill_tables(blocks * table_bytes() * plan_.n_sets);
    bound.ns += waits_of_block() + at_.of_all(kTableWaits + (looks_for_hot() ? kHotWaits : 0));
    add("tables", bound);
  }

  void presort() {
    if (samples_room(plan_, problem_.n)) {
      sample();
    } else {
      Bound histogram{"memory", at_.read(label_)};
      const TableShape digits = {4, parts_of(plan_.presort->sort_bits), 1, false, true};
      histogram.at_least("shared memory", at_.table_looks(1, digits));
      histogram.ns += at_.digit_sums(plan_.presort->sort_bits, plan_.presort->passes > 1);
      add("histogram", histogram, kStepsOfCount);
    }
    double in = input_;
    for (int pass = 0; pass < plan_.presort->passes && !is_enough(); ++pass) {
      partition(bits_of_pass(*plan_.presort, pass), in);
      in = pair_;
    }
  }

  // True if the plan takes as long as interests, with `more_ns` for what is still to come.
  bool is_enough(double more_ns = 0) const { return phases_.total_ns() + more_ns >= enough_ns_; }

  // Adds the time to read a sample of the labels: one group of labels in each stride, in whole memory
  // reads of 64 bytes.
  void sample() {
    constexpr double kReadAtOnce = 64;
    const double group = std::max(RoomSample::kGroup * label_, kReadAtOnce);
    add("sample", {"memory", at_.read(group / RoomSample::kInputs)}, kStepsOfCount);
  }

  void partition(int bits, double in) {
    constexpr int kWords = 1;  // words of shared memory read for an input: the start of its digit
    partition_tiles(bits, in, pair_, partition_tile(bits, static_cast<uint64_t>(pair_)), kWords,
                    arrays_);
  }

  // Adds the tiles of a partition pass that writes to `arrays` arrays. While one block of a
  // multiprocessor ranks and sorts, its other blocks wait for memory. Both times add where a
  // multiprocessor has a single block.
  void partition_tiles(int bits, double in, double pair, const TileShape& tile, int words,
                       int arrays = 1) {
    const double run = std::max(pair * tile.inputs / parts_of(bits), pair) / arrays;
    const double moving = at_.copy_in_runs(in, pair, run);
    const double sorting = at_.rank_and_sort(words, pair);
    Bound bound{"memory", moving};
    bound.at_least("shared memory", sorting);
    bound.ns += std::min(moving, sorting) / tile.blocks;
    add("partition", bound, kStepsOfPartition);
  }

  int ranges_of_parts() const {
    return ranges_of_part(plan_, problem_.m, static_cast<size_t>(entry_), limits_of(gpu_));
  }

  // True if a plan is a scatter that pre-sorts values with their labels (gpu/scatter.cuh).
  bool scatters_pairs() const {
    return problem_.operation == Operation::scatter && plan_.presort && plan_.presort->passes > 1 &&
           plan_.strategy == GpuStrategy::sharedSets && ranges_of_parts() == 1;
  }

  // Adds a stable pass, which reads `labels` bytes of an input to count digits and `in` to move it.
  void stable_pass(int bits, double labels, double in, double pair) {
    // Words of shared memory read for an input: kWords, the start of its digit and its number in the
    // tile; kWordsByMasks, by 11 bits: the lanes with its digit, its place in the warp, twice, and the
    // start of its digit.
    constexpr int kWords = 2;
    constexpr int kWordsByMasks = 4;
    Bound histogram{"memory", at_.read(labels)};
    const TableShape digits = {4, std::exp2(bits), 1, false, true};
    histogram.at_least("shared memory", at_.table_looks(1, digits));
    histogram.ns += at_.digit_sums(bits, false);
    add("histogram", histogram, kStepsOfCount + 1);
    partition_tiles(bits, in, pair, stable_partition_tile(bits, static_cast<uint64_t>(pair)),
                    bits < kMaxDigitBits ? kWords : kWordsByMasks);
  }

  void sort() {
    const double pair = 2 * std::max(label_, entry_);
    double labels = label_;
    double in = input_;
    for (int pass = 0; pass < plan_.presort->passes; ++pass) {
      stable_pass(bits_of_pass(*plan_.presort, pass), labels, in, pair);
      labels = in = pair;
    }
  }

  void scatter_pairs() {
    const auto value = static_cast<double>(size_bytes(problem_.types.value));
    const double pair = 2 * std::max(label_, value);
    double labels = label_;  // bytes of an input that are read to count digits
    double in = label_ + value;
    for (int pass = 0; pass < plan_.presort->passes; ++pass) {
      stable_pass(bits_of_pass(*plan_.presort, pass), labels, in, pair);
      labels = in = pair;
    }
    // Adds the assignment of parts. The pairs are read again; every bucket that has a label takes a
    // value: from shared memory, where that of the last pair stands if all fit, or from a sector of
    // its own that the L2 has.
    const bool are_kept =
        part_bytes() / entry_ * (entry_ + value) <= static_cast<double>(gpu_.shared_bytes_of_block);
    Bound bound{"memory", at_.read(pair)};
    bound.at_least("shared memory", at_.table_looks(1, table(part_bytes() / entry_, 1)) +
                                        (are_kept ? at_.shared_words(1 + value / 4) : 0));
    bound.ns += at_.of_all(at_.copy(value * m() * moved_share(value)));
    bound.ns += are_kept ? 0 : at_.of_all(at_.l2(kSector * taken_buckets()));
    bound.ns += at_.fill_tables(table_bytes());
    bound.ns += at_.of_all(PartVisits::of_assignment(limits_of(gpu_), problem_, taken_parts())
                               .ns(bound.ns * static_cast<double>(problem_.n),
                                   kAccessesOfAssignment * gpu_.l2_latency_ns,
                                   instructions_of_assignment(static_cast<uint64_t>(value)),
                                   gpu_.clock_hz));
    add("assign", bound);
  }

  void scan() {
    if (plan_.presort) {
      scan_sorted();
    } else if (sorts_tiles(plan_, problem_.m,
                           scan_table_bits(limits_of(gpu_), static_cast<size_t>(entry_)))) {
      scan_tiles();
    } else {
      scan_tables();
    }
  }

  // Adds a scan in one pass with tables (gpu/device/ordered/scan_tables.cuh). An input takes an atomic for
  // the lanes of its bucket, a word to read and to clear for them, and its bucket in a table: read,
  // written, and read again. A tile publishes a sum for each bucket, and on each level of the look-back
  // tree reads the sums of half of the branches.
  void scan_tables() {
    constexpr double kTile = 512 * 20;  // number of inputs of a tile
    constexpr double kBranches = 8;
    const double bytes = std::max(2 * entry_, 8.0);  // bytes of a look-back descriptor
    Bound bound{"memory", at_.copy(input_ + entry_)};
    bound.at_least("shared memory", at_.shared_atomic() + at_.shared_words(2 + 3 * entry_ / 4));
    const double tiles = std::ceil(static_cast<double>(problem_.n) / kTile);
    const double levels = std::ceil(std::log2(std::max(2.0, tiles)) / std::log2(kBranches));
    const double reads = levels * (kBranches - 1) / 2;
    bound.ns += at_.of_all(at_.l2(tiles * m() * bytes * (1 + reads)));
    add("scan", bound);
  }

  // Adds a scan tile by tile (gpu/device/ordered/sorted_tiles.cuh): a sort in shared memory by 4 bits at a
  // time.
  void scan_tiles() {
    constexpr double kEntry = 2;  // bytes of the number of an input's label among those of its tile
    // A scan also leaves each input's result within its tile, and what stood before each value.
    sort_tiles(entry_ + kEntry);
    join_tiles(true);
    Bound spread{"L2", at_.l2(3 * entry_ + kEntry)};
    const auto inputs = static_cast<double>(problem_.n);
    add("spread tiles", spread.at_least("values at random", at_.l2_sector_reads(inputs)));
  }

  // Adds the sort of tiles in shared memory, a few bits at a time: a tile leaves a label and a value of
  // each input, and `more` bytes of it.
  void sort_tiles(double more) {
    constexpr double kBitsOfPass = 4;
    const double passes = std::ceil(label_bits(problem_.m) / kBitsOfPass);
    Bound sort{"memory", at_.copy(input_ + label_ + entry_ + more)};
    sort.at_least("shared memory", passes * at_.rank_and_sort(2, label_ + 2));
    sort.ns += at_.l2_sector_stores(tile_waits().begins());
    add("sort tiles", sort);
  }

  // Adds the join of tiles: a warp of each range goes through all tiles, in runs of labels and of values
  // that touch sectors of their own, and waits for one tile after the other; every bucket is read and
  // written. For a scan the values are written too.
  void join_tiles(bool leaves_values) {
    const TileWaits waits = tile_waits();
    Bound join{"L2", at_.l2_sector_reads(2 * waits.runs()) +
                         (leaves_values ? at_.l2_sector_stores(waits.runs()) : 0)};
    join.at_least("waits", at_.of_all(waits.chain_ns(gpu_)));
    join.ns += at_.of_all(at_.copy(2 * table_bytes()));
    add("join tiles", join);
  }

  TileWaits tile_waits() const {
    return {problem_.n, problem_.m, label_bits(problem_.m), static_cast<uint64_t>(entry_)};
  }

  // Adds a multireduce in the order of the inputs (gpu/detail/reduce_in_order.cuh). Few inputs into more
  // buckets, which CUB sorts, are counted by the plan's passes all the same.
  void reduce_in_order() {
    const int table_bits = most_table_bits(static_cast<size_t>(entry_));
    const bool few = !plan_.presort && sorts_tiles_of_few(problem_.n, label_bits(problem_.m));
    if (few || sorts_tiles(plan_, problem_.m, table_bits)) {
      sort_tiles(0);
      join_tiles(false);
      return;
    }
    const double in = plan_.presort ? ordered_sort(0) : input_;
    const int bits_left = label_bits(problem_.m) - (plan_.presort ? plan_.presort->sort_bits : 0);
    if (bits_left > 0) {
      tables_in_order(in, bits_left);
    } else {
      runs_in_order(in);
    }
  }

  // Adds the stable passes of an operation in order, each of which moves `more` bytes beside an input.
  // Returns the bytes of an input in the end. A label and a value of one size move as a pair; others
  // are arrays, of whose labels alone digits are counted.
  double ordered_sort(double more) {
    const bool are_pairs = label_ == entry_;
    const double moved = label_ + entry_;
    double labels = label_;
    double in = input_;
    for (int pass = 0; pass < plan_.presort->passes; ++pass) {
      stable_pass(bits_of_pass(*plan_.presort, pass), labels, in + more, moved);
      labels = are_pairs ? moved : label_;
      in = moved;
    }
    return moved;
  }

  // Adds the tables of warps (gpu/device/ordered/reduce_parts.cuh) of 2^bits buckets. An input takes an atomic
  // for the lanes of its bucket, a word to read and to clear for them, and its bucket, read and
  // written. Every bucket is combined once with its part's table; a warp leaves two tables to be
  // joined.
  void tables_in_order(double in, int bits) {
    constexpr double kWarps = 32;  // most warps of a multiprocessor that have a table
    const double table = std::exp2(bits) * entry_;
    const double fit = std::floor(static_cast<double>(gpu_.shared_bytes_of_multiprocessor) / table);
    const double warps = std::min(kWarps, std::max(fit, 1.0)) * gpu_.multiprocessors;
    // Fewest inputs of a warp: four for each bucket of its table
    const double most_warps =
        std::max(1.0, static_cast<double>(problem_.n) / (4 * std::exp2(bits)));
    Bound bound{"memory", at_.read(in)};
    bound.at_least("shared memory", at_.shared_atomic() + at_.shared_words(2 + 2 * entry_ / 4));
    if (plan_.presort) {
      bound.ns += at_.of_all(at_.copy(2 * table_bytes()));
    }
    bound.ns += at_.of_all(at_.copy(4 * std::min(warps, most_warps) * table));
    add("tables", bound, 2);
  }

  // Adds the runs of equal labels (gpu/device/ordered/reduce_runs.cuh): every bucket that has a label is read
  // and written, in whole sectors.
  void runs_in_order(double in) {
    const double in_sector = std::max(1.0, kSector / entry_);
    const double written = 1 - std::pow(1 - taken_buckets() / m(), in_sector);
    Bound bound{"memory", at_.read(in)};
    bound.ns += at_.of_all(at_.copy(2 * table_bytes() * written));
    add("runs", bound, 2);
  }

  // Adds a scan after a sort; each pass notes where it puts every input, and results go back through all
  // passes.
  void scan_sorted() {
    constexpr double kPlace = 4;  // bytes of an input's noted place
    const double sorted = ordered_sort(kPlace);
    Bound runs{"memory", at_.copy(sorted + entry_)};
    runs.ns += at_.of_all(at_.copy(2 * table_bytes()));
    add("scan", runs);
    for (int pass = 0; pass < plan_.presort->passes; ++pass) {
      Bound back{"memory", at_.copy(kPlace + 2 * entry_)};
      add("take back", back.at_least("L2", at_.l2(kSector)));
    }
  }

  // The expected number of buckets that have a label.
  double taken_buckets() const { return labels_.written_buckets(); }

  // Bytes moved for written buckets, over the bytes of all buckets: those of written sectors, and
  // once more those of sectors written in part, which are read first.
  double moved_share(double value) const {
    const double in_sector = std::max(1.0, kSector / value);
    const double taken = taken_buckets() / m();
    const double written = 1 - std::pow(1 - taken, in_sector);
    return 2 * written - std::pow(taken, in_sector);
  }

  static double parts_of(int bits) { return static_cast<double>(uint64_t{1} << bits); }
  double part_bytes() const { return table_bytes() / parts_of(plan_.presort->sort_bits); }

  void tables_of_parts() {
    const double ranges = ranges_of_parts();
    Bound bound{"memory", at_.read(pair_)};
    bound.at_least("L2", at_.l2(ranges * pair_));
    const double buckets = part_bytes() / entry_;
    const PartVisits visits = visits_of_parts();
    TableShape shape = table(buckets / ranges, 1);
    if (!visits.looks_for_hot(taken_parts())) {
      // The hottest label has this share of the pairs of its part, and its part so many of all
      // pairs.
      const double hottest = labels_.hottest_share();
      shape.hot_rows = hottest + (1 - hottest) / parts_of(plan_.presort->sort_bits);
      shape.hot_lanes = kLanes * hottest / shape.hot_rows;
    }
    // A part of one bucket: warps have one label where they do not stand at its end.
    bound.at_least("shared memory", looks_ns(ranges, shape, all_equal() || buckets <= 1));
    // Parts without pairs are passed over.
    const double taken = taken_parts() / parts_of(plan_.presort->sort_bits);
    bound.ns += at_.of_all(at_.copy(2 * taken * table_bytes()));  // buckets, read and written
    bound.ns += at_.fill_tables(taken * table_bytes());
    bound.ns += at_.of_all(visits.ns(bound.ns * static_cast<double>(problem_.n),
                                     kAccessesOfVisit * gpu_.l2_latency_ns, kInstructionsOfVisit,
                                     gpu_.clock_hz));
    add("tables", bound);
  }

  PartVisits visits_of_parts() const {
    const int ranges = ranges_of_parts();
    return PartVisits::of_tables(limits_of(gpu_), problem_, taken_parts(), part_bytes() / ranges,
                                 ranges);
  }
  // Parts that have pairs.
  double taken_parts() const {
    return std::max(1.0, std::min(std::exp2(plan_.presort->sort_bits), taken_buckets()));
  }

  // Adds the atomics of parts. Blocks do not wait for each other, and drift apart by many parts: a
  // table beyond the L2 is taken to miss as if nothing were ordered. An upper bound: of 2^26
  // buckets in order of 11 bits a quarter as many missed (docs/results/gpu-kernels.md).
  void atomics_of_parts() {
    const JoinedUpdates joined(problem_, labels_, entry_, plan_.presort->sort_bits);
    // Labels in order stay so.
    const bool is_in_order = problem_.distribution.kind == DistributionKind::sorted;
    Bound bound = at_.atomics(table_bytes(), is_in_order ? labels_.sectors_share(entry_) : 1,
                              joined.updates());
    add_atomics(bound.at_least("memory", at_.read(pair_)));
  }

  // Adds a scatter of few inputs (gpu/device/scatter_few.cuh), whatever the plan: each step stores or updates a
  // word for each input, at a random place. The first input of a bucket finds its word in the L2 if all
  // words fit there; later inputs, and the second step, find it because it was touched before.
  void scatter_few() {
    const auto n = static_cast<double>(problem_.n);
    const auto value = static_cast<double>(size_bytes(problem_.types.value));
    const double touched = std::min(table_bytes(), labels_.written_buckets() * kSector);
    // Lanes of one label make one request.
    const double requests = all_equal() ? 1 / kLanes : 1;
    const double first = std::min(1.0, labels_.written_buckets() / n);
    const double hottest = labels_.hottest_share();
    const auto stores = [&](double first_of_bucket, double word, double in_order,
                            double at_hottest) {
      const double share = labels_.sectors_share(word);
      const UpdatesOfInput updates{.all = requests,
                                   .crowded = at_hottest > 0 || !all_equal() ? requests : 0,
                                   .at_hottest = std::min(at_hottest, requests)};
      const Bound again = at_.atomics(touched, share, updates);
      Bound bound = at_.atomics(m() * word, share, updates);
      bound.ns = first_of_bucket * bound.ns + (1 - first_of_bucket) * again.ns;
      return bound.at_least("memory", at_.read(in_order));
    };
    // The most frequent label is cleared by all of its inputs; of these few update its word, which has a
    // later index already, and one writes its value.
    add("clear", stores(first, entry_, label_, hottest));
    add("last writers", stores(0, entry_, label_, 0));
    add("write", stores(first, value, label_ + value, 0));
  }

  // Adds the last step of a scatter: each bucket that has a label takes one value.
  void assign() {
    const auto n = static_cast<double>(problem_.n);
    const auto value = static_cast<double>(size_bytes(problem_.types.value));
    Bound bound{"memory", at_.of_all(at_.copy((2 * entry_ + value) * m()))};
    const Bound reads = at_.reads(n * value, 0);
    bound.at_least("values at random", at_.of_all(labels_.sectors_of_last_values() * reads.ns));
    add("assign", bound);
  }

  // Share of a gather's reads that hit in the multiprocessor itself. When buckets exceed the L1,
  // the gather's streams push some out of it.
  double near_share(size_t value_bytes) const {
    if (problem_.distribution.kind == DistributionKind::degenerate) {
      return 1;
    }
    const DeviceLimits device = limits_of(gpu_);
    return fits_l1(device, problem_.m, value_bytes)
               ? 1
               : kept_buckets(device, problem_.n, problem_.m, value_bytes) / m();
  }

  void gather() {
    const auto value = static_cast<double>(size_bytes(problem_.types.value));
    Bound bound{"memory", at_.copy(label_ + value)};
    const Bound reads = at_.reads(m() * value, near_share(static_cast<size_t>(value)));
    add("gather", bound.at_least(reads.what, reads.ns));
  }

  double enough_ns_;
  const Gpu& gpu_;
  const Problem& problem_;
  const LabelFacts& labels_;
  const GpuPlan& plan_;
  Ceilings at_;
  double label_;  // bytes of a label
  double input_;  // bytes that the first kernel reads of an input
  double entry_;  // bytes of a bucket in a shared-memory table
  double pair_;   // bytes that a pre-sort in any order writes for each input
  int arrays_;    // arrays that it writes to
  PhaseTimes phases_;
};

}  // namespace

size_t first_of_fastest(const std::vector<double>& times) {
  const double least = *std::min_element(times.begin(), times.end());
  const auto near = [least](double time) { return time <= least * (1 + kTieOfPlans); };
  return static_cast<size_t>(std::find_if(times.begin(), times.end(), near) - times.begin());
}

TileShape partition_tile(int bits, uint64_t pair_bytes) {
  if (pair_bytes == 12) {  // labels beside values
    return {.inputs = 1024 * 10, .blocks = 1};
  }
  const bool is_wide = bits > 8;
  const int threads = is_wide ? 1024 : 512;
  const int items = (bits > 10 ? 14 : 12) / (pair_bytes <= 8 ? 1 : 2);
  return {.inputs = threads * items, .blocks = is_wide ? 1 : 2};
}

TileShape stable_partition_tile(int bits, uint64_t pair_bytes) {
  const bool is_wide = bits > 8;
  const int threads = is_wide ? 1024 : 384;
  const int items = (is_wide ? 12 : 20) / (pair_bytes <= 8 ? 1 : 2);
  return {.inputs = threads * items, .blocks = is_wide ? 1 : 2};
}

PlanTime plan_time(const Gpu& gpu, const Problem& problem, const GpuPlan& plan) {
  const LabelFacts labels(problem);
  Timing timing(gpu, problem, labels, plan);
  PlanTime time;
  time.ns_per_input = timing.total_ns();
  time.phases = timing.phases();
  return time;
}

PlanTime ordered_plan_time(const Gpu& gpu, const Problem& problem, const GpuPlan& plan) {
  const LabelFacts labels(problem);
  Timing timing(gpu, problem, labels, plan);
  PlanTime time;
  time.ns_per_input = timing.ordered_ns();
  time.phases = timing.phases();
  return time;
}

double plan_ns(const Gpu& gpu, const Problem& problem, const LabelFacts& labels,
               const GpuPlan& plan, double enough_ns) {
  return Timing(gpu, problem, labels, plan, enough_ns).total_ns();
}

}  // namespace presort::gpu
