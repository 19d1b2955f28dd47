#include "presort/io/yaml/yaml_writer.h"

namespace presort::inline v0::io {
namespace {

bool is_alphanumeric(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

bool starts_plainly(std::string_view text) {
  const char first = text.front();
  return is_alphanumeric(first) || first == '_' || first == '/' ||
         (first == '-' && text.size() > 1 && is_alphanumeric(text[1]));
}

bool is_plain(std::string_view text) {
  if (text.empty() || !starts_plainly(text) || text.back() == ' ') {
    return false;
  }
  for (const std::string_view reserved : {"null", "Null", "NULL"}) {
    if (text == reserved) {
      return false;
    }
  }
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == ':' && (i + 1 == text.size() || !is_alphanumeric(text[i + 1]))) {
      return false;
    }
    if (!is_alphanumeric(text[i]) &&
        std::string_view("_ ./+^%@()=;:-").find(text[i]) == std::string_view::npos) {
      return false;
    }
  }
  return true;
}

}  // namespace

std::string yaml_scalar(std::string_view text) {
  if (is_plain(text)) {
    return std::string(text);
  }
  constexpr char kHex[] = "0123456789abcdef";
  std::string quoted = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      quoted += {'\\', c};
    } else if (byte < 0x20 || byte == 0x7f) {
      quoted += {'\\', 'x', kHex[byte >> 4], kHex[byte & 15]};
    } else {
      quoted += c;
    }
  }
  return quoted + "\"";
}

FlowMap& FlowMap::add(std::string_view key, std::string_view yaml) {
  if (!body_.empty()) {
    body_ += ", ";
  }
  body_.append(key).append(": ").append(yaml);
  return *this;
}

FlowMap& FlowMap::add_number(std::string_view key, uint64_t number) {
  return add(key, std::to_string(number));
}

FlowMap& FlowMap::add_flag(std::string_view key, bool value) {
  return add(key, value ? "true" : "false");
}

std::string flow_list(const std::vector<std::string>& items) {
  std::string text = "[";
  for (const std::string& item : items) {
    text += (text.size() > 1 ? ", " : "") + item;
  }
  return text + "]";
}

std::string text_map_block(std::string_view key, std::string_view indent,
                           const std::vector<std::pair<std::string, std::string>>& pairs) {
  std::string text;
  for (const auto& [name, value] : pairs) {
    if (text.empty()) {
      text.append(indent).append(key).append(":\n");
    }
    text.append(indent).append("  ");
    text += yaml_scalar(name) + ": " + yaml_scalar(value) + "\n";
  }
  return text;
}

}  // namespace presort::io
