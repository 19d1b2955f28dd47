#include "presort/gpu/plan/plan_check.h"

#include <algorithm>
#include <bit>
#include <climits>
#include <string>

#include "presort/core/base/carver.h"
#include "presort/core/text/units.h"
#include "presort/gpu/detail/digit.h"

namespace presort::inline v0::gpu {
namespace {

[[noreturn]] void reject(const std::string& key, const std::string& found,
                         const std::string& accepted, const std::string& why) {
  throw PlanError(key + ": found '" + found + "', accepted: " + accepted + "; " + why);
}

void check_sets(const GpuPlan& plan) {
  constexpr int kMostSets = 32;  // most sets: one for each lane
  const int sets = plan.n_sets;
  if (sets < 1 || sets > kMostSets || !std::has_single_bit(static_cast<unsigned>(sets))) {
    reject("nSets", std::to_string(sets), "1, 2, 4, 8, 16, 32", "lanes take turns at them");
  }
  if (sets > 1 && (plan.presort || plan.strategy != GpuStrategy::sharedSets)) {
    reject("nSets", std::to_string(sets), "1",
           "only strategy=sharedSets without a pre-sort has more");
  }
}

void check_ranges(const GpuPlan& plan, const GpuProblem& problem, const DeviceLimits& device) {
  if (plan.strategy != GpuStrategy::sharedSets || plan.presort) {
    if (plan.range_passes != 1) {
      reject("rangePasses", std::to_string(plan.range_passes), "1",
             "only strategy=sharedSets without a pre-sort has ranges");
    }
    return;
  }
  const int ranges = ranges_of(plan, problem.m, problem.value_bytes, device);
  if (ranges > device.multiprocessors) {
    reject("strategy", "sharedSets", "globalSets, or a pre-sort",
           "m=" + format_count(problem.m) + " buckets in tables of " +
               format_bytes(device.shared_bytes_of_block) + " would be " + std::to_string(ranges) +
               " ranges, and there are " + std::to_string(device.multiprocessors) +
               " multiprocessors");
  }
}

// Checks the pre-sort of a plan in any order, which goes from the top digit down.
void check_any_order(const GpuPresort& presort) {
  if (presort.passes > kMaxPassesOfAnyOrder) {
    reject("passes", std::to_string(presort.passes), "1 to " + std::to_string(kMaxPassesOfAnyOrder),
           "the parts of one are those of the next");
  }
  if (presort.sort_bits > kMaxPartBits) {
    reject("sortBits", std::to_string(presort.sort_bits), "0 to " + std::to_string(kMaxPartBits),
           "the parts are counted in shared memory");
  }
}

// Checks that the buckets of a part of a pre-sort fit tables.
void check_parts(const GpuPlan& plan, const GpuProblem& problem, const DeviceLimits& device) {
  const int ranges = ranges_of_part(plan, problem.m, problem.value_bytes, device);
  if (ranges > kMostRangesOfPart) {
    const int sort_bits = plan.presort->sort_bits;
    const size_t bytes = problem.value_bytes << (label_bits(problem.m) - sort_bits);
    reject("sortBits", std::to_string(sort_bits), "more, or strategy=globalSets",
           "the buckets of a part would take " + format_bytes(bytes) + ", and a block has " +
               format_bytes(device.shared_bytes_of_block) + ": " + std::to_string(ranges) +
               " ranges, at most " + std::to_string(kMostRangesOfPart));
  }
}

// Checks that all plans in the order of the inputs must pass.
void check_in_order(const GpuPlan& plan) {
  if (plan.strategy != GpuStrategy::sharedSets) {
    reject("strategy", to_name(kGpuStrategies, plan.strategy), "sharedSets",
           "values in order are not updated by atomics");
  }
  check_sets(plan);
  if (plan.n_sets != 1 || plan.range_passes != 1) {
    reject("nSets and rangePasses",
           std::to_string(plan.n_sets) + " and " + std::to_string(plan.range_passes), "1 and 1",
           "values in order have no tables");
  }
}

void check_tiled_values(size_t value_bytes) {
  if (value_bytes > kMostTabledBytes) {
    reject("sortBits", "0", "all bits of a label",
           "values of " + std::to_string(value_bytes) + " bytes have no tables");
  }
}

}  // namespace

int ranges_of_part(const GpuPlan& plan, uint64_t m, size_t value_bytes,
                   const DeviceLimits& device) {
  const uint64_t buckets = uint64_t{1} << (label_bits(m) - plan.presort->sort_bits);
  // Most buckets of a shared-memory table, rounded down to whole packs of four.
  const uint64_t most = device.table_bytes_of_block() / value_bytes / 4 * 4;
  return static_cast<int>(std::min<uint64_t>((buckets + most - 1) / most, INT_MAX));
}

void check_gpu_plan(const GpuPlan& plan, const GpuProblem& problem, const DeviceLimits& device) {
  check_sets(plan);
  check_ranges(plan, problem, device);
  if (plan.presort && problem.value_bytes > kMostPresortedBytes) {
    reject("sortBits", std::to_string(plan.presort->sort_bits), "0",
           "values of " + std::to_string(problem.value_bytes) +
               " bytes in any order are updated where they are");
  }
  if (plan.presort) {
    check_gpu_sort(plan, problem);
    check_any_order(*plan.presort);
    if (plan.strategy == GpuStrategy::sharedSets) {
      check_parts(plan, problem, device);
    }
  }
}

void check_gpu_sort(const GpuPlan& plan, const GpuProblem& problem) {
  if (!plan.presort) {
    reject("sortBits", "0", "at least 1", "it is a sort");
  }
  const GpuPresort& presort = *plan.presort;
  const int bits = label_bits(problem.m);
  if (presort.sort_bits < 1 || presort.sort_bits > bits) {
    reject("sortBits", std::to_string(presort.sort_bits), "0 to " + std::to_string(bits),
           "labels below m=" + format_count(problem.m) + " have that many bits");
  }
  if (presort.passes < 1 || presort.passes > presort.sort_bits) {
    reject("passes", std::to_string(presort.passes), "1 to " + std::to_string(presort.sort_bits),
           "each has a bit at least");
  }
  if (bits_per_pass(plan).front() > kMaxDigitBits) {
    reject("sortBits", std::to_string(presort.sort_bits),
           "up to " + std::to_string(kMaxDigitBits * presort.passes),
           "a pass orders by up to " + std::to_string(kMaxDigitBits) + " bits");
  }
}

void check_gpu_order(const GpuPlan& plan, const GpuProblem& problem) {
  check_in_order(plan);
  const int bits = label_bits(problem.m);
  const int table_bits = most_table_bits(problem.value_bytes);
  if (sorts_tiles(plan, problem.m, table_bits)) {
    return check_tiled_values(problem.value_bytes);
  }
  const int least = std::max(0, bits - table_bits);
  const int sort_bits = plan.presort ? plan.presort->sort_bits : 0;
  if (sort_bits < least || sort_bits > bits) {
    reject("sortBits", std::to_string(sort_bits),
           "0, " + std::to_string(least) + " to " + std::to_string(bits),
           "values in order are reduced from runs of equal labels, which are below m=" +
               format_count(problem.m) + ", or in tables of " + format_bytes(kMostPartTableBytes));
  }
  if (plan.presort) {
    check_gpu_sort(plan, problem);
  }
}

int scan_table_bits(const DeviceLimits& device, size_t value_bytes) {
  constexpr size_t kMasksOfWarp = 1024;  // most bytes of the lane masks beside a warp's table
  // Bytes of shared memory that a scanning block uses beside its tables
  constexpr size_t kBesideTables = 1024;
  int bits = std::min(most_table_bits(value_bytes), kMostScanTableBits);
  while (bits > 0 && kScanTableWarps * ((value_bytes << bits) + kMasksOfWarp) + kBesideTables >
                         device.shared_bytes_of_block) {
    --bits;
  }
  return bits;
}

void check_gpu_scan(const GpuPlan& plan, const GpuProblem& problem, const DeviceLimits& device) {
  check_in_order(plan);
  if (sorts_tiles(plan, problem.m, scan_table_bits(device, problem.value_bytes))) {
    return check_tiled_values(problem.value_bytes);
  }
  const int bits = label_bits(problem.m);
  if (plan.presort && plan.presort->sort_bits != bits) {
    reject("sortBits", std::to_string(plan.presort->sort_bits), "0 or " + std::to_string(bits),
           "scans are of runs of equal labels, which are below m=" + format_count(problem.m));
  }
  if (plan.presort) {
    check_gpu_sort(plan, problem);
    if (plan.presort->passes > kMostScanPasses) {
      reject("passes", std::to_string(plan.presort->passes),
             "1 to " + std::to_string(kMostScanPasses), "results go back through all of them");
    }
  }
}

bool sorts_tiles(const GpuPlan& plan, uint64_t m, int table_bits) {
  return !plan.presort && label_bits(m) > table_bits;
}

void check_tiled_inputs(bool sorts_tiles, uint64_t n) {
  if (sorts_tiles && n > kMostTiledInputs) {
    throw PlanError("sortBits: found '0', accepted: 1 or more; n=" + format_count(n) +
                    " inputs in order with more buckets than a table has are pre-sorted, from n=" +
                    format_count(kMostTiledInputs + 1) + " on");
  }
}

void check_labels_reach(uint64_t m, size_t label_bytes) {
  const int bits = static_cast<int>(8 * label_bytes);
  if (label_bits(m) > bits) {
    throw PlanError("m: found " + format_count(m) + " buckets, accepted: at most 2^" +
                    std::to_string(bits) + ", which labels of " + std::to_string(label_bytes) +
                    " bytes can name");
  }
}

void check_same_length(const char* name, size_t found, size_t accepted) {
  if (found != accepted) {
    throw PlanError(std::string(name) + ": found " + std::to_string(found) +
                    ", accepted: " + std::to_string(accepted) + ", as many as labels");
  }
}

void check_scratch(std::span<const std::byte> scratch, size_t needed_bytes) {
  if (scratch.size() < needed_bytes) {
    throw PlanError("scratch: found " + std::to_string(scratch.size()) +
                    " bytes, accepted: " + std::to_string(needed_bytes) + " or more");
  }
  if (needed_bytes > 0 && reinterpret_cast<uintptr_t>(scratch.data()) % kLineBytes != 0) {
    throw PlanError(
        "scratch: found an address that is not a multiple of 64, accepted: one that is");
  }
}

}  // namespace presort::gpu
