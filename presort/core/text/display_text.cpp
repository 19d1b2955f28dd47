#include "presort/core/text/display_text.h"

#include <cstdint>
#include <cstdio>

#include "presort/core/error.h"
#include "presort/core/text/utf8.h"

namespace presort::inline v0 {
namespace {

struct CodePoints {
  char32_t first;
  char32_t last;
};

// Characters that end a line, reorder their neighbours, or show nothing.
// Source: Unicode 15, general categories Cc, Cf (without the joiners U+200C and U+200D, which
// scripts need), Zl, Zp; fillers; noncharacters: The Unicode Standard, section 23.7.
constexpr CodePoints kHidden[] = {
    {0x0000, 0x001f},    // control characters
    {0x007f, 0x009f},    // delete, and the C1 control characters
    {0x00ad, 0x00ad},    // soft hyphen
    {0x034f, 0x034f},    // grapheme joiner
    {0x061c, 0x061c},    // Arabic letter mark
    {0x115f, 0x1160},    // Hangul fillers
    {0x17b4, 0x17b5},    // Khmer inherent vowels
    {0x180b, 0x180f},    // Mongolian selectors and vowel separator
    {0x200b, 0x200b},    // zero width space
    {0x200e, 0x200f},    // left-to-right and right-to-left marks
    {0x2028, 0x202e},    // separators of lines and paragraphs; embeddings and overrides
    {0x2060, 0x206f},    // invisible operators; isolates; deprecated format characters
    {0x3164, 0x3164},    // Hangul filler
    {0xfdd0, 0xfdef},    // noncharacters
    {0xfeff, 0xfeff},    // byte order mark
    {0xffa0, 0xffa0},    // Hangul filler of half width
    {0xfff0, 0xfffb},    // interlinear annotation
    {0x1bca0, 0x1bca3},  // shorthand format controls
    {0x1d173, 0x1d17a},  // musical format controls
    {0xe0000, 0xe0fff},  // tags
};

std::string formatted(const char* format, unsigned value) {
  char buffer[32];
  std::snprintf(buffer, sizeof buffer, format, value);
  return buffer;
}

}  // namespace

bool is_hidden(char32_t c) {
  for (const CodePoints& range : kHidden) {
    if (c >= range.first && c <= range.last) {
      return true;
    }
  }
  return (c & 0xfffe) == 0xfffe;  // noncharacters: the last two code points of each plane
}

std::optional<std::string> find_undisplayable(std::string_view text, size_t longest) {
  if (text.size() > longest) {
    return std::to_string(text.size()) + " bytes";
  }
  for (size_t at = 0; at < text.size();) {
    const Utf8Character next = first_character(text.substr(at));
    const std::string place = " at byte " + std::to_string(at);
    if (!next.valid) {
      return formatted("0x%02x", static_cast<unsigned char>(text[at])) + place +
             ", which is not UTF-8";
    }
    if (is_hidden(next.code)) {
      return "the character " + formatted("U+%04X", static_cast<unsigned>(next.code)) + place;
    }
    at += next.bytes;
  }
  return {};
}

std::string displayable_accepted(size_t longest) {
  return "UTF-8 text without control characters, of at most " + std::to_string(longest) + " bytes";
}

std::string with_hidden_replaced(std::string_view text, size_t longest) {
  std::string shown;
  for (size_t at = 0; at < text.size();) {
    const Utf8Character next = first_character(text.substr(at));
    const bool replaced = !next.valid || is_hidden(next.code);
    const std::string_view piece = replaced ? "?" : text.substr(at, next.bytes);
    if (shown.size() + piece.size() > longest) {
      break;
    }
    shown += piece;
    at += next.bytes;
  }
  return shown;
}

void check_displayable(std::string_view key, std::string_view text, size_t longest) {
  if (const auto found = find_undisplayable(text, longest)) {
    throw InputError(std::string(key) + ": found " + *found +
                     ", accepted: " + displayable_accepted(longest));
  }
}

}  // namespace presort
