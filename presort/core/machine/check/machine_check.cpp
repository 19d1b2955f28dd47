#include "presort/core/machine/check/machine_check.h"

#include <bit>

#include "presort/core/text/units.h"

namespace presort::inline v0 {

MachineProblem machine_problem(const std::string& key_path, const std::string& found,
                               const std::string& accepted) {
  return {key_path, "found '" + found + "', accepted: " + accepted};
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
  // Removes the ": " that follows the empty key
  return MachineProblem{key_path, message.substr(2)};
}

}  // namespace presort
