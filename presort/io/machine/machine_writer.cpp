#include <string>

#include "presort/core/machine/fields/machine_fields.h"
#include "presort/io/fields/field_writer.h"
#include "presort/io/files/atomic_file.h"
#include "presort/io/machine/machine_costs.h"
#include "presort/io/machine/machine_file.h"
#include "presort/io/machine/probed_values.h"

namespace presort::inline v0::io {

std::string machine_to_text(const Machine& machine) {
  return "presort: machine/1\n" + block_text(fields::kMachine, &machine, "") +
         provenance_text(machine);
}

void write_machine(const std::string& path, const Machine& machine) {
  if (const auto problem = find_machine_problem(machine)) {
    throw InputError(path + " not written: " + problem->key_path + ": " + problem->message);
  }
  Machine seen = machine;
  if (!machine.costs_file.empty()) {
    seen.costs_file = costs_name_from(path, machine.costs_file);
  }
  write_atomically(path, machine_to_text(seen));
}

}  // namespace presort::io
