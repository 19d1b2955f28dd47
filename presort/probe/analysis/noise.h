// Counts what disturbed a probe, and words warnings. Pure functions.
#pragma once

#include <string>
#include <vector>

#include "presort/probe/analysis/samples.h"
#include "presort/probe/probe.h"

namespace presort::inline v0::probe {

struct Noise {
  size_t slices = 0;
  size_t quiet = 0;
  size_t preempted = 0;  // number of slices in which the system took the core away
  // Relative spread of the core's cycle: 95th percentile / 5th percentile − 1
  double clock_spread = 0;
  // spread of the latency and bandwidths of the last cache level and memory (repeatability.h)
  double shared_spread = 0;
};

Noise noise_of(const Samples& samples, const std::vector<std::vector<ProbeValue>>& passes);

// One sentence for each disturbance: most slices on a core that others used; a clock that moved by
// more than 3 %; latencies or bandwidths of shared parts that moved by more than 15 % between
// passes.
std::vector<std::string> warnings_of(const Noise& noise);

// Counts of slices and passes for the provenance: "slices", "slices.quiet", "slices.preempted",
// "passes", "clockSpread".
std::vector<std::pair<std::string, std::string>> provenance_of(const Noise& noise, int passes);

}  // namespace presort::probe
