// --set: one value of a machine changed, for what-if questions.
#pragma once

#include <string>
#include <vector>

#include "presort/core/machine/machine.h"

namespace presort::inline v0::app {

// "cpu.caches.L2.size=2MiB", "memory.latency=90ns": the keys of the machine file, where a cache or
// TLB level is named instead of counted. Besides, "cpu.siblings=busy": half of each core, or what
// one of its threads has while the others work (core/machine/shared_core.h).
// Errors: InputError for an unknown key or level (with the nearest), a bad value, and for geometry
//         that contradicts itself
void set_machine_value(Machine& machine, const std::string& assignment);

std::vector<std::string> settable_keys(const Machine& machine);

}  // namespace presort::app
