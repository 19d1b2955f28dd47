#include "presort/io/yaml/yaml_writer.h"

#include <charconv>

#include "presort/core/error.h"
#include "presort/core/text/units.h"

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

struct Unit {
  std::string_view name;
  double scale;
};

// The shortest text, over the units, that parses back to the value.
template <size_t N, class Parse>
std::string exact_with_unit(double value, const Unit (&units)[N], Parse parse) {
  std::string best;
  for (const Unit& unit : units) {
    std::string text = exact_number(value / unit.scale) + std::string(unit.name);
    if ((best.empty() || text.size() < best.size()) && parse("value", text) == value) {
      best = std::move(text);
    }
  }
  if (best.empty()) {
    throw Error("no text for the value " + exact_number(value));
  }
  return best;
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

std::string exact_number(double value) {
  char buffer[512];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, value == 0 ? 0.0 : value,
                                 std::chars_format::fixed);
  return std::string(buffer, end.ptr);
}

std::string exact_cycles(double cycles) {
  return exact_number(cycles) + "cy";
}

std::string exact_ns(double ns) {
  return exact_number(ns) + "ns";
}

std::string exact_frequency(double hz) {
  return exact_with_unit(hz, {{"GHz", 1e9}, {"MHz", 1e6}, {"kHz", 1e3}, {"Hz", 1}},
                         parse_frequency_hz);
}

std::string exact_per_second(double rate) {
  return exact_with_unit(rate, {{"G/s", 1e9}, {"M/s", 1e6}, {"/s", 1}}, parse_per_second);
}

std::string exact_bandwidth(double bytes_per_second) {
  return exact_with_unit(bytes_per_second, {{"GB/s", 1e9}, {"MB/s", 1e6}, {"B/s", 1}},
                         parse_bytes_per_second);
}

}  // namespace presort::io
