#include "presort/app/printing/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "presort/app/printing/displayable.h"
#include "presort/core/text/units.h"

namespace presort::inline v0::app {

void TextTable::add(const std::vector<std::string>& cells) {
  std::vector<std::string>& row = rows_.emplace_back();
  for (const std::string& cell : cells) {
    row.push_back(displayable_line(cell));
  }
}

std::string TextTable::list() const {
  const std::vector<std::string>& heads = rows_.front();
  size_t widest = 0;
  for (const std::string& head : heads) {
    widest = std::max(widest, head.size());
  }
  std::string text;
  for (size_t row = 1; row < rows_.size(); ++row) {
    text += (heads[0].empty() ? "" : heads[0] + " ") + rows_[row][0] + "\n";
    for (size_t column = 1; column < heads.size(); ++column) {
      if (!rows_[row][column].empty()) {
        text += fmt::format("  {:<{}}  {}\n", heads[column], widest, rows_[row][column]);
      }
    }
  }
  return text;
}

std::string TextTable::text(int columns) const {
  constexpr size_t kLeastOfLast = 20;  // columns that the last cell of a row is left at least
  std::vector<size_t> widths(rows_.front().size(), 0);
  for (const auto& row : rows_) {
    for (size_t column = 0; column < row.size(); ++column) {
      widths[column] = std::max(widths[column], row[column].size());
    }
  }
  const size_t last_width = std::min(widths.back(), kLeastOfLast);
  const size_t needed =
      std::accumulate(widths.begin(), widths.end() - 1, last_width) + 2 * (widths.size() - 1);
  if (columns > 0 && needed > static_cast<size_t>(columns)) {
    return list();
  }
  std::string text;
  for (const auto& row : rows_) {
    std::string line;
    for (size_t column = 0; column < row.size(); ++column) {
      const bool last = column + 1 == row.size();
      if (column == 0) {
        line += fmt::format("{:<{}}", row[column], widths[column]);
      } else {
        line += last ? "  " + row[column] : fmt::format("  {:>{}}", row[column], widths[column]);
      }
    }
    text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  return text;
}

std::string short_plan(const GpuPlan& plan) {
  std::string text;
  if (plan.presort) {
    text = fmt::format("sort {} bits in {} pass{}, ", plan.presort->sort_bits, plan.presort->passes,
                       plan.presort->passes == 1 ? "" : "es");
  }
  text += plan.strategy == GpuStrategy::sharedSets ? "tables in shared memory" : "atomics";
  if (plan.range_passes > 1) {
    text += fmt::format(", {} ranges", plan.range_passes);
  }
  return plan.n_sets > 1 ? text + fmt::format(", {} sets", plan.n_sets) : text;
}

std::string short_plan(const CpuPlan& plan) {
  std::string text;
  if (plan.presort) {
    const bool plain = plan.base.strategy == CpuStrategy::plainRadix;
    text =
        fmt::format("{}sort {} bits in {} pass{}", plain ? "plain " : "", plan.presort->sort_bits,
                    plan.presort->passes, plan.presort->passes == 1 ? "" : "es");
    if (!plain) {
      text += fmt::format(", buffers {}", format_bytes(plan.presort->buffer_bytes));
    }
    if (plan.presort->chunk_bytes > 0) {
      text += fmt::format(", chunks {}", format_bytes(plan.presort->chunk_bytes));
    }
  } else {
    text = plan.base.strategy == CpuStrategy::privateTables ? "private tables" : "direct";
  }
  if (plan.resources.threads > 1) {
    text += fmt::format(", {} threads", plan.resources.threads);
  }
  if (plan.base.n_sets > 1) {
    text += fmt::format(" in {} sets", plan.base.n_sets);
  }
  if (plan.base.range_passes > 1) {
    text += fmt::format(" in {} ranges", plan.base.range_passes);
  }
  if (plan.base.prefetch_distance > 0) {
    text += fmt::format(", prefetch {}", plan.base.prefetch_distance);
  }
  if (plan.base.input_distance > 0) {
    text += fmt::format(", inputs fetched {} ahead", plan.base.input_distance);
  }
  text += ", " + to_name(kPageSizes, plan.resources.page_size) + " pages";
  switch (plan.resources.placement) {
    case Placement::firstTouch:
      return text;
    case Placement::interleaved:
      return text + " on all nodes in turn";
    case Placement::byShare:
      return text + " on their threads' nodes";
  }
  return text;
}

std::string draw_stack(const TimeStack& stack) {
  constexpr int kLongestBar = 40;
  double total = 0;
  for (const auto& [name, ns] : stack) {
    total += ns;
  }
  std::string text;
  for (const auto& [name, ns] : stack) {
    if (ns < total / 1000 || total == 0) {
      continue;
    }
    const auto filled = static_cast<size_t>(std::lround(ns / total * kLongestBar));
    // Times on a GPU are picoseconds per input, so they get more decimals.
    const std::string time = total < 0.1 ? fmt::format("{:.5f}", ns) : format_ns(ns);
    text += fmt::format("  {:<16} {:>7} ns  {}\n", displayable_line(name), time,
                        std::string(filled, '#'));
  }
  return text;
}

std::string format_ns(double ns) {
  return !std::isfinite(ns) ? "-"
         : ns < 10          ? fmt::format("{:.2f}", ns)
         : ns < 100         ? fmt::format("{:.1f}", ns)
                            : fmt::format("{:.0f}", ns);
}

std::string time_text(Device device, double ns) {
  return device == Device::gpu && std::isfinite(ns) ? fmt::format("{:.5f}", ns) : format_ns(ns);
}

std::string format_percent(double part) {
  return fmt::format("{:.1f} %", part * 100);
}

std::string signed_percent(double part) {
  return fmt::format("{:+.1f} %", part * 100);
}

const char* partial_mark(bool complete) {
  return complete ? "" : " (interrupted: partial results)";
}

}  // namespace presort::app
