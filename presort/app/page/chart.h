// A chart as SVG: lines, dots, bands and stacked bars over a linear or logarithmic axis. Colours are
// classes of the page's style sheet, so that one picture suits light, dark and print. Pure.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace presort::inline v0::app::page {

struct Tick {
  double at = 0;
  std::string label;
};

struct Axis {
  std::string label;
  double low = 0;
  double high = 1;
  std::vector<Tick> ticks = {};
  bool log = false;  // true: positions go by the logarithm. Requires: low > 0
};

// A logarithmic axis that holds the values, with ticks at 1, 2 and 5 times powers of ten.
// Requires: values > 0, at least one
Axis log_axis(const std::string& label, const std::vector<double>& values);

// A linear axis over log2 of numbers of buckets, with a tick at each.
// Requires: at least one
Axis buckets_axis(const std::vector<uint64_t>& m);

struct Mark {
  double x = 0;
  double low = 0;   // y of dots and lines; lower edge of bands and bars
  double high = 0;  // upper edge of bands and bars
  std::string tip;  // text that shows while the pointer is above
};

struct Series {
  enum class Kind { line, dots, squares, band, bars };
  Kind kind = Kind::line;
  std::string name = "";   // name in the legend; "": not in the legend
  std::string style = "";  // class of the style sheet
  std::vector<Mark> marks = {};
  double width = 0;  // width of bars, in units of x
};

// A vertical line with a text at its top.
struct Rule {
  double x = 0;
  std::string text;
  std::string style;
};

struct Chart {
  std::string id;     // id of the element, unique in the page
  std::string title;  // name for screen readers
  std::string description;
  Axis x = {};
  Axis y = {};
  std::vector<Series> series = {};
  std::vector<Rule> rules = {};
};

// The chart as an SVG element with role img, title and description. All texts are escaped.
std::string svg(const Chart& chart);

}  // namespace presort::app::page
