// Which text may be shown: names, free text and paths from files go to terminals, JSON, SVG, HTML.
// Displayable text is well-formed UTF-8 without characters that steer what shows it: control
// characters, line and paragraph separators, marks that change the direction of writing, characters
// without a shape, and code points that are no characters.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace presort::inline v0 {

inline constexpr size_t kLongestName = 256;   // bytes: of a machine, a cache level, a GPU
inline constexpr size_t kLongestText = 4096;  // bytes: of any other key or value, as PATH_MAX

// Whether a code point ends a line, changes the direction of writing, or shows nothing.
bool is_hidden(char32_t code);

// What of `text` cannot be shown, as a message names what was found: "the character U+001B at byte
// 3", "byte 0xff at byte 0, which is not UTF-8", "5000 bytes"; nothing where all of it can.
std::optional<std::string> find_undisplayable(std::string_view text, size_t longest = kLongestText);

// "displayable UTF-8 text of at most 256 bytes"
std::string displayable_accepted(size_t longest = kLongestText);

// `text` with '?' for each byte or character that cannot be shown, cut to `longest` bytes. Of text
// that a system, not a user, gives: host names, processors' names.
std::string with_hidden_replaced(std::string_view text, size_t longest = kLongestText);

// Errors: InputError "KEY: found …, accepted: …" for text that cannot be shown
void check_displayable(std::string_view key, std::string_view text, size_t longest = kLongestText);

}  // namespace presort
