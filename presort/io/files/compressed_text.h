// Reads the text of a file that may be compressed with gzip.
#pragma once

#include <string>

namespace presort::inline v0::io {

// The text of a file. If it begins like gzip, all its gzip members are decompressed.
// Errors: InputError "PATH: …" when the file cannot be read, when the compressed data are damaged
// or end too early, or when the text is longer, or longer for its compressed size, than io/limits.h
// allows
std::string read_maybe_compressed(const std::string& path);

}  // namespace presort::io
