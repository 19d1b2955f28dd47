#include "presort/app/machines/latency_plots.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "presort/app/plot/gnuplot.h"
#include "presort/app/plot/plot_text.h"
#include "presort/core/text/units.h"

namespace presort::inline v0::app {

namespace {

constexpr int kWidth = 1280;
constexpr int kRowHeight = 430;

constexpr char kStyle[] =
    "set lmargin 9\nset rmargin 9\nset tmargin 2.5\nset bmargin 4\n"
    "set tics out nomirror font ',9'\nset cbtics font ',9'\nset border 3\nunset key\n";

// A size in bytes as written on a plot's axis: "16K", "1.5M".
std::string short_size(uint64_t bytes) {
  return bytes >= 1 << 20   ? fmt::format("{:.4g}M", static_cast<double>(bytes) / (1 << 20))
         : bytes >= 1 << 10 ? fmt::format("{:.4g}K", static_cast<double>(bytes) / (1 << 10))
                            : fmt::format("{}", bytes);
}

std::string tics(const std::string& axis, const std::set<uint64_t>& sizes, size_t every) {
  std::string text;
  size_t place = 0;
  for (const uint64_t size : sizes) {
    if (place % every == 0) {
      text += fmt::format("{}'{}' {}", text.empty() ? "" : ", ", short_size(size), place);
    }
    ++place;
  }
  return fmt::format("set {} ({})\n", axis, text);
}

// The measured values of one order of a pointer chase, on a grid of whole numbers.
class Panel {
 public:
  Panel(ChaseOrder order, const std::vector<fit::CellResult>& results) : order_(order) {
    for (const fit::CellResult& result : results) {
      if (result.order == order) {
        cells_.push_back(&result);
        footprints_.insert(result.cell.footprint_bytes);
        strides_.insert(result.cell.stride_bytes);
        blocks_.insert(result.cell.block_bytes);
        most_ = std::max(most_, result.cell.cycles);
      }
    }
    by_block_ = blocks_.size() > strides_.size();
  }

  bool empty() const { return cells_.empty(); }
  std::string data() const;
  std::string plots() const;

 private:
  std::string name() const { return to_name(kChaseOrders, order_); }
  uint64_t column_of(const fit::CellResult& result) const {
    return by_block_ ? result.cell.block_bytes : result.cell.stride_bytes;
  }
  const std::set<uint64_t>& columns() const { return by_block_ ? blocks_ : strides_; }

  ChaseOrder order_;
  bool by_block_ = false;
  double most_ = 0;
  std::vector<const fit::CellResult*> cells_;
  std::set<uint64_t> footprints_;
  std::set<uint64_t> strides_;
  std::set<uint64_t> blocks_;
};

// Data for every place of the grid, because gnuplot expects images to be complete. A place that was
// not measured is NaN, and is shown white.
std::string Panel::data() const {
  std::map<std::pair<uint64_t, uint64_t>, const fit::CellResult*> at;
  for (const fit::CellResult* result : cells_) {
    at[{result->cell.footprint_bytes, column_of(*result)}] = result;
  }
  DataBlock block(name());
  double y = 0;
  for (const uint64_t footprint : footprints_) {
    double x = 0;
    for (const uint64_t column : columns()) {
      const auto found = at.find({footprint, column});
      if (found == at.end()) {
        block.row({x, y, NAN, NAN, NAN});
      } else {
        const fit::CellResult& result = *found->second;
        block.row({x, y, result.simulated, result.cell.cycles, 100 * result.error()});
      }
      ++x;
    }
    ++y;
  }
  return block.text();
}

std::string Panel::plots() const {
  std::string text = tics("xtics", columns(), 2) + tics("ytics", footprints_, 3);
  text += fmt::format("set xrange [-0.5:{}]\nset yrange [-0.5:{}]\nset xlabel '{}'\n",
                      static_cast<double>(columns().size()) - 0.5,
                      static_cast<double>(footprints_.size()) - 0.5,
                      by_block_ ? "block, bytes" : "stride, bytes");
  text += fmt::format(
      "set palette defined (0 '#f7fbff', 1 '#c6dbef', 2 '#6baed6', 3 '#2171b5', 4 '#08306b')\n"
      "set logscale cb\nset cbrange [2:{}]\n",
      most_ * 1.2);
  for (const auto& [column, title] : {std::pair{3, "simulated"}, std::pair{4, "measured"}}) {
    text +=
        fmt::format("set title '{}: {}, cycles'\nplot ${} using 1:2:{} with image pixels notitle\n",
                    name(), title, name(), column);
  }
  text += fmt::format(
      "unset logscale cb\nset palette defined (-1 '#2166ac', 0 '#f7f7f7', 1 '#b2182b')\n"
      "set cbrange [-50:50]\nset title '{}: error, %'\n"
      "plot ${} using 1:2:5 with image pixels notitle\n",
      name(), name());
  return text;
}

}  // namespace

std::string latency_heat_maps(const std::vector<fit::CellResult>& results,
                              const std::string& machine) {
  std::vector<Panel> panels;
  for (const ChaseOrder order :
       {ChaseOrder::random, ChaseOrder::blockRandom, ChaseOrder::forward, ChaseOrder::backward}) {
    Panel panel(order, results);
    if (!panel.empty()) {
      panels.push_back(std::move(panel));
    }
  }
  std::string script;
  std::string plots;
  for (const Panel& panel : panels) {
    script += panel.data();
    plots += panel.plots();
  }
  script += fmt::format("{}set multiplot layout {},3 title {}\n", kStyle, panels.size(),
                        in_plot_quotes(machine));
  return run_gnuplot(script + plots + "unset multiplot\n",
                     {kWidth, kRowHeight * static_cast<int>(panels.size())});
}

}  // namespace presort::app
