// Writes whole files so that a reader sees the old text or the new one, never a part.
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace presort::io {

// A file that is written piece by piece and appears under its name when it is complete: until
// commit() it has a temporary one in the same folder, and is gone if there is none. A symbolic link
// is followed; what is not a regular file (a terminal, a pipe, /dev/null) is written directly.
// Errors, of all members: InputError naming the path and the reason; a file that was there before
// is untouched.
class AtomicFile {
 public:
  explicit AtomicFile(std::string path);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(std::string_view text);

  // Syncs the file and gives it its name. Nothing may be written after it.
  void commit();

 private:
  class Output;
  std::string path_;
  std::string target_;  // empty: written directly
  std::unique_ptr<Output> output_;
};

// The same for a text that is there as a whole.
void write_atomically(const std::string& path, std::string_view text);

}  // namespace presort::io
