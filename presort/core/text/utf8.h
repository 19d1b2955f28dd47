// Reads UTF-8 character by character, with every byte accounted for.
#pragma once

#include <cstddef>
#include <string_view>

namespace presort::inline v0 {

// A character of a text, or a byte that is no part of one.
struct Utf8Character {
  char32_t code = 0;  // code point of the character; the byte's value when it is not valid
  size_t bytes = 1;   // length of the character; 1 when it is not valid
  bool valid = false;
};

// Reads the first character of a text. Not valid are stray and missing continuation bytes, overlong forms,
// surrogates, and code points beyond U+10FFFF.
// Requires: a text that is not empty
Utf8Character first_character(std::string_view text);

}  // namespace presort
