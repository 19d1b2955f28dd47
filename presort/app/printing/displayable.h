// Makes texts from users (names, paths, values) harmless for terminals and pages: what could move a
// cursor, hide or reorder text becomes a visible escape.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace presort::inline v0::app {

// Replaces every control character, every byte that is not valid UTF-8, and every character that is
// invisible or changes the direction of text: "\t", "\r", "\x1b", "\xff", "\u202e", "\U000e0041".
// Newlines and all other text stay. The result is valid UTF-8, and stays the same when escaped
// again.
std::string displayable(std::string_view text);

// A name to show inside a line: displayable(), with newlines as "\n".
std::string displayable_line(std::string_view text);

// The beginning of a text, at most about `most` bytes, with the number of bytes that were cut off.
// Never cuts a character.
std::string shortened(std::string_view text, size_t most);

}  // namespace presort::app
