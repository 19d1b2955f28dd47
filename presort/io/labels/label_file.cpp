#include "presort/io/labels/label_file.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string_view>

#include "presort/core/text/display_text.h"
#include "presort/core/text/names.h"
#include "presort/io/labels/label_memory.h"
#include "presort/io/labels/npy_header.h"
#include "presort/io/limits.h"

namespace presort::inline v0::io {
namespace {

constexpr uint64_t kBlockElements = 1 << 16;

void check_label(const std::string& path, uint64_t index, uint64_t label, uint64_t m) {
  if (label >= m) {
    throw InputError(path + ": label " + std::to_string(label) + " at index " +
                     std::to_string(index) + " is not below the number of buckets, " +
                     std::to_string(m));
  }
}

// Reads `count` little-endian integers from a stream and appends them (the host is little-endian
// too).
template <class Element>
void append_elements(std::istream& stream, const std::string& path, uint64_t count, uint64_t m,
                     StopToken stop, std::vector<uint64_t>& labels) {
  std::vector<Element> block(std::min(count, kBlockElements));
  while (labels.size() < count) {
    stop.check();
    const uint64_t wanted = std::min<uint64_t>(count - labels.size(), block.size());
    stream.read(reinterpret_cast<char*>(block.data()),
                static_cast<std::streamsize>(wanted * sizeof(Element)));
    if (!stream) {
      throw InputError(path + ": cannot be read beyond label " + std::to_string(labels.size()));
    }
    for (uint64_t i = 0; i < wanted; ++i) {
      if (block[i] < Element{0}) {
        throw InputError(path + ": label at index " + std::to_string(labels.size()) + ": found '" +
                         std::to_string(block[i]) + "', accepted: 0 or more");
      }
      const auto label = static_cast<uint64_t>(block[i]);
      check_label(path, labels.size(), label, m);
      labels.push_back(label);
    }
  }
}

std::vector<uint64_t> read_elements(std::istream& stream, const std::string& path,
                                    const NpyHeader& layout, uint64_t m, StopToken stop) {
  std::vector<uint64_t> labels;
  make_room(labels, layout.count, path);
  switch (layout.element_bytes) {
    case 1:
      append_elements<uint8_t>(stream, path, layout.count, m, stop, labels);
      break;
    case 2:
      append_elements<uint16_t>(stream, path, layout.count, m, stop, labels);
      break;
    case 4:
      layout.is_signed ? append_elements<int32_t>(stream, path, layout.count, m, stop, labels)
                       : append_elements<uint32_t>(stream, path, layout.count, m, stop, labels);
      break;
    default:
      layout.is_signed ? append_elements<int64_t>(stream, path, layout.count, m, stop, labels)
                       : append_elements<uint64_t>(stream, path, layout.count, m, stop, labels);
      break;
  }
  return labels;
}

struct OpenFile {
  std::ifstream stream;
  uint64_t bytes;
};

// Opens a label file. Only regular files: opening a pipe would wait for its other end, and a device
// has no size.
OpenFile open_labels(const std::string& path) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (!error && std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)) {
    throw InputError(path +
                     ": cannot be read: found a folder, a pipe or a device, accepted: a file");
  }
  const auto bytes = std::filesystem::file_size(path, error);
  OpenFile file{std::ifstream(path, std::ios::binary), error ? 0 : bytes};
  if (error || !file.stream) {
    throw InputError(
        path + ": cannot be read: " + (error ? error.message() : std::string("permission denied")));
  }
  if (bytes == 0) {
    throw InputError(path + ": found an empty file, accepted: at least one label");
  }
  return file;
}

std::vector<uint64_t> read_raw(const std::string& path, uint64_t m, uint64_t element_bytes,
                               StopToken stop) {
  OpenFile file = open_labels(path);
  const uint64_t rest = file.bytes % element_bytes;
  if (rest != 0) {
    throw InputError(path + ": found " + std::to_string(file.bytes) +
                     " bytes, accepted: a multiple of " + std::to_string(element_bytes) +
                     "; the last label is cut off at offset " + std::to_string(file.bytes - rest));
  }
  return read_elements(file.stream, path, {0, file.bytes / element_bytes, element_bytes, false}, m,
                       stop);
}

std::vector<uint64_t> read_raw32(const std::string& path, uint64_t m, StopToken stop) {
  return read_raw(path, m, 4, stop);
}

std::vector<uint64_t> read_raw64(const std::string& path, uint64_t m, StopToken stop) {
  return read_raw(path, m, 8, stop);
}

std::vector<uint64_t> read_npy(const std::string& path, uint64_t m, StopToken stop) {
  OpenFile file = open_labels(path);
  const NpyHeader header = read_npy_header(file.stream, path);
  const uint64_t data_bytes = file.bytes - header.data_offset;
  if (data_bytes % header.element_bytes != 0 || data_bytes / header.element_bytes != header.count) {
    throw InputError(path + ": found " + std::to_string(data_bytes) + " bytes of data at offset " +
                     std::to_string(header.data_offset) +
                     ", accepted: " + std::to_string(header.count) + " labels of " +
                     std::to_string(header.element_bytes) + " bytes, as the header says");
  }
  if (header.count == 0) {
    throw InputError(path + ": found an empty array, accepted: at least one label");
  }
  return read_elements(file.stream, path, header, m, stop);
}

std::string_view trim(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r";
  text = text.substr(0, text.find('#'));
  const size_t first = text.find_first_not_of(kBlank);
  return first == std::string_view::npos
             ? std::string_view{}
             : text.substr(first, text.find_last_not_of(kBlank) - first + 1);
}

// Reads the next line; of a line that is too long only the beginning, enough to see that it is.
// False at the end of the file.
bool get_line(std::istream& stream, std::string& line) {
  line.clear();
  std::streambuf& buffer = *stream.rdbuf();
  for (int c = buffer.sbumpc(); c != std::char_traits<char>::eof(); c = buffer.sbumpc()) {
    if (c == '\n') {
      return true;
    }
    line += static_cast<char>(c);
    if (line.size() > limits::kLongestLabelLine) {
      return true;
    }
  }
  return !line.empty();
}

std::vector<uint64_t> read_text(const std::string& path, uint64_t m, StopToken stop) {
  OpenFile file = open_labels(path);
  std::vector<uint64_t> labels;
  std::string line;
  for (uint64_t number = 1; get_line(file.stream, line); ++number) {
    stop.check();
    const std::string where = path + ":" + std::to_string(number);
    if (line.size() > limits::kLongestLabelLine) {
      throw InputError(where + ": found a line of more than " +
                       std::to_string(limits::kLongestLabelLine) +
                       " bytes, accepted: one whole number");
    }
    const std::string_view text = trim(line);
    if (text.empty()) {
      continue;
    }
    uint64_t label = 0;
    const auto parsed = std::from_chars(text.data(), text.data() + text.size(), label);
    if (parsed.ec != std::errc() || parsed.ptr != text.data() + text.size()) {
      throw InputError(where + ": found " + quoted_text(with_hidden_replaced(text, 60)) +
                       ", accepted: one whole number from 0 to " + std::to_string(m - 1));
    }
    check_label(where, labels.size(), label, m);
    append_label(labels, label, path);
  }
  if (labels.empty()) {
    throw InputError(path + ": found no labels, accepted: at least one");
  }
  return labels;
}

using Reader = std::vector<uint64_t> (*)(const std::string& path, uint64_t m, StopToken stop);
constexpr Named<Reader> kReaders[] = {
    {".u32", read_raw32}, {".bin", read_raw32}, {".raw", read_raw32},
    {".u64", read_raw64}, {".npy", read_npy},   {".txt", read_text},
};

}  // namespace

std::vector<uint64_t> read_labels(const std::string& path, uint64_t m, StopToken stop) {
  const std::string ending = std::filesystem::path(path).extension().string();
  return from_name(kReaders, path + ": the file name's ending", ending)(path, m, stop);
}

}  // namespace presort::io
