// The table of all results of a page.
#pragma once

#include <string>
#include <vector>

#include "presort/app/page/page_data.h"

namespace presort::inline v0::app::page {

// An HTML table with a caption, a header for every column and a row for each result, in the order of
// the subjects. Numbers that are shown rounded stand in data-v as well, by which the script sorts. A sentence instead where there
// are no results.
std::string points_table(const std::vector<Subject>& subjects);

}  // namespace presort::app::page
