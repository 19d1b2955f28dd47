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
  std::string path;  // path with an item's index, "cpu.caches[1].ways"; "": there is none
  std::string name;  // path with an item's name, "cpu.caches.L2.ways"
  double clock_hz;   // the clock that times in cycles are given in
};

// All places of an object that hold a value, in the order of its table; without keys that the
// object does not have (FieldOptions::applies, absent sections) and rows that are not in files.
std::vector<FieldPlace> field_places(const FieldTable& table, void* object);

// Finds the first number that is out of its row's range, wherever it is in the object.
struct FieldProblem {
  std::string path;     // path of the number: "cpu.caches[1].ways"
  std::string message;  // what was found and what is accepted: "found '0', accepted: 1 to 4096"
};
std::optional<FieldProblem> find_range_problem(const FieldTable& table, const void* object);

}  // namespace presort
