// Draws a problem and its plans at random, out of all that is legal.
#pragma once

#include <vector>

#include "presort/app/validate/draw/dice.h"
#include "presort/core/plan/cpu_plan.h"
#include "presort/core/problem.h"

namespace presort::inline v0::app {

// A random problem: any operation, n from 2^16 to 2^27, m from 2^4 to 2^28 (one in four a power of
// two), any types that the operation takes, any kind of labels but a file's, with parameters of a
// wide range.
Problem draw_problem(Dice& dice);

// Random plans of a problem, all with the same page size and number of threads: the plain loop, the
// loop that fetches its buckets and inputs, two pre-sorts, and one more plan, a pre-sort or another
// loop, with random values for each key that is valid. Fewer plans where the operation has no
// others. `threads`: most threads; half of the problems have one. Plans differ from each other; the
// first is without a pre-sort.
std::vector<CpuPlan> draw_plans(const Problem& problem, int threads, Dice& dice);

}  // namespace presort::app
