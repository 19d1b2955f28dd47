#include "presort/app/cli/partial_file.h"

#include <filesystem>

#include "presort/app/printing/notes.h"

namespace presort::inline v0::app {

namespace fs = std::filesystem;

std::string partial_path(const std::string& path) {
  const fs::path whole = path;
  fs::path beside = whole.parent_path() / whole.stem();
  beside += ".partial";
  beside += whole.extension();
  return beside;
}

std::string place_for_part(const std::string& path,
                           const std::function<bool(const std::string&)>& is_part) {
  std::error_code ignored;
  if (!fs::is_regular_file(path, ignored) || is_part(path)) {
    return path;
  }
  const std::string beside = partial_path(path);
  complain("interrupted: {} is left as it was; what was finished is in {}", path, beside);
  return beside;
}

}  // namespace presort::app
