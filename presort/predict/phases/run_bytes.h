// How much memory one run of a plan touches. A prediction is of a run that follows one like it, as timed
// runs do: an array that the run before has touched is still in the caches if all that was touched since
// fits them. Between two uses of an array lies at most all that a run touches.
#pragma once

#include <cstdint>
#include <vector>

#include "presort/core/machine/machine.h"
#include "presort/core/problem.h"
#include "presort/cpu/plan/phase_spec.h"

namespace presort::inline v0::predict {

// Bytes between two uses of an array of which nothing is left in the caches
inline constexpr uint64_t kFromMemory = ~uint64_t{0};

// Bytes that a run of the phases touches: inputs, results, the output of each pass of a pre-sort, and
// buckets, of which each input touches at most one cache line.
uint64_t run_bytes(const Problem& problem, const std::vector<cpu::PhaseSpec>& phases);

// The most bytes of a run of which the caches of a machine keep something: what the last level holds. Of
// runs that touch up to twice as much, a level with random replacement would keep a part; processors
// keep less: with that part the recorded plans were predicted worse (90 % below 22.2 % -> 22.9 % on
// golden-cove-vm, 22.9 % -> 23.7 % on emerald-rapids-host, 2026-11-25, presort validate --model
// --confirm). 0 where a block device lies below the memory: its page cache is simulated from its first
// access on.
uint64_t most_kept_bytes(const Machine& machine);

// True if setting the buckets, which a caller does before each run, leaves nothing in the caches of
// what the run before has touched, popular buckets included: they are more than the whole last
// level, whoever shares it. Of fewer buckets the caches keep a part that depends on the neighbours;
// the buckets that were set last stand in for it. Measured:
// docs/results/notebook/draws-caches.md, "Buckets set before a run"
bool setting_buckets_empties_caches(const Machine& machine, const Problem& problem);

// The most bytes of a run of which caches keep something, for two kinds of arrays.
struct MostKept {
  uint64_t of_call = 0;    // arrays that the caller passes, last used in the run before
  uint64_t of_passes = 0;  // output of a pass, which a later phase of the same run reads
};
MostKept most_kept(const Machine& machine, const Problem& problem);

}  // namespace presort::predict
