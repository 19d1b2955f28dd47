// Changes to valid inputs: of bytes, of values, of keys, of lines, of nesting.
#pragma once

#include <string>

#include "draw.h"

namespace presort::inline v0::attack {

inline constexpr size_t kMostBytes = size_t{1} << 16;  // largest changed input, bytes

// Syntax of a text: tells where its values stand, and what may replace them.
enum class Syntax { yaml, json };

// Returns the content with one to eight changes of bits, bytes and ranges of bytes.
std::string change_bytes(Draw& draw, std::string content);

// Returns the content with one change of bytes, values, keys, lines or nesting. `other` is another valid
// input, of which a part may be taken.
std::string change_text(Draw& draw, std::string content, const std::string& other, Syntax syntax);

// A value to put in place of `old`: a number with or without a unit, a word, or a part of `text`.
std::string new_value(Draw& draw, const std::string& text, const std::string& old);

}  // namespace presort::attack
