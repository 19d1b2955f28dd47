#include "presort/app/cli/problem_sizes.h"

#include <fmt/format.h>

#include "presort/app/cli/label_files.h"
#include "presort/core/error.h"
#include "presort/core/text/units.h"

namespace presort::inline v0::app {
namespace {

// Refuses an option that an operation does not take. Errors: InputError when it is given
void refuse_option(const Arguments& arguments, const char* name, Operation operation,
                   const std::string& why) {
  if (arguments.has(name)) {
    throw InputError(fmt::format("{} does not go with --op {}: {}", arguments.shown(name),
                                 to_name(kOperations, operation), why));
  }
}

void require_option(const Arguments& arguments, const char* name) {
  if (!arguments.has(name)) {
    throw InputError(arguments.shown(name) +
                     ": found none, needed by --op reduceAxes: --shape 512x512x1024 --axes 1");
  }
}

}  // namespace

std::vector<Option> shape_options() {
  return {
      {"shape", 0, "SHAPE",
       "reduceAxes: extents of the tensor, the last axis fastest, such as 512x512x1024"},
      {"axes", 0, "LIST", "reduceAxes: axes to reduce, counted from 0, such as 1 or 0,2"},
  };
}

void read_inputs(const Arguments& arguments, const LabelFile* file, Problem& problem) {
  if (problem.operation != Operation::reduceAxes) {
    for (const char* name : {"shape", "axes"}) {
      refuse_option(arguments, name, problem.operation, "it goes with --op reduceAxes");
    }
    problem.n = given_n(arguments, file);
    return;
  }
  refuse_option(arguments, "n", problem.operation, "--shape gives the number of elements");
  for (const char* name : {"shape", "axes"}) {
    require_option(arguments, name);
  }
  problem.shape = parse_extents("--shape", arguments.text("shape"));
  problem.axes = parse_axis_set("--axes", arguments.text("axes"));
  problem.n = element_count(problem.shape);
}

std::optional<uint64_t> implied_buckets(const Arguments& arguments, const LabelFile* file,
                                        const Problem& problem) {
  if (problem.operation == Operation::scan) {
    refuse_option(arguments, "buckets", problem.operation, "a scan has no buckets");
    return 1;
  }
  if (problem.operation == Operation::reduceAxes) {
    refuse_option(arguments, "buckets", problem.operation,
                  "--shape and --axes give the number of results");
    return kept_count(problem.shape, problem.axes);
  }
  if (problem.operation == Operation::compact && !arguments.has("buckets") && file == nullptr) {
    return 2;
  }
  return std::nullopt;
}

std::optional<std::string> implied_types(const Arguments& arguments, Operation operation) {
  const bool decides = operation == Operation::compact && !arguments.has("type");
  return decides ? std::optional<std::string>("u8+u32") : std::nullopt;
}

}  // namespace presort::app
