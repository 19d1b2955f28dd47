// Intervals of GPU plans (tuner/errors/gpu_error.h), by plans that they were not learnt on.
#include "presort/tuner/errors/gpu_error.h"

#include <doctest/doctest.h>

#include <map>
#include <string>

#include "presort/gpu/plan/plan_time.h"
#include "presort/io/json/json_lines.h"
#include "presort/io/machine/machine_file.h"

namespace presort::inline v0::tuner::gpu_error_test {
namespace {

struct Coverage {
  int inside = 0;
  int all = 0;
};

// Plans of a record whose time lies in the interval of its prediction.
Coverage coverage_of(const std::string& record) {
  const Gpu gpu =
      *io::read_machine(std::string(PRESORT_SOURCE_DIR) + "/configs/machines/h200.yaml").gpu;
  const std::string path = std::string(PRESORT_SOURCE_DIR) + "/docs/results/sweeps/" + record;
  Coverage coverage;
  io::for_each_json_line(
      io::read_maybe_compressed(path), path, "line of drawn plans",
      [&](const auto& line, const std::string&) {
        Problem problem;
        problem.operation = from_name(kOperations, "op", line.at("op").template get<std::string>());
        if (problem.operation == Operation::reduceAxes) {
          return;  // its tensor has keys of its own
        }
        problem.n = line.at("n");
        problem.m = line.at("m");
        problem.seed = line.at("seed");
        problem.types = parse_types("types", line.at("types").template get<std::string>());
        problem.distribution =
            parse_distribution("dist", line.at("dist").template get<std::string>());
        const gpu::LabelFacts facts(problem);
        for (const auto& [text, ns] :
             line.at("plans").template get<std::map<std::string, double>>()) {
          const GpuPlan plan = parse_gpu_plan(text);
          const double predicted = gpu::plan_ns(gpu, problem, facts, plan);
          coverage.inside += gpu_error_interval(problem, plan, predicted).holds(ns) ? 1 : 0;
          ++coverage.all;
        }
      });
  return coverage;
}

TEST_CASE("four of five plans lie in their intervals: learnt on one draw, seen on another") {
  const Coverage learnt = coverage_of("gpu-drawn-h200.jsonl.gz");
  CHECK(learnt.all > 480);
  CHECK(learnt.inside > 0.76 * learnt.all);
  CHECK(learnt.inside < 0.84 * learnt.all);
  const Coverage seen = coverage_of("gpu-drawn-n28-h200.jsonl.gz");
  CHECK(seen.all > 660);
  CHECK(seen.inside > 0.7 * seen.all);
  CHECK(seen.inside < 0.9 * seen.all);
}

TEST_CASE("an interval is a factor around the prediction") {
  const ErrorInterval interval = gpu_error_interval({}, {}, 2);
  CHECK(interval.low * interval.high == doctest::Approx(4));
  CHECK(interval.holds(2));
  CHECK_FALSE(interval.holds(8));
}

}  // namespace
}  // namespace presort::tuner::gpu_error_test
