// Checks with hardware counters (counters.h) that the probe's workloads did what they are meant to:
// missed the caches and TLBs that they should miss. Pure functions.
#pragma once

#include <string>
#include <vector>

#include "presort/probe/analysis/samples.h"
#include "presort/probe/host/counters.h"

namespace presort::inline v0::probe {

// One expectation of a workload that hardware counters can confirm.
struct CounterCheck {
  std::string what;    // the expectation: "lastLevelMisses a step of a chase over flushed lines"
  double counted = 0;  // events counted per operation: median of the slices
  double least = 0;    // events per operation that are expected at least
  double most = 0;
  std::string doubtful;  // key of the value in doubt when the count is too small: "memory.latency"
  bool holds() const { return least <= counted && counted <= most; }
};

// Checks the expectations for which there are slices with counts.
// Requires: huge_fraction is the part of the memory that lies on 2 MiB pages
std::vector<CounterCheck> check_counters(const Samples& samples, double huge_fraction);

// A sentence for each expectation of the counters that does not hold.
std::vector<std::string> warnings_of(const std::vector<CounterCheck>& checks);

// Summary of the counters for the provenance: "none", or "3 of 4 agree".
std::string summary_of(const std::vector<CounterCheck>& checks);

}  // namespace presort::probe
