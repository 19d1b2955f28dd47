#include "app/displayable.h"

#include <fmt/format.h>

#include "app/utf8.h"

namespace presort::app {

namespace {

struct Range {
  char32_t first;
  char32_t last;
};

// Characters that show nothing, end a line, or reorder what stands beside them.
constexpr Range kHidden[] = {
    {0x00, 0x1F},        // control characters
    {0x7F, 0x9F},        // delete, and control characters of eight bits
    {0xAD, 0xAD},        // soft hyphen
    {0x034F, 0x034F},    // grapheme joiner
    {0x061C, 0x061C},    // Arabic letter mark
    {0x115F, 0x1160},    // Hangul fillers
    {0x17B4, 0x17B5},    // Khmer inherent vowels
    {0x180B, 0x180F},    // Mongolian selectors and vowel separator
    {0x200B, 0x200F},    // zero-width characters, direction marks
    {0x2028, 0x202E},    // line and paragraph separators, directional embeddings and overrides
    {0x2060, 0x206F},    // invisible operators, directional isolates
    {0x3164, 0x3164},    // Hangul filler
    {0xFE00, 0xFE0F},    // variation selectors
    {0xFEFF, 0xFEFF},    // byte order mark
    {0xFFA0, 0xFFA0},    // Hangul filler of half width
    {0xFFF0, 0xFFFB},    // interlinear annotations
    {0x1BCA0, 0x1BCA3},  // shorthand format controls
    {0x1D173, 0x1D17A},  // musical format controls
    {0xE0000, 0xE0FFF},  // tags
};

bool hidden(char32_t code) {
  for (const Range& range : kHidden) {
    if (code >= range.first && code <= range.last) {
      return true;
    }
  }
  return false;
}

std::string escape_of(const Utf8Character& character) {
  const auto code = static_cast<uint32_t>(character.code);
  switch (code) {
    case '\n':
      return "\\n";
    case '\r':
      return "\\r";
    case '\t':
      return "\\t";
    default:
      return !character.valid || code < 0x80 ? fmt::format("\\x{:02x}", code)
             : code <= 0xFFFF                ? fmt::format("\\u{:04x}", code)
                                             : fmt::format("\\U{:08x}", code);
  }
}

enum class Newlines { stay, escaped };

std::string escaped(std::string_view text, Newlines newlines) {
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    const Utf8Character character = first_character(text);
    const bool stays = character.valid && (character.code == '\n' ? newlines == Newlines::stay
                                                                  : !hidden(character.code));
    result += stays ? std::string(text.substr(0, character.bytes)) : escape_of(character);
    text.remove_prefix(character.bytes);
  }
  return result;
}

}  // namespace

std::string displayable(std::string_view text) {
  return escaped(text, Newlines::stay);
}

std::string displayable_line(std::string_view text) {
  return escaped(text, Newlines::escaped);
}

std::string shortened(std::string_view text, size_t most) {
  if (text.size() <= most) {
    return std::string(text);
  }
  size_t kept = 0;
  for (size_t next = 0; next <= most; next += first_character(text.substr(next)).bytes) {
    kept = next;
  }
  return fmt::format("{}… ({} bytes more)", text.substr(0, kept), text.size() - kept);
}

}  // namespace presort::app
