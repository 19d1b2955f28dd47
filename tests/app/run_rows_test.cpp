#include "presort/app/run/run_rows.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace presort::inline v0::run_rows_test {
namespace {

// Times of 1000 inputs of u32 + u32 into 100 buckets. Bytes moved: 8 for each input, and 8 for each
// updated bucket: 8800 bytes.
Measurement measurement_of(const std::string& plan, std::vector<double> samples) {
  Measurement run;
  run.problem.n = 1000;
  run.problem.m = 100;
  run.problem.types = {ScalarType::u32, ScalarType::u32};
  run.plan = parse_cpu_plan(plan);
  run.samples_ns_per_input = std::move(samples);
  return run;
}

Machine machine_of(double bandwidth, double per_core_bandwidth) {
  Machine machine;
  machine.memory.bandwidth = bandwidth;
  machine.memory.per_core_bandwidth = per_core_bandwidth;
  return machine;
}

}  // namespace

TEST_CASE("run rows: medians, bytes a second, gain over the first plan, slow runs") {
  const auto rows = app::run_rows(
      {measurement_of("sortBits=0", {4, 5, 4, 4, 9}), measurement_of("sortBits=6", {2, 2, 2.4})},
      std::nullopt);
  REQUIRE(rows.size() == 2);
  CHECK(rows[0].ns == 4);
  CHECK(rows[0].least_ns == 4);
  CHECK(rows[0].first_over_this == 1);
  // One run, of 9 ns, is slower than 1.25 times the median of 4; 5 ns is exactly that much
  CHECK(rows[0].slow_runs == 1);
  CHECK(rows[0].bytes_per_second == doctest::Approx(8800 / (4 * 1e-9 * 1000)));
  CHECK_FALSE(rows[0].of_ceiling);
  CHECK(rows[1].first_over_this == 2);
  CHECK(rows[1].slow_runs == 0);
  CHECK(app::slow_run_notes(rows).size() == 1);
}

TEST_CASE("run rows: the ceiling is that of the plan's threads, and at most that of all cores") {
  const double rate = 8800 / (4 * 1e-9 * 1000);
  const auto part = [](const char* plan, const Machine& machine) {
    return *app::run_rows({measurement_of(plan, {4})}, machine)[0].of_ceiling;
  };
  CHECK(part("sortBits=0", machine_of(10 * rate, 0)) == doctest::Approx(0.1));
  CHECK(part("sortBits=0", machine_of(10 * rate, 4 * rate)) == doctest::Approx(0.25));
  CHECK(part("sortBits=0,threads=2", machine_of(10 * rate, 4 * rate)) == doctest::Approx(0.125));
  CHECK(part("sortBits=0,threads=8", machine_of(10 * rate, 4 * rate)) == doctest::Approx(0.1));
  CHECK_FALSE(app::run_rows({measurement_of("sortBits=0", {4})}, machine_of(0, 0))[0].of_ceiling);
}

TEST_CASE("run rows: CSV and Markdown have a line a plan, and plans with commas stay one cell") {
  const auto rows =
      app::run_rows({measurement_of("sortBits=0", {4}), measurement_of("sortBits=6,passes=2", {2})},
                    std::nullopt);
  const std::string csv = app::csv_of(rows);
  CHECK(std::count(csv.begin(), csv.end(), '\n') == 3);
  CHECK(csv.find("\"" + to_string(parse_cpu_plan("sortBits=6,passes=2")) + "\",2,") !=
        std::string::npos);
  const std::string markdown = app::markdown_of(rows, Device::cpu);
  CHECK(std::count(markdown.begin(), markdown.end(), '\n') == 4);
  CHECK(markdown.find("2.00 x") != std::string::npos);
  CHECK(app::text_of(rows, Device::cpu).find("2.00 x") != std::string::npos);
}

}  // namespace presort::run_rows_test
