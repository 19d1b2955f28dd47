#include "presort/core/text/utf8.h"

#include <cstdint>

namespace presort::inline v0 {

namespace {

// UTF-8 sequences of one length: the bits of their leading byte, and the least code point that
// needs as many bytes.
struct Form {
  uint8_t mask;
  uint8_t lead;
  size_t bytes;
  char32_t least;
};
constexpr Form kForms[] = {
    {0x80, 0x00, 1, 0x0}, {0xE0, 0xC0, 2, 0x80}, {0xF0, 0xE0, 3, 0x800}, {0xF8, 0xF0, 4, 0x10000}};

constexpr char32_t kLast = 0x10FFFF;

bool is_surrogate(char32_t code) {
  return code >= 0xD800 && code <= 0xDFFF;
}

}  // namespace

Utf8Character first_character(std::string_view text) {
  const auto byte = [&](size_t i) { return static_cast<uint8_t>(text[i]); };
  const Utf8Character invalid = {byte(0), 1, false};
  for (const Form& form : kForms) {
    if ((byte(0) & form.mask) != form.lead) {
      continue;
    }
    if (text.size() < form.bytes) {
      return invalid;
    }
    char32_t code = byte(0) & static_cast<uint8_t>(~form.mask);
    for (size_t i = 1; i < form.bytes; ++i) {
      if ((byte(i) & 0xC0) != 0x80) {
        return invalid;
      }
      code = code << 6 | (byte(i) & 0x3F);
    }
    const bool allowed = code >= form.least && code <= kLast && !is_surrogate(code);
    return allowed ? Utf8Character{code, form.bytes, true} : invalid;
  }
  return invalid;
}

}  // namespace presort
