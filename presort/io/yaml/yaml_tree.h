// A YAML document as a plain tree, every node with its line and column. yaml-cpp is used as a
// parser of events only: its Node type drops doubled keys and guesses types, and must not be used.
// Errors: InputError "FILE:LINE:COLUMN: …" for text that is not YAML, anchors, aliases, tags, keys
//         that are not plain text, more than one document, control characters, and for documents
//         that are larger or deeper than io/limits.h allows. Text that escapes spell ("\e") is as
//         it is written: the binder looks at it (io/yaml/yaml_binder.h).
#pragma once

#include <string>
#include <vector>

namespace presort::inline v0::io {

// Line and column in a file, both from 1.
struct Position {
  int line = 1;
  int column = 1;
};

struct YamlEntry;

struct YamlNode {
  enum class Kind { null, scalar, list, map };
  Kind kind = Kind::null;
  Position position;
  bool quoted = false;          // true: a scalar in quotes
  std::string text;             // text of a scalar
  std::vector<YamlNode> items;  // items of a list
  std::vector<YamlEntry>
      entries;  // keys and values of a map, in the order of the file, doubled keys included
};

struct YamlEntry {
  std::string key;
  Position position;
  YamlNode value;
};

struct YamlDocument {
  std::string file;
  YamlNode root;  // top-level value; null if the file holds nothing
};

YamlDocument parse_yaml(const std::string& text, const std::string& file);

// Reads a YAML file.
// Errors: InputError for text that is not accepted, and when the file cannot be read.
YamlDocument load_yaml(const std::string& path);

// Reads the whole text of a YAML file. Errors: InputError naming the file.
std::string read_text_file(const std::string& path);

}  // namespace presort::io
