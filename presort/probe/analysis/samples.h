// Timed slices and the estimates made from them. Pure functions: nothing here measures.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <vector>

#include "presort/probe/host/counters.h"

namespace presort::inline v0::probe {

// A slice: one timed run of a workload, between two looks at the core (meter.h).
struct Slice {
  double value_ns = 0;  // time of a slice, ns per access, line, or operation
  double cycle_ns = 0;  // the core's cycle around the slice, ns; it changes with the turbo clock
  // Cycles per independent add before the slice: a busy hyper-thread sibling raises it
  double crowding_before = 0;
  double crowding_after = 0;
  long preemptions = 0;         // times that the system took the core away during the slice
  int pass = 0;                 // number of the probe's pass in which the slice was taken
  Counts counts = kNotCounted;  // events per access, line, or operation, where counters exist
};

// The quantity that a series of slices measures. `at` is the series' parameter.
enum class Quantity {
  addLatency,       // time of one dependent register add, which is one cycle   at: 0
  independentAdds,  // time of independent register adds, cycles each
  chaseHuge,        // time per step: random pointer chase, 2 MiB pages   at: footprint in bytes
  chaseSmall,       // time per step: random pointer chase, 4 KiB pages   at: footprint in bytes
  pageChase,  // time per step: chase of one line in each 4 KiB of 2 MiB pages   at: bytes spanned
  translationChase,  // time per step: one line per 4 KiB page of 1 MiB: past the first TLB, in L1d
  uncachedChase,  // time per step: chase over flushed lines of few pages: memory alone, no TLB miss
  uncachedLoads,  // time per load: independent loads of flushed lines of few pages
  uncachedStores,  // ns per store: stores to flushed lines of few pages, and nothing else
  flushes,  // ns per line: stored in the L1d word by word, then copied to a random line of memory
  chainsCache,    // time per step: k chases at once in a last-level-size footprint   at: k
  chainsMemory,   // time per step: k chases at once in the largest footprint   at: k
  randomLoads,    // time per load: independent random loads, 2 MiB pages   at: footprint in bytes
  randomUpdates,  // time per update: independent random read-modify-writes   at: footprint in bytes
  streamRead,     // sequential read, ns per 64 bytes
  lastLevelRead,  // sequential read of the last level, ns per 64 bytes   at: footprint
  streamReadAll,  // read by all cores together, ns per 64 bytes of all reads
  streamCopy,     // sequential copy by plain stores, ns per 64 bytes copied
  streamStore,    // sequential streaming stores, ns per 64 bytes
  sameAddressUpdate,  // time per update: read-modify-write of one address through indices
  pairUpdate,         // time per update: of one of two addresses at random, load and store apart
  repeatedUpdate,     // time per update: of one address in a register, load and store apart
  runUpdate,          // time per update: as repeatedUpdate, at addresses in runs
  strayUpdate,        // time per update: as repeatedUpdate, another address after 512 updates
  prefetchedUpdate,   // time per update: as repeatedUpdate, each behind a software prefetch
  floatUpdate,        // time per update: as repeatedUpdate, of a float
  floatSum,           // time per add of a float to a sum in a register
  steadyBranch,       // time per iteration: a branch that always goes the same way
  randomBranch,       // time per iteration: an unpredictable branch
  smallPages,  // time per step: chase of one line in each 4 KiB page, spread over sets   at: pages
  hugePages,   // time per step: chase of one line in each 2 MiB page, spread over sets   at: pages
  fewPagesOfLines,  // time per step: chase of lines side by side in 2 MiB pages   at: lines
  walkChains,       // time per step: k chases over 4 KiB pages past the second TLB   at: k
  walkLoads,     // time per load: the pages of walkChains, loaded all at once   at: bytes of a page
  walkedMisses,  // time per step: k chases over memory in 4 KiB pages   at: k
  setChaseL1,    // time per step: chase of k lines of one set of the first level   at: k
  setChaseL2,    // time per step: chase of k lines of one set of the second level   at: k
  mixedStreams,  // two streams and a random load, ns per step        at: footprint in bytes
  streamsAlone,  // time per step of two streams alone, ns
  pageBegin,     // time of the first 16 lines of a page of a stream, ns   at: number of the page
  pageEnd,       // time of the last 16 lines of a page of a stream, ns    at: number of the page
  randomAlone,   // random loads alone, ns per step                   at: footprint in bytes
  teamRound,     // time of a round of awake threads beside its work, ns   at: number of threads
  teamWake,      // time of a round of sleeping threads beside its work, ns   at: number of threads
  lineTransfer,  // time per step of a chase of lines that another core has written, ns
  nodeChase,     // time per step: chase over memory of one node on another   at: node_pair()
  nodeRead,  // read by all cores of a node of another's memory, ns per 64 bytes   at: node_pair()
};

struct SeriesKey {
  Quantity quantity{};
  uint64_t at = 0;
  auto operator<=>(const SeriesKey&) const = default;
};

// The parameter of a series that cores of one memory node take in the memory of another, by the
// nodes' numbers, both below 1024.
constexpr uint64_t node_pair(size_t cores, size_t memory) {
  return uint64_t{cores} << 10 | memory;
}

// Footprint, bytes, at which random accesses to memory are compared. The times grow with the
// footprint, so all probes that have room for it use this one.
inline constexpr uint64_t kReferenceFootprint = uint64_t{256} << 20;

// Updates of a counter in a row that Quantity::runUpdate and strayUpdate time, before another one.
inline constexpr int kRunOfUpdates = 512;

// Pages of 4 KiB that a stream of Quantity::pageBegin and pageEnd goes through. Their entries in
// the page table share a cache line; a page beyond them begins with a page walk to memory.
inline constexpr uint64_t kStreamPages = 8;

// Most pointer chases that a workload runs at the same time.
inline constexpr int kMostChains = 32;

using Samples = std::map<SeriesKey, std::vector<Slice>>;

struct Estimate {
  double value_ns = 0;     // median over the slices, ns
  double uncertainty = 0;  // relative half-width of the median's 95 % interval (spread.h)
  double core_ns = 0;      // median of the slices at the probe's median clock: for times in cycles
  double core_uncertainty = 0;  // relative half-width of the 95 % interval of core_ns
  // 10th percentile of the slices, ns: for times that neighbours can only lengthen
  double best_ns = 0;
  double half_range = 0;  // spread of the slices: (95th - 5th percentile) / (2 median)
  int slices = 0;         // number of slices that the estimate uses
  int quiet = 0;          // number of slices used that were taken on a quiet core
  int passes = 0;         // number of passes that the used slices come from
};

using Estimates = std::map<SeriesKey, Estimate>;

// Cycles per independent add (crowding) on a quiet core: the 5th percentile over all slices.
double quiet_crowding(const Samples& samples);

// A slice counts as quiet when nothing preempted it and its crowding before and after is within
// 10 % of the quiet one: a busy sibling costs 1.5 to 2 times.
inline constexpr double kQuietTolerance = 1.1;
bool is_quiet(const Slice& slice, double quiet_crowding);

// Estimates a series from its quiet slices if there are at least kEnoughQuiet, otherwise from the
// kEnoughQuiet quietest ones. Requires: slices not empty
inline constexpr int kEnoughQuiet = 3;
Estimate estimate(const std::vector<Slice>& slices, double quiet_crowding, double cycle_ns);

// Estimates all series. addLatency and independentAdds have no slices of their own: they come from
// the core's state around the slices of the other series.
Estimates estimate_all(const Samples& samples);

int pass_count(const Samples& samples);  // number of passes of the probe that took the samples

// Estimates each pass from its own quiet slices; where a pass has no slice of a series, the
// estimate of `whole` stands in.
std::vector<Estimates> estimate_passes(const Samples& samples, const Estimates& whole);

}  // namespace presort::probe
