#include "app/validate/plots.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/validate/gnuplot.h"

namespace presort::app {

namespace {

// Two colours that stay apart for colour-blind eyes and in grey.
constexpr char kDirectColor[] = "#d95f02";
constexpr char kTunedColor[] = "#1f5fa8";

constexpr char kStyle[] =
    "set border 3 lc rgb '#666666'\n"
    "set grid ytics lc rgb '#e4e4e4' lt 1\n"
    "set tics nomirror\n"
    "set key outside right top vertical Left reverse spacing 1.25 samplen 2.4\n";

double log2_m(const ProblemRow& row) {
  return std::log2(static_cast<double>(row.item->problem.m));
}

// "set xtics ('2^{10}' 10, …)" for the m of the group.
std::string m_axis(const GroupSummary& group) {
  std::string tics;
  for (const ProblemRow& row : group.rows) {
    tics += fmt::format("{}'2^{{{:.3g}}}' {}", tics.empty() ? "" : ", ", log2_m(row), log2_m(row));
  }
  return fmt::format("set xtics ({})\nset xrange [{}:{}]\nset xlabel 'buckets m'\n", tics,
                     log2_m(group.rows.front()) - 0.7, log2_m(group.rows.back()) + 0.7);
}

const Point& tuned_point(const ProblemRow& row) {
  return row.item->points[row.item->tuned];
}
const Point& direct_point(const ProblemRow& row) {
  return row.item->points[row.item->direct];
}

// Predicted and measured times of the tuner's two plans over m, all plans of the grid behind them.
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
    chosen.row({log2_m(row), direct.prediction.ns_per_input, direct.measured(),
                tuned.prediction.ns_per_input, tuned.measured()});
  }
  const auto curves = [](const char* name, const char* color, int predicted) {
    return fmt::format(
        ", $chosen using 1:{0} with linespoints lc rgb '{2}' lw 2 pt 7 ps 0.7 title '{3} measured'"
        ", $chosen using 1:{1} with linespoints lc rgb '{2}' lw 2 dt 2 pt 6 ps 0.7 "
        "title '{3} predicted'",
        predicted + 1, predicted, color, name);
  };
  return run_gnuplot(grid.text() + chosen.text() + kStyle + m_axis(group) +
                     "set logscale y 2\nset ylabel 'ns per input'\nset title " +
                     quoted(group.title) +
                     "\nplot $grid using 1:2 with points pt 7 ps 0.45 lc rgb '#b4b4b4' "
                     "title 'all plans measured'" +
                     curves("direct", kDirectColor, 2) + curves("tuned", kTunedColor, 4) + "\n");
}

struct StackColor {
  const char* term;
  const char* color;
};
constexpr StackColor kStackColors[] = {
    {"core", "#8c8c8c"},       {"L1d", "#c7e9b4"},           {"L2", "#41b6c4"},
    {"L3", "#225ea8"},         {"memoryLatency", "#d7301f"}, {"memoryBandwidth", "#fc8d59"},
    {"TLB", "#8856a7"},        {"branches", "#f2c94c"},      {"stores", "#a6761d"},
    {"dependence", "#e78ac3"},
};

std::string stack_color(const std::string& term) {
  for (const StackColor& row : kStackColors) {
    if (term == row.term) {
      return row.color;
    }
  }
  return "#bdbdbd";
}

double term_of(const Point& point, const std::string& name) {
  for (const auto& [term, ns] : point.prediction.stack_ns) {
    if (term == name) {
      return ns;
    }
  }
  return 0;
}

// Terms that matter anywhere in the group, in the order of the stacks.
std::vector<std::string> stack_terms(const GroupSummary& group) {
  std::vector<std::string> terms;
  for (const auto& [term, first] : tuned_point(group.rows.front()).prediction.stack_ns) {
    const bool matters = std::any_of(group.rows.begin(), group.rows.end(), [&](const auto& row) {
      return term_of(direct_point(row), term) > 0.005 * direct_point(row).prediction.ns_per_input ||
             term_of(tuned_point(row), term) > 0.005 * tuned_point(row).prediction.ns_per_input;
    });
    if (matters) {
      terms.push_back(term);
    }
  }
  return terms;
}

constexpr double kBarDistance = 0.84;
constexpr double kGroupDistance = 2.4;

// Two bars for each m: direct left, tuned right, one column of `terms` a level, and the measured
// time. Column 1: position; 2 …: upper edges of the terms; last: measured.
DataBlock stack_data(const GroupSummary& group, const std::vector<std::string>& terms) {
  DataBlock data("bars");
  double position = 0;
  for (const ProblemRow& row : group.rows) {
    double offset = 0;
    for (const Point* point : {&direct_point(row), &tuned_point(row)}) {
      std::vector<double> columns = {position + offset};
      double edge = 0;
      for (const std::string& term : terms) {
        edge += term_of(*point, term);
        columns.push_back(edge);
      }
      columns.push_back(point->measured());
      data.row(columns);
      offset = kBarDistance;
    }
    position += kGroupDistance;
  }
  return data;
}

std::string draw_stacks(const GroupSummary& group) {
  const std::vector<std::string> terms = stack_terms(group);
  std::string tics;
  double position = kBarDistance / 2;
  for (const ProblemRow& row : group.rows) {
    tics += fmt::format("{}'2^{{{:.3g}}}' {}", tics.empty() ? "" : ", ", log2_m(row), position);
    position += kGroupDistance;
  }
  std::string curves;
  for (size_t i = terms.size(); i-- > 0;) {  // the highest edge first: the next one covers it
    curves += fmt::format(
        "$bars using 1:{} with boxes fs solid 1 border lc rgb '#ffffff' "
        "fc rgb '{}' title {}, ",
        i + 2, stack_color(terms[i]), quoted(terms[i]));
  }
  return run_gnuplot(
      stack_data(group, terms).text() + kStyle +
      fmt::format("set boxwidth 0.8\nset xtics ({}) scale 0\nset xrange [-1:{}]\n", tics,
                  position - 1) +
      "set yrange [0:*]\nset xlabel 'buckets m (left bar: direct, right bar: tuned)'\n"
      "set ylabel 'predicted ns per input'\nset title " +
      quoted(group.title) + "\nplot " + curves +
      fmt::format("$bars using 1:{} with points pt 9 ps 0.8 lc rgb '#000000' title 'measured'\n",
                  terms.size() + 2));
}

std::string draw_errors(const GroupSummary& group) {
  DataBlock all("all");
  DataBlock chosen("chosen");
  const auto percent = [](const Point& point) {
    return 100 * relative_error(point.prediction.ns_per_input, point.measured());
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
      all.text() + chosen.text() + kStyle + m_axis(group) +
      "set ylabel 'predicted / measured − 1, %'\nset xzeroaxis lt 1 lc rgb '#666666'\nset title " +
      quoted(group.title) +
      fmt::format("\nplot $all using 1:2 with points pt 7 ps 0.45 lc rgb '#b4b4b4' title "
                  "'all plans', $chosen using 1:2 with linespoints lc rgb '{}' lw 2 pt 7 ps 0.7 "
                  "title 'direct', $chosen using 1:3 with linespoints lc rgb '{}' lw 2 pt 7 "
                  "ps 0.7 title 'tuned'\n",
                  kDirectColor, kTunedColor));
}

}  // namespace

std::vector<Plot> draw_plots(const Summary& summary) {
  std::vector<Plot> plots;
  for (size_t i = 0; i < summary.groups.size(); ++i) {
    const GroupSummary& group = summary.groups[i];
    const std::string suffix = summary.groups.size() == 1 ? "" : fmt::format("-{}", i + 1);
    plots.push_back({"times" + suffix, "Time over the number of buckets, predicted and measured",
                     draw_times(group)});
    plots.push_back({"stacks" + suffix, "Where the predicted time goes", draw_stacks(group)});
    plots.push_back({"errors" + suffix, "Error of the predictions", draw_errors(group)});
  }
  return plots;
}

}  // namespace presort::app
