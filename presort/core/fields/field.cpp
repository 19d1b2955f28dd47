#include "presort/core/fields/field.h"

#include "presort/core/error.h"

namespace presort::inline v0 {
namespace {

// The field table of a row that holds a map or a list of maps; null for a row that holds a value.
const FieldTable* table_below(const Field& field) {
  if (const auto* section = std::get_if<SectionAccess>(&field.access)) {
    return section->table;
  }
  const auto* list = std::get_if<ListAccess>(&field.access);
  return list ? list->table : nullptr;
}

// Two sections of a file may share a key: one row names a file, the other row is the section that
// the named file holds.
const Field* find_leaf(const FieldTable& table, std::string_view path) {
  const size_t end = path.find_first_of(".[");
  const std::string_view key = path.substr(0, end);
  const size_t dot = path.find('.');
  for (const Field& row : table.rows) {
    if (row.key != key) {
      continue;
    }
    const FieldTable* below = table_below(row);
    if (dot == std::string_view::npos) {
      return &row;
    }
    if (const Field* found = below ? find_leaf(*below, path.substr(dot + 1)) : nullptr) {
      return found;
    }
  }
  return nullptr;
}

}  // namespace

const Field* find_row(const FieldTable& table, std::string_view key) {
  for (const Field& row : table.rows) {
    if (row.key == key) {
      return &row;
    }
  }
  return nullptr;
}

const RetiredKey* find_retired(const FieldTable& table, std::string_view path) {
  const size_t dot = path.find('.');
  if (dot == std::string_view::npos) {
    for (const RetiredKey& retired : table.retired) {
      if (retired.key == path) {
        return &retired;
      }
    }
    return nullptr;
  }
  for (const Field& row : table.rows) {
    const auto* section = std::get_if<SectionAccess>(&row.access);
    if (section && row.key == path.substr(0, dot)) {
      const RetiredKey* found = find_retired(*section->table, path.substr(dot + 1));
      if (found) {
        return found;
      }
    }
  }
  return nullptr;
}

std::string ignored_text(const RetiredKey& retired) {
  return "ignored since presort " + std::string(retired.since) + ": " + std::string(retired.reason);
}

const Field& field_at(const FieldTable& table, std::string_view path) {
  if (const Field* found = find_leaf(table, path)) {
    return *found;
  }
  throw Error(std::string(path) + ": has no row in the table of fields");
}

}  // namespace presort
