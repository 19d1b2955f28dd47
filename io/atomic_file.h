// Writes whole files so that a reader sees the old text or the new one, never a part.
#pragma once

#include <string>
#include <string_view>

namespace presort::io {

// Writes a temporary file in the same folder, syncs it and renames it to `path`. A symbolic link is
// followed; what is not a regular file (a terminal, a pipe, /dev/null) is written directly.
// Errors: InputError naming the path and the reason; the temporary file is gone and a file that was
//         there before is untouched.
void write_atomically(const std::string& path, std::string_view text);

}  // namespace presort::io
