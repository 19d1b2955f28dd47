// One key of a value type as data: what it is called, what it accepts, what it means, and where its
// value lies. The table of a struct's keys feeds everything that is done key by key: reading and
// writing files, JSON, settings (`--set`), range checks, the reference documentation.
//   Contract: a row describes one member of one struct, the table's; every access gets a pointer to
//             an object of that struct. core/fields/rows.h makes rows, so that no cast is written.
//   Order:    the rows of a table are in the order in which files are written. A row may rely on
//             those before it: times in cycles are of the nearest clock above.
//   Cost:     a call per row and object; meant for files and options, not for inner loops.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "presort/core/text/range.h"

namespace presort::inline v0 {

struct FieldTable;

// Presence of a key: must a file have it, and does a written file always have it?
enum class Presence {
  required,  // required: a file without the key is refused
  stated,    // stated: a file may leave the key out; it is always written
  optional,  // optional: a file may leave the key out; it is not written at its default value
  // inherited: required in a list's first item; later items take it from the item before
  inherited,
};

// Pointer to a member that holds numbers: none of them in an std::optional without a value or an
// empty list.
using NumberSlot = std::variant<int*, uint64_t*, double*, std::optional<uint64_t>*,
                                std::optional<double>*, std::vector<uint64_t>*>;

// Access to a row whose value is one or more numbers, in the unit of its range.
struct NumberAccess {
  NumberSlot (*slot)(void* object);
};

struct FlagAccess {
  bool* (*slot)(void* object);
};

// Access to a row whose value is free displayable text of at most kLongestName bytes
// (core/text/display_text.h).
struct NameAccess {
  std::string* (*slot)(void* object);
};

// Access to a row whose value is the name of a file. That file's content is read into the object by
// code of its own.
struct FileAccess {
  std::string* (*slot)(void* object);
};

// The form of a value in JSON: its text, or a number (a count or bytes).
enum class JsonValue { text, count, bytes };

// Access to a row whose value has a text of its own: a name of a table, a distribution, a count as
// a power of two.
struct TextAccess {
  std::string (*get)(const void* object);
  // Sets the value from its text. Errors: InputError "KEY: found 'TEXT', accepted: …"
  void (*set)(void* object, std::string_view key, std::string_view text);
  // Accepted names, for documentation; null: `doc` lists them
  std::vector<std::string> (*accepted)() = nullptr;
  JsonValue json = JsonValue::text;
};

// Access to a row that is a map inside the map: its keys belong to a struct of their own, or to a
// part of the same object.
struct SectionAccess {
  const FieldTable* table;
  void* (*at)(void* object);  // returns the section's object; null where the object has no section
  void* (*make)(void* object);  // creates the section where the object has none, and returns it
};

// Access to a row that is a list of maps. Where a user writes a path, an item is called by its name
// ("cpu.caches.L2.ways").
struct ListAccess {
  const FieldTable* table;
  size_t (*size)(void* object);
  void* (*item)(void* object, size_t index);
  void* (*append)(void* object);
  std::string (*item_name)(const void* item);
};

using Access = std::variant<NumberAccess, FlagAccess, NameAccess, FileAccess, TextAccess,
                            SectionAccess, ListAccess>;

// Rarely needed properties of a row (a key of a file).
struct FieldOptions {
  std::string_view reason = {};  // why a bound of the key's range is where it is, in words
  // Name of the key in JSON; empty: the key in snake case and the unit,
  // "write_bandwidth_bytes_per_second".
  std::string_view json = {};
  // true: in JSON the section's keys stand beside it, not in an object of their own
  bool json_flat = false;
  bool in_files = true;  // false: the key is not in files, only in JSON and range checks
  // The default in words, where it is not the initial value of the member, and the function that
  // sets it; null: the initial value is the default.
  std::string_view default_text = {};
  void (*set_default)(void* object) = nullptr;
  // The number that holds where an object has no such number, or 0. Null: the number is used as it
  // is.
  double (*resolved)(const void* object) = nullptr;
  // Why a key has no meaning for an object, "with kind: ssd"; null where it has one. Files of an
  // object for which it has none must not have the key. Without this function, all objects have the
  // key.
  const char* (*why_not)(const void* object) = nullptr;
  std::string_view applies_text = {};  // which objects have the key, in words
  std::string_view remark = {};        // comment written above the key in files
  // Unit for comparisons of machines, if another than that of the range
  std::string_view shown_unit = {};
};

struct Field {
  std::string_view key;  // name of the key in files: "writeBandwidth"
  Access access;
  Presence presence = Presence::required;
  std::string_view doc;  // what the value is, one line of documentation
  Range range = {};      // range of numbers that the key accepts
  FieldOptions options = {};

  bool applies_to(const void* object) const {
    return options.why_not == nullptr || options.why_not(object) == nullptr;
  }
};

enum class TableLayout {
  flow,   // the map is written on one line: "{key: value, key: value}"
  block,  // the map is written with a line for each key
};

enum class JsonNames {
  snakeCase,  // JSON names are the keys in snake case, with their unit: "row_bytes"
  keys,       // JSON names are the keys as in files: "bufferBytes"
};

// A key that was deleted. Files may still have it, with any value: readers ignore it and say so.
// Nothing writes it.
struct RetiredKey {
  std::string_view key;     // name of the deleted key in files: "loads"
  std::string_view since;   // first version of presort that ignores the key: "0.1.0"
  std::string_view reason;  // why the key was deleted
};

struct FieldTable {
  std::string_view doc;  // what the struct describes, one line of documentation
  std::span<const Field> rows;
  const void* (*initial)();  // returns an object of the struct with all initial values
  TableLayout layout = TableLayout::flow;
  JsonNames json_names = JsonNames::snakeCase;
  std::span<const RetiredKey> retired = {};
};

// The number in an object that a row describes. Requires: the row holds one double
inline double& real_number(const Field& row, void* object) {
  return *std::get<double*>(std::get<NumberAccess>(row.access).slot(object));
}

// The row of `key` in a table; null when there is none.
const Field* find_row(const FieldTable& table, std::string_view key);

// The retired key that a path of keys names, "cpu.window.loads"; null when there is none.
const RetiredKey* find_retired(const FieldTable& table, std::string_view path);

// Text about a retired key: "ignored since presort 0.1.0: REASON"
std::string ignored_text(const RetiredKey& retired);

// The row at a path of keys such as "cpu.caches[].ways" or "cpu.caches[1].ways".
// Errors: Error when there is none
const Field& field_at(const FieldTable& table, std::string_view path);

}  // namespace presort
