#include "presort/sim/trace/sources/decompressor.h"

#include "presort/core/error.h"

namespace presort::inline v0::sim {

size_t Decompressor::read(std::span<char> into) {
  if (error_) {
    std::rethrow_exception(error_);
  }
  size_t produced = 0;
  try {
    decode(into, produced);
  } catch (const InputError&) {
    if (produced == 0) {
      throw;
    }
    error_ = std::current_exception();
  }
  return produced;
}

CompressedBytes::CompressedBytes(std::string name, std::unique_ptr<ByteSource> inner)
    : name_(std::move(name)),
      inner_(std::move(inner)),
      buffer_(std::make_unique<std::array<char, kBytes>>()) {}

std::span<const char> CompressedBytes::pending() {
  if (begin_ == end_) {
    offset_ += end_;
    begin_ = 0;
    end_ = inner_->read(*buffer_);
  }
  return std::span<const char>(*buffer_).subspan(begin_, end_ - begin_);
}

void CompressedBytes::fail(const std::string& what) const {
  throw InputError(name_ + ": byte " + std::to_string(offset_ + begin_) +
                   " of the compressed data: " + what);
}

}  // namespace presort::sim
