// Findings about the machine, made from samples. Pure functions, from estimates to numbers.
#pragma once

#include <optional>
#include <vector>

#include "presort/probe/analysis/curve.h"
#include "presort/probe/analysis/samples.h"
#include "presort/probe/host/topology.h"

namespace presort::inline v0::probe {

struct Found {
  double value = 0;
  double uncertainty = 0;  // relative half-width of the estimate
};

// The difference a - b of independent measurements, at least 0; a difference of 0 is uncertain by all of it.
Found difference(const Found& a, const Found& b);

struct LevelFinding {
  AnnouncedCache cache;  // the cache as the system announces it, or else as the curve shows
  Found latency_ns;      // load-to-use latency, translation left out as far as it is known
  bool reached = true;   // whether a footprint larger than the level above reached it; otherwise
                         // there is no latency
};

// Any finding that was not measured (the time was too short, the machine cannot do it) is empty.
struct Findings {
  Found cycle_ns;                    // time of one dependent add, a cycle
  std::vector<LevelFinding> levels;  // cache levels, nearest first, never empty
  Capacity last_capacity;            // effective bytes of the last level; 0: beyond the footprints
  Found memory_latency_ns;           // load-to-use, no TLB miss where lines can be flushed
  std::optional<Found> overlap_memory;    // overlap: chase / independent loads, largest footprint
  std::optional<Found> overlap_cache;     // chase / independent loads in last-level-size memory
  std::optional<Found> overlap_uncached;  // overlap: chase / independent loads, over flushed lines
  std::optional<Found> overlap_stores;    // overlap: chase of flushed lines / stores to them
  std::optional<Found> overlap_walked;    // chase / many chases of kReferenceFootprint, 4 KiB
  std::optional<Found> second_tlb_ns;     // latency that a hit in the second TLB adds, ns
  std::optional<Found> store_forward_ns;  // from a store to its dependent load, the add taken off
  std::optional<Found>
      repeated_forward_ns;  // store to dependent load of repeatedUpdate, the add taken off
  std::optional<Found> branch_miss_ns;  // time to refill the pipeline after a missed branch
  std::optional<Found> issue_width;     // independent adds per cycle
  std::optional<Found> page_walk_ns;    // largest cost of a page chase: see translation_cost
  std::optional<Found> walk_huge_ns;    // chase of kReferenceFootprint less memory's latency
  std::optional<Found>
      walk_small_ns;  // ns: kReferenceFootprint chased in 4 KiB pages, less memory's
  std::optional<Found>
      read_gbs;  // GB/s that one core reads; its prefetchers' distance may limit them
  std::optional<Found> last_level_read_gbs;  // GB/s read in order from the last level
  std::optional<Found>
      second_level_write_gbs;          // bandwidth of the write-backs of random updates in the
                                       // second level
  std::optional<Found> most_core_gbs;  // most GB/s that one core was seen to move in any workload
  std::optional<Found> read_all_gbs;
  std::optional<Found> copy_gbs;
  std::optional<Found> streaming_store_gbs;
  std::vector<std::string> warnings;
};

// Errors of find: EnvironmentError when not even the core and the nearest caches were measured
Findings find(const Estimates& estimates, const Topology& topology);

}  // namespace presort::probe
