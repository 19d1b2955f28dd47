#include "presort/external/opened.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>

#include "presort/core/error.h"
#include "presort/core/text/names.h"
#include "presort/io/labels/npy_header.h"

namespace presort::inline v0::external {

namespace {

// Elements by the header of a NumPy file. Labels and values of a size may have either sign.
void read_header(SourceFile& source, ScalarType type) {
  std::ifstream stream(source.name, std::ios::binary);
  const io::NpyHeader header = io::read_npy_header(stream, source.name, io::NpyTypes::numbers);
  const uint64_t element_bytes = size_bytes(type);
  const bool is_float = type == ScalarType::f32 || type == ScalarType::f64;
  if (header.element_bytes != element_bytes || header.is_float != is_float) {
    throw InputError(source.name + ": descr: found " + (header.is_float ? "floats" : "integers") +
                     " of " + std::to_string(header.element_bytes) +
                     " bytes, accepted: " + to_name(kScalarTypes, type));
  }
  if (source.bytes < header.data_offset ||
      (source.bytes - header.data_offset) / element_bytes != header.count ||
      (source.bytes - header.data_offset) % element_bytes != 0) {
    throw InputError(source.name + ": found " + std::to_string(source.bytes) +
                     " bytes, accepted: " + std::to_string(header.count) + " elements of " +
                     std::to_string(element_bytes) + " bytes behind byte " +
                     std::to_string(header.data_offset) + ", as the header says");
  }
  if (header.data_offset % element_bytes != 0) {
    throw InputError(source.name + ": found elements from byte " +
                     std::to_string(header.data_offset) + " on, accepted: a multiple of " +
                     std::to_string(element_bytes));
  }
  source.first = header.data_offset;
  source.bytes -= header.data_offset;
}

}  // namespace

SourceFile open_source(const std::string& path, ScalarType type) {
  const uint64_t element_bytes = size_bytes(type);
  SourceFile source;
  source.name = path;
  // Without O_NONBLOCK, a pipe that nobody writes to would be waited for
  source.file = io::Descriptor(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  struct stat status {};
  if (!source.file || fstat(source.file.get(), &status) != 0) {
    throw InputError(path + ": cannot be read: " + std::strerror(errno));
  }
  if (!S_ISREG(status.st_mode)) {
    throw InputError(path + ": is not a regular file; --memory takes files on a disk");
  }
  source.bytes = static_cast<uint64_t>(status.st_size);
  if (path.ends_with(".npy")) {
    read_header(source, type);
    return source;
  }
  if (source.bytes % element_bytes != 0) {
    throw InputError(path + ": found " + std::to_string(source.bytes) +
                     " bytes, accepted: a multiple of " + std::to_string(element_bytes) +
                     ", the bytes of an element");
  }
  source.is_direct = turn_to_direct(source.file.get());
  return source;
}

bool turn_to_direct(int file) {
  const int flags = fcntl(file, F_GETFL);
  return flags >= 0 && fcntl(file, F_SETFL, flags | O_DIRECT) == 0;
}

void reserve(int file, const std::string& name, uint64_t bytes) {
  if (bytes == 0) {
    return;
  }
  int result = 0;
  do {
    result = fallocate(file, 0, 0, static_cast<off_t>(bytes));
  } while (result != 0 && errno == EINTR);
  if (result != 0 && errno != EOPNOTSUPP && errno != ENOSYS) {
    throw InputError(name + ": cannot be written: " + std::strerror(errno));
  }
}

std::vector<Extent> cut(uint64_t first, uint64_t bytes, uint64_t block) {
  std::vector<Extent> extents;
  for (uint64_t at = 0; at < bytes; at += block) {
    extents.push_back({first + at, std::min(block, bytes - at)});
  }
  return extents;
}

}  // namespace presort::external
