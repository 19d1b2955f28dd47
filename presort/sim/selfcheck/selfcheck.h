// Checks whether the simulator reproduces the values of a machine file. Latency means load-to-use:
// each item replays a pointer chase, or a stream of reads, on a simulated machine as a benchmark
// would on a real one, and compares the replay's time with the value in the machine file.
//
//   cache level    chase over a footprint that the level holds and those above do not: the time of
//                  the loads that it answered
//   TLB level      chase over lines that the first cache level holds, on more pages than the TLB
//                  levels above hold: how much longer a hit in this level takes than one in the
//                  first
//   memory         chase over lines never used before, each in another row: a row miss; then again
//                  over other lines of the row just opened: a row hit
//   one core       independent loads of memory never used before, or streaming stores of whole
//                  lines, in 1, 2, 4 or 8 streams on the largest pages: the most that any of them
//                  moves against memory.perCoreBandwidth, where the file has it
//
// Prefetchers stay on: the orders of the chases are random, so that they find nothing to prefetch.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "presort/core/machine/machine.h"

namespace presort::inline v0::sim {

inline constexpr double kLatencyTolerance = 0.01;
// Relative tolerance for one core's bandwidth. Every prefetcher of the simulator stops at the end
// of a 4 KiB page, and on the next one the first lines come from memory without its help; real
// cores reach what the files say in spite of that.
inline constexpr double kBandwidthTolerance = 0.2;

struct SelfCheckItem {
  std::string name;  // name of the checked item: "L2", "STLB 4KiB", "memory, row hit", …
  std::string unit;  // unit of the item's values: "cy", "ns", "GB/s"
  double asked = 0;
  double found = 0;
  // Tolerance relative to `asked`, the machine file's value; latencies get 0.01 cycles more
  double tolerance = 0;
  // Loads behind the value; 0: no footprint isolates the item, so it is not checked
  uint64_t answers = 0;
  double slack = 0;  // absolute tolerance, in the item's unit

  // Difference of measured and asked value, relative to `asked`; 0 when both are 0
  double error() const;
  bool holds() const;
};

// Checks every item that a machine file has. Takes about a second.
// Requires: find_machine_problem(machine) is empty
std::vector<SelfCheckItem> self_check(const Machine& machine, uint64_t seed = 1);

}  // namespace presort::sim
