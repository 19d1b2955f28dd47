#include "presort/app/validate/report/stack_plots.h"

#include <fmt/format.h>

#include <algorithm>

#include "presort/app/plot/gnuplot.h"
#include "presort/app/plot/plot_text.h"
#include "presort/app/printing/text.h"
#include "presort/app/validate/kept_points.h"
#include "presort/app/validate/report/plot_style.h"

namespace presort::inline v0::app {

namespace {

struct StackColor {
  const char* term;
  const char* color;
};
constexpr StackColor kStackColors[] = {
    {"core", "#8c8c8c"},       {"L1d", "#c7e9b4"},           {"L2", "#41b6c4"},
    {"L3", "#225ea8"},         {"memoryLatency", "#d7301f"}, {"memoryBandwidth", "#fc8d59"},
    {"TLB", "#8856a7"},        {"branches", "#f2c94c"},      {"stores", "#a6761d"},
    {"dependence", "#e78ac3"}, {"team", "#1b9e77"},
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
  for (const auto& [term, ns] : point.judged().stack_ns) {
    if (term == name) {
      return ns;
    }
  }
  return 0;
}

// Time-stack terms that take at least a hundredth of some point's time, in the order of the stacks.
std::vector<std::string> stack_terms(const std::vector<const Point*>& points) {
  std::vector<std::string> terms;
  for (const auto& [term, first] : points.front()->judged().stack_ns) {
    if (std::any_of(points.begin(), points.end(), [&, name = term](const Point* point) {
          return term_of(*point, name) > 0.01 * point->judged().ns_per_input;
        })) {
      terms.push_back(term);
    }
  }
  return terms;
}

// Upper edges of the terms of a time stack as it is drawn, each times `scale`.
std::vector<double> stack_edges(const Point& point, const std::vector<std::string>& terms,
                                double scale) {
  std::vector<double> edges;
  double edge = 0;
  for (const std::string& term : terms) {
    edge += scale * term_of(point, term);
    edges.push_back(edge);
  }
  return edges;
}

// Gnuplot curves that draw a time stack as overlapping boxes, from the data block's columns 2 …:
// the highest edge first, each covered by the next.
std::string stack_curves(const std::string& block, const std::vector<std::string>& terms,
                         const std::string& border) {
  std::string curves;
  for (size_t i = terms.size(); i-- > 0;) {
    curves += fmt::format("${} using 1:{} with boxes fs solid 1 {} fc rgb '{}' title {}, ", block,
                          i + 2, border, stack_color(terms[i]), in_plot_quotes(terms[i]));
  }
  return curves;
}

constexpr double kBarDistance = 0.84;
constexpr double kGroupDistance = 2.4;

// Data of two bars for each m: the direct plan left, the tuned plan right. Column 1: position; 2 …:
// upper edges of the time stack's terms; last: measured time.
DataBlock stack_data(const GroupSummary& group, const std::vector<std::string>& terms) {
  DataBlock data("bars");
  double position = 0;
  for (const ProblemRow& row : group.rows) {
    double offset = 0;
    for (const Point* point : {&direct_point(row), &tuned_point(row)}) {
      std::vector<double> columns = stack_edges(*point, terms, 1);
      columns.insert(columns.begin(), position + offset);
      columns.push_back(point->measured());
      data.row(columns);
      offset = kBarDistance;
    }
    position += kGroupDistance;
  }
  return data;
}

// The kept points of one plan over m.
struct StackPanel {
  CpuPlan plan;
  std::vector<const Point*> points;
  std::vector<double> positions;  // for each point: index of its problem among the group's rows
};

std::vector<StackPanel> panels_of(const GroupSummary& group) {
  std::vector<StackPanel> panels;
  for (size_t row = 0; row < group.rows.size(); ++row) {
    for (const Point& point : group.rows[row].item->points) {
      if (!kept(point)) {
        continue;
      }
      auto panel = std::find_if(panels.begin(), panels.end(),
                                [&](const StackPanel& known) { return known.plan == point.plan; });
      if (panel == panels.end()) {
        panel = panels.insert(panels.end(), {point.plan, {}, {}});
      }
      panel->points.push_back(&point);
      panel->positions.push_back(static_cast<double>(row));
    }
  }
  return panels;
}

constexpr size_t kPanelColumns = 3;
constexpr int kPanelHeight = 170;  // height of a panel of the picture, pixels

double highest_ratio(const std::vector<const Point*>& points) {
  double highest = 1;
  for (const Point* point : points) {
    highest = std::max(highest, point->judged().ns_per_input / point->measured());
  }
  return highest;
}

DataBlock panel_data(const StackPanel& panel, const std::string& name,
                     const std::vector<std::string>& terms) {
  DataBlock data(name);
  for (size_t i = 0; i < panel.points.size(); ++i) {
    std::vector<double> columns =
        stack_edges(*panel.points[i], terms, 1 / panel.points[i]->measured());
    columns.insert(columns.begin(), panel.positions[i]);
    data.row(columns);
  }
  return data;
}

// The legend takes a panel of its own, where nothing is drawn.
std::string legend_panel(const std::vector<std::string>& terms) {
  std::string curves;
  for (size_t i = terms.size(); i-- > 0;) {
    curves +=
        fmt::format("{}NaN with boxes fs solid 1 noborder fc rgb '{}' title {}",
                    curves.empty() ? "" : ", ", stack_color(terms[i]), in_plot_quotes(terms[i]));
  }
  return "unset title\nunset border\nunset tics\nunset grid\nunset arrow\n"
         "set key inside center center vertical maxcols 2 Left reverse samplen 1.6 spacing 1.2 "
         "font ',11'\nplot " +
         curves + "\n";
}

}  // namespace

std::string draw_stacks(const GroupSummary& group) {
  std::vector<const Point*> points;
  std::string tics;
  double position = kBarDistance / 2;
  for (const ProblemRow& row : group.rows) {
    points.insert(points.end(), {&direct_point(row), &tuned_point(row)});
    tics += (tics.empty() ? "" : ", ") + m_tic(row, position);
    position += kGroupDistance;
  }
  const std::vector<std::string> terms = stack_terms(points);
  return run_gnuplot(
      stack_data(group, terms).text() + kPlotStyle +
      fmt::format("set boxwidth 0.8\nset xtics ({}) scale 0\nset xrange [-1:{}]\n", tics,
                  position - 1) +
      "set yrange [0:*]\nset xlabel 'buckets m (left bar: direct, right bar: tuned)'\n"
      "set ylabel 'predicted ns per input'\nset title " +
      in_plot_quotes(group.title) + "\nplot " +
      stack_curves("bars", terms, "border lc rgb '#ffffff'") +
      fmt::format("$bars using 1:{} with points pt 9 ps 0.8 lc rgb '#000000' title 'measured'\n",
                  terms.size() + 2));
}

std::string draw_plan_stacks(const GroupSummary& group) {
  const std::vector<StackPanel> panels = panels_of(group);
  std::vector<const Point*> points;
  for (const StackPanel& panel : panels) {
    points.insert(points.end(), panel.points.begin(), panel.points.end());
  }
  const std::vector<std::string> terms = stack_terms(points);
  std::string tics;
  for (size_t row = 0; row < group.rows.size(); ++row) {
    tics += (tics.empty() ? "" : ", ") + m_tic(group.rows[row], static_cast<double>(row));
  }
  std::string data;
  std::string plots;
  for (size_t i = 0; i < panels.size(); ++i) {
    const std::string name = fmt::format("panel{}", i);
    data += panel_data(panels[i], name, terms).text();
    plots += fmt::format(
        "set title {} font ',10' offset 0,-0.8\nplot {}1 with lines lc rgb "
        "'#111111' lw 1.2 notitle\n",
        in_plot_quotes(short_plan(panels[i].plan)), stack_curves(name, terms, "noborder"));
  }
  // Rows of panels; one panel more than plans, for the legend
  const size_t lines = panels.size() / kPanelColumns + 1;
  return run_gnuplot(
      data + kPlotStyle +
          fmt::format("unset key\nset boxwidth 0.8\nset xtics ({}) scale 0 font ',10'\n"
                      "set xrange [-0.7:{}]\nset yrange [0:{}]\nset ytics 0.5 font ',10'\n"
                      "set tmargin 1.8\nset bmargin 1.5\nset lmargin 5\nset rmargin 1.5\n"
                      "set multiplot layout {},{} title {}\n",
                      tics, static_cast<double>(group.rows.size()) - 0.3,
                      1.05 * highest_ratio(points), lines, kPanelColumns,
                      in_plot_quotes(group.title + ": predicted / measured")) +
          plots + legend_panel(terms) + "unset multiplot\n",
      {960, 40 + kPanelHeight * static_cast<int>(lines)});
}

}  // namespace presort::app
