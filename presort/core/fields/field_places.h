// The rows of a table that an object has values for, nested ones too, by their paths.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "presort/core/fields/field.h"

namespace presort::inline v0 {

// A row that holds a value, and the object of its table that holds it.
struct FieldPlace {
  const Field* field;
  void* object;
  std::string path;  // path of the key, items by index, "cpu.caches[1].ways"; "": there is none
  std::string name;  // path of the key, items by name, "cpu.caches.L2.ways"
  double clock_hz;   // the clock, Hz, to which times in cycles refer
};

// All keys that an object has a value for, in the order of its table. Keys that the object does not
// have (FieldOptions::applies, absent sections) and keys that are not in files are left out.
std::vector<FieldPlace> field_places(const FieldTable& table, void* object);

// Finds the first number of an object, nested ones included, that is out of its row's range.
struct FieldProblem {
  std::string path;     // path of the number: "cpu.caches[1].ways"
  std::string message;  // what was found and what is accepted: "found '0', accepted: 1 to 4096"
};
std::optional<FieldProblem> find_range_problem(const FieldTable& table, const void* object);

}  // namespace presort
