#include "presort/app/loops/loop_summary.h"

#include <fmt/format.h>

#include <algorithm>

#include "presort/app/machines/load_report.h"
#include "presort/app/printing/displayable.h"
#include "presort/app/printing/text.h"
#include "presort/app/validate/score/regimes.h"
#include "presort/core/measurement.h"
#include "presort/core/text/units.h"

namespace presort::inline v0::app {

namespace {

LoopRow make_loop_row(const LoopPoint& point, const Machine& machine) {
  LoopRow row;
  row.point = &point;
  row.error = relative_error(point.prediction->ns_per_item, point.measured());
  row.spread = relative_spread(point.ns);
  row.fits_in = level_name(machine, holding_level(machine, point.loop.footprint_bytes));
  const TimeStack& stack = point.prediction->stack_ns;
  const auto largest = std::max_element(
      stack.begin(), stack.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  if (largest != stack.end()) {
    row.term = largest->first;
    row.term_share = largest->second / point.prediction->ns_per_item;
  }
  return row;
}

// Groups of the summary's rows by loop, level and page size; ranks put cache levels in their order.
std::vector<Grouping> group_rows(const std::vector<LoopRow>& rows, const Machine& machine) {
  std::vector<ClassedPoint> by_loop;
  std::vector<ClassedPoint> by_level;
  std::vector<ClassedPoint> by_both;
  std::vector<ClassedPoint> by_pages;
  const size_t levels = machine.caches.size() + 1;
  for (const LoopRow& row : rows) {
    const Loop& loop = row.point->loop;
    const auto kind = static_cast<size_t>(loop.kind);
    const size_t level = holding_level(machine, loop.footprint_bytes);
    const std::string name = to_name(kLoopKinds, loop.kind);
    by_loop.push_back({kind, name, row.error, row.spread});
    by_level.push_back({level, row.fits_in, row.error, row.spread});
    by_both.push_back({kind * levels + level, name + " in " + row.fits_in, row.error, row.spread});
    by_pages.push_back({0, to_name(kPageSizes, loop.page_size), row.error, row.spread});
  }
  return {group_points("loop", "loop", by_loop), group_points("fits in", "fits_in", by_level),
          group_points("loop and level", "loop_and_level", by_both),
          group_points("page size", "page_size", by_pages)};
}

}  // namespace

LoopSummary summarise_loops(const std::vector<LoopPoint>& points, const Machine& machine) {
  LoopSummary summary;
  std::vector<double> errors;
  std::vector<double> spreads;
  for (const LoopPoint& point : points) {
    if (point.ns.empty() || !point.prediction) {
      continue;
    }
    summary.rows.push_back(make_loop_row(point, machine));
    errors.push_back(summary.rows.back().error);
    spreads.push_back(summary.rows.back().spread);
    summary.kept_runs += point.ns.size();
    summary.quiet_runs += point.quiet;
  }
  summary.probe_warnings = probe_warnings(machine);
  summary.errors = summarise_errors(errors);
  summary.median_spread = spreads.empty() ? 0 : median(spreads);
  summary.groupings = group_rows(summary.rows, machine);
  return summary;
}

TableData loops_table(const LoopSummary& summary) {
  TableData table = {{"loop, ns per item", "footprint", "pages", "pred.", "meas.", "error",
                      "spread", "fits in", "most of the prediction is"},
                     {},
                     LastColumn::text};
  for (const LoopRow& row : summary.rows) {
    const Loop& loop = row.point->loop;
    table.rows.push_back(
        {to_name(kLoopKinds, loop.kind), format_bytes(loop.footprint_bytes),
         to_name(kPageSizes, loop.page_size), format_ns(row.point->prediction->ns_per_item),
         format_ns(row.point->measured()), signed_percent(row.error), format_percent(row.spread),
         row.fits_in, fmt::format("{} ({})", row.term, format_percent(row.term_share))});
  }
  return table;
}

Records loop_records(const LoopSummary& summary) {
  Records records({"loop", "footprint_bytes", "page_size", "predicted_ns", "measured_ns",
                   "relative_error", "spread", "fits_in"});
  for (const LoopRow& row : summary.rows) {
    const Loop& loop = row.point->loop;
    records.begin();
    records.text(to_name(kLoopKinds, loop.kind));
    records.count(loop.footprint_bytes);
    records.text(to_name(kPageSizes, loop.page_size));
    for (const double number :
         {row.point->prediction->ns_per_item, row.point->measured(), row.error, row.spread}) {
      records.number(number);
    }
    records.text(row.fits_in);
  }
  return records;
}

std::string loop_summary_text(const LoopSummary& summary, const Machine& machine, bool complete) {
  return (summary.load ? load_line(*summary.load) : "") +
         fmt::format(
             "presort {} on {}{}\n"
             "loops        {} measured; {} of {} runs were quiet\n"
             "prediction   median error {}, 90 % of loops below {}, worst {}\n"
             "             run-to-run spread: median {}\n",
             io::current_provenance().tool_version, displayable_line(machine.name),
             partial_mark(complete), summary.rows.size(), summary.quiet_runs, summary.kept_runs,
             format_percent(summary.errors.median_abs), format_percent(summary.errors.p90_abs),
             format_percent(summary.errors.max_abs), format_percent(summary.median_spread)) +
         probe_warning_lines(summary.probe_warnings);
}

}  // namespace presort::app
