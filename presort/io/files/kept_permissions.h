// Which permissions a file takes over from the one that it replaces: read, write and execute bits
// of an own file; for its group only where the new file can have that group; nothing of another
// user's file. Set-user-ID, set-group-ID and sticky bits are never taken over.
#pragma once

#include <sys/stat.h>

namespace presort::inline v0::io {

// Permissions to create the new file with, less what the umask takes.
// replaced: null when there is no such file
mode_t first_mode(const struct stat* replaced);

// Gives the new file what the umask took. False: errno says why not.
bool keep_permissions(int file, const struct stat* replaced);

}  // namespace presort::io
