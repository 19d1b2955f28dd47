// Looks up where a path leads, once. The folder is held open, so that all that follows happens in
// this folder, whatever others rename meanwhile.
#pragma once

#include <sys/stat.h>

#include <string>

#include "presort/io/files/descriptor.h"

namespace presort::inline v0::io {

struct Place {
  Descriptor folder;    // the folder, open as a path alone (O_PATH)
  std::string name;     // file's name in the folder
  bool exists = false;  // true: something has that name in the folder
  // True: the name is a link of /proc to something nameless: a pipe, a terminal, a deleted file
  bool unnamed = false;
  struct stat status {};  // status of the file; of an unnamed one, not of the link to it
};

// Follows the symbolic links of every part of the path, as the kernel does with
// fs.protected_symlinks = 1, whatever that is set to: in a folder where everyone may write and only
// owners may delete (/tmp), links of the folder's owner and of this user alone.
// Errors: InputError "PATH: cannot be written: …"; an absent file is none, an absent folder is
Place find_place(const std::string& path);

}  // namespace presort::io
