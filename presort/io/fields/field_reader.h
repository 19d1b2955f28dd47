// Reads a map of a file into an object, by the object's field table.
#pragma once

#include <functional>

#include "presort/core/fields/field.h"
#include "presort/io/yaml/yaml_binder.h"

namespace presort::inline v0::io {

class FieldReader {
 public:
  // Reads the file that a row's value names into the object of the row's table; `value` is that
  // name.
  using ReadFile = std::function<void(const ValueReader& value, void* object)>;
  // Receives a line on a retired key (core/fields/field.h) that a map has: "FILE:LINE:COLUMN:
  // KEY.PATH: ignored since presort 0.1.0: REASON".
  using TakeNote = std::function<void(const std::string& note)>;
  explicit FieldReader(ReadFile read_file = {}, TakeNote take_note = {})
      : read_file_(std::move(read_file)), take_note_(std::move(take_note)) {}

  // Sets the values of the table's keys from a file's map, and defaults for keys that it leaves
  // out. Retired keys are ignored. The map may have other keys: the caller finishes it.
  // Requires: an object with its initial values
  // Errors:   InputError at the place of a missing key or a bad value; numbers that need no room of
  //           their own are not checked against their ranges (core/fields/field_text.h)
  void read(MapReader& map, const FieldTable& table, void* object);

  // Reads a map that has keys of the table and no others.
  void read(const ValueReader& value, const FieldTable& table, void* object);

 private:
  void read_after(const void* previous, MapReader& map, const FieldTable& table, void* object);
  void ignore_retired(MapReader& map, const FieldTable& table) const;
  void read_row(const ValueReader& value, const Field& row, void* object);
  void read_list(const ValueReader& value, const ListAccess& access, void* object);
  void read_numbers(const ValueReader& value, const Field& row, void* object);
  void assign(const ValueReader& value, const Field& row, void* object) const;

  ReadFile read_file_;
  TakeNote take_note_;
  double clock_hz_ = 0;  // the clock that was read last; times in cycles refer to it
};

}  // namespace presort::io
