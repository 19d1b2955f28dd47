// Operations on files that memory does not hold: multireduce, scatter, gather and histogram of
// labels and values on a block device, with buckets in memory or on the device.
//   multireduce  out[k] = sum of values[j] with labels[j] == k, in the order of j
//   scatter      out[k] = values[j] of the last j with labels[j] == k; 0 where there is none
//   histogram    out[k] = number of j with labels[j] == k
//   gather       out[i] = table[labels[i]]; the table is the file `values`
// Files:    raw little-endian elements of the problem's types, or .npy files of them: labels of n, values of
//           n (gather: of m), out of m (gather: of n)
// Way:      with one part, the inputs stream past buckets in memory. With more, one pass over the
//           inputs distributes them, in their order, to the parts of a spill file; then part by
//           part the plain loop runs on buckets in memory, which are read or written once. A
//           gather's results go to a second spill file, and a last pass over the labels takes them
//           from there in order
// Order:    that of the inputs, so that a result is that of the plain loop, bit by bit
// Memory:   external_memory_bytes(problem, plan), besides some MiB
// Room:     spill file: inputs of spill_bytes() (gather: n labels, and n values); out. Taken before
//           the work, so that a full device is found at once
// Errors:   InputError naming file and reason: unreadable, of a wrong size, cut short while it is
//           read, no room; PlanError for a plan that does not fit; LabelError with the first label
//           that is not below m; EnvironmentError when memory is short; Stopped. Each leaves `out`
//           as it was, and no spill file
// Source:   Eilers 2014, §6.1 (scatter and gather out of core, as future work)
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "presort/core/base/stop.h"
#include "presort/core/plan/external_plan.h"
#include "presort/core/problem.h"
#include "presort/external/transfers/transfers.h"

namespace presort::inline v0::external {

struct ExternalFiles {
  std::string labels;
  std::string values;  // gather: the table; histogram: not used
  std::string out;
  std::string spill_folder;  // empty: the folder of `out`
};

struct ExternalOptions {
  Means means = Means::automatic;
  StopToken stop = {};
};

// Times and bytes of one pass.
struct ExternalPass {
  std::string name;  // "stream", "partition", "parts" or "replay"
  double seconds = 0;
  uint64_t read_bytes = 0;
  uint64_t written_bytes = 0;
};

struct ExternalReport {
  std::string means;       // "io_uring" or "threads"
  bool is_direct = false;  // true: labels, values and spill file were moved past the page cache
  std::vector<ExternalPass> passes;
  double seconds = 0;  // of all, with the opening of files and the last sync
};

// The problem of some files: n by the size of the labels' file, and m, where it is 0 and the
// operation is gather, by that of the table.
// Errors: InputError, also when sizes of files do not fit each other; those of check_problem
Problem external_problem(Problem problem, const ExternalFiles& files);

// Runs an operation on files.
// Requires: the problem is one of external_problem(); its distribution and seed are not used
ExternalReport run_external(const Problem& problem, const ExternalPlan& plan,
                            const ExternalFiles& files, const ExternalOptions& options = {});

}  // namespace presort::external
