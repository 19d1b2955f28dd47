// Published rules that compute, from the problem and at most one cache size, into how many ranges
// of labels to cut a problem. Pure functions.
#pragma once

#include <span>
#include <string>

#include "presort/core/machine/machine.h"
#include "presort/core/plan/cpu_plan.h"
#include "presort/core/problem.h"

namespace presort::inline v0::app {

// Rule of the thesis for the number of parts: sort by the top log2 m − 18 bits from m = 2^21 on,
// else not at all.
// Source: Eilers 2014, §2.4
double thesis_parts(const Problem& problem);

// Cut the buckets so that those of one traversal take 0.4 of the L2:
//   S = ⌈M · m · e / (0.4 · L2 · R)⌉,  1 if n < m
//   M = max(1, T / min(T, m / 2))    tables of all threads together
//   R = max(1, 0.75 · f / (64 / e))  lines that hold several buckets, at a race factor f
// Reading of the rule for a CPU: with T = 1 thread M is 1; f is 1 (nothing known of the labels), so
// R is 1 for values of up to 64 bytes; L2 is the cache of that name, or the second level, or the
// last one; and the S traversals, each of the buckets of one range, are a pre-sort into S parts.
// Source: Henriksen, Hellfritzsch, Sadayappan, Oancea, "Compiling Generalized Histograms for GPU",
//         SC'20, for histograms in global memory; the constants are those of Futhark's compiler
double futhark_parts(const Problem& problem, const Machine& machine);

struct Rule {
  const char* name;
  const char* text;
  double (*parts)(const Problem& problem, const Machine& machine);
};
std::span<const Rule> rules();

// Number of ranges of labels that a plan cuts a problem into.
double parts_of(const CpuPlan& plan);

// Index of the plan that comes nearest to a rule's number of parts: a plan without a pre-sort if
// parts <= 1, otherwise the pre-sort with the nearest ratio of parts. Of equally near plans, first
// those with 2 MiB pages, then those without prefetch, then the first. -1: there is none.
ptrdiff_t plan_of_parts(std::span<const CpuPlan* const> plans, double parts);

}  // namespace presort::app
