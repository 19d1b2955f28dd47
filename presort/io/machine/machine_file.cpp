#include "presort/io/machine/machine_file.h"

#include "presort/core/machine/fields/machine_fields.h"
#include "presort/io/fields/field_reader.h"
#include "presort/io/machine/machine_costs.h"
#include "presort/io/machine/probed_values.h"
#include "presort/io/yaml/yaml_binder.h"

namespace presort::inline v0::io {
namespace {

// Drops probed values of retired keys: the machine does not have these keys.
void drop_retired_values(Machine& machine) {
  std::erase_if(machine.probed, [](const ProbedValue& value) {
    return find_retired(fields::kMachine, value.key) != nullptr;
  });
}

Machine bind_machine(const YamlDocument& document, const TakeNote& take_note) {
  MapReader root = open_document(document, "machine/1");
  Machine machine;
  if (const auto provenance = root.optional("provenance")) {
    read_provenance(document, *provenance, machine);
    drop_retired_values(machine);
  }
  const auto read_costs_file = [&](const ValueReader& costs, void* object) {
    read_costs(costs.text(), document.file, *static_cast<Machine*>(object),
               [&](const std::string& accepted) { costs.fail(accepted); });
  };
  FieldReader reader(read_costs_file, take_note);
  reader.read(root, fields::kMachine, &machine);
  root.finish();
  if (const auto problem = find_machine_problem(machine)) {
    fail_at_path(document, problem->key_path, problem->message);
  }
  return machine;
}

}  // namespace

Machine read_machine(const std::string& path, const TakeNote& take_note) {
  return bind_machine(load_yaml(path), take_note);
}

std::string place_in_machine(const std::string& path, const std::string& key_path) {
  return place_of_path(load_yaml(path), key_path);
}

Machine parse_machine(const std::string& text, const std::string& file, const TakeNote& take_note) {
  return bind_machine(parse_yaml(text, file), take_note);
}

}  // namespace presort::io
