#include "presort/io/fields/field_writer.h"

#include "presort/core/fields/field_text.h"

namespace presort::inline v0::io {
namespace {

// The object without const, as rows take it. A writer only reads.
void* for_reading(const void* object) {
  return const_cast<void*>(object);  // NOLINT: the object is not changed
}

bool holds_value(const Field& row) {
  return !std::holds_alternative<SectionAccess>(row.access) &&
         !std::holds_alternative<ListAccess>(row.access);
}

bool is_left_out(const FieldTable& table, const Field& row, const void* object) {
  return !row.options.in_files || !row.applies_to(object) ||
         (holds_value(row) && row.presence == Presence::optional && is_default(table, row, object));
}

std::string numbers_yaml(const Field& row, const void* object) {
  const std::vector<std::string> texts = number_texts(row, object);
  return texts.empty() ? "" : texts.size() == 1 ? texts.front() : flow_list(texts);
}

std::string flow_text(const FieldTable& table, const void* object) {
  FlowMap map;
  add_fields(map, table, object);
  return map.str();
}

// A row's value as YAML on one line; "" where there is none.
std::string value_yaml(const Field& row, const void* object) {
  if (std::holds_alternative<NumberAccess>(row.access)) {
    return numbers_yaml(row, object);
  }
  const std::string text = field_text(row, object);
  return std::holds_alternative<FlagAccess>(row.access) ? text : yaml_scalar(text);
}

std::string section_yaml(const SectionAccess& section, const void* object) {
  const void* inner = section.at(for_reading(object));
  const std::string text = inner ? flow_text(*section.table, inner) : FlowMap().str();
  return text == FlowMap().str() ? "" : text;
}

void append_list(std::string& text, const ListAccess& list, const void* object,
                 std::string_view indent) {
  void* holder = for_reading(object);
  const size_t size = list.size(holder);
  text += size == 0 ? " []\n" : "\n";
  for (size_t i = 0; i < size; ++i) {
    text.append(indent).append("  - ");
    text.append(flow_text(*list.table, list.item(holder, i))).append("\n");
  }
}

// The text that follows "key:" in a block, with its newline; "" for an absent value.
std::string block_value(const Field& row, const void* object, std::string_view indent) {
  std::string text;
  const auto* section = std::get_if<SectionAccess>(&row.access);
  if (const auto* list = std::get_if<ListAccess>(&row.access)) {
    append_list(text, *list, object, indent);
  } else if (section && section->table->layout == TableLayout::block) {
    if (const void* inner = section->at(for_reading(object))) {
      text.append("\n").append(block_text(*section->table, inner, std::string(indent) + "  "));
    }
  } else {
    const std::string yaml = section ? section_yaml(*section, object) : value_yaml(row, object);
    if (!yaml.empty()) {
      text.append(" ").append(yaml).append("\n");
    }
  }
  return text;
}

}  // namespace

std::string block_text(const FieldTable& table, const void* object, std::string_view indent) {
  std::string text;
  for (const Field& row : table.rows) {
    const std::string value =
        is_left_out(table, row, object) ? "" : block_value(row, object, indent);
    if (value.empty()) {
      continue;
    }
    if (!row.options.remark.empty()) {
      text.append(indent).append("# ").append(row.options.remark) += "\n";
    }
    text.append(indent).append(row.key).append(":").append(value);
  }
  return text;
}

void add_fields(FlowMap& map, const FieldTable& table, const void* object) {
  for (const Field& row : table.rows) {
    if (is_left_out(table, row, object)) {
      continue;
    }
    const auto* section = std::get_if<SectionAccess>(&row.access);
    const std::string yaml = section ? section_yaml(*section, object) : value_yaml(row, object);
    if (!yaml.empty()) {
      map.add(row.key, yaml);
    }
  }
}

}  // namespace presort::io
