#include "core/machine_check.h"

#include <bit>
#include <cmath>

#include "core/units.h"

namespace presort {

std::string number_text(double value) {
  std::string text = std::to_string(value);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.ends_with('.')) {
    text.pop_back();
  }
  return text;
}

MachineProblem machine_problem(const std::string& key_path, const std::string& found,
                               const std::string& accepted) {
  return {key_path, "found '" + found + "', accepted: " + accepted};
}

Found unless_at_least_one(const std::string& key_path, int value) {
  return value >= 1
             ? Found{}
             : machine_problem(key_path, std::to_string(value), "a whole number of at least 1");
}

Found unless_positive(const std::string& key_path, double value, const std::string& unit) {
  return value > 0 && std::isfinite(value)
             ? Found{}
             : machine_problem(key_path, number_text(value) + unit, "above 0");
}

Found unless_non_negative(const std::string& key_path, double value, const std::string& unit) {
  return value >= 0 && std::isfinite(value)
             ? Found{}
             : machine_problem(key_path, number_text(value) + unit, "0 or more");
}

Found unless_page(const std::string& key_path, uint64_t bytes, uint64_t line_bytes) {
  return std::has_single_bit(bytes) && bytes >= line_bytes
             ? Found{}
             : machine_problem(key_path, format_bytes(bytes),
                               "a power of two, at least a line of " + format_bytes(line_bytes));
}

Found unless_level(const Machine& machine, const std::string& key_path, const std::string& name) {
  std::vector<std::string> names;
  for (const CacheLevel& level : machine.caches) {
    if (level.name == name) {
      return {};
    }
    names.push_back(level.name);
  }
  const std::string message = unknown_name_message("", name, names);
  return MachineProblem{key_path, message.substr(2)};  // without the ": " of the empty key
}

}  // namespace presort
