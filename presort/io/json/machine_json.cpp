#include "presort/io/json/machine_json.h"

#include "presort/core/machine/fields/machine_fields.h"
#include "presort/io/fields/field_json.h"
#include "presort/io/machine/probed_values.h"

namespace presort::inline v0::io {

Json machine_to_json(const Machine& machine) {
  Json json = fields_to_json(fields::kMachine, &machine);
  json["provenance"] = Json::object();
  for (const auto& [key, value] : flat_provenance(machine)) {
    json["provenance"][key] = value;
  }
  return json;
}

std::vector<std::pair<std::string, std::string>> machine_values(const Machine& machine) {
  std::vector<std::pair<std::string, std::string>> values;
  const Json flat = machine_to_json(machine).flatten();
  for (const auto& [path, value] : flat.items()) {
    values.emplace_back(path, value.dump());
  }
  return values;
}

}  // namespace presort::io
