// Chooses the plan for a problem: from a tuned table if it has a similar problem, otherwise by
// rule.
// Errors: none. Allocates nothing that grows with the problem. Reads every entry of the table once,
//         and once more for each kind of distribution and types tried (mostly one): 2 µs for a
//         table of 100 entries
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "presort/core/choice/cache_sizes.h"
#include "presort/core/plan/cpu_plan.h"
#include "presort/core/plan/tuned.h"
#include "presort/core/problem.h"

namespace presort::inline v0 {

struct PlanChoice {
  CpuPlan plan;
  Problem problem;  // the problem that the plan was chosen for
  // Problem of the tuned entry that gave the plan; no value: the plan is by rule
  std::optional<Problem> entry;
  // True when the table's entry and the problem have the same types, n, m and distribution.
  bool exact() const {
    return entry && entry->types == problem.types && entry->n == problem.n &&
           entry->m == problem.m && entry->distribution == problem.distribution;
  }
};

// Chooses an entry of the same operation: the nearest distribution first, then the nearest types,
// then the sizes as find_entry does (core/plan/tuned.h). The next nearest kinds follow as long as
// no plan can run the problem.
//   distributions  the same kind, nearest parameter. Labels of weak skew or short runs are nearer
//                  to uniform ones (zipf:0, clustered:1) than to entries of strong skew or long
//                  runs; permutation and uniform, sequential and sorted, zipf and zipf-contiguous
//                  stand in for each other. Others do not count.
//   types          the same, others of the same widths, others
//   extra          what a call of the plan takes beside its own time, such as fresh scratch. The
//                  entry's best plan without a pre-sort is taken if it is faster with that, as far
//                  as the entry says how long both take; by rule, if the pre-sort gains less
using ExtraNs = std::function<double(const CpuPlan&)>;  // extra time of a plan's call, ns an input
PlanChoice choose_plan(const Tuned& tuned, const Problem& problem, const CacheSizes& caches,
                       const ExtraNs& extra = {});

// The plan by rule, without a table and extra times: the plain loop, its inputs fetched ahead,
// while the buckets that are in use fit the caches that a core has for itself. Up to a few times that
// size, and while they fit the part of a shared cache that can be counted on
// (core/choice/cache_sizes.h), buckets are prefetched too. Larger buckets get a pre-sort, into chunks
// where the operation has no results in the order of the inputs.
// Requires: caches.private_bytes > 0
CpuPlan plan_by_rule(const Problem& problem, const CacheSizes& caches);

// Bytes of a chunk for a pre-sort by `bits` bits, which needs no histogram when parts are chains of
// chunks: 64 KiB, or less, so that the first chunks of all parts together take at most a quarter of
// the inputs. 0: such small chunks are not worth it, or the operation needs a histogram.
uint64_t chunk_bytes_by_rule(const Problem& problem, int bits);

}  // namespace presort
