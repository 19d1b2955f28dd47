// Paths and small functions for the tests of presort/io.
#pragma once

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "presort/core/error.h"
#include "presort/core/problem.h"

namespace presort::inline v0::io::test {

inline std::string source_path(const std::string& relative) {
  return std::string(PRESORT_SOURCE_DIR) + "/" + relative;
}

inline std::string valid_path(const std::string& name) {
  return source_path("tests/io/valid/" + name);
}

// A folder in memory, where fsync takes no time, such as /dev/shm; if there is none, that of
// temporary files.
inline std::filesystem::path folder_in_memory() {
  const std::filesystem::path memory = "/dev/shm";
  const bool usable = std::filesystem::is_directory(memory) && access(memory.c_str(), W_OK) == 0;
  return usable ? memory : std::filesystem::temp_directory_path();
}

// A new temporary folder that is removed with everything in it when the object dies.
class TemporaryFolder {
 public:
  explicit TemporaryFolder(
      const std::filesystem::path& parent = std::filesystem::temp_directory_path()) {
    std::string name = (parent / "presort_io_XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) {
      throw EnvironmentError("no temporary folder");
    }
    path_ = name;
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

  std::string file(const std::string& name) const { return (path_ / name).string(); }
  std::string write(const std::string& name, std::string_view bytes) const {
    std::ofstream(file(name), std::ios::binary) << bytes;
    return file(name);
  }
  size_t entries() const {
    return static_cast<size_t>(std::distance(std::filesystem::directory_iterator(path_), {}));
  }

 private:
  std::filesystem::path path_;
};

// A multireduce problem of n inputs with uniform labels, u32 + u32.
inline Problem simple_problem(uint64_t n, uint64_t m) {
  Problem problem;
  problem.n = n;
  problem.m = m;
  return problem;
}

// The message of the InputError that `action` throws, or "" when it throws none.
template <class Action>
std::string input_error(Action action) {
  try {
    action();
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

inline bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

}  // namespace presort::io::test
