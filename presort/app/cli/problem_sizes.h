// The sizes of a problem from the options -n, -b, --shape and --axes, whichever its operation takes,
// and its types where the default depends on the operation.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "presort/app/cli/options.h"
#include "presort/app/cli/problem_options.h"
#include "presort/core/problem.h"

namespace presort::inline v0::app {

// The rows --shape and --axes in option tables.
std::vector<Option> shape_options();

// Sets n, and shape and axes of a reduceAxes. `file`: the label file that n follows where there is no
// -n; null: none. Requires: problem.operation is set
// Errors: InputError for an option that the operation does not take, and for a reduceAxes without
//         --shape or --axes
void read_inputs(const Arguments& arguments, const LabelFile* file, Problem& problem);

// The number of buckets where the operation decides it: 1 for a scan, the number of results for a
// reduceAxes, 2 for a compact without -b (half of uniform values are kept); otherwise no value: it
// is that of -b or of the label file. Requires: read_inputs was called
// Errors: InputError for -b where the operation takes none
std::optional<uint64_t> implied_buckets(const Arguments& arguments, const LabelFile* file,
                                        const Problem& problem);

// The types of a problem without --type where the operation decides them: u8+u32 for a compact;
// otherwise no value.
std::optional<std::string> implied_types(const Arguments& arguments, Operation operation);

}  // namespace presort::app
