// A stream of bytes that is pulled: a file, standard input, or the output of a decompressor.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace presort::inline v0::sim {

class ByteSource {
 public:
  virtual ~ByteSource() = default;

  // Fills the front of `into` and returns how many bytes that are; 0 only at the end.
  // Requires: into is not empty
  // Errors:   InputError naming the file and, in compressed data, the byte
  virtual size_t read(std::span<char> into) = 0;
};

// Opens a file, or standard input for "-". Data that start like gzip, xz or zstd are decompressed,
// layer by layer. Nothing is held but buffers, whatever the size.
// Errors: InputError when it cannot be opened or read
std::unique_ptr<ByteSource> open_bytes(const std::string& path);

// A path as messages name it: itself, or "standard input".
std::string shown_path(const std::string& path);

// A source of bytes that are in memory already; `name` is what messages call it.
std::unique_ptr<ByteSource> bytes_of(std::string name, std::string contents);

}  // namespace presort::sim
