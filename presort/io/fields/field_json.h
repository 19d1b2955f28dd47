// An object as JSON, by its field table: every key, units in the names ("size_bytes",
// "latency_cycles", "bandwidth_bytes_per_second"). Field names are a promise: add only.
#pragma once

#include <string>

#include "presort/core/fields/field.h"
#include "presort/io/json/json_object.h"
#include "presort/io/json/result_json.h"

namespace presort::inline v0::io {

// Writes an object as JSON. Numbers are resolved as their rows say (FieldOptions::resolved); an
// absent number is null, and a section that the object lacks is left out, as is an optional text
// that is empty by default and in the object.
Json fields_to_json(const FieldTable& table, const void* object);

// The JSON value of a row that is no section.
Json field_to_json(const Field& row, const void* object);

// The name of a row in JSON: "write_bandwidth_bytes_per_second", or the key itself
std::string json_name(const FieldTable& table, const Field& row);

// Sets every value of an object from JSON, which must have all keys of the table but optional texts that
// are empty by default: without their keys they keep their values.
// Requires: rows of text, and of whole numbers without a unit
// Errors: InputError "KEY.PATH: found …, accepted: …"
void fields_from_json(const FieldTable& table, const JsonObject& json, void* object);

}  // namespace presort::io
