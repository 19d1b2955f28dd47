#include "presort/app/machines/machine_catalog.h"

#include <dirent.h>
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string_view>

#include "presort/app/machines/completeness.h"
#include "presort/app/machines/data_folder.h"
#include "presort/app/printing/notes.h"
#include "presort/core/error.h"
#include "presort/core/text/names.h"
#include "presort/io/machine/core_costs_file.h"
#include "presort/io/machine/machine_file.h"

namespace presort::inline v0::app {

namespace fs = std::filesystem;

namespace {

struct CloseFolder {
  void operator()(DIR* folder) const { closedir(folder); }
};

// Names of the files in a folder; none where the folder cannot be read. (std::filesystem's
// iterators end the program where there is no memory: functions of libstdc++ 12 that may not throw
// allocate.)
std::vector<std::string> names_in(const std::string& path) {
  std::vector<std::string> names;
  const std::unique_ptr<DIR, CloseFolder> folder(opendir(path.c_str()));
  while (const dirent* entry = folder ? readdir(folder.get()) : nullptr) {
    names.emplace_back(entry->d_name);
  }
  return names;
}

}  // namespace

std::vector<BundledMachine> bundled_machines() {
  constexpr std::string_view kEnding = ".yaml";
  const fs::path folder = fs::path(data_folder()) / "machines";
  std::vector<BundledMachine> machines;
  for (const std::string& file : names_in(folder)) {
    if (file.ends_with(kEnding) && !file.ends_with(io::kCoreCostsEnding)) {
      machines.push_back({file.substr(0, file.size() - kEnding.size()), folder / file});
    }
  }
  std::sort(machines.begin(), machines.end(),
            [](const BundledMachine& a, const BundledMachine& b) { return a.name < b.name; });
  return machines;
}

std::string bundled_grid(const std::string& name) {
  return fs::path(data_folder()) / "grids" / (name + ".yaml");
}

std::string machine_path(const std::string& path_or_name) {
  std::error_code error;
  const bool is_path = fs::is_regular_file(path_or_name, error) ||
                       path_or_name.find('/') != std::string::npos ||
                       path_or_name.ends_with(".yaml");
  if (is_path) {
    return path_or_name;
  }
  std::vector<std::string> names;
  for (const BundledMachine& machine : bundled_machines()) {
    if (machine.name == path_or_name) {
      return machine.path;
    }
    names.push_back(machine.name);
  }
  throw InputError("no such file, and " + unknown_name_message("-m", path_or_name, names));
}

Machine load_machine(const std::string& path_or_name) {
  const std::string path = machine_path(path_or_name);
  Machine machine = io::read_machine(path, [](const std::string& ignored) { note("{}", ignored); });
  warn_unless_complete(path, machine);
  return machine;
}

Option machine_option() {
  return {
      "machine", 'm', "FILE",
      "Machine file (presort probe writes one), or the name of a bundled machine (presort machines "
      "lists them)"};
}

}  // namespace presort::app
