#include "presort/io/files/input_file.h"

#include <doctest/doctest.h>
#include <sys/stat.h>

#include <filesystem>
#include <thread>

#include "tests/io/fixtures.h"

namespace input_file_test {

using namespace presort;
using namespace presort::io;
using namespace presort::io::test;

namespace {

std::string refusal(const std::string& path, uint64_t most = 1 << 20) {
  return input_error([&] { read_whole_file(path, most); });
}

}  // namespace

TEST_CASE("a file is read whole, up to the limit and not a byte more") {
  const TemporaryFolder folder;
  const std::string text(100'000, 'x');
  const std::string path = folder.write("a.txt", text);
  CHECK(read_whole_file(path, 1 << 20) == text);
  CHECK(read_whole_file(path, text.size()) == text);
  CHECK(refusal(path, text.size() - 1) ==
        path + ": found more than 99999B, accepted: at most 99999B");
  CHECK(read_whole_file(folder.write("empty", ""), 0).empty());
}

TEST_CASE("what cannot be read, folders and devices without end are refused") {
  const TemporaryFolder folder;
  CHECK(contains(refusal(folder.file("none")), "none: cannot be read: No such file"));
  CHECK(refusal("/tmp") == "/tmp: found a folder, accepted: a file");
  for (const std::string device : {"/dev/zero", "/dev/null", "/dev/urandom"}) {
    CHECK(refusal(device) == device + ": found a device, accepted: a file");
  }
  std::filesystem::create_symlink("/dev/zero", folder.file("link.yaml"));
  CHECK(contains(refusal(folder.file("link.yaml")), "link.yaml: found a device"));
}

TEST_CASE("a pipe is read to its end; one without a writer, or a silent one, is refused in time") {
  const TemporaryFolder folder;
  const std::string path = folder.file("pipe");
  REQUIRE(mkfifo(path.c_str(), 0600) == 0);
  {
    std::thread writer([&] { std::ofstream(path) << "from a pipe"; });
    InputFile file(path);
    char block[64];
    std::string text;
    while (const size_t count = file.read(block)) {
      text.append(block, count);
    }
    writer.join();
    CHECK(text == "from a pipe");
  }
  char block[64];
  InputFile abandoned(path, std::chrono::milliseconds(50));
  CHECK(input_error([&] { abandoned.read(block); }) ==
        path + ": found a pipe that gives nothing for 0.05 s, accepted: a file");
}

}  // namespace input_file_test
