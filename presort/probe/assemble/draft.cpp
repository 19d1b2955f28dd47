#include "presort/probe/assemble/draft.h"

#include <charconv>
#include <cmath>
#include <string>
#include <string_view>

namespace presort::inline v0::probe {

double rounded(double value) {
  char text[32];
  const auto end =
      std::to_chars(text, text + sizeof text, value, std::chars_format::general, 3).ptr;
  return std::stod(std::string(text, end));
}

double bytes_per_second(double gbs) {
  return std::round(rounded(gbs) * 1e9);
}

double rounding_uncertainty(double value) {
  if (value <= 0) {
    return 0;
  }
  const double last_digit = std::pow(10, std::floor(std::log10(value)) - 2);
  return last_digit / 2 / value;
}

void Draft::file_value(const std::string& key, double value, const std::string& unit,
                       double uncertainty) {
  report_value(key, value, unit, std::hypot(uncertainty, rounding_uncertainty(value)));
  result_.values.back().in_file = true;
}

void Draft::known_value(const std::string& key, double value, const std::string& unit,
                        Quality quality) {
  result_.values.push_back(
      {.key = key, .value = value, .unit = unit, .quality = quality, .in_file = true});
}

void Draft::report_value(const std::string& key, double value, const std::string& unit,
                         double uncertainty) {
  result_.values.push_back({.key = key,
                            .value = value,
                            .unit = unit,
                            .uncertainty = uncertainty,
                            .quality = measured_quality(uncertainty, 1)});
}

void Draft::report_value(const std::string& key, const std::optional<Found>& found,
                         const std::string& unit) {
  if (found) {
    report_value(key, found->value, unit, found->uncertainty);
  }
}

Quality quality_of_row(const CoreDefaults& core) {
  return core.name == std::string_view(kUnknownCore) ? Quality::guess : Quality::table;
}

}  // namespace presort::probe
