#include <lzma.h>

#include <new>

#include "presort/sim/trace/sources/decompressor.h"

namespace presort::inline v0::sim {

namespace {

class XzSource final : public Decompressor {
 public:
  XzSource(std::string name, std::unique_ptr<ByteSource> inner)
      : bytes_(std::move(name), std::move(inner)) {
    // Most bytes of memory for xz decompression; files of xz -9 take 65 MiB
    constexpr uint64_t kMostMemory = uint64_t{1} << 30;
    if (lzma_stream_decoder(&stream_, kMostMemory, LZMA_CONCATENATED) != LZMA_OK) {
      throw std::bad_alloc();
    }
  }
  XzSource(const XzSource&) = delete;
  XzSource& operator=(const XzSource&) = delete;
  ~XzSource() override { lzma_end(&stream_); }

 private:
  void decode(std::span<char> into, size_t& produced) override {
    stream_.next_out = reinterpret_cast<uint8_t*>(into.data());
    stream_.avail_out = into.size();
    while (produced == 0 && !ended_) {
      const std::span<const char> pending = bytes_.pending();
      stream_.next_in = reinterpret_cast<const uint8_t*>(pending.data());
      stream_.avail_in = pending.size();
      const lzma_ret status = lzma_code(&stream_, pending.empty() ? LZMA_FINISH : LZMA_RUN);
      bytes_.consume(pending.size() - stream_.avail_in);
      produced = into.size() - stream_.avail_out;
      ended_ = status == LZMA_STREAM_END;
      if (!ended_) {
        check(status, pending.empty());
      }
    }
  }

  void check(lzma_ret status, bool at_end) const {
    if (status == LZMA_MEM_ERROR) {
      throw std::bad_alloc();
    }
    if (status == LZMA_MEMLIMIT_ERROR) {
      bytes_.fail("xz data need more than 1 GiB to decompress");
    }
    if (status == LZMA_BUF_ERROR && at_end) {
      bytes_.fail("xz data end too early: truncated");
    }
    if (status != LZMA_OK && status != LZMA_BUF_ERROR) {
      bytes_.fail("xz data are corrupt");
    }
  }

  CompressedBytes bytes_;
  lzma_stream stream_ = LZMA_STREAM_INIT;
  bool ended_ = false;
};

}  // namespace

std::unique_ptr<ByteSource> decompress_xz(std::string name, std::unique_ptr<ByteSource> inner) {
  return std::make_unique<XzSource>(std::move(name), std::move(inner));
}

}  // namespace presort::sim
