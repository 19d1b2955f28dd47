// --set: changes one value of a machine, for what-if questions.
#pragma once

#include <string>
#include <vector>

#include "presort/core/machine/machine.h"

namespace presort::inline v0::app {

// Changes one value of a machine: "cpu.caches.L2.size=2MiB", "memory.latency=90ns". Accepts every
// key of the machine file (docs/reference/machine-keys.md); items of lists by name
// ("cpu.caches.L2", "cpu.prefetchers.L2.stream") or by number from 0 ("cpu.prefetchers[1]"). In
// addition "cpu.siblings=busy" leaves each core what one of its hardware threads has while the
// others work (core/machine/shared_core.h).
// Errors: InputError for an unknown key or level (with the nearest), a bad value, and for cache
//         geometry that contradicts itself
void set_machine_value(Machine& machine, const std::string& assignment);

// The keys that --set accepts, with items of lists by name. Keys of sections that the machine does
// not have are left out.
std::vector<std::string> settable_keys(const Machine& machine);

}  // namespace presort::app
