#include "presort/core/text/decimal.h"

#include "presort/core/base/wide.h"

#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>

namespace presort::inline v0 {
namespace {

// Most digits of a whole number that is read: such a number is below 2^67, and times 2^40 still
// fits 128 bits
constexpr size_t kMaxWholeDigits = 20;
constexpr size_t kMaxExponentDigits = 3;

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

std::string_view take_digits(std::string_view& text) {
  size_t count = 0;
  while (count < text.size() && is_digit(text[count])) {
    ++count;
  }
  const std::string_view digits = text.substr(0, count);
  text.remove_prefix(count);
  return digits;
}

void drop_superfluous_zeros(Decimal& value, size_t fraction_digits) {
  while (fraction_digits > 0 && value.digits.back() == '0') {
    value.digits.pop_back();
    --fraction_digits;
    ++value.exponent;
  }
  const size_t first = value.digits.find_first_not_of('0');
  value.digits = first == std::string::npos ? "0" : value.digits.substr(first);
  if (value.digits == "0") {
    value.exponent = 0;
  }
}

}  // namespace

std::optional<ScannedDecimal> scan_decimal(std::string_view text) {
  const std::string_view whole = take_digits(text);
  if (whole.empty() || (whole.size() > 1 && whole.front() == '0')) {
    return std::nullopt;
  }
  ScannedDecimal scanned{{std::string(whole), 0}, text};
  size_t fraction_digits = 0;
  if (text.size() > 1 && text[0] == '.' && is_digit(text[1])) {
    text.remove_prefix(1);
    const std::string_view fraction = take_digits(text);
    scanned.value.digits += fraction;
    fraction_digits = fraction.size();
    scanned.value.exponent -= static_cast<int>(fraction_digits);
  }
  if (text.size() > 1 && text[0] == 'e' && is_digit(text[1])) {
    text.remove_prefix(1);
    const std::string_view power = take_digits(text);
    if (power.size() > kMaxExponentDigits) {
      return std::nullopt;
    }
    scanned.value.exponent += std::atoi(std::string(power).c_str());
  }
  drop_superfluous_zeros(scanned.value, fraction_digits);
  scanned.rest = text;
  return scanned;
}

std::optional<uint64_t> to_whole(const Decimal& value, int power_of_ten, int power_of_two) {
  if (value.digits.size() > kMaxWholeDigits) {
    return std::nullopt;
  }
  Wide whole = 0;
  for (const char digit : value.digits) {
    whole = whole * 10 + static_cast<Wide>(digit - '0');
  }
  whole <<= power_of_two;
  int exponent = whole == 0 ? 0 : value.exponent + power_of_ten;
  for (; exponent < 0; ++exponent) {
    if (whole % 10 != 0) {
      return std::nullopt;
    }
    whole /= 10;
  }
  constexpr Wide kLargest = std::numeric_limits<uint64_t>::max();
  for (; exponent > 0 && whole <= kLargest; --exponent) {
    whole *= 10;
  }
  if (whole > kLargest) {
    return std::nullopt;
  }
  return static_cast<uint64_t>(whole);
}

std::optional<double> to_double(const Decimal& value, int power_of_ten, int power_of_two) {
  const std::string text = value.digits + "e" + std::to_string(value.exponent + power_of_ten);
  double result = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), result);
  if (error != std::errc{}) {
    return std::nullopt;
  }
  result = std::ldexp(result, power_of_two);
  return std::isfinite(result) ? std::optional(result) : std::nullopt;
}

std::string shortest_text(double value, int power_of_ten) {
  char buffer[32];
  const auto written =
      std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::scientific);
  const std::string text(buffer, written.ptr);
  const size_t e = text.find('e');
  std::string digits = text.substr(0, 1);
  if (e > 1) {
    digits += text.substr(2, e - 2);
  }
  // Writes the number 0.DIGITS · 10^point without an exponent.
  const int point = std::atoi(text.c_str() + e + 1) + 1 - (value == 0 ? 0 : power_of_ten);
  if (point <= 0) {
    return "0." + std::string(static_cast<size_t>(-point), '0') + digits;
  }
  const size_t whole = static_cast<size_t>(point);
  if (whole >= digits.size()) {
    return digits + std::string(whole - digits.size(), '0');
  }
  return digits.substr(0, whole) + "." + digits.substr(whole);
}

}  // namespace presort
