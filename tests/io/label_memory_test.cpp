#include "presort/io/labels/label_memory.h"

#include <doctest/doctest.h>
#include <sys/stat.h>

#include <filesystem>

#include "presort/io/labels/label_file.h"
#include "presort/io/limits.h"
#include "tests/io/fixtures.h"

namespace label_memory_test {

using namespace presort;
using namespace presort::io;
using namespace presort::io::test;

namespace {

template <class Action>
std::string environment_error(Action action) {
  try {
    action();
  } catch (const EnvironmentError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("room for labels is made, or refused with both sizes") {
  std::vector<uint64_t> labels = {1, 2, 3};
  make_room(labels, 1000, "a.u32", 8000);
  CHECK(labels.capacity() >= 1000);
  CHECK(labels == std::vector<uint64_t>{1, 2, 3});
  CHECK(environment_error([&] { make_room(labels, 1001, "a.u32", 8000); }).empty() ==
        (labels.capacity() > 1000));
  CHECK(environment_error([&] { make_room(labels, 1 << 30, "a.u32", 1 << 30); }) ==
        "a.u32: 1073741824 labels take 8 GiB of memory, available: 1 GiB");
  CHECK_FALSE(
      environment_error([&] { make_room(labels, ~uint64_t{0}, "a", ~uint64_t{0}); }).empty());
  for (uint64_t i = 0; i < 200'000; ++i) {
    append_label(labels, i, "a.txt");
  }
  CHECK(labels.size() == 200'003);
  CHECK(labels.back() == 199'999);
  CHECK(memory_left_bytes() > 1 << 20);
}

TEST_CASE("a file of more labels than there is memory for is refused before it is read") {
  const TemporaryFolder folder;
  const std::string path = folder.write("large.u32", "");
  // a sparse file, which takes no disk space
  std::filesystem::resize_file(path, uint64_t{1} << 42);
  const std::string message = environment_error([&] { read_labels(path, 8); });
  CHECK(message.starts_with(path + ": 1099511627776 labels take 8192 GiB of memory, available: "));
}

TEST_CASE("label files that are no files, or lines that do not end, are refused") {
  const TemporaryFolder folder;
  const std::string pipe = folder.file("pipe.u32");
  REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
  std::filesystem::create_symlink("/dev/zero", folder.file("zero.u32"));
  std::filesystem::create_symlink("/dev/zero", folder.file("zero.npy"));
  std::filesystem::create_symlink("/dev/zero", folder.file("zero.txt"));
  for (const char* name : {"pipe.u32", "zero.u32", "zero.npy", "zero.txt"}) {
    CHECK(contains(input_error([&] { read_labels(folder.file(name), 8); }),
                   "cannot be read: found a folder, a pipe or a device, accepted: a file"));
  }
  const std::string line = folder.write("line.txt", "1\n# " + std::string(1 << 20, 'x') + "\n2\n");
  CHECK(input_error([&] { read_labels(line, 8); }) ==
        line + ":2: found a line of more than 65536 bytes, accepted: one whole number");
}

}  // namespace label_memory_test
