// The ceilings of a GPU as times for each input of a problem: what bytes moved, updates, reads and
// atomics take (times/plan_timing.h adds them up). Not for use elsewhere. No CUDA types.
#pragma once

#include <algorithm>
#include <cmath>

#include "presort/core/machine/gpu.h"
#include "presort/core/problem.h"
#include "presort/gpu/plan/labels/label_facts.h"
#include "presort/gpu/plan/times/digit_sums.h"
#include "presort/gpu/plan/times/largest_load.h"
#include "presort/gpu/plan/times/row_instructions.h"

namespace presort::inline v0::gpu {

inline constexpr double kLanes = 32;

inline constexpr double kSectorBytes = 32;  // bytes of an L2 sector
inline constexpr double kBankBytes = 128;   // bytes a cycle from all banks of shared memory

struct TableShape {
  double entry_bytes;
  double buckets;
  int sets;
  bool swaps;  // true: the table's buckets are updated by compare and swap
  // True: ones are added, by an instruction that serves the lanes at one word together
  // (ATOMS.POPC.INC, by disassembly of gpu/device/update_shared.cuh for sm_90, CUDA 13.0).
  bool counts = false;
  // A frequent label in tables of parts whose blocks do not look for it, so that its lanes swap:
  double hot_rows = 0;   // share of the rows of 32 inputs that have it
  double hot_lanes = 0;  // number of lanes of such a row at its bucket
};

// Updates of buckets in global memory, for each input.
struct UpdatesOfInput {
  double all = 1;         // less than 1 where lanes of one label are joined
  double crowded = 1;     // those of `all` that meet others at their line
  double at_hottest = 0;  // updates of the most frequent bucket
  double buckets = 1;     // buckets that `crowded` updates go to at a time
  // Updates at the busiest place of the L2 where labels are skewed; 0: `crowded` ones lie evenly
  double at_place = 0;
  double at_word = 0;  // those of at_place that are of the most frequent bucket; 0: labels are even
  double spread = 1;   // share of the table that is in use at a time
  bool alone = false;  // warps update a bucket at a time, so that no lanes share a request
  double hits = 0;     // least share of the updates that hit the L2
  double places = 1;   // places of memory apart from each other that these sectors lie at
};

// The slowest of several resources: its name, and time in ns for each input.
struct Bound {
  const char* what = "memory";
  double ns = 0;
  Bound& at_least(const char* other, double other_ns) {
    if (other_ns > ns) {
      what = other;
      ns = other_ns;
    }
    return *this;
  }
};

// Times, ns for each input, of the work of a problem on a GPU. Sizes in bytes.
class Ceilings {
 public:
  Ceilings(const Gpu& gpu, const Problem& problem)
      : gpu_(gpu),
        n_(static_cast<double>(problem.n)),
        rate_of_address_(adds_floats(problem) && gpu.floats_of_address > 0
                             ? gpu.floats_of_address
                             : gpu.atomics_of_address) {}

  double read(double bytes) const { return bytes / gpu_.read_bandwidth * 1e9; }
  double copy(double bytes) const { return bytes / gpu_.copy_bandwidth * 1e9; }
  // Time, ns an input, of bytes read in order and of others written: what a copy takes beside its
  // reads is its writes'.
  double moved(double read_bytes, double written_bytes) const {
    const double write_ns = 2e9 / gpu_.copy_bandwidth - 1e9 / gpu_.read_bandwidth;
    return read(read_bytes) + written_bytes * std::max(0.0, write_ns);
  }
  double l2(double bytes) const { return bytes / gpu_.l2_read_bandwidth * 1e9; }
  // Bytes or ns an input, from a total over all n inputs
  double of_all(double bytes) const { return bytes / n_; }

  // Time, ns an input, of `count` kernels each of which waits for the one before, beside the time of
  // the bytes that they move.
  double steps(int count) const { return count * gpu_.step_ns / n_; }
  // Time, ns an input, until the first kernel of a call runs. Launches of the others go on beside
  // the kernels before them.
  double first_launch() const { return gpu_.launch_ns / n_; }

  // Time of a copy that writes in runs which begin at any multiple of 8 bytes: such a run touches
  // parts of sectors, which are written whole.
  double copy_in_runs(double read_bytes, double written_bytes, double run_bytes) const {
    constexpr double kStep = 8;
    return copy(read_bytes + written_bytes * (1 + (kSectorBytes - kStep) / run_bytes));
  }

  // Time to look at each input once for each range, by blocks that update only the inputs of their
  // own range. Interpolated, by the share of inputs in a range, between two measured times: all
  // inputs, and a quarter.
  double table_looks(double ranges, const TableShape& table) const {
    const double all = 1e9 / (table.swaps ? gpu_.table_swaps : gpu_.table_updates);
    const double quarter = 1e9 / (table.swaps ? gpu_.table_swap_quarters : gpu_.table_quarters);
    const double share = std::max(1 / ranges, 0.25);
    const double looks = ranges * (quarter + (share - 0.25) / 0.75 * (all - quarter));
    return looks * conflicts(table) + more_passes_ns(table);
  }

  // Time, ns for each input, to rank and place the pairs of a partition: an atomic, `words` reads,
  // and a write of the pair, each at a random place of shared memory. Accesses in order are not
  // counted.
  // hottest: share of the inputs that have the most frequent digit, whose lanes take turns
  double rank_and_sort(int words, double pair_bytes, double hottest) const {
    const double usual = largest_load(static_cast<int>(kLanes), 1);
    const double turns = std::max(1.0, kLanes * hottest / usual);
    return turns * shared_atomic() + shared_words(words + pair_bytes / 4);
  }

  // Time, ns for each input, of an atomic in shared memory: shared_atomic to a random word; shared_update
  // to a word in the lane's own bank, where 32 take a cycle.
  double shared_atomic() const { return 1e9 / gpu_.shared_atomics; }
  double shared_update() const { return 1e9 / (kLanes * gpu_.multiprocessors * gpu_.clock_hz); }

  // Time, ns for each input, to read or write words at random places of shared memory.
  double shared_words(double words) const { return 1e9 * words / gpu_.shared_reads; }

  // Time, ns for each input, to move bytes to or from shared memory in order, each bank at once.
  double shared_bytes_in_order(double bytes) const {
    return bytes / (kBankBytes * gpu_.multiprocessors * gpu_.clock_hz) * 1e9;
  }

  // Time, ns for each input, of `count` instructions of integers of each lane.
  double instructions(double count) const {
    return count / (kIntegerLanesOfCycle * gpu_.multiprocessors * gpu_.clock_hz) * 1e9;
  }

  // Time, ns, to fill tables of `bytes` bytes in all with the identity, by stores of 4 bytes for each
  // lane.
  double fill_tables(double bytes) const {
    constexpr double kBytesOfCycle = 4 * kLanes;
    return bytes / (kBytesOfCycle * gpu_.multiprocessors * gpu_.clock_hz) * 1e9 / n_;
  }

  // Time, ns for each input, of one block that sums up the counts of all digits: a multiprocessor
  // asks for a line a cycle (1.97 G random words a second by one block, one H200, 2026-11-26).
  double digit_sums(int bits, bool has_second_pass) const {
    return lines_of_digit_sums(bits, has_second_pass) / gpu_.clock_hz * 1e9 / n_;
  }

  // Time, ns for each input, in which each block adds up the sets of its table (gpu/block/shared_table.cuh):
  // a lane has a bucket, and begins with another set than its neighbours, so that no lanes meet in a bank.
  double add_sets(double buckets_of_table, int sets, double entry_bytes) const {
    const double words = entry_bytes / (kBankBytes / kLanes);
    return sets <= 1 ? 0 : buckets_of_table / kLanes * sets * words / gpu_.clock_hz * 1e9 / n_;
  }

  // Share of accesses to random places of a table of `bytes` bytes that hit the L2: all of a small
  // table, l2_effective_bytes of a large one. Between them sets of the cache fill unevenly, and share
  // misses long before the table is as large as the cache. Misses by the time of atomics to 0.47, 0.82
  // and 0.94 of 35.7 MB, which a probe found, 0, 7, 16 %; here 0.5, 6, 10 % (one H100, 2026-11-26).
  double l2_share(double bytes) const {
    constexpr double kPower = 5;
    const double full = bytes / static_cast<double>(gpu_.l2_effective_bytes);
    return std::pow(1 + std::pow(full, kPower), -1 / kPower);
  }

  // Time, ns for each input, of an atomic to a table of `table_bytes` bytes, of which `front_bytes`
  // are in use at a time. A warp's lanes take `sectors` · 32 turns at the sectors that they touch.
  Bound atomics(double table_bytes, double front_bytes, double sectors,
                const UpdatesOfInput& updates) const {
    const double hits = std::max(updates.hits, l2_share(front_bytes));
    const double requests = updates.all * sectors;
    Bound bound;
    // Sectors side by side that miss are moved at the rate of a copy.
    const double missing =
        std::max(std::min(updates.places, requests) * 1e9 / gpu_.atomics_in_memory,
                 copy(2 * kSectorBytes * requests));
    bound.at_least("atomics", hits * requests * 1e9 / gpu_.atomics_in_l2 + (1 - hits) * missing);
    const double with_word =
        bound.ns + word_ns(table_bytes, updates.at_word, requests * (1 - hits));
    bound.at_least("atomics at few lines",
                   updates.crowded * 1e9 /
                       (updates.alone ? rate_alone(table_bytes * updates.spread)
                                      : std::max(crowded_rate(table_bytes * updates.spread),
                                                 rate_of_buckets(updates.buckets))));
    bound.at_least("atomics at one place", 1e9 * updates.at_place / gpu_.atomics_of_address);
    bound.at_least("atomics at one address",
                   1e9 * std::max(updates.at_hottest, updates.at_word) / rate_of_address_);
    return bound.at_least("atomics at one address beside others", with_word);
  }

  // Places that update words of a table of `bytes` bytes at the same time, each as fast as a word
  // that all updates go to.
  double places(double bytes) const {
    return std::min(crowded_rate(bytes), gpu_.atomics_in_l2) / gpu_.atomics_of_address;
  }

  static constexpr double kLineBytes = 128;  // a line of the L1 and of the L2

  // Lines of the L2 that keep a random table.
  double l2_lines() const { return static_cast<double>(gpu_.l2_effective_bytes) / kLineBytes; }

  // Time, ns for each input, of a random read from a table of `bytes` bytes.
  //   near:      share of the reads that hit in the multiprocessor itself
  //   in_caches: share that hit there or in the L2, where frequent labels stay in caches
  Bound reads(double bytes, double near, double in_caches = 0) const {
    const double hits = std::max(l2_share(bytes), near < 1 ? (in_caches - near) / (1 - near) : 0);
    Bound bound{"L1", 1e9 / gpu_.shared_reads};
    return bound.at_least(
        "L2", 1e9 * (1 - near) * (hits / gpu_.reads_in_l2 + (1 - hits) / gpu_.reads_in_memory));
  }

  // Times, ns for each input, of reads and stores that each touch a sector of the L2 by themselves, of
  // which there are `count` over all inputs. A store takes what an atomic does, which it is to the L2.
  double l2_sector_reads(double count) const { return count / n_ * 1e9 / gpu_.reads_in_l2; }
  double l2_sector_stores(double count) const { return count / n_ * 1e9 / gpu_.atomics_in_l2; }

  const Gpu& gpu() const { return gpu_; }

 private:
  static bool adds_floats(const Problem& problem) {
    return problem.operation == Operation::multireduce &&
           (problem.types.value == ScalarType::f32 || problem.types.value == ScalarType::f64);
  }

  // Slowdown by lanes that meet in a bank or a bucket, over a large table with one set. Lanes that
  // meet in a bank take turns; fewer such meetings gain time only for updates by compare and swap.
  // Lanes that meet in a bucket swap again for each lane but one.
  double conflicts(const TableShape& table) const {
    if (table.counts) {
      return 1;
    }
    const double banks = kBankBytes / table.entry_bytes;
    const double sets = std::min(static_cast<double>(table.sets), banks);
    const double of_set = std::max(1.0, std::min(banks / sets, table.buckets));
    const double met = largest_load(static_cast<int>(of_set), static_cast<int>(sets));
    const double usual = largest_load(static_cast<int>(banks), 1);
    if (!table.swaps) {
      return std::max(met / usual, 1.0);
    }
    return table.buckets <= kLanes ? 1 : met / usual * swaps_of_warp(table);
  }

  // Time, ns for each input, of passes over the banks beyond those that the measured rates of swaps
  // have: a pass takes a cycle.
  double more_passes_ns(const TableShape& table) const {
    if (!table.swaps) {
      return 0;
    }
    const double measured =
        kPassesOfSwap * largest_load(static_cast<int>(kBankBytes / table.entry_bytes), 1);
    double passes = std::max(measured, table.buckets <= kLanes ? passes_of_few(table) : 0.0);
    passes += table.hot_rows * std::max(0.0, passes_of_lanes(table.hot_lanes) - passes);
    return (passes - measured) / (kLanes * gpu_.multiprocessors * gpu_.clock_hz) * 1e9;
  }

  // Passes over the banks of a warp's swap: one to read, two to compare and swap.
  static constexpr double kPassesOfSwap = 3;

  // Passes over the banks of a warp that swaps into few buckets. Of L lanes at a bucket one comes through in
  // each round: k lanes are left, whose read is one pass and whose swaps are 2 k.
  static double passes_of_few(const TableShape& table) {
    return passes_of_lanes(swaps_of_warp(table));
  }
  static double passes_of_lanes(double lanes) { return lanes * (lanes + 2); }

  // Expected number of swaps of a warp's slowest lane: as many as lanes meet in its bucket.
  static double swaps_of_warp(const TableShape& table) {
    const double sets = std::min(static_cast<double>(table.sets), kLanes);
    const double lanes = kLanes / sets;  // number of lanes that update one set of buckets
    if (table.buckets <= kLanes) {
      return largest_load(std::max(1, static_cast<int>(table.buckets)), static_cast<int>(sets));
    }
    // Counts pairs of lanes only: three lanes hardly ever meet at one address.
    const double pairs = sets * lanes * (lanes - 1) / 2;
    return 2 - std::exp(-pairs / table.buckets);
  }

  // Time, ns for each input, that `at_word` updates of one word add to those of others, `misses` of
  // which miss the L2. At the word's place of the L2 those that miss hold up the word's, the longer
  // the more of them there are, unless the word's come too seldom to wait for each other. Plain
  // atomics of uniform labels and one hot one, of zipf and Zipf-Mandelbrot labels from any rank on,
  // 2^18 to 2^27 words: 10 % off in the root of the mean square (one H200, 2026-11-29).
  double word_ns(double table_bytes, double at_word, double misses) const {
    // Shares of the updates at a place: of a word, so few that it seldom waits; of misses, so few
    // that they hold up a word half as long as many do.
    constexpr double kSeldom = 0.25;
    constexpr double kFew = 0.03;
    const double of_place = 1 / places(table_bytes);
    const double alone = 1e9 / gpu_.atomics_of_address;
    const double beside = gpu_.address_beside_misses > 0 ? 1e9 / gpu_.address_beside_misses : alone;
    const double missing = misses * of_place / (at_word + of_place);
    const double wait = alone + (beside - alone) * missing / (missing + kFew);
    return at_word * wait * -std::expm1(-at_word / (kSeldom * of_place));
  }

  // Atomics a second to the buckets of one sector; 0 for more. Lanes at one address take turns, those at different words of a sector do
  // not: 1, 2, 4 and 8 words took 1.36, 2.7, 5.4 and 13.2 G lanes a second (one H200, 2026-11-26).
  double rate_of_buckets(double buckets) const {
    constexpr double kWordsOfSector = 8;
    return buckets <= kWordsOfSector ? gpu_.atomics_of_address * buckets : 0;
  }

  // Atomics a second to a small table, whose lines are updated one after the other. Between one
  // line and 16 KiB it is a power of the size, through the measured rates at both ends. Beyond, it
  // grows with the square root of the size, as every other address bit chooses no slice of the L2
  // by itself (random words of 16, 32, 64, 128 KiB: 35.1, 35.5, 69.5, 70.8 G a second, one H200,
  // 2026-11-26).
  double crowded_rate(double bytes) const {
    constexpr double kCrowded = 16 << 10;
    const double power =
        std::log(gpu_.atomics_crowded / gpu_.atomics_of_address) / std::log(kCrowded / kLineBytes);
    return bytes > kCrowded
               ? gpu_.atomics_crowded * std::sqrt(bytes / kCrowded)
               : gpu_.atomics_of_address * std::pow(std::max(bytes / kLineBytes, 1.0), power);
  }

  // Updates a second of a small table by warps that each update one bucket: in proportion to its
  // size, up to the rate of 16 KiB.
  double rate_alone(double bytes) const {
    constexpr double kCrowded = 16 << 10;
    return bytes > kCrowded
               ? crowded_rate(bytes)
               : std::max(gpu_.atomics_of_address, gpu_.atomics_crowded * bytes / kCrowded);
  }

  const Gpu& gpu_;
  double n_;
  double rate_of_address_;  // atomics a second of values of the problem's type to one address
};

}  // namespace presort::gpu
