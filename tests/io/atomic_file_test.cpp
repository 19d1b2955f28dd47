#include "io/atomic_file.h"

#include <doctest/doctest.h>
#include <sys/resource.h>

#include <csignal>

#include "fixtures.h"
#include "io/yaml_tree.h"

using namespace presort;
using namespace presort::io;
using namespace presort::io::test;

TEST_CASE("a written file holds exactly the text, and nothing else is left in the folder") {
  const TemporaryFolder folder;
  const std::string text("a\0b\n", 4);
  write_atomically(folder.file("out.txt"), text);
  CHECK(read_text_file(folder.file("out.txt")) == text);
  CHECK(folder.entries() == 1);
}

TEST_CASE("an existing file is replaced and keeps its permissions") {
  const TemporaryFolder folder;
  const std::string path = folder.write("out.txt", "old and longer");
  std::filesystem::permissions(
      path, std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
  write_atomically(path, "new");
  CHECK(read_text_file(path) == "new");
  CHECK(std::filesystem::status(path).permissions() ==
        (std::filesystem::perms::owner_read | std::filesystem::perms::owner_write));
  CHECK(folder.entries() == 1);
}

TEST_CASE("a symbolic link stays a link") {
  const TemporaryFolder folder;
  const std::string target = folder.write("target.txt", "old");
  std::filesystem::create_symlink(target, folder.file("link.txt"));
  write_atomically(folder.file("link.txt"), "new");
  CHECK(std::filesystem::is_symlink(folder.file("link.txt")));
  CHECK(read_text_file(target) == "new");
}

TEST_CASE("an unwritable path is an InputError naming it, and leaves nothing behind") {
  const TemporaryFolder folder;
  const std::string missing = folder.file("no/such/folder/out.txt");
  CHECK(contains(input_error([&] { write_atomically(missing, "x"); }), missing + ": cannot be"));
  std::filesystem::create_directory(folder.file("taken"));
  CHECK(contains(input_error([&] { write_atomically(folder.file("taken"), "x"); }), "directory"));
  CHECK(contains(input_error([&] { write_atomically("", "x"); }), "cannot be written"));
  const std::string long_name = folder.file(std::string(250, 'x'));
  CHECK(contains(input_error([&] { write_atomically(long_name, "x"); }), "cannot be written"));
  CHECK(folder.entries() == 1);  // the folder "taken"
}

TEST_CASE("a write that fails midway leaves the old file and no temporary one") {
  const TemporaryFolder folder;
  const std::string path = folder.write("out.txt", "old");
  const auto old_action = std::signal(SIGXFSZ, SIG_IGN);
  rlimit old_limit{};
  getrlimit(RLIMIT_FSIZE, &old_limit);
  rlimit limit = old_limit;
  limit.rlim_cur = 4096;  // a stand-in for a full disk
  setrlimit(RLIMIT_FSIZE, &limit);
  const std::string message =
      input_error([&] { write_atomically(path, std::string(100000, 'x')); });
  setrlimit(RLIMIT_FSIZE, &old_limit);
  std::signal(SIGXFSZ, old_action);
  CHECK(contains(message, path + ": cannot be written: File too large"));
  CHECK(read_text_file(path) == "old");
  CHECK(folder.entries() == 1);
}

TEST_CASE("a device is written, not replaced") {
  write_atomically("/dev/null", "x");
  CHECK(std::filesystem::is_character_file("/dev/null"));
  CHECK(contains(input_error([] { write_atomically("/dev/full", "x"); }), "/dev/full"));
  CHECK(std::filesystem::is_character_file("/dev/full"));
}
