// Reads UTF-8 text character by character; a byte that belongs to no character is returned as such.
#pragma once

#include <cstddef>
#include <string_view>

namespace presort::inline v0 {

// A character of a text, or a byte that belongs to none.
struct Utf8Character {
  char32_t code = 0;  // code point of the character; the byte's value when it is not valid UTF-8
  size_t bytes = 1;   // bytes of the character; 1 when it is not valid UTF-8
  bool valid = false;
};

// Reads the first character of a text. Not valid are stray and missing continuation bytes, overlong
// forms, surrogates, and code points beyond U+10FFFF.
// Requires: text is not empty
Utf8Character first_character(std::string_view text);

}  // namespace presort
