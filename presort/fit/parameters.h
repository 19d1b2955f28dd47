// The parameters that are fitted: a few numbers of a machine, each with its bounds.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "presort/core/machine/machine.h"

namespace presort::inline v0::fit {

enum class Kind {
  linear,  // latency; a chase's time depends on it linearly
  ratio,   // real number, searched by multiplying and dividing
  count,   // whole number, searched by multiplying and dividing
  choice,  // index of a row of a table; every row is tried
};

struct Parameter {
  std::string name;  // name: key of the machine file, levels by name, "cpu.caches.L3.share"
  Kind kind = Kind::ratio;
  double low = 0;
  double high = 0;
  std::function<double(const Machine&)> get;
  std::function<void(Machine&, double)> set;
  std::function<std::string(double)> show;
};

// Latencies in cycles, in the order of CellOutcome::uses: cache levels, memory, TLB levels. The
// bounds are half and twice the machine's value; for TLB levels, 0 and 30 cycles above the
// machine's value. The latency of the first TLB level is not fitted (its bounds are equal): it
// cannot be told from that of the L1.
std::vector<Parameter> latency_parameters(const Machine& machine);

// Parameters of the geometry: for each cache level but the first, the usable part of the capacity (share)
// and the replacement policy; the entries of the page-directory cache; the kind of frames.
std::vector<Parameter> geometry_parameters(const Machine& machine);

// Parameters of prefetching, at most three: degree and distance of the last prefetcher, and
// perCoreBandwidth, which is what a stream gets when its prefetcher hides the latency. None for a
// machine without prefetchers.
std::vector<Parameter> prefetch_parameters(const Machine& machine);

}  // namespace presort::fit
