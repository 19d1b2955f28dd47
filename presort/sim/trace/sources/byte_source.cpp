#include "presort/sim/trace/sources/byte_source.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "presort/core/error.h"
#include "presort/sim/trace/sources/decompressor.h"

namespace presort::inline v0::sim {

namespace {

class FileSource final : public ByteSource {
 public:
  explicit FileSource(const std::string& path)
      : name_(shown_path(path)),
        descriptor_(path == "-" ? STDIN_FILENO : open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
    if (descriptor_ < 0) {
      throw InputError(name_ + ": cannot be opened: " + std::strerror(errno));
    }
  }
  FileSource(const FileSource&) = delete;
  FileSource& operator=(const FileSource&) = delete;
  ~FileSource() override {
    if (descriptor_ != STDIN_FILENO) {
      close(descriptor_);
    }
  }

  size_t read(std::span<char> into) override {
    while (true) {
      const ssize_t count = ::read(descriptor_, into.data(), into.size());
      if (count >= 0) {
        return static_cast<size_t>(count);
      }
      if (errno != EINTR) {
        throw InputError(name_ + ": cannot be read: " + std::strerror(errno));
      }
    }
  }

 private:
  std::string name_;
  int descriptor_;
};

class MemorySource final : public ByteSource {
 public:
  explicit MemorySource(std::string contents) : contents_(std::move(contents)) {}

  size_t read(std::span<char> into) override {
    const size_t count = std::min(into.size(), contents_.size() - at_);
    std::memcpy(into.data(), contents_.data() + at_, count);
    at_ += count;
    return count;
  }

 private:
  std::string contents_;
  size_t at_ = 0;
};

// A source that first gives bytes that were read to recognise the format, and then the rest.
class PrefixedSource final : public ByteSource {
 public:
  PrefixedSource(std::string prefix, std::unique_ptr<ByteSource> rest)
      : prefix_(std::move(prefix)), rest_(std::move(rest)) {}

  size_t read(std::span<char> into) override {
    if (at_ == prefix_.size()) {
      return rest_->read(into);
    }
    const size_t count = std::min(into.size(), prefix_.size() - at_);
    std::memcpy(into.data(), prefix_.data() + at_, count);
    at_ += count;
    return count;
  }

 private:
  std::string prefix_;
  std::unique_ptr<ByteSource> rest_;
  size_t at_ = 0;
};

constexpr size_t kLongestMagic = 6;
constexpr int kMostLayers = 4;

struct Compression {
  std::string_view magic;
  std::unique_ptr<ByteSource> (*make)(std::string name, std::unique_ptr<ByteSource> inner);
};

constexpr Compression kCompressions[] = {
    {"\x1f\x8b", decompress_gzip},
    {std::string_view("\xfd"
                      "7zXZ\0",
                      6),
     decompress_xz},
    {"\x28\xb5\x2f\xfd", decompress_zstd},
};

std::string read_magic(ByteSource& source) {
  std::string magic(kLongestMagic, '\0');
  size_t size = 0;
  while (size < magic.size()) {
    const size_t count = source.read(std::span(magic).subspan(size));
    if (count == 0) {
      break;
    }
    size += count;
  }
  magic.resize(size);
  return magic;
}

std::unique_ptr<ByteSource> decompress(const std::string& name,
                                       std::unique_ptr<ByteSource> source) {
  for (int layer = 0; layer < kMostLayers; ++layer) {
    std::string magic = read_magic(*source);
    const auto compression =
        std::find_if(std::begin(kCompressions), std::end(kCompressions),
                     [&](const Compression& row) { return magic.starts_with(row.magic); });
    source = std::make_unique<PrefixedSource>(std::move(magic), std::move(source));
    if (compression == std::end(kCompressions)) {
      return source;
    }
    source = compression->make(name, std::move(source));
  }
  throw InputError(name + ": compressed more than " + std::to_string(kMostLayers) + " times");
}

}  // namespace

std::string shown_path(const std::string& path) {
  return path == "-" ? "standard input" : path;
}

std::unique_ptr<ByteSource> open_bytes(const std::string& path) {
  return decompress(shown_path(path), std::make_unique<FileSource>(path));
}

std::unique_ptr<ByteSource> bytes_of(std::string name, std::string contents) {
  return decompress(name, std::make_unique<MemorySource>(std::move(contents)));
}

}  // namespace presort::sim
