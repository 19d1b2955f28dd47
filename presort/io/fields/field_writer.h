// Writes an object as a map of a YAML file, by the object's field table. Reading the map gives an
// equal object, as far as the table has its members.
#pragma once

#include <string>
#include <string_view>

#include "presort/core/fields/field.h"
#include "presort/io/yaml/yaml_writer.h"

namespace presort::inline v0::io {

// An object as YAML text, "key: value\n…", with `indent` before each line; nested lists and maps
// are lines of their own.
std::string block_text(const FieldTable& table, const void* object, std::string_view indent);

// Adds an object's keys and values to a YAML map in braces.
void add_fields(FlowMap& map, const FieldTable& table, const void* object);

}  // namespace presort::io
