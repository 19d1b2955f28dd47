// Exact decimal numbers as they are written in text; the base of core/text/units.h.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace presort::inline v0 {

// A number as digits · 10^exponent, exactly as written: "1.50" is 15 · 10^-1.
struct Decimal {
  std::string digits;  // digits: no leading zeros, no trailing zeros unless written; "0" for zero
  int exponent = 0;
};

struct ScannedDecimal {
  Decimal value;
  std::string_view rest;  // text that follows the scanned number
};

// Reads digits[.digits][e digits] from the start of `text`; nothing if it does not start with such
// a number, or has a superfluous leading zero. The number and its exponent have no sign.
std::optional<ScannedDecimal> scan_decimal(std::string_view text);

// The number value · 10^power_of_ten · 2^power_of_two, if it is whole and below 2^64.
// Requires: 0 <= power_of_two <= 40
std::optional<uint64_t> to_whole(const Decimal& value, int power_of_ten, int power_of_two);

// The double nearest to value · 10^power_of_ten, times 2^power_of_two; nothing when out of range.
std::optional<double> to_double(const Decimal& value, int power_of_ten, int power_of_two);

// The shortest decimal text that reads back as `value` · 10^-power_of_ten without an exponent: "13.4".
// Requires: value finite and >= 0
std::string shortest_text(double value, int power_of_ten);

}  // namespace presort
