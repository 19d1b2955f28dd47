// Colours of text on a terminal.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace presort::inline v0::app {

enum class Style { bold, good, caution, bad, faint };

// A line of text without its newline, and the part of it that is shown in a style.
struct StyledLine {
  std::string text;
  Style style = Style::bold;
  size_t begin = 0;  // first byte of the styled part
  size_t bytes = 0;  // bytes of the styled part; 0: none
};

// A line whose first `bytes` bytes are shown in a style.
StyledLine starts_with_style(std::string text, Style style, size_t bytes);
// A line that is shown in a style from its begin to its end.
StyledLine all_in_style(std::string text, Style style);

// Text with the codes of a style before and after it (ECMA-48, SGR).
std::string painted(std::string_view text, Style style);

// The lines as one plain text, each with a newline.
std::string plain_text(const std::vector<StyledLine>& lines);

}  // namespace presort::app
