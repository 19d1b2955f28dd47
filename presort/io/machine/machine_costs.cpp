#include "presort/io/machine/machine_costs.h"

#include <filesystem>
#include <sstream>

#include "presort/core/error.h"
#include "presort/io/machine/core_costs_file.h"
#include "presort/io/machine/machine_file.h"
#include "presort/io/yaml/yaml_tree.h"
#include "presort/io/yaml/yaml_writer.h"

namespace presort::inline v0::io {

namespace fs = std::filesystem;

namespace {

const YamlEntry* find_entry(const YamlNode& map, const std::string& key) {
  for (const YamlEntry& entry : map.entries) {
    if (entry.key == key) {
      return &entry;
    }
  }
  return nullptr;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) {
    lines.push_back(line);
  }
  return lines;
}

}  // namespace

void read_costs(const std::string& name, const std::string& machine_file, Machine& machine,
                const std::function<void(const std::string& accepted)>& refuse) {
  if (!name.ends_with(kCoreCostsEnding)) {
    refuse(std::string("the name of a file that ends in ") + kCoreCostsEnding);
  }
  const fs::path path = (fs::path(machine_file).parent_path() / name).lexically_normal();
  std::error_code error;
  if (!fs::is_regular_file(path, error)) {
    refuse("a file that exists; there is no " + path.string());
  }
  const CoreCalibration calibration = read_core_costs(path.string());
  if (calibration.dispatch_width != machine.dispatch_width) {
    refuse("costs of a core that dispatches " + std::to_string(machine.dispatch_width) +
           " micro-operations a cycle, not " + std::to_string(calibration.dispatch_width));
  }
  machine.costs = calibration.costs;
  machine.costs_file = path.string();
}

std::string costs_name_from(const std::string& machine_file, const std::string& costs_file) {
  const fs::path folder = fs::absolute(machine_file).parent_path();
  return fs::proximate(fs::absolute(costs_file), folder).string();
}

std::string with_costs_file(const std::string& text, const std::string& file,
                            const std::string& name) {
  const YamlDocument document = parse_yaml(text, file);
  const YamlEntry* cpu = find_entry(document.root, "cpu");
  const YamlEntry* width = cpu ? find_entry(cpu->value, "dispatchWidth") : nullptr;
  if (width == nullptr || cpu->position.line == width->position.line) {
    throw InputError(file + ": cpu: accepted where costs are to be named: one key in each line");
  }
  const std::string line = std::string(static_cast<size_t>(width->position.column - 1), ' ') +
                           "costs: " + yaml_scalar(name);
  std::vector<std::string> lines = lines_of(text);
  if (const YamlEntry* costs = find_entry(cpu->value, "costs")) {
    lines[static_cast<size_t>(costs->position.line - 1)] = line;
  } else {
    lines.insert(lines.begin() + width->position.line, line);
  }
  std::string result;
  for (const std::string& each : lines) {
    result += each + "\n";
  }
  return result;
}

}  // namespace presort::io
