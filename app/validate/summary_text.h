// A validation as text for a person.
#pragma once

#include <string>

#include "app/validate/summary.h"
#include "app/validate/summary_tables.h"
#include "core/machine.h"

namespace presort::app {

// About ten lines.
std::string summary_text(const Summary& summary, const Machine& machine, bool complete);

// A table over m for each group.
std::string rows_text(const Summary& summary);

// The table, columns of numbers to the right; "" when it has no rows.
std::string table_text(const TableData& table);

}  // namespace presort::app
