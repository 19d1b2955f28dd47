#include <zstd.h>

#include <new>

#include "presort/sim/trace/sources/decompressor.h"

namespace presort::inline v0::sim {

namespace {

class ZstdSource final : public Decompressor {
 public:
  ZstdSource(std::string name, std::unique_ptr<ByteSource> inner)
      : bytes_(std::move(name), std::move(inner)), stream_(ZSTD_createDStream()) {
    if (stream_ == nullptr) {
      throw std::bad_alloc();
    }
  }
  ZstdSource(const ZstdSource&) = delete;
  ZstdSource& operator=(const ZstdSource&) = delete;
  ~ZstdSource() override { ZSTD_freeDStream(stream_); }

 private:
  void decode(std::span<char> into, size_t& produced) override {
    while (produced == 0) {
      const std::span<const char> pending = bytes_.pending();
      if (pending.empty() && frame_ended_) {
        return;
      }
      ZSTD_inBuffer in{pending.data(), pending.size(), 0};
      ZSTD_outBuffer out{into.data(), into.size(), 0};
      const size_t status = ZSTD_decompressStream(stream_, &out, &in);
      produced = out.pos;
      if (ZSTD_isError(status) != 0) {
        bytes_.fail(std::string("zstd data are corrupt: ") + ZSTD_getErrorName(status));
      }
      bytes_.consume(in.pos);
      frame_ended_ = status == 0;
      if (pending.empty() && produced == 0) {
        bytes_.fail("zstd data end too early: truncated");
      }
    }
  }

  CompressedBytes bytes_;
  ZSTD_DStream* stream_;
  bool frame_ended_ = false;
};

}  // namespace

std::unique_ptr<ByteSource> decompress_zstd(std::string name, std::unique_ptr<ByteSource> inner) {
  return std::make_unique<ZstdSource>(std::move(name), std::move(inner));
}

}  // namespace presort::sim
