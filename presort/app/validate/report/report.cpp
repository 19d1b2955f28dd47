#include "presort/app/validate/report/report.h"

#include <fmt/format.h>

#include "presort/app/machines/hierarchy_drawing.h"
#include "presort/app/machines/machine_catalog.h"
#include "presort/app/printing/text.h"
#include "presort/app/validate/report/html.h"
#include "presort/app/validate/report/summary_text.h"
#include "presort/core/text/units.h"
#include "presort/io/machine/provenance.h"

namespace presort::inline v0::app {

namespace {

constexpr char kHead[] = R"(<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>presort: predictions against runs</title>
<style>
body { font: 15px/1.5 system-ui, sans-serif; color: #222; background: #fff; margin: 2rem auto;
       max-width: 66rem; padding: 0 1rem; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.2rem; margin-top: 2.2rem; }
h3 { font-size: 1rem; margin-top: 1.6rem; }
pre { background: #f6f6f4; padding: .8rem 1rem; overflow-x: auto; font-size: 13px; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: 14px; }
th, td { padding: .25rem .7rem; text-align: right; border-bottom: 1px solid #e4e4e4;
         white-space: nowrap; }
th { font-weight: 600; } th.part { padding-top: .8rem; } td.text, th.text { text-align: left; white-space: normal; }
td.wrong { color: #b3261e; font-weight: 600; }
figure { margin: 1.5rem 0; } figure svg { width: 100%; height: auto; }
figcaption { color: #555; font-size: 14px; }
</style></head><body>
)";

std::string interval_text(const Interval& interval) {
  return fmt::format("{} … {}", signed_percent(interval.low), signed_percent(interval.high));
}

std::string group_table(const GroupSummary& group) {
  TableData table = {{"m", "direct: predicted", "measured", "tuned: predicted", "measured", "error",
                      "regret", "95 % of it", "right decision"},
                     {},
                     LastColumn::text};
  for (const ProblemRow& row : group.rows) {
    const Point& direct = row.item->points[row.item->direct];
    const Point& tuned = row.item->points[row.item->tuned];
    table.rows.push_back(
        {format_count(row.item->problem.m), format_ns(direct.judged().ns_per_input),
         format_ns(direct.measured()), format_ns(tuned.judged().ns_per_input),
         format_ns(tuned.measured()),
         signed_percent(relative_error(tuned.judged().ns_per_input, tuned.measured())),
         row.usable ? signed_percent(row.regret) : "dropped",
         row.usable ? interval_text(row.regret_interval) : "",
         row.usable ? (row.right_decision ? "yes" : "no") : ""});
  }
  return html_table(table);
}

std::string plans_table(const GroupSummary& group) {
  TableData table = {{"m", "tuned plan", "best measured plan"}, {}, LastColumn::text};
  for (const ProblemRow& row : group.rows) {
    table.rows.push_back({format_count(row.item->problem.m),
                          short_plan(row.item->points[row.item->tuned].plan),
                          row.best_plan != nullptr ? short_plan(*row.best_plan) : ""});
  }
  return html_table(table);
}

std::string phases_table(const GroupSummary& group) {
  TableData table = {{"m", "phases", "predicted", "measured"}, {}, LastColumn::text};
  for (const ProblemRow& row : group.rows) {
    const Point& tuned = row.item->points[row.item->tuned];
    std::vector<std::string> phases;
    for (const PhasePrediction& phase : tuned.judged().phases) {
      phases.push_back(fmt::format("{} {}", phase.name, format_ns(phase.ns_per_input)));
    }
    table.rows.push_back({format_count(row.item->problem.m),
                          fmt::format("{}", fmt::join(phases, " + ")),
                          format_ns(tuned.judged().ns_per_input), format_ns(tuned.measured())});
  }
  return html_table(table);
}

// The SVG element without its XML header, for which HTML has no place.
std::string inline_svg(const std::string& svg) {
  return svg.substr(svg.find("<svg"));
}

std::string figures(const std::vector<Plot>& plots, std::optional<size_t> group) {
  std::string html;
  for (const Plot& plot : plots) {
    if (plot.group == group) {
      html += fmt::format("<figure>{}<figcaption>{}</figcaption></figure>\n", inline_svg(plot.svg),
                          escape_html(plot.caption));
    }
  }
  return html;
}

// An HTML heading with its table; "" when the table has no rows.
std::string section(const std::string& title, const TableData& table, const std::string& text) {
  return table.rows.empty()
             ? ""
             : fmt::format("<h2>{}</h2>\n<p>{}</p>\n", title, text) + html_table(table);
}

// The report's section on all groups: first the results, then where predictions are wrong.
std::string overview(const Summary& summary, const Machine& machine, const std::vector<Plot>& plots,
                     bool complete) {
  std::string html = "<h1>presort: predictions against runs</h1>\n<pre>" +
                     escape_html(summary_text(summary, machine, complete)) + "</pre>\n";
  if (plots.empty() && summary.points > 0) {
    html += "<p>No plots: gnuplot is missing, or failed.</p>\n";
  }
  html += section("Beside fixed choices", baselines_table(summary),
                  "The regret of choosing by prediction, and of plans that look at neither problem "
                  "nor machine, each the best of its kind in the grid.");
  html += section("Where a pre-sort begins to pay", crossovers_table(summary),
                  "The smallest m from which on the best pre-sorted plan is faster than the best "
                  "direct one by 5 %, with all plans and with those of one page size.");
  html += section("Where the predictions are off", regimes_table(summary.regimes),
                  "Absolute errors; bias is their median with its sign. An error below the "
                  "run-to-run spread says nothing.");
  html += figures(plots, std::nullopt);
  return html + section("The worst points", worst_table(summary),
                        "The last column names the largest term of the predicted time: when too "
                        "much is predicted, look there first.");
}

std::string groups_html(const Summary& summary, const std::vector<Plot>& plots) {
  std::string html;
  for (size_t i = 0; i < summary.groups.size(); ++i) {
    const GroupSummary& group = summary.groups[i];
    html += fmt::format("<h2>{}</h2>\n<p>Times are ns per input.</p>\n{}{}",
                        escape_html(group.title), group_table(group), figures(plots, i)) +
            "<h3>Plans</h3>" + plans_table(group) +
            "<h3>Phases of the tuned plans: predicted ns per input, and the whole measured</h3>" +
            phases_table(group);
  }
  return html;
}

std::string method_text(const Summary& summary, const DriftReport& drift) {
  const bool replayed = drift.references == 0;
  std::string html = fmt::format(
      "<h2>How it was measured</h2><p>{} Plans ran in random order in interleaved rounds; a fixed "
      "kernel ran between any two{} and all times are normalised by it. Before and "
      "after each run a register-only loop tells whether a neighbour or a throttled clock took "
      "part "
      "of the core; disturbed runs were repeated where that helped: {} of the {} runs that count "
      "were quiet. Most runs of {} points were beside a busy sibling; these are judged by a second "
      "prediction with the part of the core that is left then. {} of {} "
      "points were run a second time because their repeats spread more than 10 %; {} still did "
      "and were kept, marked as noisy; {} were dropped. The regret chooses the best plan of the "
      "grid on one half of the rounds and takes all times from the other half; its interval is a "
      "bootstrap over rounds. A decision is right when it is that of the faster of the best "
      "direct and the best pre-sorted plan, or when those two differ by less than 5 %.</p>\n",
      replayed ? "The times are those of an earlier validation."
               : "All predictions were made before the first run.",
      replayed ? ""
               : fmt::format(" ({} times, quartiles {} of its median apart)", drift.references,
                             format_percent(drift.spread)),
      summary.quiet_runs, summary.kept_runs, summary.beside_siblings, summary.rerun, summary.points,
      summary.noisy, summary.dropped.size());
  if (!summary.dropped.empty()) {
    html += "<p>Dropped:</p><ul>";
    for (const std::string& point : summary.dropped) {
      html += "<li>" + escape_html(point) + "</li>";
    }
    html += "</ul>\n";
  }
  return html;
}

std::string machine_section(const Machine& machine) {
  const io::Provenance from = io::current_provenance();
  return fmt::format("<h2>Machine</h2><pre>{}\n{}</pre><p>presort {}, {}, {}, host {}, {}</p>\n",
                     escape_html(machine.name), escape_html(draw_machine(machine)),
                     escape_html(from.tool_version), escape_html(from.compiler),
                     escape_html(from.kernel), escape_html(from.host), escape_html(from.date));
}

}  // namespace

std::string report_html(const Summary& summary, const DriftReport& drift, const Machine& machine,
                        const std::vector<Plot>& plots, bool complete) {
  return kHead + overview(summary, machine, plots, complete) + groups_html(summary, plots) +
         method_text(summary, drift) + machine_section(machine) + "</body></html>\n";
}

}  // namespace presort::app
