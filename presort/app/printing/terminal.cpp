#include "presort/app/printing/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>
#include <string_view>

namespace presort::inline v0::app {

bool wants_colours(const char* no_color, const char* term) {
  const bool asks_for_none = no_color != nullptr && *no_color != '\0';
  return !asks_for_none && term != nullptr && *term != '\0' && std::string_view(term) != "dumb";
}

Terminal terminal_of(int descriptor) {
  if (isatty(descriptor) == 0) {
    return {};
  }
  winsize size{};
  const bool told = ioctl(descriptor, TIOCGWINSZ, &size) == 0;
  return {.columns = told ? size.ws_col : 0,
          .colours = wants_colours(std::getenv("NO_COLOR"), std::getenv("TERM"))};
}

}  // namespace presort::app
