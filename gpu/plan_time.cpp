#include "gpu/plan_time.h"

#include <algorithm>
#include <cmath>

#include "gpu/digit.h"
#include "gpu/kept_buckets.h"
#include "gpu/plan_check.h"

namespace presort::gpu {
namespace {

constexpr double kLanes = 32;

// The share of the inputs that the most frequent label has.
double hottest_share(const Problem& problem) {
  const auto m = static_cast<double>(problem.m);
  switch (problem.distribution.kind) {
    case DistributionKind::degenerate:
      return 1;
    case DistributionKind::zipf:
    case DistributionKind::zipfContiguous: {
      // 1 / sum of k^-s, the tail of the sum as an integral.
      const double s = problem.distribution.parameter;
      constexpr int kTerms = 1000;
      double sum = 0;
      for (int k = 1; k <= kTerms && k <= m; ++k) {
        sum += std::pow(k, -s);
      }
      if (m > kTerms) {
        sum += s == 1 ? std::log(m / kTerms)
                      : (std::pow(m, 1 - s) - std::pow(double{kTerms}, 1 - s)) / (1 - s);
      }
      return 1 / sum;
    }
    default:
      return 1 / m;
  }
}

constexpr double kBankBytes = 128;  // of all banks of shared memory

// The expected largest number of balls in a bin, of `groups` times `balls` in `bins`. Of one group
// P(largest <= t) = balls! / bins^balls · [x^balls] (sum of x^i / i!, i <= t)^bins.
double largest_load(double balls, double bins, double groups) {
  const auto k = static_cast<size_t>(balls);
  double expected = 0;
  for (size_t t = 0; t < k; ++t) {
    std::vector<double> power(k + 1, 0);  // coefficients, each times i! / bins^i
    power[0] = 1;
    for (int bin = 0; bin < static_cast<int>(bins); ++bin) {
      std::vector<double> next(k + 1, 0);
      for (size_t i = 0; i <= k; ++i) {
        double choose = 1;  // i over j
        for (size_t j = 0; j <= std::min(i, t); ++j) {
          next[i] += power[i - j] * choose * std::pow(1 / bins, static_cast<double>(j));
          choose *= static_cast<double>(i - j) / static_cast<double>(j + 1);
        }
      }
      power = next;
    }
    expected += 1 - std::pow(power[k], groups);
  }
  return expected;
}

struct TableShape {
  double entry_bytes;
  double buckets;
  int sets;
  bool swaps;  // updated by compare and swap
};

// What is slower of two.
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

// Sizes in bytes; times in ns for each input, of a problem on a GPU.
class Ceilings {
 public:
  Ceilings(const Gpu& gpu, const Problem& problem)
      : gpu_(gpu),
        n_(static_cast<double>(problem.n)),
        hottest_(hottest_share(problem)),
        warps_are_uniform_(problem.distribution.kind == DistributionKind::degenerate) {}

  double read(double bytes) const { return bytes / gpu_.read_bandwidth * 1e9; }
  double copy(double bytes) const { return bytes / gpu_.copy_bandwidth * 1e9; }
  double l2(double bytes) const { return bytes / gpu_.l2_read_bandwidth * 1e9; }
  double of_all(double bytes) const { return bytes / n_; }  // an array of all inputs together
  double launch() const { return gpu_.launch_ns / n_; }

  // Reading bytes, and writing others in runs that begin anywhere, at multiples of 8 bytes: such a
  // run touches parts of sectors, which are written whole.
  double copy_in_runs(double read_bytes, double written_bytes, double run_bytes) const {
    constexpr double kSector = 32;
    constexpr double kStep = 8;
    return copy(read_bytes + written_bytes * (1 + (kSector - kStep) / run_bytes));
  }

  // An input that is looked at for as many tables as there are ranges: what each look takes lies
  // between that at inputs of which all are of the table and that at inputs of which a quarter is,
  // by the share that is.
  double table_looks(double ranges, const TableShape& table) const {
    const double all = 1e9 / (table.swaps ? gpu_.table_swaps : gpu_.table_updates);
    const double quarter = 1e9 / (table.swaps ? gpu_.table_swap_quarters : gpu_.table_quarters);
    const double share = std::max(1 / ranges, 0.25);
    return ranges * (quarter + (share - 0.25) / 0.75 * (all - quarter)) * conflicts(table);
  }

  // The work of a multiprocessor on a pair of a partition: an atomic, `words` read, the pair
  // written to its place in the tile, each at random. What follows in order is not counted.
  double rank_and_sort(int words, double pair_bytes) const {
    return 1e9 * (1 / gpu_.shared_atomics + (words + pair_bytes / 4) / gpu_.shared_reads);
  }

  // Filling tables of so many bytes in all, by stores of 4 bytes a lane.
  double fill_tables(double bytes) const {
    constexpr double kBytesOfCycle = 4 * kLanes;
    return bytes / (kBytesOfCycle * gpu_.multiprocessors * gpu_.clock_hz) * 1e9 / n_;
  }

  // The part of a table that hits.
  double l2_share(double bytes) const {
    return std::min(1.0, static_cast<double>(gpu_.l2_effective_bytes) / bytes);
  }

  // An atomic for each input, to words of a table that is `table_bytes` large and of which
  // `front_bytes` are in use at a time.
  Bound atomics(double front_bytes) const {
    const double hits = l2_share(front_bytes);
    Bound bound;
    bound.at_least("atomics",
                   1e9 * (hits / gpu_.atomics_in_l2 + (1 - hits) / gpu_.atomics_in_memory));
    bound.at_least("atomics at few lines", 1e9 / crowded_rate(front_bytes));
    const double at_hottest = warps_are_uniform_ ? hottest_ / kLanes : hottest_;
    bound.at_least("atomics at one address", 1e9 * at_hottest / gpu_.atomics_of_address);
    return bound;
  }

  // A read at random for each input of a table, of which the share `near` is in a multiprocessor.
  Bound reads(double bytes, double near) const {
    const double hits = l2_share(bytes);
    Bound bound{"L1", 1e9 / gpu_.shared_reads};
    return bound.at_least(
        "L2", 1e9 * (1 - near) * (hits / gpu_.reads_in_l2 + (1 - hits) / gpu_.reads_in_memory));
  }

  const Gpu& gpu() const { return gpu_; }

 private:
  // How many lanes meet in a bank, over how many do in a large table of one set. Fewer than in that
  // gain only where it is these that bound: updates by compare and swap.
  double conflicts(const TableShape& table) const {
    const double banks = kBankBytes / table.entry_bytes;
    const double sets = std::min(static_cast<double>(table.sets), banks);
    const double of_set = std::max(1.0, std::min(banks / sets, table.buckets));
    const double met = largest_load(kLanes / sets, of_set, sets);
    const double usual = largest_load(kLanes, banks, 1);
    return std::max(met / usual, table.swaps ? 0.0 : 1.0);
  }

  // Lines are updated one after the other: between one line and 16 KiB, the rate as a power of the
  // size, through both ends.
  double crowded_rate(double bytes) const {
    constexpr double kLine = 128;
    constexpr double kCrowded = 16 << 10;
    const double power =
        std::log(gpu_.atomics_crowded / gpu_.atomics_of_address) / std::log(kCrowded / kLine);
    return gpu_.atomics_of_address * std::pow(std::max(bytes / kLine, 1.0), power);
  }

  const Gpu& gpu_;
  double n_;
  double hottest_;
  bool warps_are_uniform_;
};

class Timing {
 public:
  Timing(const Gpu& gpu, const Problem& problem, const Plan& plan)
      : gpu_(gpu), problem_(problem), plan_(plan), at_(gpu, problem) {
    const auto label = static_cast<double>(size_bytes(problem.types.label));
    const auto value = static_cast<double>(size_bytes(problem.types.value));
    const bool is_scatter = problem.operation == Operation::scatter;
    label_ = label;
    input_ = label + (problem.operation == Operation::multireduce ? value : 0);
    // A scatter finds the last index of each label first.
    entry_ = is_scatter ? 4 : value;
    pair_ = 2 * std::max(label, entry_);
  }

  PlanTime time() {
    if (problem_.operation == Operation::gather) {
      gather();
    } else if (scatters_pairs()) {
      scatter_pairs();
    } else {
      update();
      if (problem_.operation == Operation::scatter) {
        assign();
      }
    }
    for (const GpuPhase& phase : time_.phases) {
      time_.ns_per_input += phase.ns_per_input;
    }
    return time_;
  }

 private:
  double m() const { return static_cast<double>(problem_.m); }
  TableShape table(double buckets, int sets) const {
    const bool is_word = problem_.operation == Operation::scatter ||
                         problem_.types.value == ScalarType::u32 ||
                         problem_.types.value == ScalarType::i32;
    return {entry_, buckets, sets, entry_ > 4 || !is_word};
  }
  double table_bytes() const { return m() * entry_; }

  void add(const char* name, Bound bound) {
    time_.phases.push_back({name, bound.what, bound.ns + at_.launch()});
  }

  void update() {
    if (plan_.presort) {
      presort();
      return plan_.base.strategy == Strategy::globalSets ? atomics_of_parts() : tables_of_parts();
    }
    return plan_.base.strategy == Strategy::globalSets ? atomics() : tables();
  }

  void atomics() {
    Bound bound = at_.atomics(table_bytes());
    add("atomics", bound.at_least("memory", at_.read(input_)));
  }

  void tables() {
    const double ranges =
        ranges_of(plan_, problem_.m, static_cast<size_t>(entry_), limits_of(gpu_));
    const double blocks = gpu_.multiprocessors / ranges;  // with a table of the same range
    Bound bound{"memory", at_.read(input_)};
    bound.at_least("L2", at_.l2(ranges * input_));
    bound.at_least("shared memory",
                   at_.table_looks(ranges, table(m() / ranges, plan_.base.n_sets)));
    // Every block brings its table to the buckets: consecutive atomics, as bytes read and written.
    bound.ns += at_.of_all(at_.l2(2 * blocks * table_bytes()));
    bound.ns += at_.fill_tables(blocks * table_bytes() * plan_.base.n_sets);
    add("tables", bound);
  }

  void presort() {
    Bound histogram{"memory", at_.read(label_)};
    const TableShape digits = {4, std::exp2(plan_.presort->sort_bits), 1, false};
    add("histogram", histogram.at_least("shared memory", at_.table_looks(1, digits)));
    double in = input_;
    for (const int bits : bits_per_pass(plan_)) {
      partition(bits, in);
      in = pair_;
    }
  }

  void partition(int bits, double in) {
    constexpr int kWords = 1;  // the start of its digit
    partition_tiles(bits, in, pair_, partition_tile(bits, static_cast<uint64_t>(pair_)), kWords);
  }

  // Of the blocks on a multiprocessor all but one can wait for memory while one ranks and sorts: of
  // a single one both times add.
  void partition_tiles(int bits, double in, double pair, const TileShape& tile, int words) {
    const double run = std::max(pair * tile.inputs / std::exp2(bits), pair);
    const double moving = at_.copy_in_runs(in, pair, run);
    const double sorting = at_.rank_and_sort(words, pair);
    Bound bound{"memory", moving};
    bound.at_least("shared memory", sorting);
    bound.ns += std::min(moving, sorting) / tile.blocks;
    add("partition", bound);
  }

  int ranges_of_parts() const {
    return ranges_of_part(plan_, problem_.m, static_cast<size_t>(entry_), limits_of(gpu_));
  }

  // A scatter that pre-sorts values with their labels (gpu/scatter.cuh).
  bool scatters_pairs() const {
    return problem_.operation == Operation::scatter && plan_.presort && plan_.presort->passes > 1 &&
           plan_.base.strategy == Strategy::sharedSets && ranges_of_parts() == 1;
  }

  void scatter_pairs() {
    // The lanes of its digit, its place among those of the warp, twice, the start of its digit.
    constexpr int kWords = 4;
    constexpr double kSector = 32;
    const auto value = static_cast<double>(size_bytes(problem_.types.value));
    const double pair = 2 * std::max(label_, value);
    double labels = label_;  // bytes read for them
    double in = label_ + value;
    for (const int bits : bits_per_pass(plan_)) {
      Bound histogram{"memory", at_.read(labels)};
      const TableShape digits = {4, std::exp2(bits), 1, false};
      add("histogram", histogram.at_least("shared memory", at_.table_looks(1, digits)));
      partition_tiles(bits, in, pair, stable_partition_tile(bits, static_cast<uint64_t>(pair)),
                      kWords);
      labels = in = pair;
    }
    // The pairs are read again; every bucket that has a label takes a value, in a sector of its own
    // that the L2 has.
    Bound bound{"memory", at_.read(pair)};
    bound.at_least("shared memory", at_.table_looks(1, table(part_bytes() / entry_, 1)));
    bound.ns += at_.of_all(at_.copy(value * taken_buckets()) + at_.l2(kSector * taken_buckets()));
    bound.ns += at_.fill_tables(table_bytes());
    add("assign", bound);
  }

  // The buckets that have a label.
  double taken_buckets() const { return m() * -std::expm1(-static_cast<double>(problem_.n) / m()); }

  double part_bytes() const { return table_bytes() / std::exp2(plan_.presort->sort_bits); }

  void tables_of_parts() {
    const double ranges = ranges_of_parts();
    Bound bound{"memory", at_.read(pair_)};
    bound.at_least("L2", at_.l2(ranges * pair_));
    bound.at_least("shared memory",
                   at_.table_looks(ranges, table(part_bytes() / entry_ / ranges, 1)));
    bound.ns += at_.of_all(at_.copy(2 * table_bytes()));  // the buckets, read and written
    bound.ns += at_.fill_tables(table_bytes());
    add("tables", bound);
  }

  // The blocks do not wait for each other, and drift apart by many parts: a table beyond the L2 is
  // taken to miss as if nothing were ordered. An upper bound: of 2^26 buckets in order of 11 bits a
  // quarter as many missed (docs/results/gpu-kernels.md).
  void atomics_of_parts() {
    Bound bound = at_.atomics(table_bytes());
    add("atomics", bound.at_least("memory", at_.read(pair_)));
  }

  // Each bucket that has a label takes one value.
  void assign() {
    const auto n = static_cast<double>(problem_.n);
    const auto value = static_cast<double>(size_bytes(problem_.types.value));
    Bound bound{"memory", at_.of_all(at_.copy((2 * entry_ + value) * m()))};
    const Bound reads = at_.reads(n * value, 0);
    bound.at_least("values at random", at_.of_all(taken_buckets() * reads.ns));
    add("assign", bound);
  }

  // Beyond what the L1 holds, the streams of a gather push buckets out of it.
  double near_share(size_t value_bytes) const {
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

  const Gpu& gpu_;
  const Problem& problem_;
  const Plan& plan_;
  Ceilings at_;
  double label_;  // bytes
  double input_;  // bytes read of an input by its first kernel
  double entry_;  // bytes of a bucket in a table
  double pair_;   // bytes of what a pre-sort writes
  PlanTime time_;
};

}  // namespace

size_t first_of_fastest(const std::vector<double>& times) {
  const double least = *std::min_element(times.begin(), times.end());
  const auto near = [least](double time) { return time <= least * (1 + kTieOfPlans); };
  return static_cast<size_t>(std::find_if(times.begin(), times.end(), near) - times.begin());
}

TileShape partition_tile(int bits, uint64_t pair_bytes) {
  const bool is_wide = bits > 8;
  const int threads = is_wide ? 1024 : 512;
  const int items = (bits > 10 ? 14 : 12) / (pair_bytes <= 8 ? 1 : 2);
  return {.inputs = threads * items, .blocks = is_wide ? 1 : 2};
}

TileShape stable_partition_tile(int bits, uint64_t pair_bytes) {
  const bool is_wide = bits > 10;
  const int threads = is_wide ? 1024 : 512;
  const int items = (bits == 9 ? 10 : 12) / (pair_bytes <= 8 ? 1 : 2);
  return {.inputs = threads * items, .blocks = is_wide ? 1 : 2};
}

PlanTime plan_time(const Gpu& gpu, const Problem& problem, const Plan& plan) {
  return Timing(gpu, problem, plan).time();
}

}  // namespace presort::gpu
