// The phases of one plan on a GPU and their times in closed form (gpu/plan/plan_time.h). No CUDA
// types.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "presort/core/machine/gpu.h"
#include "presort/core/plan/gpu_plan.h"
#include "presort/core/problem.h"
#include "presort/gpu/plan/ceilings.h"
#include "presort/gpu/plan/labels/label_facts.h"
#include "presort/gpu/plan/plan_time.h"
#include "presort/gpu/plan/times/part_visits.h"
#include "presort/gpu/plan/times/phase_times.h"
#include "presort/gpu/plan/times/tile_waits.h"

namespace presort::inline v0::gpu {

// Number of steps of each phase: kernels, or parts of kernels between barriers, that wait for each
// other.
inline constexpr int kStepsOfCount = 2;  // histogram: counts are cleared, then counted
inline constexpr int kStepsOfPartition =
    2;  // partition: counts are summed up, then pairs are moved

class PlanTiming {
 public:
  // enough_ns: once the phases take so long, the rest of them is left out
  PlanTiming(const Gpu& gpu, const Problem& problem, const LabelFacts& labels, const GpuPlan& plan,
             double enough_ns = std::numeric_limits<double>::infinity());
  // Total time of a plan, ns an input: adds up its phases. Called once for each plan.
  double total_ns();
  // Total time of a plan for a multireduce in the order of the inputs, ns an input. Called once for
  // each plan, in place of total_ns().
  double ordered_ns();
  std::vector<GpuPhase> phases() const { return phases_.phases(); }

 private:
  double m() const { return static_cast<double>(problem_.m); }
  // A table of so many buckets in shared memory, in `sets` sets.
  TableShape table(double buckets, int sets) const;
  double table_bytes() const { return m() * entry_; }
  // Time, ns for each input, of looks at a table. Where all inputs of a warp have one label
  // (`alike`), the warp updates its bucket once (gpu/block/shared_table.cuh).
  double looks_ns(double ranges, const TableShape& table, bool alike) const;
  bool all_equal() const { return problem_.distribution.kind == DistributionKind::degenerate; }
  // Adds a phase of `steps` kernels, or parts of a kernel between barriers, that wait for each
  // other.
  void add(const char* name, Bound bound, int steps = 1) { phases_.add(name, bound, steps); }
  // Adds the phases of an update of buckets in any order.
  void update();
  // Time, ns for each input, that a block with a table waits between its barriers: for its look at
  // inputs, its first inputs, and the buckets in the L2.
  double waits_of_block() const;
  // True if blocks with a table look for hot buckets (gpu/device/update_shared.cuh).
  bool looks_for_hot() const;
  // Time, ns for each input, in which blocks with tables look up each bucket of theirs among those
  // that they have found hot; 0 where they find none.
  double hot_looks_ns(double ranges) const;
  // Time, ns, from one swap of a word of shared memory to the next.
  double swap_ns() const;
  // Adds a histogram with a table of all labels, `bytes` large, in each multiprocessor.
  void narrow_tables(double update_ns, size_t bytes);
  // Adds atomics on buckets in the L2 or in memory, without a pre-sort.
  void atomics();
  // Time of the atomics of inputs where they stand.
  Bound atomics_in_place(const UpdatesOfInput& updates) const;
  // Adds atomics. Blocks that look for hot labels are bound by their instructions where those have
  // most inputs.
  //   joins: instructions of a warp for a row of 32 inputs by which it joins lanes
  void add_atomics(Bound bound, double joins);
  // Number of inputs that all threads of a GPU work on at a time.
  double inputs_on_their_way() const;
  // Adds tables in shared memory, without a pre-sort.
  void tables();
  // Adds the passes of a pre-sort in any order.
  void presort();
  // True if the plan takes as long as interests, with `more_ns` for what is still to come.
  bool is_enough(double more_ns = 0) const { return phases_.total_ns() + more_ns >= enough_ns_; }
  // Adds the time to read a sample of the labels: one group of labels in each stride, in whole
  // memory reads of 64 bytes.
  void sample();
  // Adds a partition that moves nothing (gpu/plan/left_out_tiles.h): it reads labels alone, and all
  // inputs update their buckets by atomics.
  void left_out();
  // Adds a pass, which reads `in` bytes of an input of each of `parts` parts.
  void partition(int bits, double in, double parts);
  // Where the tiles of a pass write to.
  struct TilesOutput {
    int arrays = 1;
    double parts = 1;    // parts of the pass before, in which tiles begin anew
    int more_steps = 0;  // kernels beside those of kStepsOfPartition
  };
  // Adds the tiles of a partition pass. While one block of a multiprocessor ranks and sorts, its
  // other blocks wait for memory. Both times add where a multiprocessor has a single block.
  void partition_tiles(int bits, double in, double pair, const TileShape& tile, int words,
                       const TilesOutput& out);
  // Number of ranges into which tables divide the buckets of a part.
  int ranges_of_parts() const;
  // True if a plan is a scatter that pre-sorts values with their labels (gpu/scatter.cuh).
  bool scatters_pairs() const;
  // Adds a stable pass, which reads `labels` bytes of an input to count digits and `in` to move it.
  void stable_pass(int bits, double labels, double in, double pair);
  // Adds a partial sort.
  void sort();
  // Adds a scatter that pre-sorts values with their labels.
  void scatter_pairs();
  // Adds a scan per bucket, by the scheme of the plan.
  void scan();
  // Adds a scan in one pass with tables (gpu/device/ordered/scan_tables.cuh). An input takes an
  // atomic for the lanes of its bucket, a word to read and to clear for them, and its bucket in a
  // table: read, written, and read again. A tile publishes a sum for each bucket, and on each level
  // of the look-back tree reads the sums of half of the branches.
  void scan_tables();
  // Adds a scan tile by tile (gpu/device/ordered/sorted_tiles.cuh): a sort in shared memory by 4
  // bits at a time.
  void scan_tiles();
  // Adds the sort of tiles in shared memory, a few bits at a time: a tile leaves a label and a
  // value of each input, and `more` bytes of it.
  void sort_tiles(double more);
  // Adds the join of tiles: a warp of each range goes through all tiles, in runs of labels and of
  // values that touch sectors of their own, and waits for one tile after the other; every bucket is
  // read and written. For a scan the values are written too.
  void join_tiles(bool leaves_values);
  // Waits of the tiles of a scan.
  TileWaits tile_waits() const;
  // Adds a multireduce in the order of the inputs (gpu/detail/reduce_in_order.cuh). Few inputs into
  // more buckets, which CUB sorts, are counted by the plan's passes all the same.
  void reduce_in_order();
  // Adds the stable passes of an operation in order, each of which moves `more` bytes beside an
  // input. Returns the bytes of an input in the end. A label and a value of one size move as a
  // pair; others are arrays, of whose labels alone digits are counted.
  double ordered_sort(double more);
  // Adds the tables of warps (gpu/device/ordered/reduce_parts.cuh) of 2^bits buckets. An input
  // takes an atomic for the lanes of its bucket, a word to read and to clear for them, and its
  // bucket, read and written. Every bucket is combined once with its part's table; a warp leaves
  // two tables to be joined.
  void tables_in_order(double in, int bits);
  // Adds the runs of equal labels (gpu/device/ordered/reduce_runs.cuh): every bucket that has a
  // label is read and written, in whole sectors.
  void runs_in_order(double in);
  // Adds a scan after a sort; each pass notes where it puts every input, and results go back
  // through all passes.
  void scan_sorted();
  // The expected number of buckets that have a label.
  double taken_buckets() const { return labels_.written_buckets(); }
  // Bytes moved for written buckets, over the bytes of all buckets: those of written sectors, and
  // once more those of sectors written in part, which are read first.
  double moved_share(double value) const;
  static double parts_of(int bits) { return static_cast<double>(uint64_t{1} << bits); }
  double part_bytes() const { return table_bytes() / parts_of(plan_.presort->sort_bits); }
  // Adds tables in shared memory behind a pre-sort.
  void tables_of_parts();
  // Visits of parts by blocks with tables.
  PartVisits visits_of_parts() const;
  // Parts that have pairs.
  double taken_parts() const;
  // Adds the atomics of parts. Blocks do not wait for each other, and drift apart by many parts: a
  // table beyond the L2 is taken to miss as if nothing were ordered. An upper bound: of 2^26
  // buckets in order of 11 bits a quarter as many missed (docs/results/gpu-kernels.md).
  void atomics_of_parts();
  // Adds a scatter of few inputs (gpu/device/scatter_few.cuh), whatever the plan: each step stores
  // or updates a word for each input, at a random place. The first input of a bucket finds its word
  // in the L2 if all words fit there; later inputs, and the second step, find it because it was
  // touched before.
  void scatter_few();
  // Adds the last step of a scatter: each bucket that has a label takes one value.
  void assign();
  // Share of a gather's reads that hit in the multiprocessor itself. When buckets exceed the L1,
  // the gather's streams push some out of it.
  double near_share(size_t value_bytes) const;
  // Share of the reads of labels some of which are frequent that a cache of so many lines hits; 0
  // for other labels.
  double cached_share(size_t value_bytes, double lines) const;
  // Adds a gather.
  void gather();

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

}  // namespace presort::gpu
