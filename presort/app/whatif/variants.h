// Reads what a comparison compares: several machines, or variants of one machine with changed
// values. Pure functions.
#pragma once

#include <string>
#include <vector>

#include "presort/core/machine/machine.h"
#include "presort/tuner/plan_space.h"

namespace presort::inline v0::app {

struct Variant {
  std::string label;  // name of the variant: the machine's name, or the value that was set
  Machine machine;
  tuner::PlanSpace space;  // the plans to try on the machine
};

struct Variants {
  std::string swept;  // key whose values are compared; "": several machines are compared
  std::vector<Variant> items;
};

// Reads two or more machines, compared as they are; or one machine and changes, each "KEY=VALUE" as
// in app/machines/machine_override.h:
//   changes of one value   the machine, and its copy with all changes
//   one of several values  cpu.caches.L2.size=1MiB,2MiB,4MiB: a copy for each value, with all other
//                          changes; a comma inside brackets or braces does not part values
// plan.KEY=VALUE sets, instead of a value of the machine, the values of a plan key
// (core/plan/plan_keys.h) that are tried: plan.pageSize=4KiB,2MiB, plan.threads=1,2,4; in brackets,
// several values that are tried on each, plan.sortBits=[0,8].
// Errors: InputError for any other number of machines, several values of two keys, a key without
//         values, more threads than cores, and what the keys themselves refuse
Variants read_variants(const std::vector<Machine>& machines,
                       const std::vector<std::string>& changes);

}  // namespace presort::app
