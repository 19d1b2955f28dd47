// Functions that read numbers in the text of traces.
#pragma once

#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>

namespace presort::inline v0::sim {

// Takes a number off the front of `text`. False, with text unchanged, when there is none or it does
// not fit 64 bits.
inline bool take_number(std::string_view& text, uint64_t& value, int base) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (error != std::errc()) {
    return false;
  }
  text.remove_prefix(static_cast<size_t>(end - text.data()));
  return true;
}

// Takes a hexadecimal number off the front of `text`, with or without 0x.
inline bool take_hexadecimal(std::string_view& text, uint64_t& value) {
  if (text.starts_with("0x") || text.starts_with("0X")) {
    std::string_view digits = text.substr(2);
    if (!take_number(digits, value, 16)) {
      return false;
    }
    text = digits;
    return true;
  }
  return take_number(text, value, 16);
}

inline void skip_blanks(std::string_view& text) {
  const size_t blanks = text.find_first_not_of(" \t");
  text.remove_prefix(blanks == std::string_view::npos ? text.size() : blanks);
}

// Text from a trace as error messages show it: short, and without control characters.
std::string shown_text(std::string_view text);

std::string hexadecimal(uint64_t value);

}  // namespace presort::sim
