// The provenance of a machine file: free text, and of a probe what it says of each value.
//   provenance:
//     source: probe
//     date: 2026-11-21
//     probed:     # keys by name, as in --set; docs/reference/machine-keys.md
//       cpu.clock: {uncertainty: 2%, quality: good}
//       memory.readBandwidth: {value: 18.4GB/s, uncertainty: 8.3%, quality: fair}
// Older files say the same in flat keys of the free text: `uncertainty.cpu.clock: 2%`,
// `quality.cpu.clock: good`, `measured.memory.readBandwidth: 18.4GB/s`.
#pragma once

#include <string>

#include "presort/core/machine/machine.h"
#include "presort/io/yaml/yaml_binder.h"

namespace presort::inline v0::io {

// Sets `provenance` and `probed` of the machine, from the new or the old form. `value` is the
// document's value of the key `provenance`.
// Errors: InputError
void read_provenance(const YamlDocument& document, const ValueReader& value, Machine& machine);

// The section `provenance` of a machine file as text, "" for a machine without one.
// Requires: no free text of the key `probed`
std::string provenance_text(const Machine& machine);

// The provenance as flat keys and texts, as in older files and in the JSON of a machine.
std::vector<std::pair<std::string, std::string>> flat_provenance(const Machine& machine);

}  // namespace presort::io
