#include "presort/app/validate/report/overview_plots.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "presort/app/plot/gnuplot.h"
#include "presort/app/plot/plot_text.h"
#include "presort/app/validate/kept_points.h"
#include "presort/app/validate/report/plot_style.h"
#include "presort/app/validate/score/regimes.h"
#include "presort/core/measurement.h"

namespace presort::inline v0::app {

namespace {

// The colour of each kind of plan in the plot, in the order of the kinds' first points; direct is
// orange and a pre-sort blue, as in the other plots.
struct KindColor {
  const char* kind;
  const char* color;
};
constexpr KindColor kKindColors[] = {
    {"direct", kDirectColor},
    {"direct with prefetch", "#c9a100"},
    {"pre-sorted, passes 1", kTunedColor},
    {"pre-sorted, passes 2", "#7b3294"},
};
constexpr char kOtherColor[] = "#2b8a5a";

const char* kind_color(const std::string& kind) {
  for (const KindColor& row : kKindColors) {
    if (kind == row.kind) {
      return row.color;
    }
  }
  return kOtherColor;
}

struct Series {
  std::string kind;
  PageSize pages;
  DataBlock data;
};

// All kept points by kind of plan and page size, and the least and greatest time among them.
struct AccuracyData {
  std::vector<Series> series;
  double least = std::numeric_limits<double>::infinity();
  double greatest = 0;
};

AccuracyData accuracy_data(const Summary& summary) {
  AccuracyData all;
  for (const GroupSummary& group : summary.groups) {
    for (const ProblemRow& row : group.rows) {
      for (const Point& point : row.item->points) {
        if (!kept(point)) {
          continue;
        }
        const std::string kind = plan_kind(point.plan);
        const PageSize pages = point.plan.resources.page_size;
        auto found = std::find_if(all.series.begin(), all.series.end(), [&](const Series& entry) {
          return entry.kind == kind && entry.pages == pages;
        });
        if (found == all.series.end()) {
          const std::string name = fmt::format("series{}", all.series.size());
          found = all.series.insert(all.series.end(), {kind, pages, DataBlock(name)});
        }
        const double predicted = point.judged().ns_per_input;
        found->data.row({point.measured(), predicted});
        all.least = std::min({all.least, predicted, point.measured()});
        all.greatest = std::max({all.greatest, predicted, point.measured()});
      }
    }
  }
  return all;
}

// One row of the picture of regimes: a regime (class of points), or the name of a grouping above
// its regimes.
struct Strip {
  std::string label;
  const Regime* regime = nullptr;  // null: the row is a heading, the name of a grouping
};

std::vector<Strip> strips_of(const Summary& summary) {
  std::vector<Strip> strips;
  for (const Grouping& grouping : summary.regimes) {
    if (grouping.regimes.size() < 2 && &grouping != &summary.regimes.front()) {
      continue;
    }
    strips.push_back({grouping.name, nullptr});
    for (const Regime& regime : grouping.regimes) {
      strips.push_back({fmt::format("{} ({})", regime.name, regime.errors.points), &regime});
    }
  }
  return strips;
}

// Half of the thickness of a strip of dots; a row has height 1
constexpr double kStripHeight = 0.36;
constexpr double kGoldenRatio = 0.6180339887498949;

// Adds the dots, the quartile box and the median of one regime at height y.
void add_strip(const Regime& regime, double y, DataBlock& dots, DataBlock& boxes) {
  double shift = 0;  // vertical shift that spreads dots over the strip, evenly and reproducibly
  for (const double error : regime.values) {
    shift = std::fmod(shift + kGoldenRatio, 1.0);
    dots.row({100 * error, y + kStripHeight * 0.8 * (2 * shift - 1)});
  }
  boxes.row({100 * regime.bias, y, 100 * quantile(regime.values, 0.25),
             100 * quantile(regime.values, 0.75), y - kStripHeight, y + kStripHeight});
}

}  // namespace

std::string draw_accuracy(const Summary& summary) {
  const AccuracyData all = accuracy_data(summary);
  std::string script;
  std::string curves =
      "x with lines lc rgb '#444444' lw 1.2 title 'predicted = measured', "
      "1.25*x with lines lc rgb '#999999' dt 3 lw 1.2 title '+25 % and -25 %', "
      "0.75*x with lines lc rgb '#999999' dt 3 lw 1.2 notitle";
  for (size_t i = 0; i < all.series.size(); ++i) {
    const Series& series = all.series[i];
    script += series.data.text();
    curves += fmt::format(", $series{} using 1:2 with points pt {} ps 0.5 lc rgb '{}' title {}", i,
                          series.pages == PageSize::k2MiB ? 7 : 6, kind_color(series.kind),
                          in_plot_quotes(fmt::format("{}, {} pages", series.kind,
                                                     to_name(kPageSizes, series.pages))));
  }
  script += kPlotStyle;
  script += fmt::format(
      "set logscale xy 2\nset size ratio 1\nset xrange [{0}:{1}]\nset yrange [{0}:{1}]\n"
      "set grid xtics ytics lc rgb '#ececec' lt 1\nset samples 50\n"
      "set xlabel 'measured ns per input'\nset ylabel 'predicted ns per input'\n",
      all.least / 1.25, all.greatest * 1.25);
  return run_gnuplot(script + "plot " + curves + "\n", {880, 560});
}

std::string draw_regimes(const Summary& summary) {
  const std::vector<Strip> strips = strips_of(summary);
  DataBlock dots("dots");
  DataBlock boxes("boxes");
  std::string tics;
  std::string names;
  for (size_t i = 0; i < strips.size(); ++i) {
    const double y = -static_cast<double>(i);
    if (strips[i].regime == nullptr) {
      names += fmt::format(
          "set label {} at graph 0, first {} right offset -1,0 font 'sans-serif:Bold'\n",
          in_plot_quotes(strips[i].label), y);
      continue;
    }
    tics += (tics.empty() ? "" : ", ") + quoted_tic(strips[i].label, y);
    add_strip(*strips[i].regime, y, dots, boxes);
  }
  const std::string script =
      dots.text() + boxes.text() + kPlotStyle + names +
      fmt::format("set ytics ({}) noenhanced scale 0\nset yrange [{}:0.7]\nunset key\n", tics,
                  -static_cast<double>(strips.size()) + 0.3) +
      "unset grid\nset grid xtics lc rgb '#e4e4e4' lt 1\n"
      "set xlabel 'predicted / measured − 1, %'\n"
      "set arrow from 0, graph 0 to 0, graph 1 nohead lc rgb '#666666' lw 1 back\n"
      "plot $boxes using 1:2:3:4:5:6 with boxxyerror fs solid 1 noborder fc rgb '#dce6f1', "
      "$dots using 1:2 with points pt 7 ps 0.28 lc rgb '#1f5fa8', "
      "$boxes using 1:5:(0):($6-$5) with vectors nohead lw 2.5 lc rgb '#111111'\n";
  return run_gnuplot(script, {880, 70 + 21 * static_cast<int>(strips.size())});
}

}  // namespace presort::app
