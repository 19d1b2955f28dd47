#include "presort/app/printing/displayable.h"

#include <fmt/format.h>

#include "presort/core/text/display_text.h"
#include "presort/core/text/utf8.h"

namespace presort::inline v0::app {

namespace {

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
                                                                  : !is_hidden(character.code));
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
