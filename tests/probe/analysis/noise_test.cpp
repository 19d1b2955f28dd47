#include "presort/probe/analysis/noise.h"

#include <doctest/doctest.h>

#include <string>

namespace noise_test {

using namespace presort::probe;

namespace {

Slice slice(double crowding, double cycle_ns, long preemptions = 0) {
  return {.value_ns = 1,
          .cycle_ns = cycle_ns,
          .crowding_before = crowding,
          .crowding_after = crowding,
          .preemptions = preemptions};
}

Samples samples_of(std::vector<Slice> slices) {
  return {{{Quantity::streamRead, 0}, std::move(slices)}};
}

bool any_says(const std::vector<std::string>& warnings, const std::string& text) {
  for (const std::string& warning : warnings) {
    if (warning.find(text) != std::string::npos) {
      return true;
    }
  }
  return false;
}

ProbeValue latency(double ns) {
  return {.key = "memory.latency", .value = ns, .unit = "ns", .quality = Quality::good};
}

}  // namespace

TEST_CASE("slices are counted by what disturbed them") {
  const Noise noise = noise_of(
      samples_of({slice(0.25, 0.3), slice(0.25, 0.3), slice(0.5, 0.3), slice(0.25, 0.3, 2)}), {});
  CHECK(noise.slices == 4);
  CHECK(noise.quiet == 2);
  CHECK(noise.preempted == 1);
  CHECK(noise.clock_spread == doctest::Approx(0));
  CHECK(warnings_of(noise).empty());
  CHECK(provenance_of(noise, 3).front() == std::pair<std::string, std::string>("passes", "3"));
}

TEST_CASE("a core that is mostly used by others is said to be") {
  const Noise noise =
      noise_of(samples_of({slice(0.25, 0.3), slice(0.5, 0.3), slice(0.5, 0.3)}), {});
  CHECK(any_says(warnings_of(noise), "1 of 3 slices were quiet"));
}

TEST_CASE("a clock that moves is noticed, but not by slices that waited for the core") {
  const Noise still =
      noise_of(samples_of({slice(0.25, 0.3), slice(0.25, 0.305), slice(0.25, 0.6, 1)}), {});
  CHECK_FALSE(any_says(warnings_of(still), "clock"));
  const Noise moving = noise_of(samples_of({slice(0.25, 0.30), slice(0.25, 0.33)}), {});
  CHECK(any_says(warnings_of(moving), "clock moved"));
}

TEST_CASE("memory that differs between passes tells of neighbours") {
  const Samples samples = samples_of({slice(0.25, 0.3)});
  CHECK(warnings_of(noise_of(samples, {{latency(100)}, {latency(101)}})).empty());
  CHECK(any_says(warnings_of(noise_of(samples, {{latency(100)}, {latency(150)}})), "others"));
}

TEST_CASE("nothing measured is nothing disturbed") {
  CHECK(warnings_of(noise_of({}, {})).empty());
}

}  // namespace noise_test
