// Values of a row (a key of a file) as text, as files and options have them.
#pragma once

#include <string>
#include <string_view>

#include "presort/core/fields/field.h"

namespace presort::inline v0 {

// Calls visit(number) for each number of the slot: an int, uint64_t or double, which may be changed.
template <class Visit>
void for_each_number(const NumberSlot& slot, const Visit& visit) {
  if (const auto* optional = std::get_if<std::optional<uint64_t>*>(&slot)) {
    if (**optional) {
      visit(***optional);
    }
  } else if (const auto* real = std::get_if<std::optional<double>*>(&slot)) {
    if (**real) {
      visit(***real);
    }
  } else if (const auto* list = std::get_if<std::vector<uint64_t>*>(&slot)) {
    for (uint64_t& number : **list) {
      visit(number);
    }
  } else if (const auto* whole = std::get_if<int*>(&slot)) {
    visit(**whole);
  } else if (const auto* count = std::get_if<uint64_t*>(&slot)) {
    visit(**count);
  } else {
    visit(*std::get<double*>(slot));
  }
}

// Sets a row's value from text; `path` is the key in messages, times in cycles refer to `clock_hz`.
// Several numbers, where the row takes them, are "[4KiB, 2MiB]".
// Requires: a row that holds a value and is no file
// Errors: InputError "PATH: found 'TEXT', accepted: …" for text that is no such value, for names
// that cannot be shown, and for an int or a clock out of its range. Other numbers are checked by
// find_range_problem, where they are in the unit of their row.
void assign_text(const Field& field, void* object, std::string_view path, std::string_view text,
                 double clock_hz);

// A row's value as text that assign_text reads to the same value; "" for an empty list of numbers.
std::string field_text(const Field& field, const void* object);

// The texts of a row's numbers, one text each.
std::vector<std::string> number_texts(const Field& field, const void* object);

// True if a row's value is its default: the one that holds in files without the key.
bool is_default(const FieldTable& table, const Field& field, const void* object);

}  // namespace presort
