#include "presort/app/printing/style.h"

#include <utility>

namespace presort::inline v0::app {

namespace {

const char* code_of(Style style) {
  switch (style) {
    case Style::bold:
      return "1";
    case Style::good:
      return "32";
    case Style::caution:
      return "33";
    case Style::bad:
      return "1;31";
    case Style::faint:
      return "2";
  }
  return "0";
}

}  // namespace

StyledLine starts_with_style(std::string text, Style style, size_t bytes) {
  return {.text = std::move(text), .style = style, .begin = 0, .bytes = bytes};
}

StyledLine all_in_style(std::string text, Style style) {
  const size_t bytes = text.size();
  return starts_with_style(std::move(text), style, bytes);
}

std::string painted(std::string_view text, Style style) {
  return std::string("\033[") + code_of(style) + "m" + std::string(text) + "\033[0m";
}

std::string plain_text(const std::vector<StyledLine>& lines) {
  std::string text;
  for (const StyledLine& line : lines) {
    text += line.text + "\n";
  }
  return text;
}

}  // namespace presort::app
