#include "presort/core/problem.h"

#include <bit>

#include "presort/core/text/units.h"

namespace presort::inline v0 {
namespace {

// Checks a problem whose operation has no labels. Errors: InputError
void check_without_labels(const Problem& problem) {
  const std::string operation = to_name(kOperations, problem.operation);
  if (problem.operation == Operation::scan && problem.m != 1) {
    throw InputError("m: found '" + format_count(problem.m) + "', accepted: 1: a " + operation +
                     " has no buckets");
  }
  if (problem.distribution != Distribution{}) {
    throw InputError("dist: found '" + to_string(problem.distribution) +
                     "', accepted: uniform: a " + operation + " has no labels");
  }
}

// Checks the shape of a reduceAxes. Errors: InputError
void check_shape(const Problem& problem) {
  if (problem.shape.count == 0) {
    throw InputError("shape: found none, accepted: extents such as 512x512x1024");
  }
  if (problem.axes == AxisSet{} || problem.axes.bits >> problem.shape.count != 0) {
    throw InputError("axes: found '" + to_string(problem.axes) +
                     "', accepted: one axis or several "
                     "from 0 to " +
                     std::to_string(problem.shape.count - 1) + ", those of shape " +
                     to_string(problem.shape));
  }
  const auto check_size = [&](const char* key, uint64_t found, uint64_t accepted) {
    if (found != accepted) {
      throw InputError(std::string(key) + ": found '" + format_count(found) +
                       "', accepted: " + format_count(accepted) + ", that of shape " +
                       to_string(problem.shape) + " reduced over " + to_string(problem.axes));
    }
  };
  check_size("n", problem.n, element_count(problem.shape));
  check_size("m", problem.m, kept_count(problem.shape, problem.axes));
}

void check_no_shape(const Problem& problem) {
  const std::string operation = to_name(kOperations, problem.operation);
  if (problem.shape != Extents{}) {
    throw InputError("shape: found '" + to_string(problem.shape) +
                     "', accepted: none: it goes with "
                     "reduceAxes, not with " +
                     operation);
  }
  if (problem.axes != AxisSet{}) {
    throw InputError("axes: found '" + to_string(problem.axes) +
                     "', accepted: none: they go with "
                     "reduceAxes, not with " +
                     operation);
  }
}

}  // namespace

void check_problem(const Problem& problem) {
  if (problem.n == 0) {
    throw InputError("n: found '0', accepted: at least 1 input");
  }
  if (problem.m == 0) {
    throw InputError("m: found '0', accepted: at least 1 bucket");
  }
  if (problem.operation == Operation::reduceAxes) {
    check_shape(problem);
  } else {
    check_no_shape(problem);
  }
  if (!has_labels(problem.operation)) {
    check_without_labels(problem);
  }
  if (problem.operation == Operation::compact && problem.types.label != ScalarType::u8) {
    throw InputError("type: found '" + to_name(kScalarTypes, problem.types.label) +
                     "' for the flags of compact, accepted: u8");
  }
  const int bits = static_cast<int>(8 * size_bytes(problem.types.label));
  const bool names_results = problem.operation == Operation::reduceAxes;  // by no label
  if (!names_results && label_bits(problem.m) > bits) {
    throw InputError("m: found '" + format_count(problem.m) + "', accepted: at most 2^" +
                     std::to_string(bits) + " buckets with labels of type " +
                     to_name(kScalarTypes, problem.types.label));
  }
  if (is_segmented(problem.operation) && label_bits(problem.n) > bits - 1) {
    throw InputError("n: found '" + format_count(problem.n) + "', accepted: at most 2^" +
                     std::to_string(bits - 1) + " values with offsets of type " +
                     to_name(kScalarTypes, problem.types.label));
  }
  const ScalarType value = problem.types.value;
  if (counts_labels(problem.operation) && value != ScalarType::u32 && value != ScalarType::u64) {
    throw InputError("type: found '" + to_name(kScalarTypes, value) + "' for the counts of " +
                     to_name(kOperations, problem.operation) + ", accepted: u32, u64");
  }
}

int label_bits(uint64_t m) {
  return m == 0 ? 0 : static_cast<int>(std::bit_width(m - 1));
}

std::string to_string(const Problem& problem) {
  const std::string operation = to_name(kOperations, problem.operation);
  const std::string types = " " + to_string(problem.types);
  if (problem.operation == Operation::reduceAxes) {
    return operation + " " + to_string(problem.shape) + " over " + to_string(problem.axes) + types;
  }
  if (!has_labels(problem.operation)) {
    return operation + " n=" + format_count(problem.n) + types;
  }
  return operation + " n=" + format_count(problem.n) + " m=" + format_count(problem.m) + " " +
         to_string(problem.distribution) + types;
}

}  // namespace presort
