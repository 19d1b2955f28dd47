// Streaming decompression with the formats' own libraries. Each decompressor reads concatenated
// members, checks their checksums, and holds only a few buffers.
#pragma once

#include <array>
#include <cstdint>
#include <exception>
#include <memory>
#include <span>
#include <string>

#include "presort/sim/trace/sources/byte_source.h"

namespace presort::inline v0::sim {

// Sources of decompressed bytes. Errors of reading: InputError with the byte of the compressed data
// that is corrupt, or where they are truncated
std::unique_ptr<ByteSource> decompress_gzip(std::string name, std::unique_ptr<ByteSource> inner);
std::unique_ptr<ByteSource> decompress_xz(std::string name, std::unique_ptr<ByteSource> inner);
std::unique_ptr<ByteSource> decompress_zstd(std::string name, std::unique_ptr<ByteSource> inner);

// The common part of the decompressors: output that stands before an error is given out before the
// error.
class Decompressor : public ByteSource {
 public:
  size_t read(std::span<char> into) final;

 protected:
  // Decodes into the front of `into` until there is output; `produced` says how many bytes, also
  // when an error is thrown. 0 bytes: the end.
  virtual void decode(std::span<char> into, size_t& produced) = 0;

 private:
  std::exception_ptr error_;
};

// The compressed input of a decompressor.
class CompressedBytes {
 public:
  CompressedBytes(std::string name, std::unique_ptr<ByteSource> inner);

  // The compressed bytes that come next, as many as are there; empty at the end.
  std::span<const char> pending();
  // Drops `count` bytes from the front of the compressed input.
  // Requires: count <= pending().size()
  void consume(size_t count) { begin_ += count; }

  // Throws an error about the compressed data.
  // Errors: InputError "NAME: byte N of the compressed data: WHAT"
  [[noreturn]] void fail(const std::string& what) const;

 private:
  static constexpr size_t kBytes = size_t{1} << 16;

  std::string name_;
  std::unique_ptr<ByteSource> inner_;
  std::unique_ptr<std::array<char, kBytes>> buffer_;
  size_t begin_ = 0;
  size_t end_ = 0;
  uint64_t offset_ = 0;  // offset of the buffer's first byte in the compressed data
};

}  // namespace presort::sim
