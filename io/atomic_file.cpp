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

// An open file that is closed, and removed unless kept, when it goes out of scope.
class AtomicFile::Output {
 public:
  Output(std::string name, int flags, bool temporary)
      : name_(std::move(name)),
        descriptor_(open(name_.c_str(), flags | O_WRONLY | O_CLOEXEC, 0666)),
        remove_(temporary && descriptor_ >= 0) {}
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;
  ~Output() {
    close_now();
    if (remove_) {
      unlink(name_.c_str());
    }
  }

  const std::string& name() const { return name_; }
  int descriptor() const { return descriptor_; }
  void keep() { remove_ = false; }

  bool write_all(std::string_view text) {
    while (!text.empty()) {
      const ssize_t written = ::write(descriptor_, text.data(), text.size());
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

AtomicFile::AtomicFile(std::string path) : path_(std::move(path)) {
  struct stat status {};
  const bool exists = stat(path_.c_str(), &status) == 0;
  if (exists && S_ISDIR(status.st_mode)) {
    fail(path_, EISDIR);
  }
  if (exists && !S_ISREG(status.st_mode)) {
    output_ = std::make_unique<Output>(path_, O_NOCTTY, false);
    if (output_->descriptor() < 0) {
      fail(path_, errno);
    }
    return;
  }
  if (exists && access(path_.c_str(), W_OK) != 0) {
    fail(path_, errno);
  }
  std::error_code error;
  const std::filesystem::path target = std::filesystem::weakly_canonical(path_, error);
  if (path_.empty() || error) {
    fail(path_, path_.empty() ? ENOENT : error.value());
  }
  target_ = target;
  output_ = std::make_unique<Output>(temporary_name(target), O_CREAT | O_EXCL, true);
  if (output_->descriptor() < 0 ||
      (exists && fchmod(output_->descriptor(), status.st_mode & 07777) != 0)) {
    fail(path_, errno);
  }
}

AtomicFile::~AtomicFile() = default;

void AtomicFile::write(std::string_view text) {
  if (!output_->write_all(text)) {
    fail(path_, errno);
  }
}

void AtomicFile::commit() {
  const bool renamed = !target_.empty();
  if ((renamed && fsync(output_->descriptor()) != 0) || !output_->close_now() ||
      (renamed && std::rename(output_->name().c_str(), target_.c_str()) != 0)) {
    fail(path_, errno);
  }
  if (renamed) {
    output_->keep();
    sync_folder(std::filesystem::path(target_).parent_path());
  }
}

void write_atomically(const std::string& path, std::string_view text) {
  AtomicFile file(path);
  file.write(text);
  file.commit();
}

}  // namespace presort::io
