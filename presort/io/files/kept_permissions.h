// Permissions that a file takes over from the one that it replaces: read, write and execute bits of
// the user's own file; those of its group only if the new file can have that group; none of another
// user's file. Set-user-ID, set-group-ID and sticky bits are never taken over.
#pragma once

#include <sys/stat.h>

namespace presort::inline v0::io {

// Permissions to create a new file with; the system still applies the umask. replaced: status of
// the file to be replaced; null when there is none
mode_t first_mode(const struct stat* replaced);

// Gives a new file the permissions that the umask took away. False when it fails: errno says why.
bool keep_permissions(int file, const struct stat* replaced);

}  // namespace presort::io
