// A field table as a table of Markdown: what each key accepts, what holds without it, its name in
// JSON, and what it means.
#pragma once

#include <string>

#include "presort/core/fields/field.h"

namespace presort::inline v0::io {

// A heading and a Markdown table for a field table, followed by those of the maps and lists in it.
// `path` is the path of the table's keys, "cpu.walk"; "" at the top level of the file. The heading
// is the path if no other is given.
std::string table_markdown(const FieldTable& table, const std::string& path,
                           const std::string& heading = "");

}  // namespace presort::io
