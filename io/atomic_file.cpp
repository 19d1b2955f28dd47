#include "io/atomic_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "core/error.h"

namespace presort::io {
namespace {

[[noreturn]] void fail(const std::string& path, int error) {
  throw InputError(path + ": cannot be written: " + std::strerror(error));
}

// An open file that is closed, and removed unless kept, when it goes out of scope.
class OutputFile {
 public:
  OutputFile(std::string name, int flags, bool temporary)
      : name_(std::move(name)),
        descriptor_(open(name_.c_str(), flags | O_WRONLY | O_CLOEXEC, 0666)),
        remove_(temporary && descriptor_ >= 0) {}
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;
  ~OutputFile() {
    close_now();
    if (remove_) {
      unlink(name_.c_str());
    }
  }

  const char* name() const { return name_.c_str(); }
  int descriptor() const { return descriptor_; }
  void keep() { remove_ = false; }

  bool write_all(std::string_view text) {
    while (!text.empty()) {
      const ssize_t written = write(descriptor_, text.data(), text.size());
      if (written < 0 && errno != EINTR) {
        return false;
      }
      text.remove_prefix(written < 0 ? 0 : static_cast<size_t>(written));
    }
    return true;
  }

  bool close_now() {
    const int descriptor = descriptor_;
    descriptor_ = -1;
    return descriptor < 0 || close(descriptor) == 0;
  }

 private:
  std::string name_;
  int descriptor_;
  bool remove_;
};

void write_directly(const std::string& path, std::string_view text) {
  OutputFile file(path, O_NOCTTY, false);
  if (file.descriptor() < 0 || !file.write_all(text) || !file.close_now()) {
    fail(path, errno);
  }
}

// Makes the rename itself durable; a folder that cannot be synced is no error.
void sync_folder(const std::filesystem::path& folder) {
  const int descriptor = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor >= 0) {
    fsync(descriptor);
    close(descriptor);
  }
}

std::string temporary_name(const std::filesystem::path& target) {
  static std::atomic<unsigned> counter{0};
  std::filesystem::path name = target.parent_path() / ".";
  name += target.filename();
  for (const unsigned part : {static_cast<unsigned>(getpid()), counter++}) {
    name += ".";
    name += std::to_string(part);
  }
  name += ".tmp";
  return name;
}

}  // namespace

void write_atomically(const std::string& path, std::string_view text) {
  struct stat status {};
  const bool exists = stat(path.c_str(), &status) == 0;
  if (exists && S_ISDIR(status.st_mode)) {
    fail(path, EISDIR);
  }
  if (exists && !S_ISREG(status.st_mode)) {
    write_directly(path, text);
    return;
  }
  if (exists && access(path.c_str(), W_OK) != 0) {
    fail(path, errno);
  }
  std::error_code error;
  const std::filesystem::path target = std::filesystem::weakly_canonical(path, error);
  if (path.empty() || error) {
    fail(path, path.empty() ? ENOENT : error.value());
  }
  OutputFile file(temporary_name(target), O_CREAT | O_EXCL, true);
  if (file.descriptor() < 0 || (exists && fchmod(file.descriptor(), status.st_mode & 07777) != 0) ||
      !file.write_all(text) || fsync(file.descriptor()) != 0 || !file.close_now() ||
      std::rename(file.name(), target.c_str()) != 0) {
    fail(path, errno);
  }
  file.keep();
  sync_folder(target.parent_path());
}

}  // namespace presort::io
