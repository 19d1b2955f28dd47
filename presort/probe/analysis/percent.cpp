#include "presort/probe/analysis/percent.h"

#include <charconv>

namespace presort::inline v0::probe {

std::string percent(double ratio) {
  char text[64];
  const auto end =
      std::to_chars(text, text + sizeof text, 100 * ratio, std::chars_format::fixed, 1).ptr;
  return std::string(text, end) + "%";
}

}  // namespace presort::probe
