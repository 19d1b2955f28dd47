#include "presort/io/files/atomic_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <system_error>

#include "presort/core/error.h"
#include "presort/io/files/descriptor.h"
#include "presort/io/files/kept_permissions.h"
#include "presort/io/files/temporary_file.h"
#include "presort/io/yaml/place.h"

namespace presort::inline v0::io {
namespace {

[[noreturn]] void fail(const std::string& path, int error) {
  throw InputError(path + ": cannot be written: " + std::strerror(error));
}

bool is_replaced(const Place& place) {
  return !place.exists || (S_ISREG(place.status.st_mode) && !place.unnamed);
}

// True for a sticky folder in which another user owns the file: only owners may replace files
// there.
bool is_kept_by_sticky_folder(const Place& place) {
  struct stat folder {};
  const uid_t user = geteuid();
  return place.exists && user != 0 && fstat(place.folder.get(), &folder) == 0 &&
         (folder.st_mode & S_ISVTX) != 0 && folder.st_uid != user && place.status.st_uid != user;
}

Place writable_place(const std::string& path) {
  Place place = find_place(path);
  if (place.exists && S_ISDIR(place.status.st_mode)) {
    fail(path, EISDIR);
  }
  if (place.exists && faccessat(place.folder.get(), place.name.c_str(), W_OK, AT_EACCESS) != 0) {
    fail(path, errno);
  }
  if (is_replaced(place) && is_kept_by_sticky_folder(place)) {
    fail(path, EPERM);
  }
  return place;
}

const struct stat* replaced_file(const Place& place) {
  return place.exists ? &place.status : nullptr;
}

}  // namespace

// The output: a temporary file that will replace another, or a device that is written directly.
struct AtomicFile::Output {
  Place place;
  std::unique_ptr<TemporaryFile> temporary;
  Descriptor direct;

  int descriptor() const { return temporary ? temporary->descriptor() : direct.get(); }
};

AtomicFile::AtomicFile(std::string path) : path_(std::move(path)) {
  output_ = std::make_unique<Output>(Output{writable_place(path_), nullptr, {}});
  const Place& place = output_->place;
  if (!is_replaced(place)) {
    const int follow = place.unnamed ? 0 : O_NOFOLLOW;
    output_->direct = Descriptor(
        openat(place.folder.get(), place.name.c_str(), O_WRONLY | O_NOCTTY | O_CLOEXEC | follow));
    if (!output_->direct) {
      fail(path_, errno);
    }
    return;
  }
  try {
    output_->temporary = std::make_unique<TemporaryFile>(place.folder.get(), place.name,
                                                         first_mode(replaced_file(place)));
  } catch (const std::system_error& error) {
    fail(path_, error.code().value());
  }
  if (!keep_permissions(output_->descriptor(), replaced_file(place))) {
    fail(path_, errno);
  }
}

AtomicFile::~AtomicFile() = default;

void AtomicFile::write(std::string_view text) {
  if (!write_all(output_->descriptor(), text)) {
    fail(path_, errno);
  }
}

int AtomicFile::descriptor() const {
  return output_->descriptor();
}

void AtomicFile::commit() {
  if (!output_->temporary) {
    if (!output_->direct.close_now()) {
      fail(path_, errno);
    }
    return;
  }
  try {
    output_->temporary->take_name();
  } catch (const std::system_error& error) {
    fail(path_, error.code().value());
  }
}

void write_atomically(const std::string& path, std::string_view text) {
  AtomicFile file(path);
  file.write(text);
  file.commit();
}

void require_writable_path(const std::string& path) {
  if (is_replaced(writable_place(path))) {
    const AtomicFile attempt(path);
  }
}

}  // namespace presort::io
