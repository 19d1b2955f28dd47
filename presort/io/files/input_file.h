// A file that is read once, from its beginning to its end: a regular file, or a pipe such as that
// of `-m <(sed …)`. Folders, devices and sockets are refused: some have no end.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "presort/io/limits.h"

namespace presort::inline v0::io {

class InputFile {
 public:
  // Opens a file. Never waits for somebody to open the other end of a pipe.
  // Errors: InputError "PATH: …" when it cannot be opened, or is neither a regular file nor a pipe
  explicit InputFile(const std::string& path,
                     std::chrono::milliseconds longest_silence = limits::kLongestSilence);
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;
  ~InputFile();

  // Fills the front of `into` and returns how many bytes that are; 0 only at the end.
  // Requires: into is not empty
  // Errors:   InputError when the file cannot be read, or is a pipe that gives nothing for
  //           longest_silence
  size_t read(std::span<char> into);

  const std::string& path() const { return path_; }

 private:
  void wait_for_data() const;

  std::string path_;
  std::chrono::milliseconds longest_silence_;
  int descriptor_;
  bool is_pipe_ = false;
};

// Reads the whole file.
// Errors: InputError, also when the file has more than `most` bytes
std::string read_whole_file(const std::string& path, uint64_t most);

}  // namespace presort::io
