#include "presort/core/problem.h"

#include <bit>

#include "presort/core/text/units.h"

namespace presort::inline v0 {

void check_problem(const Problem& problem) {
  if (problem.n == 0) {
    throw InputError("n: found '0', accepted: at least 1 input");
  }
  if (problem.m == 0) {
    throw InputError("m: found '0', accepted: at least 1 bucket");
  }
  const int bits = static_cast<int>(8 * size_bytes(problem.types.label));
  if (label_bits(problem.m) > bits) {
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
  return to_name(kOperations, problem.operation) + " n=" + format_count(problem.n) +
         " m=" + format_count(problem.m) + " " + to_string(problem.distribution) + " " +
         to_string(problem.types);
}

}  // namespace presort
