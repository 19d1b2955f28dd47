// Runs the workloads, pass after pass, until the time is used up. Measures only; what the samples
// mean is said in findings.h.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "presort/probe/analysis/samples.h"
#include "presort/probe/host/arena.h"
#include "presort/probe/host/host_nodes.h"
#include "presort/probe/host/topology.h"
#include "presort/probe/load/load_watch.h"
#include "presort/probe/load/quiet_core.h"
#include "presort/probe/workloads/chase.h"
#include "presort/probe/workloads/meter.h"

namespace presort::inline v0::probe {

struct SessionLimits {
  double seconds = 10;  // time for all measurements, making arenas included
  // Largest footprint wanted, bytes; a power of two, at least kLeastArena
  uint64_t arena_bytes = 0;
  uint64_t second_tlb_entries = 2048;  // entries of the second TLB (core_table.cpp)
  std::function<bool()> stop;          // asks to stop once it returns true; may be empty
};
inline constexpr uint64_t kLeastArena = 64 * kMiB;

class Session {
 public:
  using Progress = std::function<void(const std::string& step, double fraction)>;

  Session(const Topology& topology, const SessionLimits& limits, Progress progress);

  // Runs a first pass over all workloads, then as many more as fit into the time, or until
  // `is_enough` says so. The first pass is cut short when the time is over, except that the core,
  // memory's latency and the nearest caches are always measured.
  using IsEnough = std::function<bool(const Samples& samples, int passes)>;
  const Samples& run(const IsEnough& is_enough = {});

  double huge_fraction() const { return huge_fraction_; }
  // Bytes of each arena: as much as could be touched in time
  uint64_t arena_bytes() const { return limits_.arena_bytes; }
  MachineLoad load(const UncrowdedCore& core) const { return watch_.load(core); }

 private:
  void make_arenas();
  void pass();
  void measure_core();
  void measure_uncached();
  void measure_chases();
  void measure_chains(Chain& chain, Quantity quantity);
  void measure_random();
  void measure_streams();
  void measure_page_chases();
  void measure_small_pages();
  void measure_teams();
  void measure_workloads();
  void add(Quantity quantity, uint64_t at, const Slice& slice);
  void report(const std::string& step);
  double elapsed_s() const { return ns_since(start_) * 1e-9; }
  bool is_stopped() const { return limits_.stop && limits_.stop(); }
  bool is_over() const { return is_stopped() || elapsed_s() >= limits_.seconds; }

  SteadyClock::time_point start_ = SteadyClock::now();
  LoadWatch watch_;
  Topology topology_;
  cpu::HostNodes nodes_ = host_nodes();
  SessionLimits limits_;
  Progress progress_;
  QuietCore core_;
  std::unique_ptr<Arena> huge_;
  std::unique_ptr<Arena> small_;
  double huge_fraction_ = 0;
  int pass_ = 0;
  Samples samples_;
};

// Footprints of the chases, bytes: powers of two from 16 KiB to `last_bytes`; from half the size of
// the level before the last on, also the steps by the square root of two between them, in whole
// pages.
std::vector<uint64_t> chase_footprints(const Topology& topology, uint64_t last_bytes);

// Footprints of independent random accesses, bytes, descending powers of two, none above
// `last_bytes`: 16 KiB, half the private caches, cache_chain_footprint, 64 MiB, kReferenceFootprint
// and `last_bytes`.
std::vector<uint64_t> random_footprints(const Topology& topology, uint64_t last_bytes);

// The footprint, bytes, in which chases run over the last cache level: four times the level before
// it, so that few steps hit above it and a guest's part of a shared level is enough.
uint64_t cache_chain_footprint(const Topology& topology);

}  // namespace presort::probe
