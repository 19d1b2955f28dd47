// A file that is hidden while it is written, in the folder where it will appear.
#pragma once

#include <sys/types.h>

#include <string>

#include "presort/io/files/descriptor.h"

namespace presort::inline v0::io {

// A hidden file. It has no name where the file system supports that (O_TMPFILE: whatever kills the
// writer leaves nothing). Otherwise, and for a moment before it gets its name, it is called
// ".NAME.HEX.tmp" with random HEX. Locked (flock) from beginning to end, so that a hidden name
// without a lock has no writer.
class TemporaryFile {
 public:
  // When the file gets a name: late: only at the end; early: a hidden name from the beginning
  enum class Naming { late, early };

  // Makes an empty file with permissions `mode` less the umask. folder: the folder of the file,
  // open as long as this object lives. target: the name that the file will get.
  // Errors: std::system_error
  TemporaryFile(int folder, std::string target, mode_t mode, Naming naming = Naming::late);
  ~TemporaryFile();
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  int descriptor() const { return file_.get(); }

  // Syncs the file to disk and gives it the target's name; a file that had the name is replaced.
  // Errors: std::system_error; a file that had the name keeps it
  void take_name();

 private:
  bool open_unnamed(mode_t mode);
  void open_hidden(mode_t mode);
  void link_hidden();

  int folder_;
  std::string target_;
  std::string hidden_;  // the file's hidden name; empty if it has none
  Descriptor file_;
};

// Removes this user's hidden files of `target` whose writers were killed.
void remove_stale_temporaries(int folder, const std::string& target);

}  // namespace presort::io
