// Numbers with units, as they stand in files and on the command line.
// Bytes: B KiB MiB GiB TiB. Times: cy ns us ms s. Rates: B/s … TB/s (powers of ten) and GiB/s;
// of events /s … T/s. Frequencies: Hz kHz MHz GHz. Counts: plain, 2^26, 64Ki 64Mi 64Gi, 1e6, 10k
// 10M (powers of ten). Ratios: 0.3 or 30%. Every parser takes the whole text or throws InputError
// naming `key`, what was found, what is accepted. No octal, no sign, no NaN; nothing is clipped.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace presort::inline v0 {

uint64_t parse_count(std::string_view key, std::string_view text);
uint64_t parse_bytes(std::string_view key, std::string_view text);
double parse_frequency_hz(std::string_view key, std::string_view text);
double parse_bytes_per_second(std::string_view key, std::string_view text);
double parse_per_second(std::string_view key, std::string_view text);
double parse_ratio(std::string_view key, std::string_view text);

// Which signs of a time are accepted.
enum class Sign { nonNegative, any };
// A time, in cycles of a clock or in nanoseconds.
struct Duration {
  double value = 0;
  bool in_cycles = false;  // true: the value is in cycles; false: in nanoseconds
  double ns(double clock_hz) const { return in_cycles ? value * 1e9 / clock_hz : value; }
  double cycles(double clock_hz) const { return in_cycles ? value : value * 1e-9 * clock_hz; }
};
Duration parse_duration(std::string_view key, std::string_view text, Sign sign = Sign::nonNegative);

std::string format_count(uint64_t value);  // count as text: 67108864 -> "2^26", 1000 -> "1000"
std::string format_bytes(uint64_t bytes);  // bytes as exact text: 2097152 -> "2MiB", 100 -> "100B"
std::string format_bandwidth(double bytes_per_second);  // rate as text: "13.4GB/s"
std::string format_frequency(double hz);                // frequency as text: "2.6GHz"
std::string format_per_second(double rate);             // events a second as text: "97G/s"

}  // namespace presort
