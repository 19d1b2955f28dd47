// Programs that tests write themselves, in a folder that they put into PATH.
#pragma once

#include <stdlib.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>

namespace presort::inline v0::app {

// A folder that exists as long as its object.
class ProgramFolder {
 public:
  ProgramFolder() {
    std::string name = std::filesystem::temp_directory_path() / "presort-test-XXXXXX";
    if (mkdtemp(name.data()) == nullptr) {
      throw std::runtime_error("no folder for a test");
    }
    path_ = name;
  }
  ProgramFolder(const ProgramFolder&) = delete;
  ProgramFolder& operator=(const ProgramFolder&) = delete;
  ~ProgramFolder() { std::filesystem::remove_all(path_); }

  const std::string& path() const { return path_; }

  // Writes an executable shell script into the folder.
  void add(const std::string& name, const std::string& words) const {
    const std::string file = path_ + "/" + name;
    std::ofstream(file) << "#!/bin/sh\n" << words << "\n";
    std::filesystem::permissions(file, std::filesystem::perms::owner_all);
  }

 private:
  std::string path_;
};

// Sets an environment variable for as long as the object lives.
class ScopedVariable {
 public:
  ScopedVariable(std::string name, const std::string& value) : name_(std::move(name)) {
    if (const char* before = std::getenv(name_.c_str())) {
      before_ = before;
      was_there_ = true;
    }
    setenv(name_.c_str(), value.c_str(), 1);
  }
  ScopedVariable(const ScopedVariable&) = delete;
  ScopedVariable& operator=(const ScopedVariable&) = delete;
  ~ScopedVariable() {
    if (was_there_) {
      setenv(name_.c_str(), before_.c_str(), 1);
    } else {
      unsetenv(name_.c_str());
    }
  }

 private:
  std::string name_;
  std::string before_;
  bool was_there_ = false;
};

struct ScopedPath : ScopedVariable {
  explicit ScopedPath(const std::string& folders) : ScopedVariable("PATH", folders) {}
};

}  // namespace presort::app
