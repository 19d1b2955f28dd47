#include "presort/app/reference/json_fields.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <set>

#include "presort/app/reference/json_types.h"

namespace presort::inline v0::app {

namespace {

using io::Json;
using Differences = std::vector<std::string>;

// Calls `visit(field, when)` for each field of a JSON type, including the fields of its base type.
template <class Visit>
void for_each_field(const JsonType& type, const Visit& visit, When outer = When::always) {
  if (type.base != nullptr) {
    for_each_field(*type.base, visit, outer == When::always ? type.base_when : outer);
  }
  for (const JsonField& field : type.fields) {
    visit(field, outer == When::always ? field.when : outer);
  }
}

// True if the page of JSON fields lists the fields of a type: other pages list those of some types,
// and some types have free names.
bool is_listed_here(const JsonType& type) {
  return !type.fields.empty() || type.base != nullptr;
}

void compare_object(const Json& json, const JsonType& type, const std::string& path,
                    Differences& found);

void compare_list(const Json& json, const JsonType& type, const std::string& path,
                  Differences& found) {
  if (!json.is_array()) {
    found.push_back(path + ": no list");
    return;
  }
  for (size_t i = 0; i < json.size(); ++i) {
    compare_object(json[i], type, fmt::format("{}[{}]", path, i), found);
  }
}

void compare_value(const Json& json, const JsonField& field, const std::string& path,
                   Differences& found) {
  if (json.is_null()) {
    return;
  }
  switch (field.holds) {
    case Holds::value:
      if (json.is_object()) {
        found.push_back(path + ": an object, but no type in the table");
      }
      return;
    case Holds::object:
      compare_object(json, *field.type, path, found);
      return;
    case Holds::list:
      compare_list(json, *field.type, path, found);
      return;
    case Holds::lists:
      for (const auto& [key, list] : json.items()) {
        compare_list(list, *field.type, path + "." + key, found);
      }
      return;
  }
}

void compare_object(const Json& json, const JsonType& type, const std::string& path,
                    Differences& found) {
  if (!json.is_object()) {
    found.push_back(path + ": no object");
    return;
  }
  if (!is_listed_here(type)) {
    return;
  }
  const std::string prefix = path.empty() ? "" : path + ".";
  std::set<std::string, std::less<>> known;
  for_each_field(type, [&](const JsonField& field, When when) {
    known.emplace(field.name);
    const auto value = json.find(std::string(field.name));
    if (value != json.end()) {
      compare_value(*value, field, prefix + std::string(field.name), found);
    } else if (when == When::always) {
      found.push_back(prefix + std::string(field.name) + ": missing");
    }
  });
  for (const auto& [key, value] : json.items()) {
    if (!known.contains(key)) {
      found.push_back(prefix + key + ": in no table");
    }
  }
}

const JsonDocument* find_document(std::string_view schema) {
  const std::span<const JsonDocument> all = json_documents();
  const auto found = std::find_if(all.begin(), all.end(), [&](const JsonDocument& document) {
    return document.schema == schema;
  });
  return found == all.end() ? nullptr : &*found;
}

// A link to a heading: "#cache-level", where Markdown puts the heading "cache level".
std::string anchor_of(std::string_view name) {
  std::string anchor = "#";
  for (const char c : name) {
    anchor += c == ' ' ? '-' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return anchor;
}

std::string type_link(const JsonType& type) {
  return fmt::format("[{}]({})", type.name, type.page.empty() ? anchor_of(type.name) : type.page);
}

std::string value_cell(const JsonField& field) {
  switch (field.holds) {
    case Holds::value:
      return std::string(field.unit);
    case Holds::object:
      return type_link(*field.type);
    case Holds::list:
      return "list of " + type_link(*field.type);
    case Holds::lists:
      return "lists of " + type_link(*field.type) + ", by name";
  }
  return "";
}

std::string table_of(const JsonType& type) {
  if (!is_listed_here(type)) {
    return "";
  }
  std::string text = "| field | value | meaning |\n| --- | --- | --- |\n";
  for_each_field(type, [&](const JsonField& field, When when) {
    text += fmt::format("| `{}`{} | {} | {} |\n", field.name,
                        when == When::always ? "" : " (optional)", value_cell(field), field.doc);
  });
  return text;
}

// Collects every type that gets a heading among the types that the fields hold, in order of first
// appearance.
void collect_types(const JsonType& type, std::vector<const JsonType*>& types) {
  for_each_field(type, [&](const JsonField& field, When) {
    if (field.type == nullptr || !field.type->page.empty() ||
        std::find(types.begin(), types.end(), field.type) != types.end()) {
      return;
    }
    types.push_back(field.type);
    collect_types(*field.type, types);
  });
}

constexpr char kIntroduction[] =
    R"(This text is what `presort help json-fields` prints, made of the tables in `presort/app/reference/`. Tests hold the command's documents against it.

Every document is an object with the field `schema`, as in its heading. The number behind the slash grows when a field changes its meaning. Fields are added without it, so pass over those that you do not know.

Units stand in the names: `_ns` nanoseconds, `_bytes` bytes, `_hz` hertz, `_relative` a fraction. A *fraction* of 0.05 is 5 %. *ns per input* is the time of the whole problem over its number of inputs n. Any field may be `null`, where a value does not exist. *Optional* fields may be missing.

)";

}  // namespace

std::vector<std::string> differences_from_table(const io::Json& document) {
  Differences found;
  const auto schema = document.is_object() ? document.find("schema") : document.end();
  if (!document.is_object() || schema == document.end() || !schema->is_string()) {
    return {"no object with the field schema"};
  }
  const JsonDocument* const known = find_document(schema->get<std::string>());
  if (known == nullptr) {
    return {"schema: " + schema->get<std::string>() + " is in no table"};
  }
  Json fields = document;
  fields.erase("schema");
  compare_object(fields, *known->type, "", found);
  return found;
}

std::string json_fields_text() {
  std::string text = std::string("# JSON fields\n\n") + kIntroduction;
  text += "| schema | printed by |\n| --- | --- |\n";
  std::vector<const JsonType*> types;
  for (const JsonDocument& document : json_documents()) {
    text += fmt::format("| `{}` | {} |\n", document.schema, document.printed);
    collect_types(*document.type, types);
  }
  for (const JsonDocument& document : json_documents()) {
    text += fmt::format("\n## `{}`\n\n{}\n\n{}", document.schema, document.type->doc,
                        table_of(*document.type));
  }
  text += "\n## Objects in these documents\n";
  for (const JsonType* const type : types) {
    const std::string table = table_of(*type);
    text += fmt::format("\n### {}\n\n{}\n{}{}", type->name, type->doc, table.empty() ? "" : "\n",
                        table);
  }
  return text;
}

}  // namespace presort::app
