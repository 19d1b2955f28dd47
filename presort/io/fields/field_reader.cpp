#include "presort/io/fields/field_reader.h"

#include "presort/core/fields/field_text.h"

namespace presort::inline v0::io {
namespace {

// Announces all keys of a table to the map, so that the message about a misspelt key can suggest
// any of them, whichever is read first.
void announce(MapReader& map, const FieldTable& table) {
  for (const Field& row : table.rows) {
    if (row.options.in_files && row.options.why_not == nullptr) {
      map.optional(row.key);
    }
  }
}

bool has_to_be_said(const Field& row, const void* previous) {
  return row.presence == Presence::required ||
         (row.presence == Presence::inherited && previous == nullptr);
}

}  // namespace

void FieldReader::read(MapReader& map, const FieldTable& table, void* object) {
  read_after(nullptr, map, table, object);
}

void FieldReader::read(const ValueReader& value, const FieldTable& table, void* object) {
  MapReader map = value.map();
  read(map, table, object);
  map.finish();
}

void FieldReader::read_after(const void* previous, MapReader& map, const FieldTable& table,
                             void* object) {
  announce(map, table);
  ignore_retired(map, table);
  std::vector<const Field*> left_out;
  for (const Field& row : table.rows) {
    if (!row.options.in_files || !row.applies_to(object)) {
      continue;
    }
    const auto value =
        has_to_be_said(row, previous) ? map.required(row.key) : map.optional(row.key);
    if (value) {
      read_row(*value, row, object);
    } else if (row.presence == Presence::inherited) {
      assign_text(row, object, row.key, field_text(row, previous), clock_hz_);
    } else if (row.options.set_default) {
      left_out.push_back(&row);
    }
  }
  for (const Field* row : left_out) {
    row->options.set_default(object);
  }
}

void FieldReader::ignore_retired(MapReader& map, const FieldTable& table) const {
  for (const RetiredKey& retired : table.retired) {
    const auto value = map.ignored(retired.key);
    if (value && take_note_) {
      take_note_(value->place() + ": " + value->path() + ": " + ignored_text(retired));
    }
  }
}

void FieldReader::read_row(const ValueReader& value, const Field& row, void* object) {
  if (const auto* section = std::get_if<SectionAccess>(&row.access)) {
    read(value, *section->table, section->make(object));
  } else if (const auto* list = std::get_if<ListAccess>(&row.access)) {
    read_list(value, *list, object);
  } else if (std::holds_alternative<FileAccess>(row.access)) {
    read_file_(value, object);
  } else if (std::holds_alternative<NameAccess>(row.access)) {
    assign_text(row, object, value.path(), value.name(), clock_hz_);
  } else if (std::holds_alternative<FlagAccess>(row.access)) {
    assign_text(row, object, value.path(), value.boolean() ? "true" : "false", clock_hz_);
  } else if (std::holds_alternative<NumberAccess>(row.access)) {
    read_numbers(value, row, object);
  } else {
    assign(value, row, object);
  }
}

void FieldReader::read_list(const ValueReader& value, const ListAccess& access, void* object) {
  for (const ValueReader& item : value.list()) {
    void* added = access.append(object);
    const size_t index = access.size(object) - 1;
    MapReader map = item.map();
    read_after(index == 0 ? nullptr : access.item(object, index - 1), map, *access.table, added);
    map.finish();
  }
}

void FieldReader::read_numbers(const ValueReader& value, const Field& row, void* object) {
  const NumberSlot slot = std::get<NumberAccess>(row.access).slot(object);
  if (std::holds_alternative<std::vector<uint64_t>*>(slot) && value.is_list()) {
    auto& numbers = *std::get<std::vector<uint64_t>*>(slot);
    std::vector<uint64_t> all;
    for (const ValueReader& item : value.list()) {
      assign(item, row, object);
      all.push_back(numbers.front());
    }
    numbers = all;
    return;
  }
  assign(value, row, object);
  if (row.range.unit == RangeUnit::hertz) {
    clock_hz_ = *std::get<double*>(slot);
  }
}

void FieldReader::assign(const ValueReader& value, const Field& row, void* object) const {
  value.as([&](std::string_view path, std::string_view text) {
    assign_text(row, object, path, text, clock_hz_);
  });
}

}  // namespace presort::io
