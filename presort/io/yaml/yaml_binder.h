// A strict reader of YAML documents. Every error is an InputError
// "FILE:LINE:COLUMN: KEY.PATH: found 'x', accepted: … (did you mean 'y'?)".
//   MapReader root = open_document(document, "machine/1");
//   MapReader cpu = root.required("cpu").map();
//   machine.clock_hz = cpu.required("clock").as(parse_frequency_hz);
//   cpu.finish();    // whatever was not asked for is an unknown key
//   root.finish();
// Keys and values that cannot be shown (core/text/display_text.h), also such as escapes spell, are
// errors. Readers are cheap to copy; the document must outlive them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "presort/core/error.h"
#include "presort/core/text/names.h"
#include "presort/core/text/range.h"
#include "presort/io/yaml/yaml_tree.h"

namespace presort::inline v0::io {

class MapReader;

// One value of a YAML document and where it stands.
class ValueReader {
 public:
  ValueReader(const YamlDocument& document, const YamlNode& node, std::string path);

  // Path of the value in the document, "cpu.caches[1].ways"; "" is the whole document.
  const std::string& path() const { return path_; }
  std::string place() const;  // place of the value in the file, "FILE:LINE:COLUMN"
  bool is_list() const { return node_->kind == YamlNode::Kind::list; }
  bool is_map() const { return node_->kind == YamlNode::Kind::map; }

  // The value as text, quoted or not, of at most kLongestText bytes
  const std::string& text() const;
  const std::string& name() const;  // the value as a name of at most kLongestName bytes
  bool boolean() const;             // the value as a boolean: true or false, in no other spelling
  int integer(const Range& range) const;
  // Returns `number`, which was read from this value. Errors: InputError when it is out of range
  double in_range(double number, const Range& range) const;
  std::vector<ValueReader> list() const;  // the items of a list; item i has the path "path[i]"
  MapReader map() const;

  // Parses the value's text with parse(path, text), one of core's parsers; an InputError of the
  // parser gets file, line and column. Numbers with a leading zero are refused: YAML reads them as
  // octal.
  template <class Parse>
  auto as(Parse parse) const {
    refuse_leading_zero();
    try {
      return parse(path_, text());
    } catch (const InputError& error) {
      fail_with(error.what());
    }
  }

  template <class T, size_t N>
  T one_of(const Named<T> (&table)[N]) const {
    return as(
        [&](std::string_view key, std::string_view found) { return from_name(table, key, found); });
  }

  // Throws an error at this value's position: "PATH: found 'VALUE', accepted: ACCEPTED", or any
  // message.
  [[noreturn]] void fail(std::string_view accepted) const;
  [[noreturn]] void fail_with(std::string_view message) const;

 private:
  friend class MapReader;
  const std::string& displayable_text(size_t longest) const;
  void refuse_leading_zero() const;

  const YamlDocument* document_;
  const YamlNode* node_;
  std::string path_;
};

// A map of the document whose keys are asked for by name. Doubled keys are refused on construction.
class MapReader {
 public:
  explicit MapReader(const ValueReader& value);

  ValueReader required(std::string_view key);
  std::optional<ValueReader> optional(std::string_view key);

  // The value of a key that is accepted and ignored; messages about other keys do not suggest it.
  std::optional<ValueReader> ignored(std::string_view key);

  // All entries of a map with free keys, in the order of the file.
  std::vector<std::pair<std::string, ValueReader>> entries();

  // Ends reading the map.
  // Errors: InputError for the first key that was neither asked for nor ignored, with the most
  // similar key that was asked for.
  void finish() const;

 private:
  std::string child_path(std::string_view key) const;
  ValueReader child(const YamlEntry& entry) const;
  std::optional<ValueReader> find(std::string_view key) const;
  [[noreturn]] void fail_unknown(const YamlEntry& entry) const;
  [[noreturn]] void fail_missing(std::string_view key) const;
  bool was_asked(std::string_view key) const;

  ValueReader value_;
  std::vector<std::string> asked_;
  std::vector<std::string> ignored_;
  bool all_asked_ = false;  // true: entries() was called
};

// The top-level map of a document whose key `presort` says `schema`, such as "machine/1".
MapReader open_document(const YamlDocument& document, std::string_view schema);

// Place, "FILE:LINE:COLUMN", of the value that a path names ("cpu.caches[1].ways",
// "cpu.caches.L2.ways", and "provenance.quality.cpu.clock", where keys have dots), or of the
// nearest enclosing value that exists.
std::string place_of_path(const YamlDocument& document, std::string_view path);

// Refuses a value: InputError "FILE:LINE:COLUMN: PATH: MESSAGE" at the place of the path
[[noreturn]] void fail_at_path(const YamlDocument& document, std::string_view path,
                               std::string_view message);

}  // namespace presort::io
