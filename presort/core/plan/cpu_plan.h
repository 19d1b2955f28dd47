// How a problem is computed on a CPU: an optional pre-sort, the kernel that then runs on the whole
// input or on each partition, and the resources. In files and on the command line the keys are flat
// (plan_keys.h).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "presort/core/device.h"
#include "presort/core/plan/plan_fields.h"
#include "presort/core/problem.h"
#include "presort/core/text/names.h"

namespace presort::inline v0 {

enum class CpuStrategy {
  // direct: the plain loop, on the whole input or on each part of a buffered pre-sort. With several
  // threads and no pre-sort, each thread updates a range of buckets of its own; with range_passes,
  // a part of that range in each pass
  direct,
  // privateTables: each thread updates a table of all buckets; then the tables are merged
  privateTables,
  plainRadix,  // plainRadix: sort of Eilers 2014 (alg. 2.4: no write buffers), then the loop
};
inline constexpr Named<CpuStrategy> kCpuStrategies[] = {
    {"direct", CpuStrategy::direct},
    {"privateTables", CpuStrategy::privateTables},
    {"plainRadix", CpuStrategy::plainRadix},
};

// Where a pre-sort puts labels and values: in one array of pairs, or in two arrays
enum class Layout { pairs, separate };
inline constexpr Named<Layout> kLayouts[] = {
    {"pairs", Layout::pairs},
    {"separate", Layout::separate},
};

enum class PageSize { k4KiB, k2MiB };  // size of the memory pages of inputs, buckets and scratch
inline constexpr Named<PageSize> kPageSizes[] = {
    {"4KiB", PageSize::k4KiB},
    {"2MiB", PageSize::k2MiB},
};
constexpr uint64_t page_bytes(PageSize size) {
  return size == PageSize::k4KiB ? uint64_t{4} << 10 : uint64_t{2} << 20;
}

// On which memory nodes of a machine (core/machine/numa.h) the pages of a run's arrays lie. On a
// machine with one node all are the same.
enum class Placement {
  firstTouch,   // all on the node of the caller, which touches them first
  interleaved,  // on all nodes in turn, by pages or by 1024 larger pieces of an array
  // Each array is cut like the threads' shares of it, each part on the node of its thread; arrays
  // that a thread has for itself lie on its node
  byShare,
};
inline constexpr Named<Placement> kPlacements[] = {
    {"firstTouch", Placement::firstTouch},
    {"interleaved", Placement::interleaved},
    {"byShare", Placement::byShare},
};

// Instruction set that a partition may use, beyond what every processor of the architecture has.
enum class Isa {
  generic,
  avx2,
  avx512,  // avx512: AVX-512 F, BW, DQ and VL
};
inline constexpr Named<Isa> kIsas[] = {
    {"generic", Isa::generic},
    {"avx2", Isa::avx2},
    {"avx512", Isa::avx512},
};

inline constexpr int kMaxBitsPerPass = 12;
// Most copies of the counters (sets) in which a histogram counts by turns
inline constexpr int kHistogramSets = 4;
// most copies of the buckets (sets) in which a multireduce updates by turns
inline constexpr int kReduceSets = 4;
// Most buckets when the buckets have several sets
inline constexpr uint64_t kMaxSetBuckets = uint64_t{1} << 16;
// Most passes of a pre-sort for operations with a result for each input
inline constexpr int kMaxPermutedPasses = 2;
inline constexpr int kMaxThreads = 1024;
// Most buckets for which each thread may have a table of its own
inline constexpr uint64_t kMaxPrivateBuckets = uint64_t{1} << 20;
inline constexpr int kMaxRangePasses = 64;  // most traversals of the inputs (range passes) on a CPU

struct Presort {
  int sort_bits = 8;  // top bits of the label that the pre-sort orders by, >= 1
  int passes = 1;     // passes of the pre-sort; each sorts by at most kMaxBitsPerPass bits
  uint64_t buffer_bytes = 256;  // software write buffer per partition, 64 B … 1 KiB, power of two
  Layout layout = Layout::pairs;
  bool streaming = true;  // true: write buffers are flushed with non-temporal stores
  // Bytes of a chunk, 16 KiB … 1 MiB, power of two. Each part is then a chain of chunks, drawn from
  // a pool when the one before is full, so that no histogram of the labels is needed. Only with one
  // streamed pass of pairs or labels. 0: each part is one consecutive array, at a place that a
  // histogram gives
  uint64_t chunk_bytes = 0;
  bool operator==(const Presort&) const = default;
};

struct Base {
  CpuStrategy strategy = CpuStrategy::direct;
  // Traversals of the inputs, each for one range of labels (1: a single one for all); only for
  // operations that give buckets and nothing else
  int range_passes = 1;
  int n_sets = 1;  // copies of the buckets (sets) updated by turns; multireduce and histogram
  int prefetch_distance = 0;  // inputs ahead at which buckets are fetched; 0: no software prefetch
  // How many inputs ahead labels and values, and lines of results, are fetched. 0: no such
  // prefetch, or as far ahead as a loop fetches anyway (cpu/phases/direct_ahead.h).
  int input_distance = 0;
  bool operator==(const Base&) const = default;
};

struct Resources {
  int threads = 1;  // 1 … kMaxThreads; results do not depend on the number of threads
  PageSize page_size = PageSize::k2MiB;
  Isa isa = Isa::generic;
  Placement placement = Placement::firstTouch;
  bool operator==(const Resources&) const = default;
};

struct CpuPlan {
  static constexpr Device kDevice = Device::cpu;

  // The pre-sort, if any; with plainRadix only sort_bits and passes count
  std::optional<Presort> presort;
  Base base;
  Resources resources;
  bool operator==(const CpuPlan&) const = default;
};

// A CPU plan as keys and values, as text, and back; errors and order as plan_fields.h says.
std::vector<PlanField> plan_fields(const CpuPlan& plan);
std::string to_string(const CpuPlan& plan);
CpuPlan cpu_plan_from_fields(const std::vector<PlanField>& fields);
CpuPlan parse_cpu_plan(std::string_view text);

// Checks a plan. Errors: PlanError saying why the plan does not fit the problem.
void check_plan(const CpuPlan& plan, const Problem& problem);
bool can_run(const CpuPlan& plan, const Problem& problem);

// Bits that each pass orders by, first pass first: sort_bits split as evenly as possible, the
// larger parts first. Empty without a pre-sort.
std::vector<int> bits_per_pass(const CpuPlan& plan);

// The bits that one pass of a plan orders by. Requires: 0 <= pass < presort.passes
constexpr int bits_of_pass(const Presort& presort, int pass) {
  return presort.sort_bits / presort.passes + (pass < presort.sort_bits % presort.passes ? 1 : 0);
}

}  // namespace presort
