#include "presort/fit/linear_latencies.h"

#include <doctest/doctest.h>

#include "presort/core/base/random.h"

namespace presort::inline v0::fit::linear_latencies_test {
namespace {

using doctest::Approx;

Parameter bounded_parameter(double low, double high) {
  Parameter parameter;
  parameter.low = low;
  parameter.high = high;
  return parameter;
}

// Cells of a latency matrix with random shares of hits in three cache levels, which add up to 1;
// the last column is the share of loads that reach a TLB level.
struct Cells {
  std::vector<std::vector<double>> uses;
  std::vector<double> measured;

  Cells(size_t count, const std::vector<double>& latencies) {
    for (size_t i = 0; i < count; ++i) {
      const auto random = [i](uint64_t k) { return unit_double(random_u64(k, i)); };
      const double first = random(1);
      const double second = (1 - first) * random(2);
      uses.push_back({first, second, 1 - first - second, 1, random(3)});
      double cycles = 0;
      for (size_t k = 0; k < latencies.size(); ++k) {
        cycles += uses.back()[k] * latencies[k];
      }
      measured.push_back(cycles);
    }
  }
};

const std::vector<double> kTrue = {4, 20, 200, 0, 9};
const std::vector<double> kStart = {5, 15, 300, 0, 2};

std::vector<Parameter> wide_bounds() {
  return {bounded_parameter(2, 10), bounded_parameter(7, 40), bounded_parameter(100, 600),
          bounded_parameter(0, 0), bounded_parameter(0, 30)};
}

TEST_CASE("latencies that explain every cell are found exactly") {
  const Cells cells(60, kTrue);
  const std::vector<double> found =
      fit_latencies(cells.uses, cells.measured, wide_bounds(), kStart);
  for (size_t k = 0; k < kTrue.size(); ++k) {
    CHECK(found[k] == Approx(kTrue[k]).epsilon(1e-3));
  }
}

TEST_CASE("a fifth of the cells measured wrong changes next to nothing") {
  Cells cells(100, kTrue);
  for (size_t i = 0; i < cells.measured.size(); i += 5) {
    cells.measured[i] *= 3;
  }
  const std::vector<double> found =
      fit_latencies(cells.uses, cells.measured, wide_bounds(), kStart);
  for (size_t k = 0; k < kTrue.size(); ++k) {
    CHECK(found[k] == Approx(kTrue[k]).epsilon(0.02));
  }
}

TEST_CASE("no value leaves its bounds, and the others make the best of it") {
  const Cells cells(60, kTrue);
  std::vector<Parameter> parameters = wide_bounds();
  parameters[2].high = 150;
  std::vector<double> start = kStart;
  start[2] = 120;
  const std::vector<double> found = fit_latencies(cells.uses, cells.measured, parameters, start);
  CHECK(found[2] == Approx(150));
  for (size_t k = 0; k < found.size(); ++k) {
    CHECK(found[k] >= parameters[k].low);
    CHECK(found[k] <= parameters[k].high);
  }
}

TEST_CASE("a latency that no cell uses keeps its value") {
  Cells cells(30, kTrue);
  for (size_t i = 0; i < cells.uses.size(); ++i) {
    cells.measured[i] -= cells.uses[i][4] * kTrue[4];
    cells.uses[i][4] = 0;
  }
  CHECK(fit_latencies(cells.uses, cells.measured, wide_bounds(), kStart)[4] == Approx(2));
}

}  // namespace
}  // namespace presort::fit::linear_latencies_test
