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

const gpu::RuledDevice kDevice{{.multiprocessors = 132,
                                .shared_bytes_of_block = 227 << 10,
                                .shared_bytes_of_multiprocessor = 228 << 10,
                                .threads_of_multiprocessor = 2048},
                               60 << 20};

const GpuBaseline& baseline(const GpuScores& scores, const std::string& name) {
  for (const GpuBaseline& one : scores.baselines) {
    if (one.name == name) {
      return one;
    }
  }
  FAIL("no baseline ", name);
  return scores.baselines.front();
}

}  // namespace

TEST_CASE("errors and regret of each method, and of fixed choices") {
  const GpuScores scores = score_gpu_points(example(), kDevice);
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
  CHECK(baseline(scores, "plain atomics").regret.mean == doctest::Approx(1));  // 1 and 1
  // Tables of 2^20 buckets are 19 ranges, which there are multiprocessors for: 0 and 3
  CHECK(baseline(scores, "tables, else atomics").regret.mean == doctest::Approx(1.5));
  // A plan of 8 sorted bits with tables is not recorded; 2^8 buckets have none with atomics either
  CHECK(baseline(scores, "8 sorted bits, then atomics").regret.problems == 1);
  CHECK(baseline(scores, "8 sorted bits, then atomics").regret.mean == doctest::Approx(0));
  // Rules are judged on two problems each; there plain atomics lose less than tables
  CHECK(baseline(scores, "best fixed plan: plain atomics").regret.problems == 2);
}

TEST_CASE("tables and JSON have a row for each series and method, the worst plans first") {
  const GpuPoints all = example();
  const GpuScores scores = score_gpu_points(all, kDevice);
  CHECK(gpu_scores_table(scores).rows.size() == 4);  // one operation, and all together
  const TableData worst = gpu_worst_table(all);
  REQUIRE(worst.rows.size() == 9);
  CHECK(worst.rows[0][1] == "+200 %");
  const io::Json json = gpu_scores_json(scores, all, true);
  CHECK(json["points"] == 5);
  CHECK(json["problems_of_unknown_labels"] == 3);
  CHECK(json["scores"].size() == 4);
  CHECK(score_gpu_points({}, kDevice).scores.empty());
}

}  // namespace presort::app::gpu_score_test
