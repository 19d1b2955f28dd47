// The problems of `tune`: every combination of its lists.
#pragma once

#include <vector>

#include "presort/app/cli/label_files.h"
#include "presort/app/cli/options.h"
#include "presort/core/problem.h"

namespace presort::inline v0::app {

// The problems of the command line. Without -n, -b, --dist and --labels the standard grid: a list
// of bucket numbers, and five distributions and two types.
inline constexpr char kStandardBuckets[] = "2^8..2^28";

// Reads the problems. n and m follow from a label file unless -n or -b give them; a line on stderr
// says so.
// Errors: InputError
std::vector<Problem> read_tune_problems(const Arguments& arguments, LabelFiles& files);

}  // namespace presort::app
