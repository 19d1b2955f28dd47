#include "presort/app/plot/plot_text.h"

#include <fmt/format.h>

#include "presort/core/text/utf8.h"

namespace presort::inline v0::app {

namespace {

constexpr size_t kLongest = 160;
constexpr std::string_view kCut = "...";

}  // namespace

std::string plot_text(std::string_view text) {
  std::string safe;
  while (!text.empty() && safe.size() <= kLongest) {
    const size_t bytes = first_character(text).bytes;
    const char first = text.front();
    if (first == '%') {
      safe += " percent";
    } else {
      const bool kept = bytes == 1 && kPlotAlphabet.find(first) != std::string_view::npos;
      safe += kept ? first : '?';
    }
    text.remove_prefix(bytes);
  }
  if (safe.size() > kLongest) {
    safe.resize(kLongest - kCut.size());
    safe += kCut;
  }
  return safe;
}

std::string in_plot_quotes(std::string_view text) {
  return fmt::format("'{}' noenhanced", plot_text(text));
}

std::string quoted_tic(std::string_view text, double position) {
  return fmt::format("'{}' {}", plot_text(text), position);
}

}  // namespace presort::app
