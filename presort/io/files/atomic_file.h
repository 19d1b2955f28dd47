// Writes whole files such that a reader sees the old text or the new one, never a part.
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace presort::inline v0::io {

// A file that is written piece by piece and appears under its name when it is complete. Before
// commit() it is hidden in the same folder (io/files/temporary_file.h); without a commit it is
// removed. Files of the same target that a killed writer left there are removed first.
//   Links:        followed, except those that io/yaml/place.h refuses; the link stays, its target is
//                 replaced
//   Permissions:  as io/files/kept_permissions.h says
//   Devices:      what is not a regular file (a terminal, a pipe, /dev/null) is written directly
// Errors: of all members: InputError naming the path and the reason; a file that was there before
//         is untouched
class AtomicFile {
 public:
  explicit AtomicFile(std::string path);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(std::string_view text);

  // The hidden file, for a caller that writes at places of its own choice; -1 for none.
  int descriptor() const;

  // Syncs the file to disk and gives it its name. Nothing may be written to it afterwards.
  void commit();

 private:
  struct Output;
  std::string path_;
  std::unique_ptr<Output> output_;
};

// Writes a whole text to a file.
// Errors: those of AtomicFile
void write_atomically(const std::string& path, std::string_view text);

// Refuses a path that could not be written, before the work that makes its content. Writes nothing,
// and opens no device.
// Errors: those of AtomicFile
void require_writable_path(const std::string& path);

}  // namespace presort::io
