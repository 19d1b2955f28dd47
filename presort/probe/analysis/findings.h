// Findings about the machine, made from samples. Pure functions, from estimates to numbers.
#pragma once

#include <optional>
#include <vector>

#include "presort/probe/analysis/samples.h"
#include "presort/probe/analysis/structure/curve.h"
#include "presort/probe/host/topology.h"

namespace presort::inline v0::probe {

struct Found {
  double value = 0;
  double uncertainty = 0;  // relative half-width of the 95 % interval of the value
};

// The difference a - b of two independent measurements, at least 0. A difference of 0 has an
// uncertainty of 100 %.
Found difference(const Found& a, const Found& b);

struct LevelFinding {
  // Cache as the system announces it; otherwise as the latency curve shows it
  AnnouncedCache cache;
  Found latency_ns;     // load-to-use latency, translation left out as far as it is known
  bool reached = true;  // false: no footprint exceeded the level above, so there is no latency
};

// Any finding that was not measured (the time was too short, the machine cannot do it) is empty.
struct Findings {
  Found cycle_ns;                    // time of one dependent add, which is one cycle
  std::vector<LevelFinding> levels;  // cache levels, nearest to the core first, never empty
  // Effective capacity of the last cache level; 0: no footprint exceeded it
  Capacity last_capacity;
  // Load-to-use latency of memory; without TLB misses if lines can be flushed
  Found memory_latency_ns;
  // Loads to memory that overlap: time of a chase / of independent loads, largest footprint
  std::optional<Found> overlap_memory;
  // Loads from the last cache level that overlap: time of a chase / of independent loads
  std::optional<Found> overlap_cache;
  // Loads of flushed lines that overlap: time of a chase / of independent loads
  std::optional<Found> overlap_uncached;
  // Stores to flushed lines that overlap: time of a chase / of independent stores
  std::optional<Found> overlap_stores;
  // Time of a flush of a line that was just stored, to a random line of memory
  std::optional<Found> flush_ns;
  // Loads behind page walks that overlap: time of one chase / of many at once, kReferenceFootprint,
  // 4 KiB pages
  std::optional<Found> overlap_walked;
  std::optional<Found> second_tlb_ns;  // latency that a hit in the second TLB adds to a load, ns
  // Time from a store to the load that depends on it, less one add
  std::optional<Found> store_forward_ns;
  // Like store_forward_ns, for an address in a register (Quantity::repeatedUpdate)
  std::optional<Found> repeated_forward_ns;
  // Updates of one address in a row before the next ones take repeated_forward_ns
  std::optional<Found> repeated_forward_after;
  // Updates of one address in a row before the next ones take repeated_forward_ns, where a single
  // update of another address came before
  std::optional<Found> repeated_forward_after_strays;
  // Like repeated_forward_ns, behind software prefetches (Quantity::prefetchedUpdate)
  std::optional<Found> prefetched_forward_ns;
  // Time from a store of a float to the result of the add that takes it, less one cycle
  std::optional<Found> float_forward_ns;
  // Latency of an add of floats
  std::optional<Found> float_add_ns;
  std::optional<Found> branch_miss_ns;  // time to refill the pipeline after a missed branch
  std::optional<Found> issue_width;     // independent adds that the core does per cycle
  // Time that a page walk adds: largest value of translation_cost (curve.h)
  std::optional<Found> page_walk_ns;
  // Time that a page walk adds for 2 MiB pages: chase of kReferenceFootprint less memory_latency_ns
  std::optional<Found> walk_huge_ns;
  // Page walk of 4 KiB pages: chase of kReferenceFootprint less memory_latency_ns
  std::optional<Found> walk_small_ns;
  std::optional<Found>
      read_gbs;  // GB/s that one core reads from memory; the reach of its prefetchers may limit it
  // GB/s that one core reads in order from the last cache level
  std::optional<Found> last_level_read_gbs;
  std::optional<Found> second_level_write_gbs;  // GB/s of write-backs into the second level
  // Highest GB/s of one core to memory: reads, streaming stores or random updates
  std::optional<Found> most_core_gbs;
  std::optional<Found> read_all_gbs;
  std::optional<Found> copy_gbs;
  // Pages in a row that a stream goes through before the prefetchers follow it into the next one
  // (Prefetcher::crosses_after); 0: they begin every page anew
  std::optional<int> streams_cross_after;
  std::optional<Found> streaming_store_gbs;
  std::vector<std::string> warnings;
};

// Finds what estimates tell about the machine.
// Errors: EnvironmentError when not even the core and the nearest caches were measured
Findings find(const Estimates& estimates, const Topology& topology);

}  // namespace presort::probe
