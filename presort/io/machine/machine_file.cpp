#include "presort/io/machine/machine_file.h"

#include "presort/core/machine/fields/machine_fields.h"
#include "presort/io/fields/field_reader.h"
#include "presort/io/machine/machine_costs.h"
#include "presort/io/machine/probed_values.h"
#include "presort/io/yaml/yaml_binder.h"

namespace presort::inline v0::io {
namespace {

Machine bind_machine(const YamlDocument& document) {
  MapReader root = open_document(document, "machine/1");
  Machine machine;
  if (const auto provenance = root.optional("provenance")) {
    read_provenance(document, *provenance, machine);
  }
  FieldReader reader([&](const ValueReader& costs, void* object) {
    read_costs(costs.text(), document.file, *static_cast<Machine*>(object),
               [&](const std::string& accepted) { costs.fail(accepted); });
  });
  reader.read(root, fields::kMachine, &machine);
  root.finish();
  if (const auto problem = find_machine_problem(machine)) {
    fail_at_path(document, problem->key_path, problem->message);
  }
  return machine;
}

}  // namespace

Machine read_machine(const std::string& path) {
  return bind_machine(load_yaml(path));
}

std::string place_in_machine(const std::string& path, const std::string& key_path) {
  return place_of_path(load_yaml(path), key_path);
}

Machine parse_machine(const std::string& text, const std::string& file) {
  return bind_machine(parse_yaml(text, file));
}

}  // namespace presort::io
