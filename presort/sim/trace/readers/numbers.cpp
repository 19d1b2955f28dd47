#include "presort/sim/trace/readers/numbers.h"

namespace presort::inline v0::sim {

std::string shown_text(std::string_view text) {
  constexpr size_t kMost = 60;
  std::string shown;
  for (const char c : text.substr(0, kMost)) {
    shown += c >= ' ' && c <= '~' ? c : '?';
  }
  return "'" + shown + (text.size() > kMost ? "…'" : "'");
}

std::string hexadecimal(uint64_t value) {
  char digits[16];
  const auto end = std::to_chars(digits, digits + sizeof(digits), value, 16).ptr;
  return "0x" + std::string(digits, end);
}

}  // namespace presort::sim
