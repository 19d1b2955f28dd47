#include "presort/io/yaml/yaml_tree.h"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/mark.h>
#include <yaml-cpp/parser.h>

#include <sstream>
#include <utility>

#include "presort/core/error.h"
#include "presort/io/files/input_file.h"
#include "presort/io/limits.h"

namespace presort::inline v0::io {
namespace {

Position position_of(const YAML::Mark& mark) {
  if (mark.is_null()) {
    return {};
  }
  return {mark.line + 1, mark.column + 1};
}

[[noreturn]] void fail(const std::string& file, Position position, const std::string& message) {
  throw InputError(file + ":" + std::to_string(position.line) + ":" +
                   std::to_string(position.column) + ": " + message);
}

// Builds the tree. Pointers to open nodes stay valid: a container does not grow while one of its
// children is open.
class TreeBuilder : public YAML::EventHandler {
 public:
  TreeBuilder(const std::string& file, YamlNode& root) : file_(file), root_(root) {}

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (documents_++ > 0) {
      fail(file_, position_of(mark), "found a second document, accepted: one document per file");
    }
  }
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    refuse_anchor(mark, anchor);
    YamlNode& node = add(mark, YamlNode::Kind::null);
    if (!open_.empty() && open_.back().node->kind == YamlNode::Kind::map) {
      // A value in a map gets the position of its key
      node.position = open_.back().node->entries.back().position;
    }
  }

  void OnAlias(const YAML::Mark& mark, YAML::anchor_t /*anchor*/) override {
    fail(file_, position_of(mark), "found an alias ('*'), accepted: the value itself");
  }

  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    refuse_anchor(mark, anchor);
    refuse_tag(mark, tag);
    if (key_is_next()) {
      count_node(mark);
      open_.back().node->entries.push_back({value, position_of(mark), {}});
      open_.back().has_key = true;
      return;
    }
    YamlNode& node = add(mark, YamlNode::Kind::scalar);
    node.text = value;
    node.quoted = tag == "!";
  }

  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value /*style*/) override {
    refuse_anchor(mark, anchor);
    refuse_tag(mark, tag);
    open(mark, YamlNode::Kind::list);
  }
  void OnSequenceEnd() override { open_.pop_back(); }

  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value /*style*/) override {
    refuse_anchor(mark, anchor);
    refuse_tag(mark, tag);
    open(mark, YamlNode::Kind::map);
  }
  void OnMapEnd() override { open_.pop_back(); }

 private:
  struct Open {
    YamlNode* node;
    bool has_key;  // true, in a map: a key has been read, and its value comes next
  };

  bool key_is_next() const {
    return !open_.empty() && open_.back().node->kind == YamlNode::Kind::map &&
           !open_.back().has_key;
  }

  void open(const YAML::Mark& mark, YamlNode::Kind kind) {
    if (open_.size() >= limits::kDeepestYaml) {
      fail(file_, position_of(mark),
           "found more than " + std::to_string(limits::kDeepestYaml) +
               " maps and lists in one another, accepted: at most so many");
    }
    open_.push_back({&add(mark, kind), false});
  }

  void count_node(const YAML::Mark& mark) {
    if (++nodes_ > limits::kMostYamlNodes) {
      fail(file_, position_of(mark),
           "found more than " + std::to_string(limits::kMostYamlNodes) +
               " keys and values, accepted: at most so many");
    }
  }

  YamlNode& add(const YAML::Mark& mark, YamlNode::Kind kind) {
    count_node(mark);
    if (key_is_next()) {
      fail(file_, position_of(mark), "found a key that is not text, accepted: key: value");
    }
    YamlNode* node = &root_;
    if (!open_.empty() && open_.back().node->kind == YamlNode::Kind::list) {
      node = &open_.back().node->items.emplace_back();
    } else if (!open_.empty()) {
      node = &open_.back().node->entries.back().value;
      open_.back().has_key = false;
    }
    node->kind = kind;
    node->position = position_of(mark);
    return *node;
  }

  void refuse_anchor(const YAML::Mark& mark, YAML::anchor_t anchor) const {
    if (anchor != YAML::NullAnchor) {
      fail(file_, position_of(mark), "found an anchor ('&'), accepted: values without anchors");
    }
  }

  void refuse_tag(const YAML::Mark& mark, const std::string& tag) const {
    if (!tag.empty() && tag != "?" && tag != "!") {
      fail(file_, position_of(mark), "found the tag '" + tag + "', accepted: values without tags");
    }
  }

  const std::string& file_;
  YamlNode& root_;
  std::vector<Open> open_;
  size_t nodes_ = 0;
  int documents_ = 0;
};

// Refuses control characters: yaml-cpp takes some of them for the end of the file.
void refuse_control_characters(const std::string& text, const std::string& file) {
  Position position;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte < 0x20 && c != '\t' && c != '\n' && c != '\r') || byte == 0x7f) {
      fail(file, position,
           "found a control character (byte " + std::to_string(byte) + "), accepted: text");
    }
    position =
        c == '\n' ? Position{position.line + 1, 1} : Position{position.line, position.column + 1};
  }
}

}  // namespace

YamlDocument parse_yaml(const std::string& text, const std::string& file) {
  refuse_control_characters(text, file);
  YamlDocument document;
  document.file = file;
  std::istringstream stream(text);
  TreeBuilder builder(file, document.root);
  try {
    YAML::Parser parser(stream);
    while (parser.HandleNextDocument(builder)) {
    }
  } catch (const YAML::Exception& error) {
    fail(file, position_of(error.mark), "not YAML: " + error.msg);
  }
  return document;
}

std::string read_text_file(const std::string& path) {
  return read_whole_file(path, limits::kMostYamlBytes);
}

YamlDocument load_yaml(const std::string& path) {
  return parse_yaml(read_text_file(path), path);
}

}  // namespace presort::io
