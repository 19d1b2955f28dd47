#include "probe/draft.h"

#include <charconv>
#include <string>

namespace presort::probe {

namespace {

std::string decimal(double value, std::chars_format format, int precision) {
  char text[32];
  return {text, std::to_chars(text, text + sizeof text, value, format, precision).ptr};
}

}  // namespace

double rounded(double value) {
  return std::stod(decimal(value, std::chars_format::general, 3));
}

std::string percent(double ratio) {
  return decimal(100 * ratio, std::chars_format::fixed, 1) + "%";
}

void Draft::file_value(const std::string& key, double value, const std::string& unit,
                       double uncertainty) {
  report_value(key, value, unit, uncertainty);
  machine().provenance.emplace_back("uncertainty." + key, percent(uncertainty));
}

void Draft::report_value(const std::string& key, double value, const std::string& unit,
                         double uncertainty) {
  result_.values.push_back({key, value, unit, uncertainty});
}

void Draft::report_value(const std::string& key, const std::optional<Found>& found,
                         const std::string& unit) {
  if (found) {
    report_value(key, found->value, unit, found->uncertainty);
  }
}

}  // namespace presort::probe
