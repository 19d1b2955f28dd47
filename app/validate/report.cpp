#include "app/validate/report.h"

#include <fmt/format.h>

#include "app/hierarchy_drawing.h"
#include "app/machine_catalog.h"
#include "app/text.h"
#include "app/validate/summary_text.h"
#include "core/units.h"
#include "io/provenance.h"

namespace presort::app {

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
th { font-weight: 600; } td.text, th.text { text-align: left; white-space: normal; }
td.wrong { color: #b3261e; font-weight: 600; }
figure { margin: 1.5rem 0; } figure svg { width: 100%; height: auto; }
figcaption { color: #555; font-size: 14px; }
</style></head><body>
)";

class Table {
 public:
  explicit Table(const std::vector<std::string>& header) {
    html_ = "<div class=\"scroll\"><table><tr>";
    for (const std::string& cell : header) {
      html_ += fmt::format("<th{}>{}</th>", css(cell), escape_html(cell));
    }
    html_ += "</tr>\n";
    header_ = header;
  }
  void add(const std::vector<std::string>& cells) {
    html_ += "<tr>";
    for (size_t i = 0; i < cells.size(); ++i) {
      const std::string style = cells[i] == "no" ? " class=\"wrong\"" : css(header_[i]);
      html_ += fmt::format("<td{}>{}</td>", style, escape_html(cells[i]));
    }
    html_ += "</tr>\n";
  }
  std::string html() const { return html_ + "</table></div>\n"; }

 private:
  static std::string css(const std::string& column) {
    return column.ends_with("plan") || column == "phases" ? " class=\"text\"" : "";
  }
  std::vector<std::string> header_;
  std::string html_;
};

std::string interval_text(const Interval& interval) {
  return fmt::format("{} … {}", signed_percent(interval.low), signed_percent(interval.high));
}

std::string group_table(const GroupSummary& group) {
  Table table({"m", "direct: predicted", "measured", "tuned: predicted", "measured", "error",
               "regret", "95 % of it", "right decision"});
  for (const ProblemRow& row : group.rows) {
    const Point& direct = row.item->points[row.item->direct];
    const Point& tuned = row.item->points[row.item->tuned];
    table.add({format_count(row.item->problem.m), format_ns(direct.prediction.ns_per_input),
               format_ns(direct.measured()), format_ns(tuned.prediction.ns_per_input),
               format_ns(tuned.measured()),
               signed_percent(relative_error(tuned.prediction.ns_per_input, tuned.measured())),
               row.usable ? signed_percent(row.regret) : "dropped",
               row.usable ? interval_text(row.regret_interval) : "",
               row.usable ? (row.right_decision ? "yes" : "no") : ""});
  }
  return table.html();
}

std::string plans_table(const GroupSummary& group) {
  Table table({"m", "tuned plan", "best measured plan"});
  for (const ProblemRow& row : group.rows) {
    table.add({format_count(row.item->problem.m),
               short_plan(row.item->points[row.item->tuned].plan),
               row.best_plan != nullptr ? short_plan(*row.best_plan) : ""});
  }
  return table.html();
}

std::string phases_table(const GroupSummary& group) {
  Table table({"m", "phases", "predicted", "measured"});
  for (const ProblemRow& row : group.rows) {
    const Point& tuned = row.item->points[row.item->tuned];
    std::vector<std::string> phases;
    for (const PhasePrediction& phase : tuned.prediction.phases) {
      phases.push_back(fmt::format("{} {}", phase.name, format_ns(phase.ns_per_input)));
    }
    table.add({format_count(row.item->problem.m), fmt::format("{}", fmt::join(phases, " + ")),
               format_ns(tuned.prediction.ns_per_input), format_ns(tuned.measured())});
  }
  return table.html();
}

// The drawing alone: an XML header has no place inside HTML.
std::string inline_svg(const std::string& svg) {
  return svg.substr(svg.find("<svg"));
}

std::string method_text(const Summary& summary, const DriftReport& drift) {
  std::string html = fmt::format(
      "<h2>How it was measured</h2><p>All predictions were made before the first run. Plans ran in "
      "random order in interleaved rounds; a fixed kernel ran between any two "
      "({} times, quartiles {} of its median apart) and all times are normalised by it. Before and "
      "after each run a register-only loop tells whether a neighbour or a throttled clock took "
      "part "
      "of the core; disturbed runs were repeated where that helped: {} of the {} runs that count "
      "were quiet. {} of {} "
      "points were run a second time because their repeats spread more than 10 %; {} still did "
      "and were kept, marked as noisy; {} were dropped. The regret chooses the best plan of the "
      "grid on one half of the rounds and takes all times from the other half; its interval is a "
      "bootstrap over rounds. A decision is right when it is that of the faster of the best "
      "direct and the best pre-sorted plan, or when those two differ by less than 5 %.</p>\n",
      drift.references, format_percent(drift.spread), summary.quiet_runs, summary.kept_runs,
      summary.rerun, summary.points, summary.noisy, summary.dropped.size());
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

std::string escape_html(const std::string& text) {
  std::string escaped;
  for (const char c : text) {
    switch (c) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      default:
        escaped += c;
    }
  }
  return escaped;
}

std::string report_html(const Summary& summary, const DriftReport& drift, const Machine& machine,
                        const std::vector<Plot>& plots, bool complete) {
  std::string html = kHead;
  html += "<h1>presort: predictions against runs</h1>\n<pre>" +
          escape_html(summary_text(summary, machine, complete)) + "</pre>\n";
  if (plots.empty()) {
    html += "<p>No plots: gnuplot is not installed.</p>\n";
  }
  const size_t plots_per_group = summary.groups.empty() ? 0 : plots.size() / summary.groups.size();
  for (size_t i = 0; i < summary.groups.size(); ++i) {
    const GroupSummary& group = summary.groups[i];
    html += fmt::format("<h2>{}</h2>\n<p>Times are ns per input.</p>\n{}", escape_html(group.title),
                        group_table(group));
    for (size_t p = i * plots_per_group; p < (i + 1) * plots_per_group; ++p) {
      html += fmt::format("<figure>{}<figcaption>{}</figcaption></figure>\n",
                          inline_svg(plots[p].svg), escape_html(plots[p].caption));
    }
    html += "<h3>Plans</h3>" + plans_table(group) +
            "<h3>Phases of the tuned plans: predicted ns per input, and the whole measured</h3>" +
            phases_table(group);
  }
  html += "<h2>Where the predictions are off</h2>\n<pre>" +
          escape_html(regimes_text(summary) + "\n" + worst_text(summary)) + "</pre>\n";
  return html + method_text(summary, drift) + machine_section(machine) + "</body></html>\n";
}

}  // namespace presort::app
