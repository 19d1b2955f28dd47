// Looks up where a path leads, once. The folder of the file is held open, so that later steps
// happen in this very folder, even if others rename it meanwhile.
#pragma once

#include <sys/stat.h>

#include <string>

#include "presort/io/files/descriptor.h"

namespace presort::inline v0::io {

struct Place {
  Descriptor folder;    // folder of the file, open as a path only (O_PATH)
  std::string name;     // name of the file in the folder
  bool exists = false;  // true: the folder has something with that name
  // True: the name is a link of /proc to something without a name: a pipe, a terminal, a deleted
  // file
  bool unnamed = false;
  struct stat status {};  // status of the file; behind a link of /proc, that of its target
};

// Follows the symbolic links in every part of the path, as the kernel does with
// fs.protected_symlinks = 1, whatever the system's setting: in a folder where everyone may write
// and only owners may delete (/tmp), only links of the folder's owner and of this user are
// followed.
// Errors: InputError "PATH: cannot be written: …" for a link that is not followed or a folder that
// does not exist; the file itself may be absent
Place find_place(const std::string& path);

}  // namespace presort::io
