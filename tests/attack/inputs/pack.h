// Compresses and decompresses in memory, so that attacks can change what compressed inputs contain.
#pragma once

#include <string>

#include "draw.h"

namespace presort::inline v0::attack {

// Compression and decompression. Errors: std::runtime_error when the library fails, which it does not for
// valid seeds
std::string pack_gzip(const std::string& plain);
std::string unpack_gzip(const std::string& packed);
std::string pack_zstd(const std::string& plain);
std::string unpack_zstd(const std::string& packed);
std::string pack_xz(const std::string& plain);
std::string unpack_xz(const std::string& packed);

using Pack = std::string (*)(const std::string&);

// Compresses a content in a random way: whole, in two members, with trailing bytes, or cut short.
std::string pack_oddly(Draw& draw, const std::string& plain, Pack pack);

}  // namespace presort::attack
