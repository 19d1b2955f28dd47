// Functions that write elements of an HTML page.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "presort/app/validate/report/summary_tables.h"

namespace presort::inline v0::app {

// A text for an HTML element or a quoted attribute: markup becomes entities; control characters and
// invalid UTF-8 become visible escapes (app/printing/displayable.h). Newlines stay.
std::string escape_html(std::string_view text);

// A table with escaped cells. Columns are right-aligned, except those that the page's style sheet
// calls "text": a first column of names, plans, phases, reasons.
std::string html_table(const TableData& table);

}  // namespace presort::app
