// --set: one value of a machine changed, for what-if questions.
#pragma once

#include <string>
#include <vector>

#include "presort/core/machine/machine.h"

namespace presort::inline v0::app {

// Changes a machine by "cpu.caches.L2.size=2MiB", "memory.latency=90ns": every key of the machine file
// (docs/reference/machine-keys.md). Items of lists are named ("cpu.caches.L2",
// "cpu.prefetchers.L2.stream") or counted from 0 ("cpu.prefetchers[1]"). Besides,
// "cpu.siblings=busy": half of each core, or what one of its threads has while the others work
// (core/machine/shared_core.h).
// Errors: InputError for an unknown key or level (with the nearest), a bad value, and for geometry
//         that contradicts itself
void set_machine_value(Machine& machine, const std::string& assignment);

// The keys that --set accepts, with items of lists by name. Keys of sections that the machine does
// not have are left out.
std::vector<std::string> settable_keys(const Machine& machine);

}  // namespace presort::app
