#include "presort/io/files/input_file.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "presort/core/error.h"
#include "presort/core/text/range.h"
#include "presort/core/text/units.h"

namespace presort::inline v0::io {
namespace {

// The kind of a file in words, for messages, if it is neither regular nor a pipe; null for regular
// files and pipes.
const char* unfit_kind(mode_t mode) {
  if (S_ISREG(mode) || S_ISFIFO(mode)) {
    return nullptr;
  }
  return S_ISDIR(mode) ? "a folder" : S_ISSOCK(mode) ? "a socket" : "a device";
}

[[noreturn]] void fail_to_read(const std::string& path, int error) {
  throw InputError(path + ": cannot be read: " + std::strerror(error));
}

}  // namespace

// Opens a file with O_NONBLOCK, so that opening a pipe does not wait for a writer. O_NONBLOCK has
// no effect on regular files.
InputFile::InputFile(const std::string& path, std::chrono::milliseconds longest_silence)
    : path_(path),
      longest_silence_(longest_silence),
      descriptor_(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)) {
  if (descriptor_ < 0) {
    fail_to_read(path, errno);
  }
  struct stat status {};
  const bool known = fstat(descriptor_, &status) == 0;
  const char* unfit = known ? unfit_kind(status.st_mode) : "nothing that is known";
  if (unfit != nullptr) {
    close(descriptor_);
    throw InputError(path + ": found " + unfit + ", accepted: a file");
  }
  is_pipe_ = S_ISFIFO(status.st_mode);
}

InputFile::~InputFile() {
  close(descriptor_);
}

size_t InputFile::read(std::span<char> into) {
  while (true) {
    if (is_pipe_) {
      wait_for_data();
    }
    const ssize_t count = ::read(descriptor_, into.data(), into.size());
    if (count >= 0) {
      return static_cast<size_t>(count);
    }
    if (errno != EINTR && errno != EAGAIN) {
      fail_to_read(path_, errno);
    }
  }
}

// Waits for data from a pipe, for at most longest_silence_. Reading a pipe that no writer has
// opened yet would look like its end; poll() waits until a writer has come and gone.
void InputFile::wait_for_data() const {
  using Clock = std::chrono::steady_clock;
  const auto end = Clock::now() + longest_silence_;
  pollfd wanted{descriptor_, POLLIN, 0};
  while (true) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now());
    const int ready = left.count() > 0 ? poll(&wanted, 1, static_cast<int>(left.count())) : 0;
    if (ready > 0) {
      return;
    }
    if (ready == 0) {
      throw InputError(
          path_ + ": found a pipe that gives nothing for " +
          number_text(static_cast<double>(longest_silence_.count()) / 1000, RangeUnit::ratio) +
          " s, accepted: a file");
    }
    if (errno != EINTR) {
      fail_to_read(path_, errno);
    }
  }
}

std::string read_whole_file(const std::string& path, uint64_t most) {
  InputFile file(path);
  std::string text;
  char block[1 << 16];
  while (const size_t count = file.read(block)) {
    text.append(block, count);
    if (text.size() > most) {
      throw InputError(path + ": found more than " + format_bytes(most) + ", accepted: at most " +
                       format_bytes(most));
    }
  }
  return text;
}

}  // namespace presort::io
