#include "presort/app/printing/notes.h"

#include <unistd.h>

#include <cerrno>

#include "presort/app/printing/displayable.h"
#include "presort/app/printing/style.h"
#include "presort/app/printing/terminal.h"
#include "presort/app/printing/wrap.h"

namespace presort::inline v0::app {

namespace {

// Prefixes of notes.h: the reason of a failure, a warning, a note.
Style style_of(std::string_view prefix) {
  return prefix.starts_with("presort") ? Style::bad
         : prefix.starts_with("note")  ? Style::bold
                                       : Style::caution;
}

}  // namespace

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
    const Terminal terminal = terminal_of(STDERR_FILENO);
    std::string line = wrapped_to(std::string(prefix) + displayable_line(text), terminal.columns);
    if (terminal.colours && !prefix.empty() && line.starts_with(prefix)) {
      line = painted(prefix, style_of(prefix)) + line.substr(prefix.size());
    }
    write_to_stderr(line + "\n");
  } catch (...) {  // out of memory: the message is lost
  }
}

}  // namespace presort::app
