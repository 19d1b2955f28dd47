#include "presort/io/files/compressed_text.h"

#include <zlib.h>

#include <array>
#include <memory>
#include <new>

#include "presort/core/error.h"
#include "presort/core/text/units.h"
#include "presort/io/files/input_file.h"
#include "presort/io/limits.h"

namespace presort::inline v0::io {
namespace {

constexpr std::string_view kGzipMagic = "\x1f\x8b";

using Block = std::array<char, size_t{1} << 16>;

void refuse_too_much(const std::string& path, uint64_t bytes) {
  if (bytes > limits::kMostJsonBytes) {
    throw InputError(path + ": found more than " + format_bytes(limits::kMostJsonBytes) +
                     " of text, accepted: at most " + format_bytes(limits::kMostJsonBytes));
  }
}

class Inflater {
 public:
  explicit Inflater(const std::string& path) : path_(path) {
    constexpr int kGzipOnly = 16;
    if (inflateInit2(&stream_, MAX_WBITS + kGzipOnly) != Z_OK) {
      throw std::bad_alloc();
    }
  }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;
  ~Inflater() { inflateEnd(&stream_); }

  // Decompresses `bytes` and appends the result to `text`. When a gzip member has ended, the next
  // one begins.
  void append(std::string_view bytes, std::string& text) {
    compressed_bytes_ += bytes.size();
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
    stream_.avail_in = static_cast<uInt>(bytes.size());
    while (stream_.avail_in > 0 || output_was_full_) {
      append_block(text);
      check_growth(text.size());
    }
  }

  // Ends decompression.
  // Errors: InputError when the last gzip member has not ended
  void finish() const {
    if (!member_ended_) {
      throw InputError(path_ + ": the compressed data end too early: truncated after " +
                       std::to_string(compressed_bytes_) + " bytes");
    }
  }

 private:
  void append_block(std::string& text) {
    if (member_ended_) {
      inflateReset(&stream_);
    }
    stream_.next_out = reinterpret_cast<Bytef*>(block_.data());
    stream_.avail_out = static_cast<uInt>(block_.size());
    const int status = inflate(&stream_, Z_NO_FLUSH);
    if (status == Z_MEM_ERROR) {
      throw std::bad_alloc();
    }
    if (status != Z_OK && status != Z_STREAM_END && status != Z_BUF_ERROR) {
      throw InputError(path_ + ": the compressed data are damaged before byte " +
                       std::to_string(compressed_bytes_));
    }
    member_ended_ = status == Z_STREAM_END;
    text.append(block_.data(), block_.size() - stream_.avail_out);
    output_was_full_ = stream_.avail_out == 0 && !member_ended_;
  }

  void check_growth(uint64_t text_bytes) const {
    refuse_too_much(path_, text_bytes);
    if (text_bytes >= limits::kExpansionMattersFrom &&
        text_bytes / compressed_bytes_ >= limits::kMostExpansion) {
      throw InputError(path_ + ": found compressed data that grow more than " +
                       std::to_string(limits::kMostExpansion) + " times, " +
                       std::to_string(compressed_bytes_) + " bytes to " +
                       std::to_string(text_bytes) + ", accepted: less");
    }
  }

  std::string path_;
  z_stream stream_{};
  Block block_;
  uint64_t compressed_bytes_ = 0;
  bool member_ended_ = false;
  bool output_was_full_ = false;
};

}  // namespace

std::string read_maybe_compressed(const std::string& path) {
  InputFile file(path);
  auto block = std::make_unique<Block>();
  std::string head;  // first bytes of the file, which tell whether it is compressed
  size_t count = 0;
  while (head.size() < kGzipMagic.size() && (count = file.read(*block)) > 0) {
    head.append(block->data(), count);
  }
  if (!head.starts_with(kGzipMagic)) {
    while ((count = file.read(*block)) > 0) {
      head.append(block->data(), count);
      refuse_too_much(path, head.size());
    }
    return head;
  }
  std::string text;
  Inflater inflater(path);
  inflater.append(head, text);
  while ((count = file.read(*block)) > 0) {
    inflater.append({block->data(), count}, text);
  }
  inflater.finish();
  return text;
}

}  // namespace presort::io
