// Pieces of an HTML page.
#pragma once

#include <string>
#include <vector>

#include "app/validate/summary_tables.h"

namespace presort::app {

std::string escape_html(const std::string& text);

// A table, its cells escaped. Columns are numbers, right-aligned, but for those that the page's
// style sheet calls "text": a first column that names things, plans, phases, reasons.
std::string html_table(const TableData& table);

}  // namespace presort::app
