#include "presort/app/printing/notes.h"

#include <unistd.h>

#include <cerrno>

#include "presort/app/printing/displayable.h"

namespace presort::inline v0::app {

void write_to_stderr(std::string_view bytes) noexcept {
  while (!bytes.empty()) {
    const ssize_t written = write(STDERR_FILENO, bytes.data(), bytes.size());
    if (written < 0 && errno != EINTR) {
      return;
    }
    bytes.remove_prefix(written < 0 ? 0 : static_cast<size_t>(written));
  }
}

void say(std::string_view prefix, std::string_view text) noexcept {
  try {
    write_to_stderr(std::string(prefix) + displayable_line(text) + "\n");
  } catch (...) {  // out of memory: the message is lost
  }
}

}  // namespace presort::app
