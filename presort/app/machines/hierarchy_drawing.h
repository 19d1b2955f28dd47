// A drawing, as text, of a machine's memory hierarchy.
#pragma once

#include <string>

#include "presort/core/machine/machine.h"

namespace presort::inline v0::app {

// Draws boxes from the core down to the memory (and a block device). Each arrow has the latency of
// the box that it leads to, in cycles and ns, the number of misses that may be outstanding, and the
// prefetchers that watch the level above. Below the boxes stands address translation: TLBs,
// walkers, and the level that page walks read first. Plain ASCII, at most 100 columns for ordinary
// names.
std::string draw_machine(const Machine& machine);

}  // namespace presort::app
