// A machine's memory hierarchy as text: what an access meets on its way.
#pragma once

#include <string>

#include "presort/core/machine/machine.h"

namespace presort::inline v0::app {

// Boxes from the core down to the memory (and a block device), each arrow with the latency of what
// it leads to, in cycles and ns, the misses that may wait on it at a time, and the prefetchers that
// watch the level above it; below, the translation: TLBs, walkers, and where walks enter. Plain
// ASCII, at most 100 columns for ordinary names.
std::string draw_machine(const Machine& machine);

}  // namespace presort::app
