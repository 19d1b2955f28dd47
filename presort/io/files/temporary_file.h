// A file that is written out of sight, beside the one whose name it shall have.
#pragma once

#include <sys/types.h>

#include <string>

#include "presort/io/files/descriptor.h"

namespace presort::inline v0::io {

// Written without a name where the file system can (O_TMPFILE: whatever kills the writer leaves
// nothing), otherwise, and for a moment before it gets its name, as ".NAME.HEX.tmp", HEX drawn at
// random. Locked (flock) from its making to its end, so that a name without a lock has no writer.
class TemporaryFile {
 public:
  enum class Naming { late, early };  // early: the file has its hidden name from the beginning

  // The file is empty, readable and writable as `mode` and the umask say.
  // folder: of the file, open, for as long as this lives. target: the name that it shall have
  // Errors: std::system_error
  TemporaryFile(int folder, std::string target, mode_t mode, Naming naming = Naming::late);
  ~TemporaryFile();
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  int descriptor() const { return file_.get(); }

  // Syncs the file and gives it the target's name; what had that name is gone.
  // Errors: std::system_error; what had the name still has it
  void take_name();

 private:
  bool open_unnamed(mode_t mode);
  void open_hidden(mode_t mode);
  void link_hidden();

  int folder_;
  std::string target_;
  std::string hidden_;  // hidden name of the file; empty: it has none
  Descriptor file_;
};

// Removes this user's hidden files of `target` whose writers were killed.
void remove_stale_temporaries(int folder, const std::string& target);

}  // namespace presort::io
