#include "app/output.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "core/error.h"

namespace presort::app {

namespace fs = std::filesystem;

void require_writable(const std::string& path) {
  std::error_code error;
  if (fs::is_directory(path, error)) {
    throw InputError(path + ": cannot be written: it is a folder");
  }
  const fs::path parent = fs::path(path).parent_path();
  const std::string target = fs::exists(path, error) ? path
                             : parent.empty()        ? "."
                                                     : parent.string();
  if (access(target.c_str(), W_OK) != 0) {
    throw InputError(fmt::format("{}: cannot be written: {}", path, std::strerror(errno)));
  }
}

void make_folder(const std::string& path, const std::vector<std::string>& files) {
  std::error_code error;
  fs::create_directories(path, error);
  if (error || !fs::is_directory(path)) {
    throw InputError(fmt::format("{}: cannot be made a folder: {}", path,
                                 error ? error.message() : "there is a file of that name"));
  }
  for (const std::string& file : files) {
    require_writable((fs::path(path) / file).string());
  }
}

void print_json(const io::Json& document) {
  fmt::print("{}", io::json_text(document));
}

}  // namespace presort::app
