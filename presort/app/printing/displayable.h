// Texts of a user's (names, paths, values) made harmless for terminals and pages: what could move a
// cursor, hide or reorder text becomes a visible escape.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace presort::inline v0::app {

// Every control character, every byte that is not valid UTF-8 and every character that is invisible
// or changes the direction of text, replaced: "\t", "\r", "\x1b", "\xff", "\u202e", "\U000e0041".
// Newlines stay; all other text is unchanged. The result is valid UTF-8, and its own fixed point.
std::string displayable(std::string_view text);

// A name to be shown inside a line: its newlines become "\n".
std::string displayable_line(std::string_view text);

// The beginning of a text, at most about `most` bytes, and how many bytes follow. Never cuts a
// character.
std::string shortened(std::string_view text, size_t most);

}  // namespace presort::app
