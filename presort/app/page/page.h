// A report page: one HTML file that needs no other file and fetches nothing. In this order: what the
// results come to in words; the picture of times; why; how near to the ceilings; how sure; all points;
// machines and commands. It is complete without its script. Texts of subjects are escaped, so that
// names and files cannot add markup.
#pragma once

#include <string>
#include <vector>

#include "presort/app/page/page_data.h"

namespace presort::inline v0::app::page {

// Most groups of a subject that have pictures of their own; the table has the points of all.
inline constexpr size_t kMostPictured = 60;

// The page of some subjects. With several, a table and a picture compare them first.
// Errors: none; subjects without results are named as such
std::string page_html(const std::vector<Subject>& subjects);

}  // namespace presort::app::page
