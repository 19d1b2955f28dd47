// Text that fits a terminal's width.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace presort::inline v0::app {

// Number of columns that a text of one line takes: its characters (of UTF-8).
size_t columns_of(std::string_view line);

// Text whose lines are at most `columns` wide: a longer line is broken at a space, and what follows
// is indented to the column where the line's last field begins, after the last two spaces in a row
// that stand in its first two thirds; or by two columns more than the line itself. A word that is
// wider than what is left stays whole, and so does a line that is drawn or a row of a Markdown
// table ('|' or '+' at its end). columns: 0, or less than 20: the text as it is
std::string wrapped_to(std::string_view text, int columns);

}  // namespace presort::app
