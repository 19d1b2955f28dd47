#include "pack.h"

#include <lzma.h>
#include <zlib.h>
#include <zstd.h>

#include <stdexcept>

namespace presort::inline v0::attack {
namespace {

constexpr size_t kMostPlainBytes = size_t{1}
                                   << 24;  // most bytes of a decompressed seed (valid input)
constexpr int kGzipBits = 15 + 16;         // zlib's windowBits: largest window, with a gzip header

void require(bool done, const char* what) {
  if (!done) {
    throw std::runtime_error(what);
  }
}

}  // namespace

std::string pack_gzip(const std::string& plain) {
  z_stream stream{};
  require(deflateInit2(&stream, 6, Z_DEFLATED, kGzipBits, 8, Z_DEFAULT_STRATEGY) == Z_OK, "gzip");
  std::string packed(deflateBound(&stream, plain.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(plain.data()));
  stream.avail_in = static_cast<uInt>(plain.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  const int result = deflate(&stream, Z_FINISH);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  require(result == Z_STREAM_END, "gzip");
  return packed;
}

std::string unpack_gzip(const std::string& packed) {
  z_stream stream{};
  require(inflateInit2(&stream, kGzipBits) == Z_OK, "gzip");
  std::string plain(kMostPlainBytes, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
  stream.avail_in = static_cast<uInt>(packed.size());
  stream.next_out = reinterpret_cast<Bytef*>(plain.data());
  stream.avail_out = static_cast<uInt>(plain.size());
  const int result = inflate(&stream, Z_FINISH);
  plain.resize(stream.total_out);
  inflateEnd(&stream);
  require(result == Z_STREAM_END, "gzip");
  return plain;
}

std::string pack_zstd(const std::string& plain) {
  std::string packed(ZSTD_compressBound(plain.size()), '\0');
  const size_t size = ZSTD_compress(packed.data(), packed.size(), plain.data(), plain.size(), 1);
  require(ZSTD_isError(size) == 0, "zstd");
  packed.resize(size);
  return packed;
}

std::string unpack_zstd(const std::string& packed) {
  std::string plain(kMostPlainBytes, '\0');
  const size_t size = ZSTD_decompress(plain.data(), plain.size(), packed.data(), packed.size());
  require(ZSTD_isError(size) == 0, "zstd");
  plain.resize(size);
  return plain;
}

std::string pack_xz(const std::string& plain) {
  std::string packed(lzma_stream_buffer_bound(plain.size()), '\0');
  size_t size = 0;
  const lzma_ret result = lzma_easy_buffer_encode(
      0, LZMA_CHECK_CRC32, nullptr, reinterpret_cast<const uint8_t*>(plain.data()), plain.size(),
      reinterpret_cast<uint8_t*>(packed.data()), &size, packed.size());
  require(result == LZMA_OK, "xz");
  packed.resize(size);
  return packed;
}

std::string unpack_xz(const std::string& packed) {
  std::string plain(kMostPlainBytes, '\0');
  uint64_t memory = UINT64_MAX;
  size_t taken = 0;
  size_t size = 0;
  const lzma_ret result = lzma_stream_buffer_decode(
      &memory, 0, nullptr, reinterpret_cast<const uint8_t*>(packed.data()), &taken, packed.size(),
      reinterpret_cast<uint8_t*>(plain.data()), &size, plain.size());
  require(result == LZMA_OK, "xz");
  plain.resize(size);
  return plain;
}

std::string pack_oddly(Draw& draw, const std::string& plain, Pack pack) {
  switch (draw.below(6)) {
    case 0: {
      const size_t cut = draw.below(plain.size() + 1);
      return pack(plain.substr(0, cut)) + pack(plain.substr(cut));
    }
    case 1:
      return pack(plain) + (draw.chance(50) ? std::string(100, '\0') : pack(""));
    case 2: {
      const std::string packed = pack(plain);
      return packed.substr(0, draw.below(packed.size() + 1));
    }
    default:
      return pack(plain);
  }
}

}  // namespace presort::attack
