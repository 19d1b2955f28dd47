#include "presort/core/text/range.h"

#include <charconv>
#include <cmath>
#include <cstdint>

#include "presort/core/text/units.h"

namespace presort::inline v0 {
namespace {

// Writes a number with at most 15 digits, so that 28.000000000000004, the result of a computation,
// reads 28. Numbers from 1e-9 to 1e15 have no exponent: units cannot be read behind one.
std::string digits(double value) {
  constexpr int kDigits = 15;
  constexpr double kLeastUsual = 1e-9;
  constexpr double kMostUsual = 1e15;
  char buffer[64];
  const double size = std::abs(value);
  if (size < kLeastUsual || size >= kMostUsual || !std::isfinite(value)) {
    const auto end =
        std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::general, kDigits);
    return std::string(buffer, end.ptr);
  }
  const int before_point = static_cast<int>(std::floor(std::log10(size))) + 1;
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::fixed,
                                 kDigits - before_point);
  std::string text(buffer, end.ptr);
  if (text.find('.') != std::string::npos) {
    text.erase(text.find_last_not_of('0') + 1);
  }
  return text.ends_with('.') ? text.substr(0, text.size() - 1) : text;
}

std::string time_text(double ns) {
  const double size = std::abs(ns);
  return size >= 1e9   ? digits(ns / 1e9) + "s"
         : size >= 1e6 ? digits(ns / 1e6) + "ms"
                       : digits(ns) + "ns";
}

// Numbers from 1 to this bound read well in units with prefixes; other numbers are written with an
// exponent.
constexpr double kMostWithPrefix = 1e18;

std::string with_prefix(double value, std::string_view unit, std::string (*format)(double)) {
  const bool plain = value >= 1 && value <= kMostWithPrefix;
  return plain ? format(value) : digits(value) + std::string(unit);
}

std::string bytes_text(double value) {
  const bool whole = value >= 0 && value <= kMostWithPrefix && value == std::floor(value);
  return whole ? format_bytes(static_cast<uint64_t>(value)) : digits(value) + "B";
}

}  // namespace

std::string number_text(double value, RangeUnit unit) {
  switch (unit) {
    case RangeUnit::count:
    case RangeUnit::ratio:
      return digits(value);
    case RangeUnit::bytes:
      return bytes_text(value);
    case RangeUnit::cycles:
      return digits(value) + "cy";
    case RangeUnit::nanoseconds:
      return time_text(value);
    case RangeUnit::hertz:
      return with_prefix(value, "Hz", format_frequency);
    case RangeUnit::bytesPerSecond:
      return with_prefix(value, "B/s", format_bandwidth);
    case RangeUnit::perSecond:
      return with_prefix(value, "/s", format_per_second);
  }
  return "";
}

std::string accepted_text(const Range& range) {
  const std::string text =
      number_text(range.lowest, range.unit) + " to " + number_text(range.highest, range.unit);
  return range.zero.empty()
             ? text
             : number_text(0, range.unit) + " (" + std::string(range.zero) + ") or " + text;
}

}  // namespace presort
