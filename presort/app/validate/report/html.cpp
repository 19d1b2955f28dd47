#include "presort/app/validate/report/html.h"

#include <fmt/format.h>

#include <algorithm>

#include "presort/app/printing/displayable.h"

namespace presort::inline v0::app {

namespace {

// True if a column of a table holds text. The first column of a group's table is m, a number; that
// of other tables is a name.
bool is_text(const std::vector<std::string>& header, size_t column) {
  const std::string& name = header[column];
  return (column == 0 && name != "m") || name.ends_with("plan") || name == "phases" ||
         name == "buckets in" || name.ends_with(" is");
}

bool names_the_following(const std::vector<std::string>& row) {
  return std::all_of(row.begin() + 1, row.end(),
                     [](const std::string& cell) { return cell.empty(); });
}

}  // namespace

std::string escape_html(std::string_view text) {
  std::string escaped;
  for (const char c : displayable(text)) {
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
      case '\'':
        escaped += "&#39;";
        break;
      default:
        escaped += c;
    }
  }
  return escaped;
}

std::string html_table(const TableData& table) {
  std::string html = "<div class=\"scroll\"><table><tr>";
  for (size_t i = 0; i < table.header.size(); ++i) {
    html += fmt::format("<th{}>{}</th>", is_text(table.header, i) ? " class=\"text\"" : "",
                        escape_html(table.header[i]));
  }
  html += "</tr>\n";
  for (const std::vector<std::string>& row : table.rows) {
    if (names_the_following(row)) {
      html += fmt::format("<tr><th class=\"text part\" colspan=\"{}\">{}</th></tr>\n", row.size(),
                          escape_html(row.front()));
      continue;
    }
    html += "<tr>";
    for (size_t i = 0; i < row.size(); ++i) {
      const char* style = row[i] == "no" || row[i] == "differ" ? " class=\"wrong\""
                          : is_text(table.header, i)           ? " class=\"text\""
                                                               : "";
      html += fmt::format("<td{}>{}</td>", style, escape_html(row[i]));
    }
    html += "</tr>\n";
  }
  return html + "</table></div>\n";
}

}  // namespace presort::app
