#include "presort/app/whatif/compared.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "presort/app/printing/displayable.h"
#include "presort/app/printing/text.h"
#include "presort/core/text/units.h"
#include "presort/io/json/machine_json.h"

namespace presort::inline v0::app {

namespace {

// Times of a GPU's inputs are picoseconds.
std::string time_text(double ns) {
  return ns < 0.1 ? fmt::format("{:.4f}", ns) : format_ns(ns);
}

std::vector<ProblemTimes> times_of_points(const std::vector<ComparedPoint>& points) {
  std::vector<ProblemTimes> times;
  times.reserve(points.size());
  for (const ComparedPoint& point : points) {
    times.push_back(point.times);
  }
  return times;
}

// A column of the crossover map, from the problems that were finished.
CrossoverColumn column_of(const Compared& compared, const std::vector<Problem>& problems) {
  CrossoverColumn column = {.label = compared.label, .ratios = {}, .crossover = {}};
  for (const Problem& problem : problems) {
    column.ratios.push_back(0);
    for (const ComparedPoint& point : compared.points) {
      if (point.times.problem == problem) {
        const double ratio = point.times.best.ratio();
        column.ratios.back() = std::isfinite(ratio) ? ratio : 0;
      }
    }
  }
  column.crossover = crossover_of(times_of_points(compared.points), problems.front());
  return column;
}

}  // namespace

std::vector<ComparedPoint> points_of(const std::vector<tuner::Choice>& choices) {
  std::vector<ComparedPoint> points;
  points.reserve(choices.size());
  for (const tuner::Choice& choice : choices) {
    points.push_back({{choice.entry.problem, best_times(choice)},
                      short_plan(choice.entry.plan),
                      io::plan_to_json(choice.entry.plan)});
  }
  return points;
}

std::string compared_text(const Compared& compared) {
  TextTable table({"m", "direct ns", "presorted ns", "direct / presorted", "best plan"});
  for (const ComparedPoint& point : compared.points) {
    const BestTimes& best = point.times.best;
    table.add({format_count(point.times.problem.m), time_text(best.direct),
               std::isfinite(best.presorted) ? time_text(best.presorted) : "-",
               std::isfinite(best.presorted) ? fmt::format("{:.2f}", best.ratio()) : "-",
               point.plan});
  }
  std::string text = fmt::format("{}\n{}", displayable_line(compared.machine.name), table.text());
  if (!compared.points.empty()) {
    text += crossover_line(times_of_points(compared.points), compared.points.back().times.problem) +
            "\n\n";
  }
  return text;
}

Records compared_records(const std::vector<Compared>& all) {
  Records records({"machine", "m", "direct_ns", "presorted_ns", "direct_over_presorted", "plan"});
  for (const Compared& compared : all) {
    for (const ComparedPoint& point : compared.points) {
      records.begin();
      records.text(compared.label);
      records.count(point.times.problem.m);
      records.number(point.times.best.direct);
      records.number(point.times.best.presorted);
      records.number(point.times.best.ratio());
      records.text(point.plan);
    }
  }
  return records;
}

io::Json compared_json(const Compared& compared) {
  io::Json points = io::Json::array();
  io::Json crossover = nullptr;
  const std::vector<ProblemTimes> times = times_of_points(compared.points);
  for (const ComparedPoint& point : compared.points) {
    points.push_back({{"m", point.times.problem.m},
                      {"direct_ns_per_input", point.times.best.direct},
                      {"presorted_ns_per_input", point.times.best.presorted},
                      {"plan", point.plan_json}});
    if (const auto m = crossover_of(times, point.times.problem)) {
      crossover = *m;
    }
  }
  return {{"machine", io::machine_to_json(compared.machine)},
          {"points", points},
          {"crossover_m", crossover},
          {"complete", compared.complete}};
}

CrossoverMap map_of(const std::vector<Compared>& all, std::vector<Problem> problems,
                    const std::string& swept, const std::string& machine) {
  std::sort(problems.begin(), problems.end(),
            [](const Problem& a, const Problem& b) { return a.m < b.m; });
  const Problem& first = problems.front();
  CrossoverMap map = {.title = fmt::format("{} n={} {} {}", to_name(kOperations, first.operation),
                                           format_count(first.n), to_string(first.distribution),
                                           to_string(first.types)),
                      .swept = swept.empty() ? "machine" : swept,
                      .buckets = {},
                      .columns = {}};
  map.title += swept.empty() ? "" : " on " + machine;
  for (const Problem& problem : problems) {
    map.buckets.push_back(problem.m);
  }
  for (const Compared& compared : all) {
    map.columns.push_back(column_of(compared, problems));
  }
  return map;
}

io::Json map_json(const CrossoverMap& map) {
  io::Json columns = io::Json::array();
  for (const CrossoverColumn& column : map.columns) {
    io::Json ratios = io::Json::array();
    for (const double ratio : column.ratios) {
      ratios.push_back(ratio > 0 ? io::Json(ratio) : io::Json(nullptr));
    }
    columns.push_back({{"value", column.label},
                       {"crossover_m", column.crossover ? io::Json(*column.crossover) : nullptr},
                       {"direct_over_presorted", ratios}});
  }
  return {{"key", map.swept}, {"m", map.buckets}, {"values", columns}};
}

}  // namespace presort::app
