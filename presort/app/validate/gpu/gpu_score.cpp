#include "presort/app/validate/gpu/gpu_score.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "presort/app/printing/text.h"
#include "presort/core/measurement.h"
#include "presort/core/text/units.h"
#include "presort/gpu/plan/plan_time.h"

namespace presort::inline v0::app {

namespace {

constexpr const char* kTogether = "together";

GpuRegret regret_of(const std::vector<double>& losses) {
  if (losses.empty()) {
    return {};
  }
  return {losses.size(), mean(losses), quantile(losses, 0.95), quantile(losses, 1)};
}

double best_ns(const GpuProblemPoints& one) {
  double best = one.points.front().measured;
  for (const GpuPoint& point : one.points) {
    best = std::min(best, point.measured);
  }
  return best;
}

// Errors and losses of one method, as they come.
struct Gathered {
  std::vector<double> errors, errors_of_good, losses;
};

void gather(const GpuProblemPoints& one, GpuMethod method, Gathered& gathered) {
  std::vector<double> times;
  const double best = best_ns(one);
  for (const GpuPoint& point : one.points) {
    if (const auto& ns = point.by(method)) {
      times.push_back(*ns);
      const double error = relative_error(*ns, point.measured);
      gathered.errors.push_back(error);
      if (point.measured <= 2 * best) {
        gathered.errors_of_good.push_back(error);
      }
    }
  }
  if (times.size() == one.points.size() && times.size() > 1) {
    gathered.losses.push_back(one.points[gpu::first_of_fastest(times)].measured / best - 1);
  }
}

GpuBaseline baseline_of(const GpuPoints& all, const gpu::PlanRule& rule,
                        const gpu::RuledDevice& device) {
  std::vector<double> losses;
  for (const GpuProblemPoints& one : all.problems) {
    const auto plan = gpu::ruled_plan(rule, one.problem, device);
    for (const GpuPoint& point : one.points) {
      if (plan && point.plan == *plan && one.points.size() > 1) {
        losses.push_back(point.measured / best_ns(one) - 1);
      }
    }
  }
  return {rule.name, regret_of(losses)};
}

// The regret of each rule, and of the fixed plan that loses least in the mean among those that the record
// has for the most problems.
std::vector<GpuBaseline> baselines_of(const GpuPoints& all, const gpu::RuledDevice& device) {
  std::vector<GpuBaseline> baselines;
  GpuBaseline best;
  for (const gpu::PlanRule& rule : gpu::plan_rules()) {
    GpuBaseline one = baseline_of(all, rule, device);
    if (one.regret.problems == 0) {
      continue;
    }
    if (rule.is_fixed &&
        (one.regret.problems > best.regret.problems ||
         (one.regret.problems == best.regret.problems && one.regret.mean < best.regret.mean))) {
      best = {fmt::format("best fixed plan: {}", one.name), one.regret};
    }
    baselines.push_back(std::move(one));
  }
  if (best.regret.problems > 0) {
    baselines.push_back(std::move(best));
  }
  return baselines;
}

std::string errors_text(const ErrorSummary& errors) {
  return errors.points == 0
             ? "-"
             : fmt::format("{}, {}, {}", format_percent(errors.median_abs),
                           format_percent(errors.p90_abs), format_percent(errors.max_abs));
}

std::vector<std::string> regret_cells(const GpuRegret& regret) {
  if (regret.problems == 0) {
    return {"-", "-", "-"};
  }
  return {format_percent(regret.mean), format_percent(regret.p95), format_percent(regret.worst)};
}

io::Json errors_of(const ErrorSummary& errors) {
  return {{"points", errors.points},
          {"median_abs_error", errors.median_abs},
          {"p90_abs_error", errors.p90_abs},
          {"max_abs_error", errors.max_abs}};
}

io::Json regret_json(const GpuRegret& regret) {
  return {{"problems", regret.problems},
          {"mean_regret", regret.mean},
          {"p95_regret", regret.p95},
          {"max_regret", regret.worst}};
}

}  // namespace

GpuScores score_gpu_points(const GpuPoints& all, const gpu::RuledDevice& device) {
  GpuScores scores;
  scores.problems = all.problems.size();
  std::map<std::string, std::map<GpuMethod, Gathered>> series;
  for (const GpuProblemPoints& one : all.problems) {
    scores.points += one.points.size();
    const std::string name =
        to_name(kOperations, one.problem.operation) + " " + to_string(one.problem.types);
    for (const GpuMethod method : {GpuMethod::closedForm, GpuMethod::simulation}) {
      gather(one, method, series[name][method]);
      gather(one, method, series[kTogether][method]);
    }
  }
  const auto add = [&](const std::string& name) {
    for (const auto& [method, gathered] : series[name]) {
      if (!gathered.errors.empty()) {
        scores.scores.push_back({name, method, summarise_errors(gathered.errors),
                                 summarise_errors(gathered.errors_of_good),
                                 regret_of(gathered.losses)});
      }
    }
  };
  for (const auto& [name, methods] : series) {
    if (name != kTogether) {
      add(name);
    }
  }
  add(kTogether);
  scores.baselines = baselines_of(all, device);
  return scores;
}

const GpuScore* together(const GpuScores& scores, GpuMethod method) {
  for (const GpuScore& score : scores.scores) {
    if (score.series == kTogether && score.method == method) {
      return &score;
    }
  }
  return nullptr;
}

TableData gpu_scores_table(const GpuScores& scores) {
  TableData table;
  table.header = {"problems",   "predicted", "plans",      "error: median, 90 %, worst",
                  "within 2 x", "regret",    "95 % below", "worst"};
  table.last_column = LastColumn::numbers;
  for (const GpuScore& score : scores.scores) {
    std::vector<std::string> row = {score.series, to_name(kGpuMethods, score.method),
                                    std::to_string(score.errors.points), errors_text(score.errors),
                                    errors_text(score.errors_of_good)};
    for (std::string& cell : regret_cells(score.regret)) {
      row.push_back(std::move(cell));
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

TableData gpu_baselines_table(const GpuScores& scores) {
  TableData table;
  table.header = {"without predictions", "problems", "regret", "95 % below", "worst"};
  table.last_column = LastColumn::numbers;
  for (const GpuBaseline& baseline : scores.baselines) {
    std::vector<std::string> row = {baseline.name, std::to_string(baseline.regret.problems)};
    for (std::string& cell : regret_cells(baseline.regret)) {
      row.push_back(std::move(cell));
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

TableData gpu_worst_table(const GpuPoints& all) {
  constexpr size_t kMost = 10;
  struct Row {
    double error;
    std::vector<std::string> cells;
  };
  std::vector<Row> rows;
  for (const GpuProblemPoints& one : all.problems) {
    for (const GpuPoint& point : one.points) {
      for (const GpuMethod method : {GpuMethod::closedForm, GpuMethod::simulation}) {
        if (const auto& ns = point.by(method)) {
          const double error = relative_error(*ns, point.measured);
          rows.push_back({std::abs(error),
                          {to_name(kGpuMethods, method), fmt::format("{:+.0f} %", 100 * error),
                           fmt::format("{:.4f}", *ns), fmt::format("{:.4f}", point.measured),
                           to_string(one.problem), short_plan(point.plan)}});
        }
      }
    }
  }
  std::stable_sort(rows.begin(), rows.end(),
                   [](const Row& a, const Row& b) { return a.error > b.error; });
  TableData table;
  table.header = {"predicted", "error", "predicted ns", "measured ns", "problem", "plan"};
  for (size_t i = 0; i < std::min(kMost, rows.size()); ++i) {
    table.rows.push_back(std::move(rows[i].cells));
  }
  return table;
}

io::Json gpu_scores_json(const GpuScores& scores, const GpuPoints& all, bool complete) {
  io::Json list = io::Json::array();
  for (const GpuScore& score : scores.scores) {
    list.push_back({{"series", score.series},
                    {"method", to_name(kGpuMethods, score.method)},
                    {"errors", errors_of(score.errors)},
                    {"errors_of_good", errors_of(score.errors_of_good)},
                    {"regret", regret_json(score.regret)}});
  }
  io::Json baselines = io::Json::array();
  for (const GpuBaseline& baseline : scores.baselines) {
    baselines.push_back({{"name", baseline.name}, {"regret", regret_json(baseline.regret)}});
  }
  return {{"problems", scores.problems},
          {"points", scores.points},
          {"problems_of_unknown_labels", all.unknown_labels},
          {"scores", list},
          {"baselines", baselines},
          {"complete", complete},
          {"provenance", io::provenance_to_json(io::current_provenance())}};
}

}  // namespace presort::app
