// Runs a problem with a plan on real memory and times it; the types of the problem are dispatched
// here to the kernel templates.
#pragma once

#include <memory>
#include <vector>

#include "presort/core/labels/labels.h"
#include "presort/core/measurement.h"
#include "presort/core/plan/cpu_plan.h"
#include "presort/core/problem.h"
#include "presort/cpu/nodes/place_pages.h"

namespace presort::inline v0::cpu {

// Bytes that a run needs in all: inputs, results, buckets, scratch, padding; kUncountable for 2^64
// or more (core/base/checked.h). With `check`, the oracle's results and buckets too.
// Errors: EnvironmentError naming n and m when the scratch alone is 2^64 bytes or more; PlanError
uint64_t required_bytes(const Problem& problem, const CpuPlan& plan, bool check);

// Checks that `bytes` bytes of memory are available for runs of the problem.
// Errors: EnvironmentError naming the problem's n and m, the bytes and what is available
void require_memory_for(const Problem& problem, uint64_t bytes);

// The arrays of one problem in memory of one page size, ready to be run with any plan of that page
// size; so that plans are compared on the same memory.
class Runner {
 public:
  // Allocates memory, faults it in, and generates labels and values. cpus: as in use_cpus.
  // Requires: labels are those of the problem
  // Errors:   EnvironmentError naming n, m and the bytes when the machine has not enough memory,
  //           before allocating; Stopped once `stop` asks for it
  Runner(const Problem& problem, PageSize page_size,
         const std::shared_ptr<const LabelSource>& labels, uint64_t scratch_bytes,
         std::vector<int> cpus = {}, StopToken stop = {});
  ~Runner();
  Runner(Runner&&) noexcept;
  Runner& operator=(Runner&&) noexcept;

  // From the next run on, each thread of a plan with several threads runs on one of `cpus`, if
  // there are as many; otherwise where the system puts it. Threads are started before the timing begins.
  void use_cpus(std::vector<int> cpus);

  // From the next run on, threads are dealt out to the host's memory nodes, on CPUs of theirs
  // rather than those of use_cpus(), and the arrays lie where the plan's `placement` says: they are
  // moved before the first run of a plan. Without several nodes nothing changes.
  // Requires: called before the first run
  void use_nodes(HostNodes nodes);

  // Bytes of scratch that a plan needs for the runner's problem.
  // Errors: EnvironmentError naming n and m for 2^64 or more; PlanError
  static uint64_t scratch_bytes(const Problem& problem, const CpuPlan& plan);

  // Makes one timed run. Returns ns per input, without allocation, first touch and initialisation.
  // Errors: PlanError when the plan does not fit, or its page size or scratch is not this runner's;
  //         EnvironmentError when its threads cannot be started
  double run_once(const CpuPlan& plan);

  // Time, ns per input, of the last initialisation of the m buckets; 0 if the operation only reads
  // buckets.
  double initialise_ns_per_input() const;

  // Runs the plan and compares all results and buckets with the plain loop. False when any differs.
  bool check(const CpuPlan& plan);

  // Bytes of the problem's arrays that lie in huge pages, as the operating system accounts for them; 0
  // with 4 KiB pages.
  uint64_t huge_page_bytes() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// Makes `reps` timed runs after one to warm up. With `check` the first is compared with the plain
// loop, and `checked` says whether all is equal. cpus: as for a Runner.
// Errors: EnvironmentError when the machine has not enough memory, before allocating
Measurement measure(const Problem& problem, const CpuPlan& plan,
                    const std::shared_ptr<const LabelSource>& labels, int reps, bool check,
                    const std::vector<int>& cpus = {});

}  // namespace presort::cpu
