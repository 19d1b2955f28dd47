#include "presort/core/text/exact_text.h"

#include <charconv>
#include <string_view>

#include "presort/core/error.h"
#include "presort/core/text/units.h"

namespace presort::inline v0 {
namespace {

struct ExactUnit {
  std::string_view name;
  double scale;
};

// The shortest text, over all units, that parses back to a value.
template <size_t N, class Parse>
std::string exact_with_unit(double value, const ExactUnit (&units)[N], Parse parse) {
  std::string best;
  for (const ExactUnit& unit : units) {
    std::string text = exact_number(value / unit.scale) + std::string(unit.name);
    if ((best.empty() || text.size() < best.size()) && parse("value", text) == value) {
      best = std::move(text);
    }
  }
  if (best.empty()) {
    throw Error("no text for the value " + exact_number(value));
  }
  return best;
}

}  // namespace

std::string exact_number(double value) {
  char buffer[512];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, value == 0 ? 0.0 : value,
                                 std::chars_format::fixed);
  return std::string(buffer, end.ptr);
}

std::string exact_cycles(double cycles) {
  return exact_number(cycles) + "cy";
}

std::string exact_ns(double ns) {
  return exact_number(ns) + "ns";
}

std::string exact_frequency(double hz) {
  return exact_with_unit(hz, {{"GHz", 1e9}, {"MHz", 1e6}, {"kHz", 1e3}, {"Hz", 1}},
                         parse_frequency_hz);
}

std::string exact_per_second(double rate) {
  return exact_with_unit(rate, {{"G/s", 1e9}, {"M/s", 1e6}, {"/s", 1}}, parse_per_second);
}

std::string exact_bandwidth(double bytes_per_second) {
  return exact_with_unit(bytes_per_second, {{"GB/s", 1e9}, {"MB/s", 1e6}, {"B/s", 1}},
                         parse_bytes_per_second);
}

}  // namespace presort
