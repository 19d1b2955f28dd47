#include "presort/app/printing/standard_streams.h"

#include <fcntl.h>
#include <unistd.h>

#include <csignal>
#include <initializer_list>

namespace presort::inline v0::app {

namespace {

bool is_open(int descriptor) {
  return fcntl(descriptor, F_GETFD) >= 0;
}

// Opens a file that serves no purpose at the lowest free descriptor. The root folder serves where
// there is no /dev/null: it can be neither read from nor written to.
void open_useless(int flags) {
  if (open("/dev/null", flags) < 0) {
    (void)!open("/", O_RDONLY | O_DIRECTORY);
  }
}

}  // namespace

void reserve_standard_streams() {
  std::signal(SIGPIPE, SIG_IGN);
  // Ignoring the signal, a write beyond the file size limit fails instead of ending the process
  std::signal(SIGXFSZ, SIG_IGN);
  std::signal(SIGCHLD, SIG_DFL);
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (!is_open(descriptor)) {
      open_useless(descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY);
    }
  }
}

}  // namespace presort::app
