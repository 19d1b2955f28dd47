#include "presort/app/validate/report/plots.h"

#include <fmt/format.h>

#include <algorithm>

#include "presort/app/plot/gnuplot.h"
#include "presort/app/plot/plot_text.h"
#include "presort/app/validate/kept_points.h"
#include "presort/app/validate/report/overview_plots.h"
#include "presort/app/validate/report/plot_style.h"
#include "presort/app/validate/report/stack_plots.h"

namespace presort::inline v0::app {

namespace {

// gnuplot's tics for the values of m in the group: "set xtics ('2^{10}' 10, …)".
std::string m_axis(const GroupSummary& group) {
  std::string tics;
  for (const ProblemRow& row : group.rows) {
    tics += (tics.empty() ? "" : ", ") + m_tic(row, log2_m(row));
  }
  return fmt::format("set xtics ({})\nset xrange [{}:{}]\nset xlabel 'buckets m'\n", tics,
                     log2_m(group.rows.front()) - 0.7, log2_m(group.rows.back()) + 0.7);
}

// Draws the predicted and measured times of the tuner's two plans over m, with all plans of the
// grid behind them.
std::string draw_times(const GroupSummary& group) {
  DataBlock grid("grid");
  DataBlock chosen("chosen");
  for (const ProblemRow& row : group.rows) {
    for (const Point& point : row.item->points) {
      if (!point.dropped) {
        grid.row({log2_m(row), point.measured()});
      }
    }
    const Point& direct = direct_point(row);
    const Point& tuned = tuned_point(row);
    chosen.row({log2_m(row), direct.judged().ns_per_input, direct.measured(),
                tuned.judged().ns_per_input, tuned.measured()});
  }
  // The curve of the direct plan is wider and drawn first, so that both curves are seen where they
  // are of the same plan.
  const auto curves = [](const char* name, const char* color, int predicted, double width) {
    return fmt::format(
        ", $chosen using 1:{0} with linespoints lc rgb '{2}' lw {4} pt 7 ps {5} title '{3} "
        "measured', $chosen using 1:{1} with linespoints lc rgb '{2}' lw {4} dt 2 pt 6 ps {5} "
        "title '{3} predicted'",
        predicted + 1, predicted, color, name, width, 0.4 + 0.15 * width);
  };
  return run_gnuplot(
      grid.text() + chosen.text() + kPlotStyle + m_axis(group) +
      "set logscale y 2\nset ylabel 'ns per input'\nset title " + in_plot_quotes(group.title) +
      "\nplot $grid using 1:2 with points pt 7 ps 0.45 lc rgb '#b4b4b4' "
      "title 'all plans measured'" +
      curves("direct", kDirectColor, 2, 4) + curves("tuned", kTunedColor, 4, 1.8) + "\n");
}

std::string draw_errors(const GroupSummary& group) {
  DataBlock all("all");
  DataBlock chosen("chosen");
  const auto percent = [](const Point& point) {
    return 100 * relative_error(point.judged().ns_per_input, point.measured());
  };
  for (const ProblemRow& row : group.rows) {
    for (const Point& point : row.item->points) {
      if (!point.dropped) {
        all.row({log2_m(row), percent(point)});
      }
    }
    chosen.row({log2_m(row), percent(direct_point(row)), percent(tuned_point(row))});
  }
  return run_gnuplot(
      all.text() + chosen.text() + kPlotStyle + m_axis(group) +
      "set ylabel 'predicted / measured − 1, %'\nset xzeroaxis lt 1 lc rgb '#666666'\nset title " +
      in_plot_quotes(group.title) +
      fmt::format("\nplot $all using 1:2 with points pt 7 ps 0.45 lc rgb '#b4b4b4' title "
                  "'all plans', $chosen using 1:2 with linespoints lc rgb '{}' lw 4 pt 7 ps 1 "
                  "title 'direct', $chosen using 1:3 with linespoints lc rgb '{}' lw 2 pt 7 "
                  "ps 0.7 title 'tuned'\n",
                  kDirectColor, kTunedColor));
}

bool any_kept(const GroupSummary& group) {
  return std::any_of(group.rows.begin(), group.rows.end(), [](const ProblemRow& row) {
    return std::any_of(row.item->points.begin(), row.item->points.end(), kept);
  });
}

}  // namespace

std::vector<Plot> draw_plots(const Summary& summary) {
  std::vector<Plot> plots;
  if (summary.errors.points > 0) {
    plots.push_back({"accuracy", "All points: predicted over measured time", std::nullopt,
                     draw_accuracy(summary)});
    plots.push_back({"regimes",
                     "Errors by regime: every point, the middle half of them, and their median",
                     std::nullopt, draw_regimes(summary)});
  }
  for (size_t i = 0; i < summary.groups.size(); ++i) {
    const GroupSummary& group = summary.groups[i];
    const std::string suffix = summary.groups.size() == 1 ? "" : fmt::format("-{}", i + 1);
    plots.push_back({"times" + suffix, "Time over the number of buckets, predicted and measured", i,
                     draw_times(group)});
    plots.push_back({"errors" + suffix, "Error of the predictions", i, draw_errors(group)});
    plots.push_back(
        {"stacks" + suffix, "Where the predicted time goes: ns per input", i, draw_stacks(group)});
    if (any_kept(group)) {
      plots.push_back({"plans" + suffix,
                       "Where the predicted time of every plan goes, as part of the measured time: "
                       "above the line is too much, below it something is missing",
                       i, draw_plan_stacks(group)});
    }
  }
  return plots;
}

}  // namespace presort::app
