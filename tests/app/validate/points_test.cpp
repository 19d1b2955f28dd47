#include "presort/app/validate/points.h"

#include <doctest/doctest.h>

#include "presort/app/validate/predict_points.h"

#include "presort/core/error.h"
#include "presort/io/machine/machine_file.h"
#include "tests/core/refusal.h"

namespace presort::inline v0::app::points_test {
namespace {

using test::refusal;

io::RecordedPoint recorded(uint64_t m, const char* plan, double ns, bool in_grid = true) {
  return {.problem = {.n = 1 << 20, .m = m, .distribution = {}, .types = {}},
          .plan = parse_cpu_plan(plan),
          .in_grid = in_grid,
          .ns = {ns, ns},
          .raw_ns = {ns, ns},
          .place = {}};
}

TEST_CASE("recorded points are grouped by problem; those of the old tuner alone are left out") {
  const auto all =
      make_points({recorded(256, "sortBits=0", 1), recorded(1 << 20, "sortBits=0", 4),
                   recorded(256, "sortBits=8", 2), recorded(1 << 20, "sortBits=9", 3, false)});
  REQUIRE(all.size() == 2);
  CHECK(all[0].points.size() == 2);
  CHECK(all[0].points[1].measured() == 2);
  CHECK(all[1].points.size() == 1);
  CHECK(all[1].measured);
}

TEST_CASE("a problem without a direct plan has nothing to be judged by") {
  io::RecordedPoint sorted = recorded(256, "sortBits=8", 2);
  sorted.place = "r.jsonl:7";
  CHECK(refusal<InputError>([&] { make_points({sorted}); }) ==
        "r.jsonl:7: found only plans with a pre-sort for " + to_string(sorted.problem) +
            ", accepted: at least one without (sortBits=0)");
  const io::PlanGrid grid = {
      .problems = {sorted.problem}, .plans = {sorted.plan}, .plans_place = "g.yaml:4:3"};
  CHECK(refusal<InputError>([&] {
          make_points(grid, nullptr);
        }).starts_with("g.yaml:4:3: plans: found only"));
}

TEST_CASE("a grid none of whose plans fits a problem is refused with the reason of the first") {
  const io::PlanGrid grid = {.problems = {recorded(2, "sortBits=0", 2).problem},
                             .plans = {parse_cpu_plan("sortBits=8")},
                             .plans_place = "g.yaml:4:3"};
  const std::string message = refusal<InputError>([&] { make_points(grid, nullptr); });
  CHECK(message.starts_with("g.yaml:4:3: plans: found none that fits "));
  CHECK(message.find("sortBits: found '8', accepted: 0 to 1") != std::string::npos);
}

TEST_CASE("without a tuned file the fastest prediction is the choice") {
  auto all = make_points({recorded(1 << 20, "sortBits=0", 4), recorded(1 << 20, "sortBits=8", 2),
                          recorded(1 << 20, "sortBits=9", 3)});
  const double predicted[] = {4, 3, 2};
  for (size_t i = 0; i < 3; ++i) {
    Prediction& prediction = all[0].points[i].prediction;
    prediction.plan = all[0].points[i].plan;
    prediction.problem = all[0].problem;
    prediction.ns_per_input = predicted[i];
  }
  choose_plans(all);
  CHECK(all[0].tuned == 2);
  CHECK(all[0].direct == 0);
}

// A point with four runs, of which the given number are quiet.
Point point_with_quiet(size_t quiet, const char* plan = "sortBits=0") {
  Point point;
  point.plan = parse_cpu_plan(plan);
  point.raw_ns = {1, 1, 1, 1};
  point.ns = point.raw_ns;
  point.quiet = quiet;
  point.prediction.ns_per_input = 2;
  return point;
}

TEST_CASE("a point is judged by the prediction for the cores that most of its runs had") {
  Point point = point_with_quiet(1);
  // Without a prediction beside busy siblings, the one for quiet cores is judged
  CHECK(point.judged().ns_per_input == 2);
  point.beside_siblings.emplace().ns_per_input = 3;
  CHECK(point.judged().ns_per_input == 3);
  CHECK(point.ran_beside_siblings());
  for (const size_t quiet : {2, 3, 4}) {
    point.quiet = quiet;
    CHECK(point.judged().ns_per_input == 2);
    CHECK_FALSE(point.ran_beside_siblings());
  }
}

TEST_CASE("runs partly beside siblings take the geometric mean, and their phases still add up") {
  Prediction quiet;
  quiet.ns_per_input = 2;
  Prediction beside;
  beside.ns_per_input = 4.5;
  beside.stack_ns = {{"core", 1.5}, {"L1d", 3}};
  beside.phases = {{"count", 1, {{"core", 0.5}, {"L1d", 0.5}}, PhaseKind::count},
                   {"reduce", 3.5, {{"core", 1}, {"L1d", 2.5}}, PhaseKind::update}};
  const Prediction partly = partly_beside_siblings(quiet, beside);
  CHECK(partly.ns_per_input == doctest::Approx(3));
  double stack = 0;
  for (const auto& [term, ns] : partly.stack_ns) {
    stack += ns;
  }
  CHECK(stack == doctest::Approx(3));
  CHECK(partly.phases[0].ns_per_input + partly.phases[1].ns_per_input == doctest::Approx(3));
  CHECK(partly.phases[1].stack_ns[1].second == doctest::Approx(2.5 * 2 / 3));
  CHECK(partly.phases[1].kind == PhaseKind::update);
  // Where siblings change nothing, neither does the mean
  CHECK(partly_beside_siblings(beside, beside).ns_per_input == doctest::Approx(4.5));
}

TEST_CASE("before it is measured a team may run beside siblings, one thread does not") {
  Point team = point_with_quiet(4, "threads=2");
  Point lone = point_with_quiet(4);
  for (Point* point : {&team, &lone}) {
    point->raw_ns.clear();
    point->ns.clear();
    point->quiet = 0;
  }
  CHECK(team.may_run_beside_siblings());
  CHECK_FALSE(lone.may_run_beside_siblings());
}

TEST_CASE("points beside busy siblings are predicted twice, where a core has siblings") {
  Machine machine = io::read_machine(PRESORT_SOURCE_DIR "/tests/app/data/machine.yaml");
  Progress progress(Verbosity::quiet, "predict");
  const auto predicted = [&](int threads_per_core) {
    machine.threads_per_core = threads_per_core;
    std::vector<ProblemPoints> all(1);
    all[0].problem = recorded(1 << 12, "sortBits=0", 1).problem;
    all[0].problem.n = 1 << 14;
    all[0].points = {point_with_quiet(0), point_with_quiet(4)};
    predict_points(all, machine, {}, progress);
    return all[0].points;
  };
  const auto points = predicted(2);
  REQUIRE(points[0].beside_siblings);
  CHECK(points[0].beside_siblings->ns_per_input > 1.05 * points[0].prediction.ns_per_input);
  CHECK(points[0].prediction.ns_per_input == points[1].prediction.ns_per_input);
  CHECK_FALSE(points[1].beside_siblings);
  CHECK_FALSE(predicted(1)[0].beside_siblings);
}

TEST_CASE("one thread that was not measured is predicted twice in closed form, and not simulated") {
  Machine machine = io::read_machine(PRESORT_SOURCE_DIR "/tests/app/data/machine.yaml");
  Progress progress(Verbosity::quiet, "predict");
  const auto predicted = [&](int threads_per_core, predict::Method method) {
    machine.threads_per_core = threads_per_core;
    std::vector<ProblemPoints> all(1);
    all[0].problem = recorded(1 << 12, "sortBits=0", 1).problem;
    all[0].problem.n = 1 << 14;
    all[0].points = {point_with_quiet(4)};
    all[0].points[0].raw_ns.clear();
    all[0].points[0].ns.clear();
    all[0].points[0].quiet = 0;
    predict_points(all, machine, {.method = method}, progress);
    return all[0].points[0];
  };
  const Point point = predicted(2, predict::Method::closedForm);
  REQUIRE(point.beside_siblings);
  CHECK(point.beside_siblings->ns_per_input > 1.05 * point.prediction.ns_per_input);
  CHECK_FALSE(predicted(1, predict::Method::closedForm).beside_siblings);
  CHECK_FALSE(predicted(2, predict::Method::simulation).beside_siblings);
}

}  // namespace
}  // namespace presort::app::points_test
