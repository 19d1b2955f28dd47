// Reads a map of a file into an object, by the object's field table.
#pragma once

#include <functional>

#include "presort/core/fields/field.h"
#include "presort/io/yaml/yaml_binder.h"

namespace presort::inline v0::io {

class FieldReader {
 public:
  // Reads a file that a row names, at `value`, into the object of the row's table.
  using ReadFile = std::function<void(const ValueReader& value, void* object)>;
  // Takes a note on a retired key that a map has (core/fields/field.h), one line:
  // "FILE:LINE:COLUMN: KEY.PATH: ignored since presort 0.1.0: REASON".
  using TakeNote = std::function<void(const std::string& note)>;
  explicit FieldReader(ReadFile read_file = {}, TakeNote take_note = {})
      : read_file_(std::move(read_file)), take_note_(std::move(take_note)) {}

  // Sets what a file's map says of the table's keys, and the defaults of the keys that it leaves out.
  // Retired keys are ignored. The map may have other keys: the caller finishes it.
  // Requires: an object with its initial values
  // Errors:   InputError at the place of a missing key or a bad value; numbers that need no room of
  //           their own are not checked against their ranges (core/fields/field_text.h)
  void read(MapReader& map, const FieldTable& table, void* object);

  // Reads a map of a file that has the table's keys and no other.
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
  double clock_hz_ = 0;  // the last clock that was read; times in cycles are of it
};

}  // namespace presort::io
