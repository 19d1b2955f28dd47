// One table per family of names (policies, operations, …): it gives the value of a name and the
// name of a value, and lists accepted names.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "presort/core/error.h"

namespace presort::inline v0 {

template <class T>
struct Named {
  std::string_view name;
  T value;
};

// A user's text in quotes, as messages show it; beyond 120 bytes only the beginning and "…".
std::string quoted_text(std::string_view found);

// The accepted name nearest to `found` in edit distance, or "" when none is near.
std::string nearest_spelling(std::string_view found, std::span<const std::string> accepted);

// The message "KEY: found 'FOUND', accepted: a, b, c (did you mean 'b'?)"
std::string unknown_name_message(std::string_view key, std::string_view found,
                                 std::span<const std::string> accepted);

template <class T, size_t N>
std::vector<std::string> accepted_names(const Named<T> (&table)[N]) {
  std::vector<std::string> names;
  for (const Named<T>& row : table) {
    names.emplace_back(row.name);
  }
  return names;
}

// The value that a name stands for. Errors: InputError naming `key`, what was found and what is
// accepted.
template <class T, size_t N>
T from_name(const Named<T> (&table)[N], std::string_view key, std::string_view found) {
  for (const Named<T>& row : table) {
    if (row.name == found) {
      return row.value;
    }
  }
  throw InputError(unknown_name_message(key, found, accepted_names(table)));
}

// The name of a value. Requires: the table names every value.
template <class T, size_t N>
std::string to_name(const Named<T> (&table)[N], T value) {
  for (const Named<T>& row : table) {
    if (row.value == value) {
      return std::string(row.name);
    }
  }
  throw Error("a value without a name in its table");
}

}  // namespace presort
