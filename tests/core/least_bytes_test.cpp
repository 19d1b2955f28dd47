#include "presort/core/least_bytes.h"

#include <doctest/doctest.h>

#include "presort/core/base/checked.h"

namespace presort::inline v0::least_bytes_test {
namespace {

Problem problem_of(Operation operation, uint64_t n, uint64_t m) {
  Problem problem;
  problem.operation = operation;
  problem.n = n;
  problem.m = m;
  problem.types = {ScalarType::u32, ScalarType::u64};
  return problem;
}

}  // namespace

// Expected bytes, for labels of 4 bytes and values of 8.
TEST_CASE("least bytes: each array of each operation counts once, updated buckets twice") {
  CHECK(least_bytes(problem_of(Operation::multireduce, 100, 10)) == 100 * (4 + 8) + 10 * 16);
  CHECK(least_bytes(problem_of(Operation::scatter, 100, 10)) == 100 * (4 + 8) + 10 * 8);
  CHECK(least_bytes(problem_of(Operation::gather, 100, 10)) == 100 * (4 + 8) + 10 * 8);
  CHECK(least_bytes(problem_of(Operation::histogram, 100, 10)) == 100 * 4 + 10 * 16);
  CHECK(least_bytes(problem_of(Operation::multiscan, 100, 10)) == 100 * (4 + 8 + 8) + 10 * 16);
  CHECK(least_bytes(problem_of(Operation::multitag, 100, 10)) == 100 * (4 + 8) + 10 * 16);
  CHECK(least_bytes(problem_of(Operation::partialSort, 100, 10)) == 100 * 2 * (4 + 8));
  CHECK(least_bytes(problem_of(Operation::segmentedReduce, 100, 10)) == 100 * 8 + 11 * 4 + 10 * 8);
  CHECK(least_bytes(problem_of(Operation::segmentedScan, 100, 10)) == 100 * (8 + 8) + 11 * 4);
  CHECK(least_bytes(problem_of(Operation::scan, 100, 1)) == 100 * (8 + 8));
  CHECK(least_bytes(problem_of(Operation::reduceAxes, 100, 10)) == 100 * 8 + 10 * 8);
  CHECK(least_bytes(problem_of(Operation::multireduceInOrder, 100, 10)) == 100 * (4 + 8) + 10 * 16);
  Problem compact = problem_of(Operation::compact, 100, 4);
  compact.types.label = ScalarType::u8;
  CHECK(least_bytes(compact) == 100 * (1 + 8) + 75 * 8);
  compact.distribution.kind = DistributionKind::degenerate;
  CHECK(least_bytes(compact) == 100 * (1 + 8) + 100 * 8);
}

TEST_CASE("least bytes: n inputs meet no more than n buckets") {
  CHECK(least_bytes(problem_of(Operation::scatter, 10, 1000)) == 10 * (4 + 8) + 10 * 8);
}

TEST_CASE("least bytes: what 64 bits do not hold saturates") {
  CHECK(least_bytes(problem_of(Operation::multireduce, ~uint64_t{0} / 2, 4)) == kUncountable);
}

}  // namespace presort::least_bytes_test
