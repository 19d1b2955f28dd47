// Workloads beyond latency and bandwidth: tlb.cpp, walks.cpp, sets.cpp, streams.cpp,
// stream_pages.cpp, flushes.cpp, team.cpp, transfer.cpp, nodes.cpp. They measure only; what the
// slices mean is said in tlb_reach.h, walkers.h, ways.h, stream_pages.h and findings.h.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "presort/cpu/nodes/place_pages.h"
#include "presort/probe/analysis/samples.h"
#include "presort/probe/host/arena.h"
#include "presort/probe/host/topology.h"

namespace presort::inline v0::probe {

using AddSlice = std::function<void(Quantity quantity, uint64_t at, const Slice& slice)>;

// The arenas and topology that workloads use, and where their slices go.
struct Bench {
  Arena& huge;
  Arena& small;
  const Topology& topology;
  uint64_t second_tlb_entries;  // entries of the second TLB in the core's row (core_table.cpp)
  AddSlice add;
  cpu::HostNodes nodes = {};  // memory nodes of the host
};

// Numbers of pages from `first` to `last`, four to a doubling, ascending, both ends included.
std::vector<uint64_t> page_counts(uint64_t first, uint64_t last);

// Size, bytes, of the cache level before the last one: what a core has to itself.
uint64_t private_cache_bytes(const Topology& topology);

// Quantity::smallPages, hugePages, fewPagesOfLines: chases of one line per page over more and more
// pages, and of as many lines side by side. Lines are spread evenly over the sets of the first
// level and stay within half the private caches.
void measure_tlb_reach(const Bench& bench);

// Quantity::walkChains: k independent chases over twice as many pages as the second TLB has
// entries, so that each step takes a page walk; the lines and the page tables fit the private
// caches. Quantity::walkLoads: loads of these lines, in pages of either size, whose addresses are
// known ahead.
void measure_walks(const Bench& bench);

// Quantity::setChaseL1, setChaseL2: chases over k lines of one set.
void measure_sets(const Bench& bench);

// Quantity::mixedStreams, streamsAlone, randomAlone: two arrays read in order, 4 + 4 bytes a step,
// and one random load a step, together and each alone.
void measure_mixed_streams(const Bench& bench);

// Sizes of the teams that are timed on so many CPUs: powers of two from 2 on, and all CPUs; none for
// a single CPU.
std::vector<size_t> team_sizes(size_t cpus);

// Quantity::pageBegin, pageEnd: streams of kStreamPages pages of 4 KiB at random places.
void measure_stream_pages(const Bench& bench);

// Quantity::flushes: lines that were just stored, copied to random lines of the arena of 2 MiB
// pages by loads that are wider than those stores.
void measure_flushes(const Bench& bench);

// Quantity::teamRound, teamWake: rounds of a team of threads, each on a CPU of its own. The caller
// may run on any CPU, as that of a timed run does. Larger teams than the system allows are left out.
void measure_team(std::span<const int> cpus, const AddSlice& add);

// Quantity::lineTransfer: a chase of lines that another CPU has just written, as many as fit a quarter
// of its private caches. Nothing on a single CPU.
void measure_line_transfer(const Bench& bench);

// Quantity::nodeChase, nodeRead: for each pair of memory nodes, a chase by a core of one, and reads
// by all its cores, of memory that is bound to the other. Nothing with one node, and nothing of a
// pair where the system does not bind memory or allow the threads.
void measure_nodes(const Bench& bench);

// Footprints of the random loads beside streams: half the private caches, four times them (the last level),
// and half of kReferenceFootprint (memory); powers of two, those that half an arena has room for.
std::vector<uint64_t> mixed_footprints(const Topology& topology, uint64_t arena_bytes);

}  // namespace presort::probe
