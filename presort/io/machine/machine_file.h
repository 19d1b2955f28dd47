// Machine files, `presort: machine/1`: the keys of core/machine/fields/machine_fields.h, which
// docs/reference/machine-keys.md lists with an example, and the provenance
// (io/machine/probed_values.h). Times may be in cycles (cy) or seconds (ns, us, …) everywhere.
// Errors: InputError "FILE:LINE:COLUMN: KEY.PATH: found …, accepted: …" for anything else, for what
//         this version cannot simulate, and for geometry that contradicts itself.
#pragma once

#include <functional>
#include <string>

#include "presort/core/machine/machine.h"

namespace presort::inline v0::io {

// Receives a message about a key in a machine file that this version ignores (RetiredKey of
// core/fields/field.h): "FILE:LINE:COLUMN: KEY.PATH: ignored since presort …: REASON".
using TakeNote = std::function<void(const std::string& note)>;

Machine read_machine(const std::string& path, const TakeNote& take_note = {});

// Reads a machine from the text of a file; `file` is its name in messages.
Machine parse_machine(const std::string& text, const std::string& file,
                      const TakeNote& take_note = {});

// Place of a value in a machine file, "FILE:LINE:COLUMN", by the path of its keys
// ("cpu.caches.L2.ways"); if the value is absent, the place of the nearest section around it.
// Errors: InputError when the file cannot be read any more
std::string place_in_machine(const std::string& path, const std::string& key_path);

// A machine as the text of a machine file, with every key, also those at their default; read back,
// the text gives an equal Machine. (The core-cost file is named as in the machine, relative to the
// current folder.)
std::string machine_to_text(const Machine& machine);

// Writes a machine file atomically. The core-cost file is named relative to the folder of `path`;
// it is not copied.
// Errors: InputError for a machine that could not be read back, or an unwritable path.
void write_machine(const std::string& path, const Machine& machine);

// The text of a machine file with `cpu.costs: NAME` in place of its cpu.costs, or else on a line of
// its own under dispatchWidth. All other text stays as it is, comments too.
// Requires: parse_machine(text, file) passes
// Errors: InputError when `cpu` is written in a form that this function does not understand
std::string with_costs_file(const std::string& text, const std::string& file,
                            const std::string& name);

}  // namespace presort::io
