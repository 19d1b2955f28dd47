// The page data of result files: one subject for each machine of result lines, one for each file of
// GPU lines.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "presort/app/page/page_data.h"
#include "presort/core/machine/machine.h"
#include "presort/io/json/report_lines.h"

namespace presort::inline v0::app::page {

// The lines of one file, and the name that the page gives them.
struct LineFile {
  std::string path;
  io::ReportLines lines;
};

// The subjects of all files, in the order of their first lines. Results of one machine (by its name)
// are one subject, wherever they stand; lines without a machine have the file's name. GPU lines do not say their machine: its name and ceilings
// are those of `gpu`, or else the file's name; so are the terms of the predicted times. Pure.
std::vector<Subject> subjects_of(const std::vector<LineFile>& files,
                                 const std::optional<Machine>& gpu);

}  // namespace presort::app::page
