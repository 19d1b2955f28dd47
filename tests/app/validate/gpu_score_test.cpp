// Scores of predicted GPU plans (app/validate/gpu/gpu_score.h), counted by hand.
#include "presort/app/validate/gpu/gpu_score.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

namespace presort::inline v0::app::gpu_score_test {
namespace {

const GpuPlan kAtomics{.presort = {}, .strategy = GpuStrategy::globalSets};
const GpuPlan kTables{};
const GpuPlan kSorted{.presort = GpuPresort{.sort_bits = 8}, .strategy = GpuStrategy::globalSets};

GpuProblemPoints problem_of(uint64_t m, std::vector<GpuPoint> points) {
  Problem problem;
  problem.n = 1 << 20;
  problem.m = m;
  return {problem, "uniform", std::move(points)};
}

// Two problems; the closed form takes the best plan of the first, and a plan that is half as fast as the
// best of the second.
GpuPoints example() {
  GpuPoints all;
  all.problems = {
      problem_of(256, {{kAtomics, 1.0, 1.5, 2.0}, {kTables, 0.5, 0.4, {}}}),
      problem_of(1 << 20,
                 {{kAtomics, 0.2, 0.1, 0.2}, {kTables, 0.4, 0.5, 0.4}, {kSorted, 0.1, 0.3, 0.1}})};
  all.unknown_labels = 3;
  return all;
}

}  // namespace

TEST_CASE("errors and regret of each method, and of fixed choices") {
  const GpuScores scores = score_gpu_points(example());
  CHECK(scores.problems == 2);
  CHECK(scores.points == 5);
  const GpuScore* const closed = together(scores, GpuMethod::closedForm);
  REQUIRE(closed);
  CHECK(closed->errors.points == 5);
  CHECK(closed->errors.median_abs == doctest::Approx(0.5));  // 0.5, 0.2, 0.5, 0.25, 2
  CHECK(closed->errors.max_abs == doctest::Approx(2));
  CHECK(closed->errors_of_good.points == 4);  // 0.4 is beyond twice 0.1
  CHECK(closed->regret.problems == 2);
  CHECK(closed->regret.mean == doctest::Approx(0.5));  // 0 and 1
  CHECK(closed->regret.worst == doctest::Approx(1));
  const GpuScore* const simulated = together(scores, GpuMethod::simulation);
  REQUIRE(simulated);
  CHECK(simulated->errors.points == 4);
  CHECK(simulated->regret.problems == 1);  // one plan of the first problem has no simulated time
  CHECK(simulated->regret.worst == doctest::Approx(0));
  REQUIRE(scores.baselines.size() == 2);
  CHECK(scores.baselines[0].regret.mean == doctest::Approx(1));  // 1 and 1
  CHECK(scores.baselines[1].regret.problems == 1);
  CHECK(scores.baselines[1].regret.mean == doctest::Approx(0));
}

TEST_CASE("tables and JSON have a row for each series and method, the worst plans first") {
  const GpuPoints all = example();
  const GpuScores scores = score_gpu_points(all);
  CHECK(gpu_scores_table(scores).rows.size() == 4);  // one operation, and all together
  const TableData worst = gpu_worst_table(all);
  REQUIRE(worst.rows.size() == 9);
  CHECK(worst.rows[0][1] == "+200 %");
  const io::Json json = gpu_scores_json(scores, all, true);
  CHECK(json["points"] == 5);
  CHECK(json["problems_of_unknown_labels"] == 3);
  CHECK(json["scores"].size() == 4);
  CHECK(score_gpu_points({}).scores.empty());
}

}  // namespace presort::app::gpu_score_test
