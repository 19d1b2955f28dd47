#include "core/display_text.h"

#include <cstdint>
#include <cstdio>

#include "core/error.h"

namespace presort {
namespace {

struct CodePoints {
  char32_t first;
  char32_t last;
};

// Source: Unicode 15, general categories Cc, Cf (without the joiners U+200C and U+200D, which
// scripts need), Zl, Zp; noncharacters: The Unicode Standard, section 23.7.
constexpr CodePoints kHidden[] = {
    {0x0000, 0x001f},    // control characters
    {0x007f, 0x009f},    // delete, and the C1 control characters
    {0x00ad, 0x00ad},    // soft hyphen
    {0x061c, 0x061c},    // Arabic letter mark
    {0x180e, 0x180e},    // Mongolian vowel separator
    {0x200b, 0x200b},    // zero width space
    {0x200e, 0x200f},    // left-to-right and right-to-left marks
    {0x2028, 0x202e},    // separators of lines and paragraphs; embeddings and overrides
    {0x2060, 0x206f},    // invisible operators; isolates; deprecated format characters
    {0xfdd0, 0xfdef},    // noncharacters
    {0xfeff, 0xfeff},    // byte order mark
    {0xfff0, 0xfffb},    // interlinear annotation
    {0xe0000, 0xe0fff},  // tags
};

bool is_hidden(char32_t c) {
  for (const CodePoints& range : kHidden) {
    if (c >= range.first && c <= range.last) {
      return true;
    }
  }
  return (c & 0xfffe) == 0xfffe;  // the last two of each plane are noncharacters
}

struct Decoded {
  char32_t character = 0;
  size_t bytes = 0;  // 0: not UTF-8
};

// The character that `text` begins with; overlong forms, surrogates and what is beyond U+10FFFF are
// not UTF-8 (RFC 3629). Requires: text is not empty
Decoded decode(std::string_view text) {
  const auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
  struct Form {
    unsigned char mask;
    unsigned char lead;
    size_t bytes;
    char32_t least;
  };
  constexpr Form kForms[] = {
      {0x80, 0x00, 1, 0}, {0xe0, 0xc0, 2, 0x80}, {0xf0, 0xe0, 3, 0x800}, {0xf8, 0xf0, 4, 0x10000}};
  for (const Form& form : kForms) {
    if ((byte(0) & form.mask) != form.lead || text.size() < form.bytes) {
      continue;
    }
    char32_t character = byte(0) & static_cast<unsigned char>(~form.mask);
    for (size_t i = 1; i < form.bytes; ++i) {
      if ((byte(i) & 0xc0) != 0x80) {
        return {};
      }
      character = character << 6 | (byte(i) & 0x3f);
    }
    const bool surrogate = character >= 0xd800 && character <= 0xdfff;
    const bool valid = character >= form.least && character <= 0x10ffff && !surrogate;
    return valid ? Decoded{character, form.bytes} : Decoded{};
  }
  return {};
}

std::string formatted(const char* format, unsigned value) {
  char buffer[32];
  std::snprintf(buffer, sizeof buffer, format, value);
  return buffer;
}

}  // namespace

std::optional<std::string> find_undisplayable(std::string_view text, size_t longest) {
  if (text.size() > longest) {
    return std::to_string(text.size()) + " bytes";
  }
  for (size_t at = 0; at < text.size();) {
    const Decoded next = decode(text.substr(at));
    const std::string place = " at byte " + std::to_string(at);
    if (next.bytes == 0) {
      return formatted("0x%02x", static_cast<unsigned char>(text[at])) + place +
             ", which is not UTF-8";
    }
    if (is_hidden(next.character)) {
      return "the character " + formatted("U+%04X", static_cast<unsigned>(next.character)) + place;
    }
    at += next.bytes;
  }
  return {};
}

std::string displayable_accepted(size_t longest) {
  return "UTF-8 text without control characters, of at most " + std::to_string(longest) + " bytes";
}

std::string displayable(std::string_view text, size_t longest) {
  std::string shown;
  for (size_t at = 0; at < text.size();) {
    const Decoded next = decode(text.substr(at));
    const size_t bytes = next.bytes == 0 ? 1 : next.bytes;
    const bool replaced = next.bytes == 0 || is_hidden(next.character);
    const std::string_view piece = replaced ? "?" : text.substr(at, bytes);
    if (shown.size() + piece.size() > longest) {
      break;
    }
    shown += piece;
    at += bytes;
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
