// A field table as a table of Markdown: what each key accepts, what holds without it, its name in
// JSON, and what it means.
#pragma once

#include <string>

#include "presort/core/fields/field.h"

namespace presort::inline v0::io {

// A field table as a heading and a table, and behind them those of the maps and lists in it. `path`
// is where the table's keys stand, "cpu.walk"; "" for those of the file itself. The heading is the
// path where none is given.
std::string table_markdown(const FieldTable& table, const std::string& path,
                           const std::string& heading = "");

}  // namespace presort::io
