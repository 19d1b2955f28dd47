// The results of a validation as text for a person.
#pragma once

#include <string>

#include "presort/app/validate/report/summary.h"
#include "presort/app/validate/report/summary_tables.h"
#include "presort/core/machine/machine.h"

namespace presort::inline v0::app {

// The summary of a validation in about ten lines.
std::string summary_text(const Summary& summary, const Machine& machine, bool complete);

// A warning in front of all figures when the machine's other work distorts them; "" otherwise.
std::string headline_text(const Summary& summary);

// A table over m for each group of problems.
std::string rows_text(const Summary& summary);

// A table as text, numbers right-aligned; "" when it has no rows.
std::string table_text(const TableData& table);

}  // namespace presort::app
