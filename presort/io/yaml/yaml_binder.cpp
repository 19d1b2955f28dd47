#include "presort/io/yaml/yaml_binder.h"

#include <algorithm>
#include <charconv>
#include <unordered_map>

#include "presort/core/text/display_text.h"
#include "presort/core/text/units.h"

namespace presort::inline v0::io {
namespace {

std::string place_text(const YamlDocument& document, Position position) {
  return document.file + ":" + std::to_string(position.line) + ":" +
         std::to_string(position.column);
}

[[noreturn]] void fail_at(const YamlDocument& document, Position position,
                          std::string_view message) {
  throw InputError(place_text(document, position) + ": " + std::string(message));
}

std::string describe(const YamlNode& node) {
  switch (node.kind) {
    case YamlNode::Kind::null:
      return "nothing";
    case YamlNode::Kind::scalar:
      return quoted_text(with_hidden_replaced(node.text));
    case YamlNode::Kind::list:
      return "a list";
    case YamlNode::Kind::map:
      return "a map";
  }
  return "";
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

std::string named(std::string_view path) {
  return path.empty() ? "the document" : std::string(path);
}

}  // namespace

ValueReader::ValueReader(const YamlDocument& document, const YamlNode& node, std::string path)
    : document_(&document), node_(&node), path_(std::move(path)) {}

const std::string& ValueReader::text() const {
  return displayable_text(kLongestText);
}

const std::string& ValueReader::name() const {
  return displayable_text(kLongestName);
}

const std::string& ValueReader::displayable_text(size_t longest) const {
  if (node_->kind != YamlNode::Kind::scalar) {
    fail("a single value");
  }
  if (const auto found = find_undisplayable(node_->text, longest)) {
    fail_with(named(path_) + ": found " + *found + ", accepted: " + displayable_accepted(longest));
  }
  return node_->text;
}

bool ValueReader::boolean() const {
  const std::string& found = text();
  if (node_->quoted || (found != "true" && found != "false")) {
    fail("true, false");
  }
  return found == "true";
}

int ValueReader::integer(const Range& range) const {
  return static_cast<int>(in_range(static_cast<double>(as(parse_count)), range));
}

double ValueReader::in_range(double number, const Range& range) const {
  if (!contains(range, number)) {
    fail(accepted_text(range));
  }
  return number;
}

std::vector<ValueReader> ValueReader::list() const {
  if (!is_list()) {
    fail("a list");
  }
  std::vector<ValueReader> readers;
  for (size_t i = 0; i < node_->items.size(); ++i) {
    readers.emplace_back(*document_, node_->items[i], path_ + "[" + std::to_string(i) + "]");
  }
  return readers;
}

MapReader ValueReader::map() const {
  return MapReader(*this);
}

void ValueReader::refuse_leading_zero() const {
  const std::string& found = text();
  if (found.size() > 1 && found[0] == '0' && is_digit(found[1])) {
    fail("a number without leading zeros");
  }
}

void ValueReader::fail(std::string_view accepted) const {
  fail_with(named(path_) + ": found " + describe(*node_) + ", accepted: " + std::string(accepted));
}

void ValueReader::fail_with(std::string_view message) const {
  fail_at(*document_, node_->position, message);
}

std::string ValueReader::place() const {
  return place_text(*document_, node_->position);
}

MapReader::MapReader(const ValueReader& value) : value_(value) {
  if (!value.is_map()) {
    value.fail("a map (key: value)");
  }
  std::unordered_map<std::string_view, int> lines;
  for (const YamlEntry& entry : value.node_->entries) {
    if (const auto found = find_undisplayable(entry.key)) {
      fail_at(*value.document_, entry.position,
              named(value.path_) + ": found a key with " + *found +
                  ", accepted: " + displayable_accepted());
    }
    const auto [first, is_new] = lines.emplace(entry.key, entry.position.line);
    if (!is_new) {
      fail_at(*value.document_, entry.position,
              child_path(entry.key) + ": found " + quoted_text(entry.key) +
                  " again (first in line " + std::to_string(first->second) +
                  "), accepted: each key once");
    }
  }
}

std::string MapReader::child_path(std::string_view key) const {
  return value_.path_.empty() ? std::string(key) : value_.path_ + "." + std::string(key);
}

ValueReader MapReader::child(const YamlEntry& entry) const {
  return ValueReader(*value_.document_, entry.value, child_path(entry.key));
}

bool MapReader::was_asked(std::string_view key) const {
  return all_asked_ || std::find(asked_.begin(), asked_.end(), key) != asked_.end() ||
         std::find(ignored_.begin(), ignored_.end(), key) != ignored_.end();
}

std::optional<ValueReader> MapReader::optional(std::string_view key) {
  if (!was_asked(key)) {
    asked_.emplace_back(key);
  }
  return find(key);
}

std::optional<ValueReader> MapReader::ignored(std::string_view key) {
  ignored_.emplace_back(key);
  return find(key);
}

std::optional<ValueReader> MapReader::find(std::string_view key) const {
  for (const YamlEntry& entry : value_.node_->entries) {
    if (entry.key == key) {
      return child(entry);
    }
  }
  return std::nullopt;
}

ValueReader MapReader::required(std::string_view key) {
  if (const std::optional<ValueReader> found = optional(key)) {
    return *found;
  }
  fail_missing(key);
}

std::vector<std::pair<std::string, ValueReader>> MapReader::entries() {
  all_asked_ = true;
  std::vector<std::pair<std::string, ValueReader>> result;
  for (const YamlEntry& entry : value_.node_->entries) {
    result.emplace_back(entry.key, child(entry));
  }
  return result;
}

void MapReader::finish() const {
  for (const YamlEntry& entry : value_.node_->entries) {
    if (!was_asked(entry.key)) {
      fail_unknown(entry);
    }
  }
}

void MapReader::fail_unknown(const YamlEntry& entry) const {
  fail_at(*value_.document_, entry.position,
          unknown_name_message(child_path(entry.key), entry.key, asked_));
}

void MapReader::fail_missing(std::string_view key) const {
  const std::string wanted[] = {std::string(key)};
  for (const YamlEntry& entry : value_.node_->entries) {
    if (!was_asked(entry.key) && nearest_spelling(entry.key, wanted) == key) {
      fail_unknown(entry);  // names a misspelt required key where it stands
    }
  }
  value_.fail_with(child_path(key) + ": found nothing, accepted: the key '" + std::string(key) +
                   "' is required here");
}

MapReader open_document(const YamlDocument& document, std::string_view schema) {
  MapReader root(ValueReader(document, document.root, ""));
  const ValueReader found = root.required("presort");
  if (found.text() != schema) {
    found.fail(schema);
  }
  return root;
}

namespace {

// The child of `node` that one step of a path names, "ways", "[1]" or an item's `name`; null if
// there is none.
const YamlNode* step_into(const YamlNode& node, std::string_view step) {
  if (step.starts_with("[")) {
    size_t index = 0;
    const auto parsed = std::from_chars(step.data() + 1, step.data() + step.size() - 1, index);
    return parsed.ec == std::errc() && index < node.items.size() ? &node.items[index] : nullptr;
  }
  for (const YamlEntry& entry : node.entries) {
    if (entry.key == step) {
      return &entry.value;
    }
  }
  for (const YamlNode& item : node.items) {
    const YamlNode* name = step_into(item, "name");
    if (name != nullptr && name->text == step) {
      return &item;
    }
  }
  return nullptr;
}

// The value that a path names below `node`; null if the first step leads nowhere.
const YamlNode* follow(const YamlNode& node, std::string_view path, size_t& length) {
  // Keys of maps with free keys may have dots, so the whole rest of the path is tried first.
  const YamlNode* whole = path.starts_with("[") ? nullptr : step_into(node, path);
  if (whole != nullptr) {
    length = path.size();
    return whole;
  }
  length = std::min(path.find_first_of(".[", 1), path.size());
  return step_into(node, path.substr(0, length));
}

const YamlNode& nearest_node(const YamlDocument& document, std::string_view path) {
  const YamlNode* node = &document.root;
  while (!path.empty()) {
    size_t length = 0;
    const YamlNode* next = follow(*node, path, length);
    if (next == nullptr) {
      break;
    }
    node = next;
    path.remove_prefix(length);
    if (path.starts_with(".")) {
      path.remove_prefix(1);
    }
  }
  return *node;
}

}  // namespace

std::string place_of_path(const YamlDocument& document, std::string_view path) {
  return place_text(document, nearest_node(document, path).position);
}

void fail_at_path(const YamlDocument& document, std::string_view path, std::string_view message) {
  fail_at(document, nearest_node(document, path).position,
          std::string(path) + ": " + std::string(message));
}

}  // namespace presort::io
