#include "presort/app/page/chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "presort/app/validate/report/html.h"

namespace presort::inline v0::app::page {

namespace {

// Sizes of the picture and of its margins, in its own units (pixels when it is as wide as the page)
constexpr double kWidth = 900;
constexpr double kHeight = 430;
constexpr double kLeft = 64;
constexpr double kRight = 16;
constexpr double kTop = 56;  // room for the legend and for the texts of rules
constexpr double kBottom = 48;

double place(const Axis& axis, double value) {
  if (!axis.log) {
    return (value - axis.low) / (axis.high - axis.low);
  }
  // A value of zero or below is drawn at the axis's lower end.
  const double shown = std::max(value, axis.low);
  return std::log(shown / axis.low) / std::log(axis.high / axis.low);
}

double x_of(const Chart& chart, double value) {
  return kLeft + (kWidth - kLeft - kRight) * place(chart.x, value);
}

double y_of(const Chart& chart, double value) {
  return kHeight - kBottom - (kHeight - kTop - kBottom) * place(chart.y, value);
}

std::string tip_of(const Mark& mark) {
  return mark.tip.empty() ? "" : "<title>" + escape_html(mark.tip) + "</title>";
}

// A tick label: "2^22" gets a raised exponent.
std::string label_html(const std::string& label) {
  if (label.starts_with("2^")) {
    return "2<tspan dy=\"-5\" font-size=\"10\">" + escape_html(label.substr(2)) + "</tspan>";
  }
  return escape_html(label);
}

std::string axes_svg(const Chart& chart) {
  std::string text;
  for (const Tick& tick : chart.y.ticks) {
    const double y = y_of(chart, tick.at);
    text += fmt::format(
        "<line class=\"grid\" x1=\"{:.1f}\" x2=\"{:.1f}\" y1=\"{:.1f}\" y2=\"{:.1f}\"/>"
        "<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\">{}</text>\n",
        kLeft, kWidth - kRight, y, y, kLeft - 8, y + 4, label_html(tick.label));
  }
  for (const Tick& tick : chart.x.ticks) {
    text += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>\n",
                        x_of(chart, tick.at), kHeight - kBottom + 20, label_html(tick.label));
  }
  return text + fmt::format(
                    "<line class=\"axis\" x1=\"{0:.1f}\" x2=\"{1:.1f}\" y1=\"{2:.1f}\" "
                    "y2=\"{2:.1f}\"/><text x=\"{3:.1f}\" y=\"{4:.1f}\" text-anchor=\"middle\">{5}"
                    "</text><text x=\"14\" y=\"{6:.1f}\" text-anchor=\"middle\" "
                    "transform=\"rotate(-90 14 {6:.1f})\">{7}</text>\n",
                    kLeft, kWidth - kRight, kHeight - kBottom, (kLeft + kWidth - kRight) / 2,
                    kHeight - 8, escape_html(chart.x.label), (kTop + kHeight - kBottom) / 2,
                    escape_html(chart.y.label));
}

std::string line_svg(const Chart& chart, const Series& series) {
  std::string points;
  for (const Mark& mark : series.marks) {
    points += fmt::format("{:.1f},{:.1f} ", x_of(chart, mark.x), y_of(chart, mark.low));
  }
  return "<polyline points=\"" + points + "\"/>";
}

std::string band_svg(const Chart& chart, const Series& series) {
  std::string upper;
  std::string lower;
  for (const Mark& mark : series.marks) {
    upper += fmt::format("{:.1f},{:.1f} ", x_of(chart, mark.x), y_of(chart, mark.high));
    lower.insert(0, fmt::format("{:.1f},{:.1f} ", x_of(chart, mark.x), y_of(chart, mark.low)));
  }
  return "<polygon points=\"" + upper + lower + "\"/>";
}

std::string dot_svg(const Chart& chart, const Mark& mark, Series::Kind kind) {
  const double x = x_of(chart, mark.x);
  const double y = y_of(chart, mark.low);
  constexpr double kRadius = 4;
  return kind == Series::Kind::dots
             ? fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{}\">{}</circle>", x, y,
                           kRadius, tip_of(mark))
             : fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{}\" height=\"{}\">{}</rect>",
                           x - kRadius, y - kRadius, 2 * kRadius, 2 * kRadius, tip_of(mark));
}

std::string bar_svg(const Chart& chart, const Mark& mark, double width) {
  const double left = x_of(chart, mark.x - width / 2);
  const double top = y_of(chart, mark.high);
  return fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\">{}</rect>",
                     left, top, x_of(chart, mark.x + width / 2) - left, y_of(chart, mark.low) - top,
                     tip_of(mark));
}

std::string series_svg(const Chart& chart, const Series& series) {
  std::string text = fmt::format("<g class=\"{}\">", escape_html(series.style));
  switch (series.kind) {
    case Series::Kind::line:
      text += line_svg(chart, series);
      break;
    case Series::Kind::band:
      text += band_svg(chart, series);
      break;
    case Series::Kind::dots:
    case Series::Kind::squares:
      for (const Mark& mark : series.marks) {
        text += dot_svg(chart, mark, series.kind);
      }
      break;
    case Series::Kind::bars:
      for (const Mark& mark : series.marks) {
        text += bar_svg(chart, mark, series.width);
      }
      break;
  }
  return text + "</g>\n";
}

// A legend in one row above the picture; names have at most 7.8 units a character.
std::string legend_svg(const Chart& chart) {
  std::string text;
  double x = kLeft;
  for (const Series& series : chart.series) {
    if (series.name.empty()) {
      continue;
    }
    const bool line = series.kind == Series::Kind::line;
    text += fmt::format("<g class=\"{}\">", escape_html(series.style)) +
            (line ? fmt::format("<polyline points=\"{:.1f},14 {:.1f},14\"/>", x, x + 18)
             : series.kind == Series::Kind::dots
                 ? fmt::format("<circle cx=\"{:.1f}\" cy=\"14\" r=\"5\"/>", x + 9)
                 : fmt::format("<rect x=\"{:.1f}\" y=\"9\" width=\"{}\" height=\"10\"/>", x + 4,
                               series.kind == Series::Kind::squares ? 10 : 14)) +
            fmt::format("</g><text x=\"{:.1f}\" y=\"18\">{}</text>\n", x + 24,
                        escape_html(series.name));
    x += 42 + 7.8 * static_cast<double>(series.name.size());
  }
  return text;
}

std::string rules_svg(const Chart& chart) {
  std::string text;
  double y = kTop - 18;
  for (const Rule& rule : chart.rules) {
    const double x = x_of(chart, rule.x);
    const bool left = x > (kLeft + kWidth) / 2;
    text += fmt::format(
        "<g class=\"{0}\"><line x1=\"{1:.1f}\" x2=\"{1:.1f}\" y1=\"{2:.1f}\" y2=\"{3:.1f}\"/></g>"
        "<text x=\"{4:.1f}\" y=\"{5:.1f}\" text-anchor=\"{6}\">{7}</text>\n",
        escape_html(rule.style), x, y + 4, kHeight - kBottom, left ? x - 6 : x + 6, y + 12,
        left ? "end" : "start", escape_html(rule.text));
    y += 15;
  }
  return text;
}

}  // namespace

Axis log_axis(const std::string& label, const std::vector<double>& values) {
  const auto [least, greatest] = std::minmax_element(values.begin(), values.end());
  Axis axis = {.label = label, .low = *least / 1.15, .high = *greatest * 1.15, .log = true};
  // With few decades, each has three ticks; with many, one.
  const double decades = std::log10(axis.high / axis.low);
  for (int power = static_cast<int>(std::floor(std::log10(axis.low)));
       std::pow(10, power) <= axis.high; ++power) {
    for (const double factor : {1.0, 2.0, 5.0}) {
      const double at = factor * std::pow(10, power);
      if (at >= axis.low && at <= axis.high && (factor == 1 || decades < 4)) {
        axis.ticks.push_back({at, fmt::format("{:.6g}", at)});
      }
    }
  }
  if (axis.ticks.size() < 2) {  // a range between two such numbers: its ends say what it is
    axis.ticks = {{*least, fmt::format("{:.3g}", *least)}};
    if (*greatest > 1.01 * *least) {
      axis.ticks.push_back({*greatest, fmt::format("{:.3g}", *greatest)});
    }
  }
  return axis;
}

Axis buckets_axis(const std::vector<uint64_t>& m) {
  const auto [least, greatest] = std::minmax_element(m.begin(), m.end());
  Axis axis = {.label = "buckets m",
               .low = std::log2(static_cast<double>(*least)) - 0.6,
               .high = std::log2(static_cast<double>(*greatest)) + 0.6};
  const int first = static_cast<int>(std::ceil(axis.low));
  const int last = static_cast<int>(std::floor(axis.high));
  const int step = last - first > 20 ? 4 : last - first > 10 ? 2 : 1;
  for (int bits = first; bits <= last; ++bits) {
    if (bits % step == 0) {
      axis.ticks.push_back({static_cast<double>(bits), fmt::format("2^{}", bits)});
    }
  }
  return axis;
}

std::string svg(const Chart& chart) {
  std::string text = fmt::format(
      "<svg id=\"{0}\" class=\"chart\" viewBox=\"0 0 {1} {2}\" role=\"img\" "
      "aria-labelledby=\"{0}_t {0}_d\"><title id=\"{0}_t\">{3}</title><desc id=\"{0}_d\">{4}"
      "</desc>\n",
      escape_html(chart.id), kWidth, kHeight, escape_html(chart.title),
      escape_html(chart.description));
  text += axes_svg(chart) + legend_svg(chart);
  for (const Series& series : chart.series) {
    text += series_svg(chart, series);
  }
  return text + rules_svg(chart) + "</svg>\n";
}

}  // namespace presort::app::page
