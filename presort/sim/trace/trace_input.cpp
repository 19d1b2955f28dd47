#include "presort/sim/trace/trace_input.h"

#include <algorithm>
#include <cstring>

#include "presort/core/error.h"

namespace presort::inline v0::sim {

TraceInput::TraceInput(std::string name, std::unique_ptr<ByteSource> source)
    : name_(std::move(name)), source_(std::move(source)), buffer_(kBufferBytes) {}

void TraceInput::refill(size_t size) {
  std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
  offset_ += begin_;
  end_ -= begin_;
  begin_ = 0;
  try {
    while (end_ < size && !error_) {
      const size_t count = source_->read(std::span(buffer_).subspan(end_));
      if (count == 0) {
        break;
      }
      end_ += count;
    }
  } catch (const InputError&) {
    error_ = std::current_exception();
  }
  if (end_ == 0 && error_) {
    std::rethrow_exception(error_);
  }
}

bool TraceInput::line(std::string_view& text) {
  const char* start = buffer_.data() + begin_;
  const void* newline = begin_ == end_ ? nullptr : std::memchr(start, '\n', end_ - begin_);
  if (newline == nullptr) {
    const std::string_view rest = peek(kLongestLine + 1);
    if (rest.empty()) {
      return false;
    }
    start = rest.data();
    newline = std::memchr(start, '\n', rest.size());
    if (newline == nullptr) {
      ++lines_;
      if (rest.size() > kLongestLine) {
        fail("the line is longer than " + std::to_string(kLongestLine) + " bytes");
      }
      fail_short("the last line has no end: the trace is truncated");
    }
  }
  ++lines_;
  size_t size = static_cast<size_t>(static_cast<const char*>(newline) - start);
  begin_ += size + 1;
  if (size > 0 && start[size - 1] == '\r') {
    --size;
  }
  text = {start, size};
  if (size > kLongestLine) {
    fail("the line is longer than " + std::to_string(kLongestLine) + " bytes");
  }
  return true;
}

void TraceInput::fail(const std::string& what) const {
  const std::string place = lines_ > 0 ? ":" + std::to_string(lines_) + ": "
                                       : ": byte " + std::to_string(offset()) + ": ";
  throw InputError(name_ + place + what);
}

void TraceInput::fail_short(const std::string& what) const {
  if (error_) {
    std::rethrow_exception(error_);
  }
  fail(what);
}

}  // namespace presort::sim
