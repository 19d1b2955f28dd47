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
// also several times. Memory use does not grow with the file.
// Errors: InputError when the file cannot be opened or read
std::unique_ptr<ByteSource> open_bytes(const std::string& path);

// The name of an input file in messages: its path, or "standard input" for "-".
std::string shown_path(const std::string& path);

// A source of bytes that are in memory already; `name` is what error messages call it.
std::unique_ptr<ByteSource> bytes_of(std::string name, std::string contents);

}  // namespace presort::sim
