#include "presort/probe/analysis/samples.h"

#include <doctest/doctest.h>

#include "presort/core/measurement.h"

namespace samples_test {

using namespace presort::probe;
using presort::quantile;

namespace {

Slice slice(double value_ns, double crowding, double cycle_ns = 0.5) {
  return {.value_ns = value_ns,
          .cycle_ns = cycle_ns,
          .crowding_before = crowding,
          .crowding_after = crowding};
}

}  // namespace

TEST_CASE("a quantile is interpolated between the sorted values") {
  CHECK(quantile({3, 1, 2}, 0.5) == 2);
  CHECK(quantile({4, 1, 2, 3}, 0.5) == doctest::Approx(2.5));
  CHECK(quantile({1, 2, 3, 4, 5}, 0.25) == 2);
  CHECK(quantile({7}, 0.9) == 7);
}

TEST_CASE("slices of a crowded core do not count when there are enough quiet ones") {
  const std::vector<Slice> slices = {slice(10, 0.25), slice(20, 0.5), slice(11, 0.26),
                                     slice(12, 0.25), slice(25, 0.5), slice(22, 0.4)};
  const Estimate result = estimate(slices, 0.25, 0.5);
  CHECK(result.value_ns == 11);
  CHECK(result.slices == 3);
  CHECK(result.quiet == 3);
  CHECK(result.uncertainty > 0.5 / 11);
  CHECK(result.passes == 1);
}

TEST_CASE("a slice that turns crowded at its end does not count") {
  Slice turning = slice(10, 0.25);
  turning.crowding_after = 0.5;
  CHECK(is_quiet(slice(10, 0.25), 0.25));
  CHECK_FALSE(is_quiet(turning, 0.25));
}

TEST_CASE("a preempted slice does not count, however quiet its ends are") {
  Slice preempted = slice(5000, 0.25);
  preempted.preemptions = 1;
  const Estimate result =
      estimate({preempted, slice(9, 0.25), slice(10, 0.25), slice(11, 0.25)}, 0.25, 0.5);
  CHECK(result.value_ns == 10);
  CHECK(result.quiet == 3);
}

TEST_CASE("without enough quiet slices the quietest ones are taken") {
  const Estimate result =
      estimate({slice(40, 0.5), slice(10, 0.25), slice(30, 0.4), slice(20, 0.35)}, 0.25, 0.5);
  CHECK(result.quiet == 1);
  CHECK(result.slices == kEnoughQuiet);
  CHECK(result.value_ns == 20);
}

TEST_CASE("the core's time follows the median cycle and not each slice's clock") {
  const std::vector<Slice> slices = {slice(5, 0.25, 1), slice(2.5, 0.25, 0.5), slice(4, 0.25, 0.8)};
  const Estimate result = estimate(slices, 0.25, 0.8);
  CHECK(result.core_ns == doctest::Approx(4));
  CHECK(result.core_uncertainty == doctest::Approx(0));
  CHECK(result.uncertainty > 0.1);
}

TEST_CASE("the quiet state is found although most slices are crowded") {
  Samples samples;
  for (int i = 0; i < 90; ++i) {
    samples[{Quantity::streamRead, 0}].push_back(slice(2, 0.5));
  }
  for (int i = 0; i < 10; ++i) {
    samples[{Quantity::streamCopy, 0}].push_back(slice(1, 0.25));
  }
  CHECK(quiet_crowding(samples) == doctest::Approx(0.25));
  const Estimates estimates = estimate_all(samples);
  CHECK(estimates.at({Quantity::streamCopy, 0}).quiet == 10);
  CHECK(estimates.at({Quantity::streamRead, 0}).quiet == 0);
  CHECK(estimates.at({Quantity::addLatency, 0}).value_ns == doctest::Approx(0.5));
}

TEST_CASE("no samples give no estimates") {
  CHECK(estimate_all({}).empty());
}

TEST_CASE("a pass is told by its quiet slices, and by all passes where it has none") {
  Samples samples;
  auto& slices = samples[{Quantity::streamRead, 0}];
  for (const double value : {10, 11, 12}) {
    slices.push_back(slice(value, 0.25));
  }
  for (const double value : {20, 21, 22}) {
    slices.push_back(slice(value, 0.25));
    slices.back().pass = 1;
  }
  slices.push_back(slice(90, 0.5));
  slices.back().pass = 1;
  slices.push_back(slice(95, 0.5));
  slices.back().pass = 2;
  const SeriesKey key = {Quantity::streamRead, 0};
  CHECK(pass_count(samples) == 3);
  const Estimates whole = estimate_all(samples);
  CHECK(whole.at(key).passes == 2);
  CHECK(whole.at(key).uncertainty > 0.5);
  const std::vector<Estimates> passes = estimate_passes(samples, whole);
  REQUIRE(passes.size() == 3);
  CHECK(passes[0].at(key).value_ns == 11);
  CHECK(passes[1].at(key).value_ns == 21);
  CHECK(passes[2].at(key).value_ns == whole.at(key).value_ns);
  CHECK(estimate_passes({}, {}).empty());
}

}  // namespace samples_test
