#include "presort/app/validate/report/summary_tables.h"

#include <fmt/format.h>

#include <algorithm>

#include "presort/app/printing/text.h"
#include "presort/core/text/units.h"

namespace presort::inline v0::app {

namespace {

// Most classes of a grouping that a table lists: with more, each class has only a few points.
constexpr size_t kMostClasses = 24;

std::string crossover_m(std::optional<uint64_t> crossover) {
  return crossover ? format_count(*crossover) : "none";
}

std::string factor_text(const Crossover& crossover) {
  return crossover.factor()   ? fmt::format("{:.3g} x", *crossover.factor())
         : crossover.agrees() ? "agree"
                              : "differ";
}

// Table cells of a crossover: predicted, measured and the factor between them.
std::vector<std::string> crossover_cells(const Crossover& crossover) {
  return {crossover_m(crossover.predicted), crossover_m(crossover.measured),
          factor_text(crossover)};
}

std::vector<std::string> page_cells(const GroupSummary& group, PageSize pages) {
  for (const PageCrossover& entry : group.page_crossovers) {
    if (entry.pages == pages) {
      return crossover_cells(entry);
    }
  }
  return {"-", "-", "-"};
}

}  // namespace

TableData baselines_table(const Summary& summary) {
  TableData table = {
      {"regret of", "problems", "mean", "95 % below", "worst", "plan"}, {}, LastColumn::text};
  const auto add = [&](const std::string& name, size_t points, double mean, double p95, double max,
                       const std::string& plan) {
    table.rows.push_back({name, std::to_string(points), format_percent(mean), format_percent(p95),
                          format_percent(max), plan});
  };
  if (summary.regret_points > 0) {
    add("the tuner", summary.regret_points, summary.mean_regret, summary.p95_regret,
        summary.max_regret, "one for each problem");
  }
  if (summary.measured) {
    const DrawnScore& score = summary.measured->score;
    const int runs = summary.measured->runs;
    add(runs == kRunsOfTune ? "the tuner, timing close plans"
                            : fmt::format("the tuner, {} timed run{}", runs, runs == 1 ? "" : "s"),
        score.problems, score.mean_regret, score.p95_regret, score.max_regret,
        fmt::format("one for each problem and draw; mean {} to {}",
                    format_percent(score.mean_interval.low),
                    format_percent(score.mean_interval.high)));
  }
  for (const Baseline& baseline : summary.baselines) {
    add(baseline.name, baseline.points, baseline.mean_regret, baseline.p95_regret,
        baseline.max_regret, baseline.plan ? short_plan(*baseline.plan) : baseline.rule);
  }
  return table;
}

TableData crossovers_table(const Summary& summary) {
  TableData table = {{"crossover of", "predicted", "measured", "factor"}, {}, LastColumn::numbers};
  for (const Named<PageSize>& pages : kPageSizes) {
    table.header.insert(table.header.end(),
                        {std::string(pages.name) + ": predicted", "measured", "factor"});
  }
  for (const GroupSummary& group : summary.groups) {
    std::vector<std::string> cells = {group.title};
    const auto add = [&cells](const std::vector<std::string>& more) {
      cells.insert(cells.end(), more.begin(), more.end());
    };
    add(crossover_cells(group.crossover));
    for (const Named<PageSize>& pages : kPageSizes) {
      add(page_cells(group, pages.value));
    }
    table.rows.push_back(cells);
  }
  return table;
}

TableData regimes_table(const std::vector<Grouping>& groupings) {
  TableData table = {{"errors of", "points", "median", "90 % below", "worst", "bias", "in 80 %",
                      "run-to-run spread"},
                     {},
                     LastColumn::numbers};
  for (const Grouping& grouping : groupings) {
    if (grouping.regimes.size() < 2 || grouping.regimes.size() > kMostClasses) {
      continue;
    }
    table.rows.push_back({grouping.name, "", "", "", "", "", "", ""});
    for (const Regime& regime : grouping.regimes) {
      table.rows.push_back(
          {fmt::format("  {}", regime.name), std::to_string(regime.errors.points),
           format_percent(regime.errors.median_abs), format_percent(regime.errors.p90_abs),
           format_percent(regime.errors.max_abs), signed_percent(regime.bias),
           regime.inside ? format_percent(*regime.inside) : "", format_percent(regime.spread)});
    }
  }
  return table;
}

TableData worst_table(const Summary& summary) {
  TableData table = {{"worst points", "pred.", "meas.", "error", "spread", "buckets in",
                      "most of the prediction is"},
                     {},
                     LastColumn::text};
  for (const WorstPoint& entry : summary.worst) {
    table.rows.push_back({to_string(entry.item->problem) + ", " + short_plan(entry.point->plan),
                          format_ns(entry.point->judged().ns_per_input),
                          format_ns(entry.point->measured()), signed_percent(entry.error),
                          format_percent(entry.spread), entry.buckets_in,
                          fmt::format("{} ({})", entry.term, format_percent(entry.term_share))});
  }
  return table;
}

}  // namespace presort::app
