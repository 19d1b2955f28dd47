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

}  // namespace presort::io
