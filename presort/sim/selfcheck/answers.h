// Runs a pointer chase one load at a time and tells which cache level and which TLB level answered
// each load, and how long the load took, by the counts before and after it.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "presort/sim/hierarchy.h"
#include "presort/sim/trace/access.h"

namespace presort::inline v0::sim {

struct Answer {
  // Index of the cache level that had the line; the number of levels: memory had it
  size_t cache = 0;
  // Index of the TLB level that had the page's entry; the number of levels: none had it, or there
  // is no TLB
  size_t tlb = 0;
  // True: the load took a page walk. Its reads are counted too, so `cache` has no meaning.
  bool walked = false;
  double cycles = 0;
};

// Runs the records one by one and tells who answered each. Requires: every record is a load that
// depends on the one before
std::vector<Answer> step_through(Hierarchy& hierarchy, double clock_hz, AccessSource& chase);

// Median time of the answers that `wanted` accepts, and their number. A median, because a prefetch
// that guesses right by chance shortens a few loads.
struct Middle {
  double cycles = 0;
  size_t answers = 0;
};
Middle median_cycles(const std::vector<Answer>& answers,
                     const std::function<bool(const Answer&)>& wanted);

}  // namespace presort::sim
