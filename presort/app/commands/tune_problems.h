// The problems of `tune`: every combination of the lists in its options.
#pragma once

#include <vector>

#include "presort/app/cli/label_files.h"
#include "presort/app/cli/options.h"
#include "presort/core/problem.h"

namespace presort::inline v0::app {

// The numbers of buckets of the standard grid, which `tune` uses without -n, -b, --dist and
// --labels. The grid also has five distributions and two types.
inline constexpr char kStandardBuckets[] = "2^8..2^28";

// Reads the problems of the command line. n and m follow from a label file unless -n or -b give
// them; a line on stderr then says so.
// Errors: InputError
std::vector<Problem> read_tune_problems(const Arguments& arguments, LabelFiles& files);

}  // namespace presort::app
