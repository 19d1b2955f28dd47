#include "presort/app/machines/data_folder.h"

#include <cstdlib>
#include <filesystem>

#include "presort/core/error.h"

namespace presort::inline v0::app {

namespace fs = std::filesystem;

namespace {

bool has_machines(const fs::path& folder) {
  std::error_code error;
  return fs::is_directory(folder / "machines", error);
}

}  // namespace

std::string data_folder() {
  for (const char* name : {"PRESORT_DATA", "PRESORT_CONFIGS"}) {
    if (const char* folder = std::getenv(name)) {
      if (!has_machines(folder)) {
        throw EnvironmentError(std::string(name) + ": found '" + folder +
                               "', accepted: a folder with a folder 'machines' in it");
      }
      return folder;
    }
  }
  std::error_code error;
  const fs::path executable = fs::read_symlink("/proc/self/exe", error).parent_path();
  for (const char* place : {"share/presort", "../share/presort", "../configs"}) {
    if (!executable.empty() && has_machines(executable / place)) {
      return fs::weakly_canonical(executable / place, error);
    }
  }
  throw EnvironmentError(
      "presort's own machines and grids are neither in share/presort, ../share/presort nor "
      "../configs beside " +
      executable.string() + "; the environment variable PRESORT_DATA says where they are");
}

}  // namespace presort::app
