#include <doctest/doctest.h>

#include <cstring>

#include "presort/io/labels/label_file.h"
#include "tests/io/fixtures.h"

namespace npy_file_test {

using namespace presort;
using namespace presort::io;
using namespace presort::io::test;

namespace {

std::string dictionary(const std::string& type, const std::string& shape,
                       const std::string& order = "False") {
  return "{'descr': " + type + ", 'fortran_order': " + order + ", 'shape': " + shape + ", }";
}

// Makes a .npy file of a version, with the header padded as NumPy pads it.
std::string npy(const std::string& header, const std::string& data, int version = 1) {
  const size_t length_bytes = version == 1 ? 2 : 4;
  std::string padded = header;
  while ((8 + length_bytes + padded.size() + 1) % 64 != 0) {
    padded += ' ';
  }
  padded += '\n';
  std::string file = "\x93NUMPY";
  file += static_cast<char>(version);
  file += '\0';
  for (size_t i = 0; i < length_bytes; ++i) {
    file += static_cast<char>(padded.size() >> (8 * i) & 255);
  }
  return file + padded + data;
}

template <class Element>
std::string bytes_of(const std::vector<Element>& elements) {
  std::string bytes(elements.size() * sizeof(Element), '\0');
  std::memcpy(bytes.data(), elements.data(), bytes.size());
  return bytes;
}

template <class Element>
void check_reads(const std::string& type) {
  const TemporaryFolder folder;
  for (const int version : {1, 2, 3}) {
    const std::string file =
        npy(dictionary("'" + type + "'", "(3,)"), bytes_of<Element>({5, 0, 99}), version);
    CHECK(read_labels(folder.write("a.npy", file), 100) == std::vector<uint64_t>{5, 0, 99});
  }
}

std::string error_of(const std::string& file) {
  const TemporaryFolder folder;
  const std::string path = folder.write("a.npy", file);
  const std::string message = input_error([&] { read_labels(path, 100); });
  CHECK(message.starts_with(path + ": "));
  return message;
}

const std::string kThree = bytes_of<uint32_t>({1, 2, 3});

}  // namespace

TEST_CASE("every integer type of NumPy that holds labels is read") {
  check_reads<uint8_t>("|u1");
  check_reads<uint16_t>("<u2");
  check_reads<uint32_t>("<u4");
  check_reads<uint64_t>("<u8");
  check_reads<int32_t>("<i4");
  check_reads<int64_t>("<i8");
}

TEST_CASE("negative and too large labels in arrays name the index") {
  const std::string shape = "(2,)";
  CHECK(contains(error_of(npy(dictionary("'<i4'", shape), bytes_of<int32_t>({1, -2}))),
                 "label at index 1: found '-2', accepted: 0 or more"));
  CHECK(contains(error_of(npy(dictionary("'<i8'", shape), bytes_of<int64_t>({-1, 1}))),
                 "label at index 0: found '-1'"));
  CHECK(contains(error_of(npy(dictionary("'|u1'", shape), bytes_of<uint8_t>({1, 100}))),
                 "label 100 at index 1 is not below the number of buckets, 100"));
}

TEST_CASE("other types, shapes and orders are refused with what is accepted") {
  CHECK(contains(error_of(npy(dictionary("'>u4'", "(3,)"), kThree)),
                 "descr: found '>u4', accepted: |u1, <u2, <u4, <u8, <i4, <i8"));
  CHECK(contains(error_of(npy(dictionary("'<f4'", "(3,)"), kThree)), "found '<f4'"));
  CHECK(contains(error_of(npy(dictionary("[('x', '<u4')]", "(3,)"), kThree)), "descr: found"));
  for (const char* shape : {"(3, 1)", "()", "(3)", "(-3,)", "(1, 3,)"}) {
    CHECK(contains(error_of(npy(dictionary("'<u4'", shape), kThree)),
                   "shape: found '" + std::string(shape) + "', accepted: one dimension"));
  }
  CHECK(contains(error_of(npy(dictionary("'<u4'", "(3,)", "True"), kThree)),
                 "fortran_order: found 'True', accepted: False"));
}

TEST_CASE("data that do not fit the header are refused") {
  const std::string header = dictionary("'<u4'", "(3,)");
  CHECK(contains(error_of(npy(header, kThree.substr(0, 11))),
                 "found 11 bytes of data at offset 128, accepted: 3 labels of 4 bytes"));
  CHECK(contains(error_of(npy(header, kThree + "x")), "found 13 bytes"));
  CHECK(contains(error_of(npy(dictionary("'<u4'", "(0,)"), "")), "found an empty array"));
  CHECK(contains(error_of(npy(dictionary("'<u8'", "(2305843009213693952,)"), "")),
                 "accepted: 2305843009213693952 labels"));
}

TEST_CASE("broken headers are refused") {
  CHECK(contains(error_of("\x93NUM"), "header ends after 4 bytes, accepted: 8"));
  CHECK(contains(error_of("not a NumPy file at all"), "does not begin with the bytes \\x93NUMPY"));
  CHECK(contains(error_of(npy(dictionary("'<u4'", "(3,)"), kThree, 4)),
                 "NumPy format: found '4', accepted: 1, 2, 3"));
  CHECK(contains(error_of(npy(dictionary("'<u4'", "(3,)"), "").substr(0, 40)),
                 "NumPy header ends after 30 bytes, accepted: 118"));
  CHECK(contains(error_of(npy("{'descr': '<u4'}", kThree)), "has no key 'fortran_order'"));
  CHECK(contains(error_of(npy("{'descr': '<u4", kThree)), "has no key 'descr'"));
  CHECK(contains(error_of(std::string("\x93NUMPY\x02\0\xff\xff\xff\x7f", 12) + "x"),
                 "NumPy header: found 2147483647 bytes"));
}

}  // namespace npy_file_test
