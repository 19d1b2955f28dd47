#include "presort/io/labels/label_file.h"

#include <doctest/doctest.h>

#include <cstring>
#include <numeric>

#include "tests/io/fixtures.h"

namespace label_file_test {

using namespace presort;
using namespace presort::io;
using namespace presort::io::test;

namespace {

template <class Element>
std::string raw(const std::vector<Element>& elements) {
  std::string bytes(elements.size() * sizeof(Element), '\0');
  std::memcpy(bytes.data(), elements.data(), bytes.size());
  return bytes;
}

std::string error_of(const std::string& path, uint64_t m) {
  return input_error([&] { read_labels(path, m); });
}

}  // namespace

TEST_CASE("raw files hold little-endian 32-bit or 64-bit labels") {
  const TemporaryFolder folder;
  const std::vector<uint64_t> expected = {0, 7, 4294967295};
  const std::string narrow = raw<uint32_t>({0, 7, 4294967295});
  for (const char* name : {"a.u32", "a.bin", "a.raw"}) {
    CHECK(read_labels(folder.write(name, narrow), uint64_t{1} << 32) == expected);
  }
  const std::vector<uint64_t> wide = {0, uint64_t{1} << 40, ~uint64_t{0} - 1};
  CHECK(read_labels(folder.write("a.u64", raw(wide)), ~uint64_t{0}) == wide);
}

TEST_CASE("a raw file of more than one block is read whole") {
  const TemporaryFolder folder;
  std::vector<uint32_t> labels((1 << 16) + 3);
  std::iota(labels.begin(), labels.end(), 0U);
  const auto read = read_labels(folder.write("a.u32", raw(labels)), labels.size());
  CHECK(read.size() == labels.size());
  CHECK(std::equal(read.begin(), read.end(), labels.begin()));
  CHECK(contains(error_of(folder.file("a.u32"), labels.size() - 1),
                 "label 65538 at index 65538 is not below the number of buckets, 65538"));
}

TEST_CASE("a label that is not below m is named with its index and the file") {
  const TemporaryFolder folder;
  const std::string path = folder.write("a.u32", raw<uint32_t>({7, 8}));
  CHECK(read_labels(path, 9).size() == 2);
  CHECK(error_of(path, 8) == path + ": label 8 at index 1 is not below the number of buckets, 8");
}

TEST_CASE("raw files of odd size and empty files are refused") {
  const TemporaryFolder folder;
  CHECK(
      contains(error_of(folder.write("a.u32", std::string(7, '\0')), 8),
               "found 7 bytes, accepted: a multiple of 4; the last label is cut off at offset 4"));
  CHECK(contains(error_of(folder.write("a.u64", std::string(12, '\0')), 8), "multiple of 8"));
  for (const char* name : {"e.u32", "e.u64", "e.npy", "e.txt"}) {
    CHECK(contains(error_of(folder.write(name, ""), 8), "found an empty file"));
  }
}

TEST_CASE("missing files, folders and unknown endings are refused") {
  const TemporaryFolder folder;
  CHECK(contains(error_of(folder.file("none.u32"), 8), "none.u32: cannot be read: No such file"));
  std::filesystem::create_directory(folder.file("folder.u32"));
  CHECK(contains(error_of(folder.file("folder.u32"), 8), "cannot be read"));
  const std::string message = error_of(folder.write("a.csv", "1\n"), 8);
  CHECK(contains(message, "found '.csv', accepted: .u32, .bin, .raw, .u64, .npy, .txt"));
  CHECK(contains(error_of(folder.file("noending"), 8), "found ''"));
}

TEST_CASE("text files have one number a line, comments and blank lines") {
  const TemporaryFolder folder;
  const std::string text = "# labels\n3\n\n  5  # five\r\n\t0\n18446744073709551614";
  CHECK(read_labels(folder.write("a.txt", text), ~uint64_t{0}) ==
        std::vector<uint64_t>{3, 5, 0, 18446744073709551614ULL});
}

TEST_CASE("errors in text files name the line, what was found and what is accepted") {
  const TemporaryFolder folder;
  for (const char* bad : {"-1", "abc", "1 2", "1.0", "0x10", "+1", "18446744073709551616", "1,"}) {
    const std::string path = folder.write("a.txt", std::string("1\n\n") + bad + "\n2\n");
    CHECK(error_of(path, 8) ==
          path + ":3: found '" + bad + "', accepted: one whole number from 0 to 7");
  }
  const std::string path = folder.write("b.txt", "#\n7\n8\n");
  CHECK(error_of(path, 8) == path + ":3: label 8 at index 1 is not below the number of buckets, 8");
  CHECK(contains(error_of(folder.write("c.txt", "# nothing\n\n"), 8), "found no labels"));
}

}  // namespace label_file_test
