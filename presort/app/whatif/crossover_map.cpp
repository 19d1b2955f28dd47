#include "presort/app/whatif/crossover_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "presort/app/plot/gnuplot.h"
#include "presort/app/plot/plot_text.h"
#include "presort/app/printing/text.h"
#include "presort/app/validate/report/plot_style.h"
#include "presort/core/text/units.h"

namespace presort::inline v0::app {

namespace {

// Ratio of the two times, or its inverse, beyond which colours do not get darker
constexpr double kDarkest = 3;

std::string ratio_text(double ratio) {
  return ratio <= 0     ? "-"
         : ratio < 9.95 ? fmt::format("{:.2f}", ratio)
                        : fmt::format("{:.1f}", ratio);
}

std::string m_tics(const std::vector<uint64_t>& buckets) {
  std::string tics;
  for (size_t row = 0; row < buckets.size(); ++row) {
    const std::string count = format_count(buckets[row]);
    const std::string text =
        count.starts_with("2^") ? fmt::format("2^{{{}}}", count.substr(2)) : count;
    tics += fmt::format("{}'{}' {}", row == 0 ? "" : ", ", text, row);
  }
  return tics;
}

std::string label_tics(const std::vector<CrossoverColumn>& columns) {
  std::string tics;
  for (size_t i = 0; i < columns.size(); ++i) {
    tics += (i == 0 ? "" : ", ") + quoted_tic(columns[i].label, static_cast<double>(i));
  }
  return tics;
}

// Position of the line below the smallest m from which pre-sorting pays; above all tiles where it
// never does.
double edge_of(const CrossoverMap& map, const CrossoverColumn& column) {
  const auto found =
      std::find(map.buckets.begin(), map.buckets.end(), column.crossover.value_or(0));
  return static_cast<double>(found - map.buckets.begin()) - 0.5;
}

// Data of the map's tiles: x, y, log2 of the ratio limited to kDarkest, and the tile's text.
DataBlock tiles(const CrossoverMap& map) {
  DataBlock data("tiles");
  const double most = std::log2(kDarkest);
  for (size_t x = 0; x < map.columns.size(); ++x) {
    for (size_t y = 0; y < map.buckets.size(); ++y) {
      const double ratio = map.columns[x].ratios[y];
      if (ratio > 0) {
        data.row({static_cast<double>(x), static_cast<double>(y),
                  std::clamp(std::log2(ratio), -most, most)});
      }
    }
  }
  return data;
}

std::string tile_texts(const CrossoverMap& map) {
  std::string text = "$texts << EOD\n";
  for (size_t x = 0; x < map.columns.size(); ++x) {
    for (size_t y = 0; y < map.buckets.size(); ++y) {
      text += fmt::format("{} {} {}\n", x, y, ratio_text(map.columns[x].ratios[y]));
    }
  }
  return text + "EOD\n";
}

}  // namespace

std::string crossover_table(const CrossoverMap& map) {
  std::vector<std::string> header = {map.swept, "crossover"};
  for (const uint64_t m : map.buckets) {
    header.push_back(format_count(m));
  }
  header.emplace_back();  // an empty last column: TextTable takes it for free text
  TextTable table(header);
  for (const CrossoverColumn& column : map.columns) {
    std::vector<std::string> cells = {column.label,
                                      column.crossover ? format_count(*column.crossover) : "none"};
    for (const double ratio : column.ratios) {
      cells.push_back(ratio_text(ratio));
    }
    cells.emplace_back();
    table.add(cells);
  }
  return table.text();
}

std::string draw_crossover_map(const CrossoverMap& map) {
  const size_t columns = map.columns.size();
  const size_t rows = map.buckets.size();
  DataBlock edges("edges");
  for (size_t x = 0; x < columns; ++x) {
    const double edge = edge_of(map, map.columns[x]);
    edges.row({static_cast<double>(x) - 0.5, edge});
    edges.row({static_cast<double>(x) + 0.5, edge});
  }
  const double most = std::log2(kDarkest);
  const std::string script =
      tiles(map).text() + tile_texts(map) + edges.text() +
      fmt::format(
          "set border 3 lc rgb '#666666'\nset tics nomirror out scale 0.5\n"
          "set rmargin 17\nset bmargin 6\n"
          "set key at screen 0.45,0.045 center horizontal samplen 2.5\n"
          "set xrange [-0.5:{}]\nset yrange [-0.5:{}]\nset xtics ({}) noenhanced\nset ytics ({})\n"
          "set xlabel {}\nset ylabel 'buckets m'\nset title {}\n",
          static_cast<double>(columns) - 0.5, static_cast<double>(rows) - 0.5,
          label_tics(map.columns), m_tics(map.buckets), in_plot_quotes(map.swept),
          in_plot_quotes(map.title)) +
      // Tiles are orange where the loop is faster, blue where the pre-sort is, as in the other
      // plots.
      fmt::format(
          "set palette defined (-1 '{}', 0 '#ffffff', 1 '{}')\nset cbrange [{}:{}]\n"
          "set cbtics ('{} x slower' {}, 'even' 0, '{} x faster' {})\n"
          "set cblabel 'the best pre-sort is'\n",
          kDirectColor, kTunedColor, -most, most, kDarkest, -most, kDarkest, most) +
      "plot $tiles using 1:2:3 with image pixels notitle, $texts using 1:2:3 with labels "
      "font ',11' notitle, $edges using 1:2 with lines lw 3 lc rgb '#111111' title 'a pre-sort "
      "pays above the line, by 5 % and more'\n";
  return run_gnuplot(script, {180 + 110 * static_cast<int>(std::max<size_t>(columns, 5)),
                              150 + 34 * static_cast<int>(rows)});
}

}  // namespace presort::app
