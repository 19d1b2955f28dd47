#include <bit>

#include "presort/core/error.h"
#include "presort/core/plan/cpu_plan.h"
#include "presort/core/text/units.h"

namespace presort::inline v0 {
namespace {

constexpr uint64_t kMinBufferBytes = 64;  // fewest bytes of a write buffer: a cache line
constexpr uint64_t kMaxBufferBytes = 1024;
constexpr uint64_t kMinChunkBytes = uint64_t{16} << 10;
constexpr uint64_t kMaxChunkBytes = uint64_t{1} << 20;
constexpr int kMaxPrefetchDistance = 4096;

[[noreturn]] void reject(const std::string& key, const std::string& found,
                         const std::string& accepted, const std::string& why) {
  throw PlanError(key + ": found '" + found + "', accepted: " + accepted + "; " + why);
}

std::string range(int low, int high) {
  return std::to_string(low) + " to " + std::to_string(high);
}

void check_sort_bits(const Presort& presort, uint64_t m) {
  const int bits = label_bits(m);
  if (bits == 0) {
    reject("sortBits", std::to_string(presort.sort_bits), "0",
           "labels below m=1 have no bits to sort by");
  }
  if (presort.sort_bits < 1 || presort.sort_bits > bits) {
    reject("sortBits", std::to_string(presort.sort_bits), range(0, bits),
           "labels below m=" + format_count(m) + " have " + std::to_string(bits) + " bits");
  }
}

void check_passes(const Presort& presort) {
  const int least = (presort.sort_bits + kMaxBitsPerPass - 1) / kMaxBitsPerPass;
  if (presort.passes < least || presort.passes > presort.sort_bits) {
    reject("passes", std::to_string(presort.passes), range(least, presort.sort_bits),
           "each of the passes orders by 1 to " + std::to_string(kMaxBitsPerPass) +
               " of the sortBits=" + std::to_string(presort.sort_bits));
  }
}

// Checks a pre-sort's write buffers. Every pair of a label and a value (at most 16 bytes) fits the
// smallest buffer.
void check_buffer(const Presort& presort) {
  const uint64_t bytes = presort.buffer_bytes;
  if (!std::has_single_bit(bytes) || bytes < kMinBufferBytes || bytes > kMaxBufferBytes) {
    reject("bufferBytes", format_bytes(bytes), "64B, 128B, 256B, 512B, 1KiB",
           "a buffer is flushed in whole lines");
  }
}

// The reason why the plan's other keys, or the operation, rule out a pre-sort into chunks; "" if
// they do not.
std::string why_no_chunks(const CpuPlan& plan, const Problem& problem) {
  const Presort& presort = *plan.presort;
  if (presort.passes != 1) {
    return "chunks are of one pass, and there are passes=" + std::to_string(presort.passes);
  }
  if (!presort.streaming || presort.layout != Layout::pairs) {
    return "chunks are of pairs, written by streaming stores";
  }
  if (plan.resources.isa != Isa::generic) {
    return "chunks are of isa=generic";
  }
  if (has_results(problem.operation) || problem.operation == Operation::partialSort) {
    return "what " + to_name(kOperations, problem.operation) +
           " gives has places that a histogram tells";
  }
  return "";
}

void check_chunks(const CpuPlan& plan, const Problem& problem) {
  const uint64_t bytes = plan.presort->chunk_bytes;
  if (bytes == 0) {
    return;
  }
  const std::string why = why_no_chunks(plan, problem);
  if (!why.empty()) {
    reject("chunkBytes", format_bytes(bytes), "0", why);
  }
  if (!std::has_single_bit(bytes) || bytes < kMinChunkBytes || bytes > kMaxChunkBytes) {
    reject("chunkBytes", format_bytes(bytes), "0 and powers of two from 16KiB to 1MiB",
           "a chunk is filled many buffers long");
  }
}

void check_base(const Base& base) {
  if (base.prefetch_distance < 0 || base.prefetch_distance > kMaxPrefetchDistance) {
    reject("prefetchDistance", std::to_string(base.prefetch_distance),
           range(0, kMaxPrefetchDistance), "it counts inputs ahead, 0 is no prefetch");
  }
}

void check_input_distance(const CpuPlan& plan) {
  const int distance = plan.base.input_distance;
  const bool fetches = plan.presort || plan.base.n_sets > 1 || plan.base.prefetch_distance > 0;
  if (fetches && distance != 0) {
    reject("inputDistance", std::to_string(distance), "0",
           "it is of the plain loop; how far others look ahead is decided");
  }
  if (distance < 0 || distance > kMaxPrefetchDistance) {
    reject("inputDistance", std::to_string(distance), range(0, kMaxPrefetchDistance),
           "it counts inputs ahead, 0 is no prefetch");
  }
}

bool rounds_sums(const Problem& problem) {
  const ScalarType value = problem.types.value;
  const bool sums =
      problem.operation == Operation::multireduce || problem.operation == Operation::multiscan;
  return sums && (value == ScalarType::f32 || value == ScalarType::f64);
}

std::string why_not_grouped(const Problem& problem) {
  return "a sum of " + to_name(kScalarTypes, problem.types.value) +
         " depends on how it is grouped, and merging tables groups it";
}

void check_private_tables(const CpuPlan& plan, const Problem& problem) {
  if (plan.presort) {
    reject("sortBits", std::to_string(plan.presort->sort_bits), "0",
           "strategy=privateTables does not sort");
  }
  if (problem.m > kMaxPrivateBuckets) {
    reject("strategy", "privateTables", "direct",
           "there are m=" + format_count(problem.m) + " buckets, and a thread's own table has at " +
               "most " + format_count(kMaxPrivateBuckets));
  }
  if (rounds_sums(problem)) {
    reject("strategy", "privateTables", "direct", why_not_grouped(problem));
  }
}

void check_threads(const CpuPlan& plan) {
  const int threads = plan.resources.threads;
  if (threads < 1 || threads > kMaxThreads) {
    reject("threads", std::to_string(threads), range(1, kMaxThreads), "each runs on a core");
  }
  if (threads > 1 && plan.base.strategy == CpuStrategy::plainRadix) {
    reject("threads", std::to_string(threads), "1", "strategy=plainRadix runs on one thread");
  }
}

// True if an operation can be computed by a strategy. A gather has no buckets that threads could
// copy into tables of their own; the thesis' sort needs values to move.
bool has_strategy(Operation operation, CpuStrategy strategy) {
  switch (strategy) {
    case CpuStrategy::direct:
      return true;
    case CpuStrategy::privateTables:
      return writes_buckets(operation);
    case CpuStrategy::plainRadix:
      return has_buckets(operation) && has_values(operation) && !has_results(operation);
  }
  return false;
}

// Checks a plan of a segmented operation: there are no buckets to prefetch, and reading and writing
// in order needs no hints.
void check_fetches_nothing(const CpuPlan& plan, const Problem& problem) {
  const auto why = [&] {
    return to_name(kOperations, problem.operation) + " fetches nothing ahead";
  };
  if (plan.base.prefetch_distance != 0) {
    reject("prefetchDistance", std::to_string(plan.base.prefetch_distance), "0", why());
  }
  if (plan.base.input_distance != 0) {
    reject("inputDistance", std::to_string(plan.base.input_distance), "0", why());
  }
}

// Checks a plan of a partial sort. Without a pre-sort it is a counting sort. A pre-sort must sort
// by all bits of the labels, for fewer would leave inputs out of order.
void check_partial_sort(const CpuPlan& plan, const Problem& problem) {
  check_fetches_nothing(plan, problem);
  const int bits = label_bits(problem.m);
  if (plan.presort && plan.presort->sort_bits != bits) {
    reject("sortBits", std::to_string(plan.presort->sort_bits), "0 or " + std::to_string(bits),
           "a partialSort into m=" + format_count(problem.m) + " parts is by all of their bits");
  }
  if (!plan.presort && plan.resources.threads != 1) {
    reject("threads", std::to_string(plan.resources.threads), "1",
           "a partialSort with sortBits=0 runs on one thread");
  }
}

void check_unsorted(const CpuPlan& plan, const Problem& problem) {
  check_fetches_nothing(plan, problem);
  if (plan.presort) {
    const std::string operation = to_name(kOperations, problem.operation);
    reject("sortBits", std::to_string(plan.presort->sort_bits), "0",
           !has_labels(problem.operation) ? "a " + operation + " has no labels to sort by"
                                          : "the segments of " + operation + " are in order");
  }
}

void check_operation(const CpuPlan& plan, const Problem& problem) {
  const std::string operation = to_name(kOperations, problem.operation);
  const std::string strategy = to_name(kCpuStrategies, plan.base.strategy);
  if (!has_strategy(problem.operation, plan.base.strategy)) {
    reject("strategy", strategy, "direct", operation + " has no " + strategy);
  }
  if (has_results(problem.operation) && plan.presort && plan.presort->passes > kMaxPermutedPasses) {
    reject("passes", std::to_string(plan.presort->passes), range(1, kMaxPermutedPasses),
           "the results of " + operation + " are permuted back after each pass");
  }
  if (problem.operation == Operation::partialSort) {
    check_partial_sort(plan, problem);
  } else if (is_segmented(problem.operation) || !has_labels(problem.operation)) {
    check_unsorted(plan, problem);
  }
}

// Most copies of the buckets (sets) that an operation can have; 1: only the caller's own.
int most_sets(Operation operation) {
  switch (operation) {
    case Operation::histogram:
      return kHistogramSets;
    case Operation::multireduce:
      return kReduceSets;
    default:
      return 1;
  }
}

void check_sets(const CpuPlan& plan, const Problem& problem) {
  const int sets = plan.base.n_sets;
  if (sets == 1) {
    return;
  }
  const std::string found = std::to_string(sets);
  const std::string operation = to_name(kOperations, problem.operation);
  const int most = most_sets(problem.operation);
  if (most == 1) {
    reject("nSets", found, "1", operation + " has one set of buckets");
  }
  if (sets != most) {
    reject("nSets", found, "1 or " + std::to_string(most), "a " + operation + " has these");
  }
  if (plan.presort || plan.base.prefetch_distance != 0 ||
      plan.base.strategy != CpuStrategy::direct) {
    reject("nSets", found, "1",
           "with several sets there is neither pre-sort nor prefetch, nor strategy=privateTables");
  }
  if (problem.operation == Operation::multireduce && plan.resources.threads != 1) {
    reject("nSets", found, "1", "several sets of a multireduce are of one thread");
  }
  if (problem.m > kMaxSetBuckets) {
    reject("nSets", found, "1",
           "there are m=" + format_count(problem.m) + " buckets, and several " +
               "sets have at most " + format_count(kMaxSetBuckets));
  }
  if (rounds_sums(problem)) {
    reject("nSets", found, "1", why_not_grouped(problem));
  }
}

// The reason why a plan of the operation must go over all inputs once; "" if it may go over them
// for one range of buckets after the other (cpu/detail/range_passes.h).
std::string why_no_ranges(const CpuPlan& plan, const Problem& problem) {
  const std::string operation = to_name(kOperations, problem.operation);
  if (!has_buckets(problem.operation)) {
    return operation + " has no buckets that could be divided into ranges";
  }
  if (has_results(problem.operation)) {
    return "the results of " + operation +
           " are in the order of the inputs, and every pass would " +
           "fetch and write the lines of all of them";
  }
  if (plan.presort) {
    return "a pre-sort divides the buckets into ranges already, and moves each input once";
  }
  if (plan.base.strategy != CpuStrategy::direct) {
    return "strategy=" + to_name(kCpuStrategies, plan.base.strategy) +
           " has a table for all buckets";
  }
  if (plan.base.n_sets != 1) {
    return "several sets are of buckets so few that caches hold them";
  }
  return "";
}

void check_range_passes(const CpuPlan& plan, const Problem& problem) {
  const int passes = plan.base.range_passes;
  if (passes < 1 || passes > kMaxRangePasses) {
    reject("rangePasses", std::to_string(passes), range(1, kMaxRangePasses),
           "each goes over all inputs");
  }
  const std::string why = passes == 1 ? "" : why_no_ranges(plan, problem);
  if (!why.empty()) {
    reject("rangePasses", std::to_string(passes), "1", why);
  }
}

// Checks that a CPU has the operation. Errors: PlanError for one that only a GPU has
void check_is_of_cpu(const Problem& problem) {
  if (problem.operation == Operation::compact ||
      problem.operation == Operation::multireduceInOrder) {
    const std::string name = to_name(kOperations, problem.operation);
    throw PlanError("op: found '" + name + "' on a CPU, accepted: any other; a GPU has " + name +
                    " (--device gpu)");
  }
}

void check_label_type(const Problem& problem) {
  const ScalarType label = problem.types.label;
  if (label != ScalarType::u32 && label != ScalarType::u64) {
    throw InputError("type: found '" + to_name(kScalarTypes, label) +
                     "' for labels, accepted: u32, u64; a histogram on device gpu has u8, u16 too");
  }
}

}  // namespace

void check_plan(const CpuPlan& plan, const Problem& problem) {
  check_is_of_cpu(problem);
  check_label_type(problem);
  if (plan.base.strategy == CpuStrategy::privateTables) {
    check_private_tables(plan, problem);
  }
  if (plan.presort) {
    check_sort_bits(*plan.presort, problem.m);
    check_passes(*plan.presort);
    if (plan.base.strategy != CpuStrategy::plainRadix) {
      check_buffer(*plan.presort);
      check_chunks(plan, problem);
    }
  } else if (plan.base.strategy == CpuStrategy::plainRadix) {
    reject("sortBits", "0", "at least 1 with strategy=plainRadix", "it is a sort");
  }
  check_base(plan.base);
  check_input_distance(plan);
  check_range_passes(plan, problem);
  check_sets(plan, problem);
  check_threads(plan);
  check_operation(plan, problem);
}

bool can_run(const CpuPlan& plan, const Problem& problem) {
  try {
    check_plan(plan, problem);
    return true;
  } catch (const PlanError&) {
    return false;
  }
}

}  // namespace presort
