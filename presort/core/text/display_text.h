// Text that may be shown: names, free text and paths from files go to terminals, JSON, SVG, HTML.
// Displayable text is well-formed UTF-8 without characters that steer what shows it: control
// characters, line and paragraph separators, marks that change the direction of writing, characters
// without a shape, and code points that are no characters.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace presort::inline v0 {

// Most bytes in a name of a machine, a cache level or a GPU
inline constexpr size_t kLongestName = 256;
// Most bytes in any other key or value; equals PATH_MAX
inline constexpr size_t kLongestText = 4096;

// True if a code point ends a line, changes the direction of writing, or shows nothing.
bool is_hidden(char32_t code);

// Describes the first part of `text` that cannot be shown: "the character U+001B at byte 3", "byte
// 0xff at byte 0, which is not UTF-8", "5000 bytes"; nothing if all of it can be shown.
std::optional<std::string> find_undisplayable(std::string_view text, size_t longest = kLongestText);

// The accepted names and texts in words, for messages: "displayable UTF-8 text of at most 256
// bytes"
std::string displayable_accepted(size_t longest = kLongestText);

// `text` with '?' for each byte or character that cannot be shown, cut to `longest` bytes. For text
// that comes from the system, not from a user: names of hosts and processors.
std::string with_hidden_replaced(std::string_view text, size_t longest = kLongestText);

// Checks that text can be shown.
// Errors: InputError "KEY: found …, accepted: …" for text that cannot
void check_displayable(std::string_view key, std::string_view text, size_t longest = kLongestText);

}  // namespace presort
