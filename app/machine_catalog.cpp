#include "app/machine_catalog.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "core/error.h"
#include "core/names.h"
#include "core/units.h"
#include "io/machine_file.h"

namespace presort::app {

namespace fs = std::filesystem;

namespace {

fs::path configs_folder() {
  if (const char* configs = std::getenv("PRESORT_CONFIGS")) {
    return configs;
  }
  std::vector<fs::path> candidates;
  std::error_code error;
  const fs::path executable = fs::read_symlink("/proc/self/exe", error);
  if (!error) {
    candidates.push_back(executable.parent_path() / "../share/presort");
    candidates.push_back(executable.parent_path() / "../configs");
  }
  candidates.emplace_back(PRESORT_SOURCE_DIR "/configs");
  for (const fs::path& candidate : candidates) {
    if (fs::is_directory(candidate / "machines", error)) {
      return fs::weakly_canonical(candidate, error);
    }
  }
  return candidates.back();
}

// Sections of lines, one below the other, in one box.
std::string draw_box(const std::vector<std::vector<std::string>>& sections) {
  size_t width = 0;
  for (const auto& section : sections) {
    for (const std::string& line : section) {
      width = std::max(width, line.size());
    }
  }
  const std::string edge = fmt::format("  +{:-<{}}+\n", "", width + 2);
  std::string text = edge;
  for (const auto& section : sections) {
    for (const std::string& line : section) {
      text += fmt::format("  | {:<{}} |\n", line, width);
    }
    text += edge;
  }
  return text;
}

std::string describe(const CacheLevel& level) {
  std::string text = fmt::format("{:<4} {:>9}  {:>3} ways  {}  {:.4g} cy", level.name,
                                 format_bytes(level.size_bytes), level.ways,
                                 format_bytes(level.line_bytes), level.latency_cycles);
  text += level.shared_by > 1 ? fmt::format("  shared by {}", level.shared_by) : "  private";
  if (level.share < 1) {
    text += fmt::format(", {:.0f} % of it left by neighbours", level.share * 100);
  }
  if (level.sector_bytes > 0 && level.sector_bytes < level.line_bytes) {
    text += ", sectors of " + format_bytes(level.sector_bytes);
  }
  if (level.fill == Fill::onEvict) {
    text += ", victim";
  }
  if (level.inclusion == Inclusion::inclusive) {
    text += ", inclusive";
  }
  if (level.write == WriteMode::through) {
    text += ", write-through";
  }
  return text;
}

std::string describe(const TlbLevel& level) {
  std::vector<std::string> pages;
  for (const uint64_t page : level.page_bytes) {
    pages.push_back(format_bytes(page));
  }
  return fmt::format("{:<10} {:>5} entries  {:>4} ways  pages {}", level.name, level.entries,
                     level.ways, fmt::join(pages, " "));
}

}  // namespace

std::vector<BundledMachine> bundled_machines() {
  std::vector<BundledMachine> machines;
  std::error_code error;
  for (const fs::directory_entry& entry :
       fs::directory_iterator(configs_folder() / "machines", error)) {
    if (entry.path().extension() == ".yaml") {
      machines.push_back({entry.path().stem(), entry.path()});
    }
  }
  std::sort(machines.begin(), machines.end(),
            [](const BundledMachine& a, const BundledMachine& b) { return a.name < b.name; });
  return machines;
}

std::string bundled_grid(const std::string& name) {
  return configs_folder() / "grids" / (name + ".yaml");
}

Machine load_machine(const std::string& path_or_name) {
  std::error_code error;
  const bool is_path = fs::is_regular_file(path_or_name, error) ||
                       path_or_name.find('/') != std::string::npos ||
                       path_or_name.ends_with(".yaml");
  if (is_path) {
    return io::read_machine(path_or_name);
  }
  std::vector<std::string> names;
  for (const BundledMachine& machine : bundled_machines()) {
    if (machine.name == path_or_name) {
      return io::read_machine(machine.path);
    }
    names.push_back(machine.name);
  }
  throw InputError("no such file, and " + unknown_name_message("-m", path_or_name, names));
}

Option machine_option() {
  return {"machine", 'm', "FILE", "Machine file, or the name of a bundled machine"};
}

std::string draw_machine(const Machine& machine) {
  std::vector<std::string> core = {
      fmt::format("{} core{}  {}  {} micro-operations a cycle  window {}", machine.cores,
                  machine.cores == 1 ? "" : "s", format_frequency(machine.clock_hz),
                  machine.dispatch_width, machine.window.entries)};
  for (const TlbLevel& level : machine.tlb) {
    core.push_back(describe(level));
  }
  std::vector<std::vector<std::string>> sections = {core};
  for (const CacheLevel& level : machine.caches) {
    sections.push_back({describe(level)});
  }
  sections.push_back(
      {fmt::format("memory  {:.4g} ns  {}  {} channel{}", machine.memory.latency_ns,
                   format_bandwidth(machine.memory.bandwidth), machine.memory.channels,
                   machine.memory.channels == 1 ? "" : "s")});
  if (machine.storage) {
    const Storage& storage = *machine.storage;
    sections.push_back({fmt::format(
        "{}  {} of pages in memory  read {}  write {}", to_name(kDeviceKinds, storage.kind),
        format_bytes(storage.page_cache_bytes), format_bandwidth(storage.read_bandwidth),
        format_bandwidth(storage.write_bandwidth))});
  }
  return draw_box(sections);
}

}  // namespace presort::app
