#include "presort/core/text/units.h"

#include <bit>
#include <optional>
#include <span>

#include "presort/core/error.h"
#include "presort/core/text/decimal.h"
#include "presort/core/text/names.h"

namespace presort::inline v0 {
namespace {

// A unit of a number: 10^power_of_ten · 2^power_of_two of the base unit.
struct Unit {
  std::string_view name;
  int power_of_ten;
  int power_of_two;
};

constexpr Unit kCountUnits[] = {{"", 0, 0},    {"k", 3, 0},   {"M", 6, 0},
                                {"G", 9, 0},   {"T", 12, 0},  {"Ki", 0, 10},
                                {"Mi", 0, 20}, {"Gi", 0, 30}, {"Ti", 0, 40}};
constexpr Unit kByteUnits[] = {
    {"B", 0, 0}, {"KiB", 0, 10}, {"MiB", 0, 20}, {"GiB", 0, 30}, {"TiB", 0, 40}};
constexpr Unit kFrequencyUnits[] = {{"Hz", 0, 0}, {"kHz", 3, 0}, {"MHz", 6, 0}, {"GHz", 9, 0}};
constexpr Unit kBandwidthUnits[] = {{"B/s", 0, 0},    {"kB/s", 3, 0},  {"MB/s", 6, 0},
                                    {"GB/s", 9, 0},   {"TB/s", 12, 0}, {"KiB/s", 0, 10},
                                    {"MiB/s", 0, 20}, {"GiB/s", 0, 30}};
constexpr Unit kPerSecondUnits[] = {
    {"/s", 0, 0}, {"k/s", 3, 0}, {"M/s", 6, 0}, {"G/s", 9, 0}, {"T/s", 12, 0}};
constexpr Unit kRatioUnits[] = {{"", 0, 0}, {"%", -2, 0}};
constexpr Unit kTimeUnits[] = {{"ns", 0, 0}, {"us", 3, 0}, {"ms", 6, 0}, {"s", 9, 0}};
constexpr std::string_view kCycles = "cy";

constexpr char kCountsAccepted[] =
    "a whole number below 2^64 such as 1000, 2^26, 64Ki, 64Mi, 64Gi, 1e6, 10k, 10M";
constexpr char kBytesAccepted[] =
    "a whole number of bytes with unit B, KiB, MiB, GiB or TiB, such as 32KiB";
constexpr char kFrequencyAccepted[] = "a number with unit Hz, kHz, MHz or GHz, such as 2.5GHz";
constexpr char kBandwidthAccepted[] =
    "a number with unit B/s, kB/s, MB/s, GB/s, TB/s, KiB/s, MiB/s or GiB/s, such as 10GB/s";
constexpr char kPerSecondAccepted[] = "a number with unit /s, k/s, M/s, G/s or T/s, such as 97G/s";
constexpr char kRatioAccepted[] = "a number such as 0.3, or 30%";
constexpr char kDurationAccepted[] =
    "a number with unit cy, ns, us, ms or s, such as 14cy, 95ns or 1.5us";

[[noreturn]] void reject(std::string_view key, std::string_view found, std::string_view accepted) {
  throw InputError(std::string(key) + ": found " + quoted_text(found) +
                   ", accepted: " + std::string(accepted));
}

const Unit* find_unit(std::span<const Unit> units, std::string_view name) {
  for (const Unit& unit : units) {
    if (unit.name == name) {
      return &unit;
    }
  }
  return nullptr;
}

std::optional<uint64_t> whole_with_unit(std::string_view text, std::span<const Unit> units) {
  const auto scanned = scan_decimal(text);
  const Unit* unit = scanned ? find_unit(units, scanned->rest) : nullptr;
  return unit ? to_whole(scanned->value, unit->power_of_ten, unit->power_of_two) : std::nullopt;
}

std::optional<double> real_with_unit(std::string_view text, std::span<const Unit> units) {
  const auto scanned = scan_decimal(text);
  const Unit* unit = scanned ? find_unit(units, scanned->rest) : nullptr;
  return unit ? to_double(scanned->value, unit->power_of_ten, unit->power_of_two) : std::nullopt;
}

template <class T>
T value_or_reject(std::optional<T> value, std::string_view key, std::string_view text,
                  std::string_view accepted) {
  if (!value) {
    reject(key, text, accepted);
  }
  return *value;
}

// Text such as "2^26" for a power of two; nothing for other text.
std::optional<uint64_t> power_of_two(std::string_view text) {
  if (!text.starts_with("2^")) {
    return std::nullopt;
  }
  const auto exponent = whole_with_unit(text.substr(2), std::span(kCountUnits).first(1));
  if (!exponent || *exponent > 63) {
    return std::nullopt;
  }
  return uint64_t{1} << *exponent;
}

// A number as text, in the largest decimal unit in which it is at least 1; `units` are in
// increasing order.
std::string format_real(double value, std::span<const Unit> units) {
  const Unit* best = &units[0];
  double scale = 1;
  for (const Unit& unit : units.subspan(1)) {
    scale *= 1000;
    if (value >= scale) {
      best = &unit;
    }
  }
  return shortest_text(value, best->power_of_ten) + std::string(best->name);
}

}  // namespace

uint64_t parse_count(std::string_view key, std::string_view text) {
  const auto power = power_of_two(text);
  return value_or_reject(power ? power : whole_with_unit(text, kCountUnits), key, text,
                         kCountsAccepted);
}

uint64_t parse_bytes(std::string_view key, std::string_view text) {
  return value_or_reject(whole_with_unit(text, kByteUnits), key, text, kBytesAccepted);
}

double parse_frequency_hz(std::string_view key, std::string_view text) {
  return value_or_reject(real_with_unit(text, kFrequencyUnits), key, text, kFrequencyAccepted);
}

double parse_bytes_per_second(std::string_view key, std::string_view text) {
  return value_or_reject(real_with_unit(text, kBandwidthUnits), key, text, kBandwidthAccepted);
}

double parse_per_second(std::string_view key, std::string_view text) {
  return value_or_reject(real_with_unit(text, kPerSecondUnits), key, text, kPerSecondAccepted);
}

double parse_ratio(std::string_view key, std::string_view text) {
  return value_or_reject(real_with_unit(text, kRatioUnits), key, text, kRatioAccepted);
}

Duration parse_duration(std::string_view key, std::string_view text, Sign sign) {
  const bool negative = sign == Sign::any && text.starts_with('-');
  const std::string_view unsigned_text = text.substr(negative ? 1 : 0);
  constexpr Unit kCycleUnits[] = {{kCycles, 0, 0}};
  Duration duration;
  duration.in_cycles = unsigned_text.ends_with(kCycles);
  const auto value = duration.in_cycles ? real_with_unit(unsigned_text, kCycleUnits)
                                        : real_with_unit(unsigned_text, kTimeUnits);
  duration.value = value_or_reject(value, key, text, kDurationAccepted);
  if (negative) {
    duration.value = -duration.value;
  }
  return duration;
}

std::string format_count(uint64_t value) {
  // Least power of two written as 2^k: smaller numbers read better as plain digits
  constexpr uint64_t kSmallestPower = 1024;
  if (value >= kSmallestPower && std::has_single_bit(value)) {
    return "2^" + std::to_string(std::bit_width(value) - 1);
  }
  return std::to_string(value);
}

std::string format_bytes(uint64_t bytes) {
  const Unit* best = &kByteUnits[0];
  for (const Unit& unit : kByteUnits) {
    if (bytes != 0 && bytes % (uint64_t{1} << unit.power_of_two) == 0) {
      best = &unit;
    }
  }
  return std::to_string(bytes >> best->power_of_two) + std::string(best->name);
}

std::string format_bandwidth(double bytes_per_second) {
  return format_real(bytes_per_second, std::span(kBandwidthUnits).first(4));
}

std::string format_frequency(double hz) {
  return format_real(hz, kFrequencyUnits);
}

std::string format_per_second(double rate) {
  return format_real(rate, kPerSecondUnits);
}

}  // namespace presort
