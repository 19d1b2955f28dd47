#include "presort/io/files/descriptor.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

namespace presort::inline v0::io {

Descriptor& Descriptor::operator=(Descriptor&& other) noexcept {
  if (this != &other) {
    close_now();
    descriptor_ = std::exchange(other.descriptor_, -1);
  }
  return *this;
}

bool Descriptor::close_now() {
  const int descriptor = std::exchange(descriptor_, -1);
  return descriptor < 0 || close(descriptor) == 0;
}

bool write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(descriptor, text.data(), text.size());
    if (written < 0 && errno != EINTR) {
      return false;
    }
    text.remove_prefix(written < 0 ? 0 : static_cast<size_t>(written));
  }
  return true;
}

void sync_folder(int folder) {
  const Descriptor readable(openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (readable) {
    fsync(readable.get());
  }
}

}  // namespace presort::io
