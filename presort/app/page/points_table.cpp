#include "presort/app/page/points_table.h"

#include <fmt/format.h>

#include <algorithm>

#include "presort/app/page/time_words.h"
#include "presort/app/printing/text.h"
#include "presort/app/validate/report/html.h"
#include "presort/app/validate/score/statistics.h"
#include "presort/core/text/units.h"

namespace presort::inline v0::app::page {

namespace {

struct Column {
  const char* name;
  bool text;    // true: words, left-aligned
  bool filter;  // true: the script offers the column's values as a filter
};
constexpr Column kColumns[] = {
    {"machine", true, true},         {"operation", true, true},     {"labels", true, true},
    {"types", true, true},           {"inputs n", false, true},     {"buckets m", false, true},
    {"plan", true, false},           {"kind", true, true},          {"predicted ns", false, false},
    {"80 % interval", false, false}, {"measured ns", false, false}, {"error", false, false},
    {"spread", false, false},        {"quiet runs", false, false},  {"role", true, true},
};

std::string text_cell(const std::string& text) {
  return "<td class=\"text\">" + escape_html(text) + "</td>";
}

std::string number_cell(double value, const std::string& shown) {
  return fmt::format("<td data-v=\"{:.9g}\">{}</td>", value, escape_html(shown));
}

const char* role_of(const Result& result) {
  if (result.dropped) {
    return "dropped";
  }
  if (result.tuned) {
    return result.direct ? "tuned, direct" : "tuned";
  }
  return result.direct ? "direct" : "";
}

std::string forecast_cells(const Result& result) {
  if (!result.forecast) {
    return "<td></td><td></td>";
  }
  const Forecast& forecast = *result.forecast;
  return number_cell(forecast.ns, ns_words(forecast.ns)) +
         (forecast.high > 0
              ? number_cell(forecast.high, fmt::format("{} to {}", ns_words(forecast.low),
                                                       ns_words(forecast.high)))
              : "<td></td>");
}

std::string row_html(const Subject& subject, const Result& result) {
  const double measured = result.measured();
  const double spread = relative_spread(result.samples);
  const bool timed_often = result.samples.size() > 1;
  std::string html = result.dropped ? "<tr class=\"dropped\">" : "<tr>";
  html += text_cell(subject.name) + text_cell(result.operation) + text_cell(result.labels) +
          text_cell(result.types);
  html +=
      number_cell(static_cast<double>(result.n), format_count(result.n)) +
      number_cell(static_cast<double>(result.m), format_count(result.m)) +
      fmt::format("<td class=\"text plan\" title=\"{}\">{}</td>", escape_html(result.plan),
                  escape_html(result.plan_words)) +
      fmt::format("<td class=\"text kind\">{}</td>", result.presorted ? "pre-sorted" : "direct") +
      forecast_cells(result);
  html += number_cell(measured, ns_words(measured));
  if (result.forecast) {
    const double error = relative_error(result.forecast->ns, measured);
    html += number_cell(error, signed_percent(error));
  } else {
    html += "<td></td>";
  }
  html += timed_often ? number_cell(spread, format_percent(spread)) : "<td></td>";
  html += subject.device == Device::cpu
              ? number_cell(static_cast<double>(result.quiet),
                            fmt::format("{} of {}", result.quiet, result.samples.size()))
              : "<td></td>";
  return html + text_cell(role_of(result)) + "</tr>\n";
}

}  // namespace

std::string points_table(const std::vector<Subject>& subjects) {
  if (std::all_of(subjects.begin(), subjects.end(),
                  [](const Subject& subject) { return subject.results.empty(); })) {
    return "<p>There are no points.</p>\n";
  }
  std::string html =
      "<div class=\"tall\" tabindex=\"0\" role=\"region\" aria-label=\"All points\">"
      "<table class=\"points" +
      std::string(subjects.size() == 1 ? " one-machine" : "") +
      "\"><caption>Times are ns an input. The role says which plan the "
      "tuner chose, with and without a pre-sort; dropped points spread too far.</caption>"
      "<thead><tr>";
  for (const Column& column : kColumns) {
    html += fmt::format("<th scope=\"col\"{}{}>{}</th>", column.text ? " class=\"text\"" : "",
                        column.filter ? " data-filter" : "", column.name);
  }
  html += "</tr></thead>\n<tbody>\n";
  for (const Subject& subject : subjects) {
    for (const Result& result : subject.results) {
      html += row_html(subject, result);
    }
  }
  return html + "</tbody></table></div>\n";
}

}  // namespace presort::app::page
