#include "probe/draft.h"

#include <cstdio>
#include <cstdlib>

namespace presort::probe {

double rounded(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", value);
  return std::strtod(text, nullptr);
}

std::string percent(double ratio) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f%%", 100 * ratio);
  return text;
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
