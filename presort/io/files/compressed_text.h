// The text of a file that may be compressed with gzip.
#pragma once

#include <string>

namespace presort::inline v0::io {

// The text of a file. One that begins like gzip is decompressed, all its members; others stay as they are.
// Errors: InputError "PATH: …" when it cannot be read, when the compressed data are damaged or end
//         too early, and for more text, or more that comes of less, than io/limits.h allows
std::string read_maybe_compressed(const std::string& path);

}  // namespace presort::io
