#include "presort/io/labels/npy_header.h"

#include <charconv>
#include <string_view>

#include "presort/core/text/display_text.h"
#include "presort/core/text/names.h"

namespace presort::inline v0::io {
namespace {

constexpr std::string_view kMagic{"\x93NUMPY", 6};
constexpr uint64_t kLongestHeader = 1 << 20;

struct ElementType {
  uint64_t bytes;
  bool is_signed;
  bool is_float = false;
};
constexpr Named<ElementType> kElementTypes[] = {
    {"|u1", {1, false}}, {"<u2", {2, false}}, {"<u4", {4, false}},
    {"<u8", {8, false}}, {"<i4", {4, true}},  {"<i8", {8, true}},
};
constexpr Named<ElementType> kNumberTypes[] = {
    {"<u4", {4, false}}, {"<u8", {8, false}},      {"<i4", {4, true}},
    {"<i8", {8, true}},  {"<f4", {4, true, true}}, {"<f8", {8, true, true}},
};

std::string read_exactly(std::istream& stream, uint64_t bytes, const std::string& file) {
  std::string text(bytes, '\0');
  stream.read(text.data(), static_cast<std::streamsize>(bytes));
  if (static_cast<uint64_t>(stream.gcount()) != bytes) {
    throw InputError(file + ": the NumPy header ends after " + std::to_string(stream.gcount()) +
                     " bytes, accepted: " + std::to_string(bytes));
  }
  return text;
}

uint64_t little_endian(std::string_view bytes) {
  uint64_t value = 0;
  for (size_t i = 0; i < bytes.size(); ++i) {
    value |= uint64_t{static_cast<unsigned char>(bytes[i])} << (8 * i);
  }
  return value;
}

// The text of a value in the header's Python dictionary, up to `end` (inclusive).
std::string dictionary_value(const std::string& header, const std::string& key, char end,
                             const std::string& file) {
  const size_t name = header.find("'" + key + "':");
  size_t first = name == std::string::npos ? name : name + key.size() + 3;
  first = first == std::string::npos ? first : header.find_first_not_of(' ', first);
  const size_t last = first == std::string::npos ? first : header.find(end, first + 1);
  if (last == std::string::npos) {
    throw InputError(file + ": the NumPy header has no key '" + key + "', accepted: {'descr': …, " +
                     "'fortran_order': False, 'shape': (count,), }");
  }
  return header.substr(first, last - first + 1);
}

// Length of a one-dimensional shape: "(3,)" -> 3
uint64_t parse_shape(const std::string& shape, const std::string& file) {
  uint64_t count = 0;
  const char* end = shape.data() + shape.size();
  const auto parsed = std::from_chars(shape.data() + 1, end, count);
  if (shape.front() != '(' || parsed.ec != std::errc() ||
      std::string_view(parsed.ptr, end) != ",)") {
    throw InputError(file + ": shape: found " + quoted_text(with_hidden_replaced(shape)) +
                     ", accepted: one dimension, '(count,)'");
  }
  return count;
}

}  // namespace

NpyHeader read_npy_header(std::istream& stream, const std::string& file, NpyTypes types) {
  const std::string start = read_exactly(stream, 8, file);
  if (std::string_view(start).substr(0, 6) != kMagic) {
    throw InputError(
        file +
        ": found a file that does not begin with the bytes \\x93NUMPY, accepted: a .npy file");
  }
  const int version = start[6];
  if (version < 1 || version > 3) {
    throw InputError(file + ": NumPy format: found '" + std::to_string(version) +
                     "', accepted: 1, 2, 3");
  }
  const uint64_t length_bytes = version == 1 ? 2 : 4;
  const uint64_t length = little_endian(read_exactly(stream, length_bytes, file));
  if (length > kLongestHeader) {
    throw InputError(file + ": NumPy header: found " + std::to_string(length) +
                     " bytes, accepted: at most " + std::to_string(kLongestHeader));
  }
  const std::string header = read_exactly(stream, length, file);

  std::string type = dictionary_value(header, "descr", '\'', file);
  if (type.size() >= 2 && type.front() == '\'') {
    type = type.substr(1, type.size() - 2);
  }
  const std::string key = file + ": descr";
  const std::string name = with_hidden_replaced(type);
  const ElementType element = types == NpyTypes::labels ? from_name(kElementTypes, key, name)
                                                        : from_name(kNumberTypes, key, name);
  const std::string order = dictionary_value(header, "fortran_order", ',', file);
  if (order != "False,") {
    throw InputError(file + ": fortran_order: found " +
                     quoted_text(with_hidden_replaced(order.substr(0, order.size() - 1))) +
                     ", accepted: False");
  }
  const uint64_t count = parse_shape(dictionary_value(header, "shape", ')', file), file);
  return {8 + length_bytes + length, count, element.bytes, element.is_signed, element.is_float};
}

}  // namespace presort::io
