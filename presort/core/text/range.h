// A range of accepted numbers with its unit, which error messages can show.
#pragma once

#include <string>
#include <string_view>

namespace presort::inline v0 {

enum class RangeUnit { count, bytes, cycles, nanoseconds, hertz, bytesPerSecond, perSecond, ratio };

struct Range {
  RangeUnit unit = RangeUnit::count;
  double lowest = 0;   // least accepted number, in `unit`
  double highest = 0;  // largest accepted number, in `unit`; at most 2^53 where numbers are whole
  // Meaning of 0, if 0 is accepted below `lowest`: "no limit"; empty: 0 is not accepted.
  std::string_view zero = {};
};

// True if the range holds a number; false for NaN.
constexpr bool contains(const Range& range, double value) {
  return (value >= range.lowest && value <= range.highest) || (value == 0 && !range.zero.empty());
}

// A number with its unit as text: "4096", "32KiB", "14cy", "2.5ns", "1s", "2.6GHz", "1e+300cy"; at
// most 15 digits, for messages.
std::string number_text(double value, RangeUnit unit);

// A range as messages show it: "1 to 4096", "0B/s (no limit) or 1MB/s to 1000000GB/s"
std::string accepted_text(const Range& range);

// Accepted times for one input or item, ns, measured or predicted, beyond what a machine can do: a
// core takes some tens of inputs in a nanosecond at most; a second is a thousand seeks of a disk.
inline constexpr Range kTimeOfInput = {RangeUnit::nanoseconds, 1e-6, 1e9};

}  // namespace presort
