#include "presort/core/least_bytes.h"

#include <algorithm>

#include "presort/core/base/checked.h"
#include "presort/core/labels/kept_share.h"

namespace presort::inline v0 {
namespace {

// How often each bucket that is met must be read or written: once, or twice for an update.
uint64_t bucket_turns(Operation operation) {
  const bool once = operation == Operation::gather || operation == Operation::scatter;
  return !has_buckets(operation) ? 0 : once ? 1 : 2;
}

}  // namespace

uint64_t least_bytes(const Problem& problem) {
  const Operation operation = problem.operation;
  const uint64_t label = size_bytes(problem.types.label);
  const uint64_t value = size_bytes(problem.types.value);
  uint64_t of_input = has_results(operation) ? value : 0;
  of_input += has_values(operation) ? value : 0;
  of_input += is_segmented(operation) || !has_labels(operation) ? 0 : label;
  if (operation == Operation::partialSort) {
    of_input *= 2;  // inputs are read, and written in the order of their labels
  }
  uint64_t bytes = saturating_multiply(problem.n, of_input);
  bytes = saturating_add(
      bytes, saturating_multiply(std::min(problem.n, problem.m), bucket_turns(operation) * value));
  if (is_segmented(operation) && has_labels(operation)) {
    bytes = saturating_add(bytes, saturating_multiply(saturating_add(problem.m, 1), label));
  }
  if (operation == Operation::segmentedReduce || operation == Operation::reduceAxes) {
    bytes = saturating_add(bytes, saturating_multiply(problem.m, value));
  }
  if (operation == Operation::compact) {
    const double kept =
        kept_share(problem.distribution, problem.m) * static_cast<double>(problem.n);
    bytes = saturating_add(bytes, saturating_multiply(static_cast<uint64_t>(kept), value));
  }
  return bytes;
}

}  // namespace presort
