#include <zlib.h>

#include <algorithm>
#include <limits>
#include <new>

#include "presort/sim/trace/sources/decompressor.h"

namespace presort::inline v0::sim {

namespace {

class GzipSource final : public Decompressor {
 public:
  GzipSource(std::string name, std::unique_ptr<ByteSource> inner)
      : bytes_(std::move(name), std::move(inner)) {
    constexpr int kGzipOnly = 16;
    if (inflateInit2(&stream_, MAX_WBITS + kGzipOnly) != Z_OK) {
      throw std::bad_alloc();
    }
  }
  GzipSource(const GzipSource&) = delete;
  GzipSource& operator=(const GzipSource&) = delete;
  ~GzipSource() override { inflateEnd(&stream_); }

 private:
  void decode(std::span<char> into, size_t& produced) override {
    constexpr size_t kMost = std::numeric_limits<uInt>::max();
    const auto wanted = static_cast<uInt>(std::min(into.size(), kMost));
    stream_.next_out = reinterpret_cast<Bytef*>(into.data());
    stream_.avail_out = wanted;
    while (produced == 0) {
      const std::span<const char> pending = bytes_.pending();
      if (pending.empty()) {
        if (!member_ended_) {
          bytes_.fail("gzip data end too early: truncated");
        }
        return;
      }
      const int status = inflate_some(pending);
      produced = wanted - stream_.avail_out;
      check(status);
    }
  }

  int inflate_some(std::span<const char> pending) {
    if (member_ended_) {
      inflateReset(&stream_);
    }
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(pending.data()));
    stream_.avail_in = static_cast<uInt>(pending.size());
    const int status = inflate(&stream_, Z_NO_FLUSH);
    bytes_.consume(pending.size() - stream_.avail_in);
    member_ended_ = status == Z_STREAM_END;
    return status;
  }

  void check(int status) const {
    if (status == Z_MEM_ERROR) {
      throw std::bad_alloc();
    }
    if (status != Z_OK && status != Z_STREAM_END && status != Z_BUF_ERROR) {
      bytes_.fail(std::string("gzip data are corrupt") +
                  (stream_.msg != nullptr ? std::string(": ") + stream_.msg : ""));
    }
  }

  CompressedBytes bytes_;
  z_stream stream_{};
  bool member_ended_ = false;
};

}  // namespace

std::unique_ptr<ByteSource> decompress_gzip(std::string name, std::unique_ptr<ByteSource> inner) {
  return std::make_unique<GzipSource>(std::move(name), std::move(inner));
}

}  // namespace presort::sim
