// The text or bytes of a trace, with the current position for error messages.
#pragma once

#include <algorithm>
#include <cstdint>
#include <exception>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "presort/sim/trace/sources/byte_source.h"

namespace presort::inline v0::sim {

class TraceInput {
 public:
  static constexpr size_t kBufferBytes = size_t{1} << 18;
  static constexpr size_t kLongestLine = 4096;

  TraceInput(std::string name, std::unique_ptr<ByteSource> source);

  const std::string& name() const { return name_; }

  // The next bytes, valid until the next call; fewer than `size` only at the end, or where an error
  // of the source stands, which is thrown when there are none before it.
  // Requires: size <= kBufferBytes
  std::string_view peek(size_t size) {
    if (end_ - begin_ < size) {
      refill(size);
    }
    return {buffer_.data() + begin_, std::min(size, end_ - begin_)};
  }
  // Drops bytes from the front of the trace.
  // Requires: the last peek() gave at least as many bytes
  void skip(size_t size) { begin_ += size; }

  // Reads the next line of the trace without its end ("\n" or "\r\n"), valid until the next call;
  // false at the end.
  // Errors: InputError for a line longer than kLongestLine, and for a last line without an end,
  // since it may have lost its last digits
  bool line(std::string_view& text);

  // Bytes of the decompressed trace that were taken so far
  uint64_t offset() const { return offset_ + begin_; }

  // Throws an error at the current position.
  // Errors: InputError "NAME:LINE: WHAT" once a line was read, "NAME: byte N: WHAT" otherwise
  [[noreturn]] void fail(const std::string& what) const;
  // Throws for a record that ends too early: the source's error if that is the reason, otherwise as
  // fail(what).
  [[noreturn]] void fail_short(const std::string& what) const;

 private:
  void refill(size_t size);

  std::string name_;
  std::unique_ptr<ByteSource> source_;
  std::vector<char> buffer_;
  std::exception_ptr error_;  // error of the source, to be thrown after the buffer's contents
  size_t begin_ = 0;
  size_t end_ = 0;
  uint64_t offset_ = 0;  // offset in the trace of the buffer's first byte
  uint64_t lines_ = 0;
};

}  // namespace presort::sim
