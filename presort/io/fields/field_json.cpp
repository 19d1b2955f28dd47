#include "presort/io/fields/field_json.h"

#include <type_traits>

#include "presort/core/fields/field_text.h"
#include "presort/core/text/units.h"

namespace presort::inline v0::io {
namespace {

std::string_view unit_ending(RangeUnit unit) {
  switch (unit) {
    case RangeUnit::bytes:
      return "_bytes";
    case RangeUnit::cycles:
      return "_cycles";
    case RangeUnit::nanoseconds:
      return "_ns";
    case RangeUnit::hertz:
      return "_hz";
    case RangeUnit::bytesPerSecond:
      return "_bytes_per_second";
    case RangeUnit::perSecond:
      return "_per_second";
    case RangeUnit::count:
    case RangeUnit::ratio:
      return "";
  }
  return "";
}

// Writes a key in snake case: "atomicsOneAddress" -> "atomics_one_address"
std::string snake_case(std::string_view key) {
  std::string text;
  for (const char c : key) {
    const bool upper = c >= 'A' && c <= 'Z';
    text += upper ? "_" : "";
    text += upper ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return text;
}

template <class Number>
Json resolved_json(const Field& row, const void* object, Number number) {
  return row.options.resolved ? Json(static_cast<Number>(row.options.resolved(object)))
                              : Json(number);
}

// Makes JSON of a row's numbers. A row may give a number for an optional without a value
// (FieldOptions::resolved).
struct NumberJson {
  const Field& row;
  const void* object;

  template <class Number>
  Json operator()(const Number* number) const {
    return resolved_json(row, object, *number);
  }
  template <class Number>
  Json operator()(const std::optional<Number>* number) const {
    return *number || row.options.resolved ? resolved_json(row, object, number->value_or(0))
                                           : Json(nullptr);
  }
  template <class Number>
  Json operator()(const std::vector<Number>* numbers) const {
    return Json(*numbers);
  }
};

Json list_json(const ListAccess& list, void* object) {
  Json json = Json::array();
  for (size_t i = 0; i < list.size(object); ++i) {
    json.push_back(fields_to_json(*list.table, list.item(object, i)));
  }
  return json;
}

// JSON of a number that files write in a form of their own, such as a power of two.
Json number_json(const Field& row, const std::string& text, JsonValue kind) {
  switch (kind) {
    case JsonValue::count:
      return parse_count(row.key, text);
    case JsonValue::bytes:
      return parse_bytes(row.key, text);
    case JsonValue::text:
      return text;
  }
  return text;
}

}  // namespace

Json field_to_json(const Field& row, const void* object) {
  void* read_only = const_cast<void*>(object);  // NOLINT: rows take objects that may be changed
  if (const auto* number = std::get_if<NumberAccess>(&row.access)) {
    return std::visit(NumberJson{row, object}, number->slot(read_only));
  }
  if (const auto* flag = std::get_if<FlagAccess>(&row.access)) {
    return *flag->slot(read_only);
  }
  if (const auto* list = std::get_if<ListAccess>(&row.access)) {
    return list_json(*list, read_only);
  }
  const auto* text = std::get_if<TextAccess>(&row.access);
  return number_json(row, field_text(row, object), text ? text->json : JsonValue::text);
}

namespace {

// True if JSON may lack a row: its text is optional, and none by default.
bool may_be_absent(const FieldTable& table, const Field& row) {
  const auto* text = std::get_if<TextAccess>(&row.access);
  return text != nullptr && text->json == JsonValue::text && row.presence == Presence::optional &&
         field_text(row, table.initial()).empty();
}

void add_section(Json& json, const FieldTable& table, const Field& row,
                 const SectionAccess& section, void* object) {
  const void* inner = section.at(object);
  if (inner == nullptr) {
    return;
  }
  const Json fields = fields_to_json(*section.table, inner);
  if (row.options.json_flat) {
    json.update(fields);
  } else {
    json[json_name(table, row)] = fields;
  }
}

}  // namespace

std::string json_name(const FieldTable& table, const Field& row) {
  if (table.json_names == JsonNames::keys) {
    return std::string(row.key);
  }
  return row.options.json.empty() ? snake_case(row.key) + std::string(unit_ending(row.range.unit))
                                  : std::string(row.options.json);
}

Json fields_to_json(const FieldTable& table, const void* object) {
  Json json = Json::object();
  for (const Field& row : table.rows) {
    if (may_be_absent(table, row) && field_text(row, object).empty()) {
      continue;
    }
    if (const auto* section = std::get_if<SectionAccess>(&row.access)) {
      add_section(json, table, row, *section, const_cast<void*>(object));  // NOLINT
    } else {
      json[json_name(table, row)] = field_to_json(row, object);
    }
  }
  return json;
}

void fields_from_json(const FieldTable& table, const JsonObject& json, void* object) {
  for (const Field& row : table.rows) {
    const std::string key = json_name(table, row);
    if (may_be_absent(table, row) && !json.value().contains(key)) {
      continue;
    }
    const auto* text = std::get_if<TextAccess>(&row.access);
    const bool whole = text == nullptr || text->json == JsonValue::count;
    const std::string said =
        whole ? std::to_string(json.whole(key.c_str(), kAnyWhole)) : json.text(key.c_str());
    assign_text(row, object, json.path_of(key.c_str()), said, 0);
  }
}

}  // namespace presort::io
