#include "presort/io/reference/table_markdown.h"

#include "presort/core/fields/field_text.h"
#include "presort/io/fields/field_json.h"

namespace presort::inline v0::io {
namespace {

std::string code(std::string_view text) {
  return std::string("`").append(text).append("`");
}

// A remark in brackets with a blank before it, " (TEXT)"; "" for no remark.
std::string in_brackets(std::string_view text) {
  return text.empty() ? std::string() : std::string(" (").append(text).append(")");
}

std::string path_below(const std::string& path, const Field& row) {
  const std::string key = path.empty() ? std::string(row.key) : path + "." + std::string(row.key);
  return std::holds_alternative<ListAccess>(row.access) ? key + "[]" : key;
}

const FieldTable* table_below(const Field& row) {
  if (const auto* section = std::get_if<SectionAccess>(&row.access)) {
    return section->table;
  }
  const auto* list = std::get_if<ListAccess>(&row.access);
  return list ? list->table : nullptr;
}

// Upper bounds of at least this mean any 64-bit number, and are not printed.
constexpr double kUnlimited = 0x1p63;

std::string accepted_numbers(const Range& range) {
  return range.highest < kUnlimited ? accepted_text(range) : "a whole number";
}

std::string accepted_names(const TextAccess& access) {
  std::string text;
  for (const std::string& name : access.accepted()) {
    text += (text.empty() ? "" : ", ") + code(name);
  }
  return text;
}

std::string accepted_text_of(const TextAccess& access, const Range& range) {
  if (access.accepted) {
    return accepted_names(access);
  }
  switch (access.json) {
    case JsonValue::count:
      return range.highest > 0 ? accepted_numbers(range) : "a whole number";
    case JsonValue::bytes:
      return "a size";
    case JsonValue::text:
      return range.unit == RangeUnit::ratio ? "a ratio" : "text";
  }
  return "";
}

std::string accepted(const Field& row, const std::string& path) {
  if (const FieldTable* below = table_below(row)) {
    const bool list = std::holds_alternative<ListAccess>(row.access);
    return below->rows.empty() ? "" : (list ? "a list of " : "") + code(path_below(path, row));
  }
  if (const auto* text = std::get_if<TextAccess>(&row.access)) {
    return accepted_text_of(*text, row.range);
  }
  if (std::holds_alternative<FlagAccess>(row.access)) {
    return "`true`, `false`";
  }
  if (std::holds_alternative<NumberAccess>(row.access)) {
    return accepted_numbers(row.range) + in_brackets(row.options.reason);
  }
  return std::holds_alternative<FileAccess>(row.access) ? "a file" : "a name";
}

std::string without(const FieldTable& table, const Field& row) {
  const std::string text(row.options.default_text);
  switch (row.presence) {
    case Presence::required:
      return "required";
    case Presence::inherited:
      return text + "; required of the first";
    case Presence::stated:
    case Presence::optional:
      break;
  }
  if (!text.empty()) {
    return text;
  }
  if (table_below(row)) {
    return std::holds_alternative<ListAccess>(row.access) ? "none" : "what holds without its keys";
  }
  const std::string value = field_text(row, table.initial());
  return value.empty() ? "none" : code(value);
}

std::string json_cell(const FieldTable& table, const Field& row) {
  return row.options.json_flat ? "its keys, in this object" : code(json_name(table, row));
}

std::string meaning(const Field& row) {
  return std::string(row.doc) + in_brackets(row.options.applies_text);
}

std::string row_markdown(const FieldTable& table, const Field& row, const std::string& path) {
  if (!row.options.in_files) {
    return "| in JSON alone | | | " + json_cell(table, row) + " | " + meaning(row) + " |\n";
  }
  return "| " + code(row.key) + " | " + accepted(row, path) + " | " + without(table, row) + " | " +
         json_cell(table, row) + " | " + meaning(row) + " |\n";
}

std::string retired_markdown(const RetiredKey& retired) {
  return "Older files may have " + code(retired.key) + ": " + ignored_text(retired) + ".\n";
}

}  // namespace

std::string table_markdown(const FieldTable& table, const std::string& path,
                           const std::string& heading) {
  std::string text = "## ";
  text.append(heading.empty() ? code(path) : heading).append("\n\n");
  text.append(table.doc).append("\n\n");
  text += "| key | accepted | without it | in JSON | meaning |\n| --- | --- | --- | --- | --- |\n";
  for (const Field& row : table.rows) {
    text += row_markdown(table, row, path);
  }
  if (!table.retired.empty()) {
    text += "\n";
  }
  for (const RetiredKey& retired : table.retired) {
    text += retired_markdown(retired);
  }
  for (const Field& row : table.rows) {
    const FieldTable* below = table_below(row);
    if (below && row.options.in_files) {
      text.append("\n").append(table_markdown(*below, path_below(path, row)));
    }
  }
  return text;
}

}  // namespace presort::io
