#include "presort/app/validate/report/report.h"

#include <fmt/format.h>

#include "presort/app/page/from/from_points.h"
#include "presort/app/page/page.h"
#include "presort/app/printing/text.h"
#include "presort/app/validate/report/html.h"
#include "presort/app/validate/report/summary_text.h"
#include "presort/core/text/units.h"

namespace presort::inline v0::app {

namespace {

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
      html += fmt::format("<figure class=\"gnuplot\">{}<figcaption>{}</figcaption></figure>\n",
                          inline_svg(plot.svg), escape_html(plot.caption));
    }
  }
  return html;
}

// An HTML heading with its table; "" when the table has no rows.
std::string section(const std::string& title, const TableData& table, const std::string& text) {
  return table.rows.empty()
             ? ""
             : fmt::format("<h4>{}</h4>\n<p>{}</p>\n", title, text) + html_table(table);
}

// The part of the tables on all groups: first the results, then where predictions are wrong.
std::string overview(const Summary& summary, const Machine& machine, const std::vector<Plot>& plots,
                     bool complete) {
  std::string html = "<pre>" + escape_html(summary_text(summary, machine, complete)) + "</pre>\n";
  if (plots.empty() && summary.points > 0) {
    html += "<p>No pictures of all plans: gnuplot is missing, or failed.</p>\n";
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
    html += fmt::format("<h4>{}</h4>\n<p>Times are ns per input.</p>\n{}{}",
                        escape_html(group.title), group_table(group), figures(plots, i)) +
            "<h5>Plans</h5>" + plans_table(group) +
            "<h5>Phases of the tuned plans: predicted ns per input, and the whole measured</h5>" +
            phases_table(group);
  }
  return html;
}

std::string method_text(const Summary& summary, const DriftReport& drift) {
  const bool replayed = drift.references == 0;
  std::string html = fmt::format(
      "<h4>How it was measured</h4><p>{} Plans ran in random order in interleaved rounds; a fixed "
      "kernel ran between any two{} and all times are normalised by it, those of quiet points "
      "with the median of their corrections as one. Before and "
      "after each run a register-only loop tells whether a neighbour or a throttled clock took "
      "part "
      "of the core; disturbed runs were repeated where that helped: {} of the {} runs that count "
      "were quiet. Most runs of {} points were beside a busy sibling; these are judged by the "
      "geometric "
      "mean of two predictions: for whole cores, and for the part that a busy sibling leaves of a "
      "core. {} of {} "
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

// Command lines that repeat the validation, from its own files and anew.
std::vector<std::string> commands_of(const Machine& machine) {
  return {"presort validate -m MACHINE.yaml --replay result.jsonl -o again   # MACHINE: " +
              machine.name,
          "presort report result.jsonl -o report.html"};
}

}  // namespace

std::string report_html(const std::vector<ProblemPoints>& all, const Summary& summary,
                        const DriftReport& drift, const Machine& machine,
                        const std::vector<Plot>& plots, bool complete) {
  page::Subject subject = page::subject_of(all, machine);
  subject.complete = complete;
  subject.warning = headline_text(summary);
  subject.commands = commands_of(machine);
  subject.tables_html =
      "<details class=\"tables\"><summary>Tables and pictures of all plans"
      "</summary>\n" +
      overview(summary, machine, plots, complete) + groups_html(summary, plots) + "</details>\n" +
      method_text(summary, drift);
  return page::page_html({subject});
}

}  // namespace presort::app
