#include "presort/io/files/atomic_file.h"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>

#include "presort/io/files/descriptor.h"
#include "presort/io/yaml/yaml_tree.h"
#include "system_calls.h"
#include "tests/io/fixtures.h"

namespace atomic_file_test {

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

TEST_CASE("bits beyond read, write and execute are not kept") {
  const TemporaryFolder folder;
  const std::string path = folder.write("out.txt", "old");
  REQUIRE(chmod(path.c_str(), 07755) == 0);
  write_atomically(path, "new");
  struct stat status {};
  REQUIRE(stat(path.c_str(), &status) == 0);
  CHECK((status.st_mode & 07777) == 0755);
}

TEST_CASE("permissions of another user's file are not kept") {
  if (geteuid() != 0) {
    return;  // only root can give a file to another user
  }
  const TemporaryFolder folder;
  const std::string path = folder.write("out.txt", "old");
  REQUIRE(chown(path.c_str(), 1, 1) == 0);
  REQUIRE(chmod(path.c_str(), 06777) == 0);
  const mode_t old_mask = umask(027);
  write_atomically(path, "new");
  umask(old_mask);
  struct stat status {};
  REQUIRE(stat(path.c_str(), &status) == 0);
  CHECK((status.st_mode & 07777) == 0640);
  CHECK(status.st_uid == geteuid());
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
  CHECK(folder.entries() == 1);  // the only entry is the folder "taken"
}

TEST_CASE("a write that fails midway leaves the old file and no temporary one") {
  const TemporaryFolder folder;
  const std::string path = folder.write("out.txt", "old");
  const auto old_action = std::signal(SIGXFSZ, SIG_IGN);
  rlimit old_limit{};
  getrlimit(RLIMIT_FSIZE, &old_limit);
  rlimit limit = old_limit;
  limit.rlim_cur = 4096;  // stands in for a full disk: a limit of 4096 bytes on file size
  setrlimit(RLIMIT_FSIZE, &limit);
  const std::string message =
      input_error([&] { write_atomically(path, std::string(100000, 'x')); });
  setrlimit(RLIMIT_FSIZE, &old_limit);
  std::signal(SIGXFSZ, old_action);
  CHECK(contains(message, path + ": cannot be written: File too large"));
  CHECK(read_text_file(path) == "old");
  CHECK(folder.entries() == 1);
}

TEST_CASE("another user's link in a folder where everyone may write is refused") {
  if (geteuid() != 0) {
    return;  // only root can give a link to another user
  }
  const TemporaryFolder folder;
  const std::string target = folder.write("target.txt", "old");
  const std::string shared = folder.file("shared");
  REQUIRE(mkdir(shared.c_str(), 0700) == 0);
  REQUIRE(chmod(shared.c_str(), 01777) == 0);
  std::filesystem::create_symlink(target, shared + "/own");
  std::filesystem::create_symlink(target, shared + "/planted");
  std::filesystem::create_directory_symlink(folder.file("."), shared + "/way");
  for (const std::string& name : {std::string("/planted"), std::string("/way")}) {
    REQUIRE(lchown((shared + name).c_str(), 1, 1) == 0);
  }
  for (const std::string& path : {shared + "/planted", shared + "/way/target.txt"}) {
    const std::string message = input_error([&] { write_atomically(path, "new"); });
    CHECK(contains(message, path + ": cannot be written: the symbolic link"));
    CHECK(contains(message, "belongs to another user (1)"));
  }
  CHECK(read_text_file(target) == "old");
  write_atomically(shared + "/own", "new");
  CHECK(read_text_file(target) == "new");
}

TEST_CASE("links that lead in a circle, or through a file, are errors") {
  const TemporaryFolder folder;
  std::filesystem::create_symlink(folder.file("b"), folder.file("a"));
  std::filesystem::create_symlink(folder.file("a"), folder.file("b"));
  CHECK(contains(input_error([&] { write_atomically(folder.file("a"), "x"); }), "symbolic links"));
  folder.write("file", "old");
  CHECK(contains(input_error([&] { write_atomically(folder.file("file/x"), "x"); }), "Not a dir"));
  CHECK(contains(input_error([&] { write_atomically(folder.file("new/"), "x"); }), "cannot be"));
}

TEST_CASE("paths may have dots, doubled slashes, links to folders and links to nothing") {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder.file("inner"));
  std::filesystem::create_directory_symlink("inner", folder.file("link"));
  std::filesystem::create_symlink("../absent.txt", folder.file("inner/out.txt"));
  write_atomically(folder.file("./link//../link/./out.txt"), "new");
  CHECK(read_text_file(folder.file("absent.txt")) == "new");
  CHECK(std::filesystem::is_symlink(folder.file("inner/out.txt")));
}

TEST_CASE("a path that cannot be written is refused before the work, which leaves nothing") {
  const TemporaryFolder folder;
  const std::string path = folder.write("out.txt", "old");
  require_writable_path(path);
  require_writable_path(folder.file("new.txt"));
  require_writable_path("/dev/null");
  CHECK(read_text_file(path) == "old");
  CHECK(folder.entries() == 1);
  CHECK(contains(input_error([&] { require_writable_path(folder.file("no/new.txt")); }), "no/new"));
  CHECK(contains(input_error([&] { require_writable_path("/proc/new.txt"); }), "/proc/new.txt"));
  const std::string fifo = folder.file("fifo");
  REQUIRE(mkfifo(fifo.c_str(), 0600) == 0);
  require_writable_path(fifo);  // opening a FIFO would wait for a reader
}

TEST_CASE("what an open descriptor leads to is written, whether it has a name or not") {
  const TemporaryFolder folder;
  int ends[2] = {-1, -1};
  REQUIRE(pipe(ends) == 0);
  const Descriptor from(ends[0]);
  const Descriptor to(ends[1]);
  write_atomically("/dev/fd/" + std::to_string(to.get()), "piped");
  char text[8] = {};
  CHECK(read(from.get(), text, sizeof text) == 5);
  CHECK(std::string(text) == "piped");
  const std::string path = folder.write("out.txt", "old");
  const Descriptor file(open(path.c_str(), O_RDWR | O_CLOEXEC));
  write_atomically("/dev/fd/" + std::to_string(file.get()), "new");
  CHECK(read_text_file(path) == "new");
  CHECK(pread(file.get(), text, 3, 0) == 3);
  CHECK(std::string(text, 3) == "old");  // the open descriptor still reads the replaced file
  write_atomically("/dev/fd/" + std::to_string(file.get()), "nil");
  CHECK(pread(file.get(), text, 3, 0) == 3);
  // The file opened before, which has no name now, was written, not its successor
  CHECK(std::string(text, 3) == "nil");
  CHECK(read_text_file(path) == "new");
}

TEST_CASE("killed at any system call, a writer leaves the old text or the new one") {
  const TemporaryFolder folder(folder_in_memory());
  const std::string path = folder.file("out.txt");
  const auto write_new = [&] { write_atomically(path, "new"); };
  int killed = 0;
  int left_hidden = 0;
  for (int end = 0;; ++end) {
    write_atomically(path, "old");
    CHECK(folder.entries() == 1);  // no hidden file of an earlier writer is left
    const int places = at_system_calls(write_new, [&](int place) { return place < end; });
    if (places < 0) {
      MESSAGE("tracing is not allowed here");
      return;
    }
    if (places <= end) {
      break;  // the writer ended before it was killed
    }
    const std::string text = read_text_file(path);
    CHECK((text == "old" || text == "new"));
    left_hidden += folder.entries() > 1 ? 1 : 0;
    ++killed;
  }
  CHECK(killed > 10);
  CHECK(left_hidden <= killed / 4);
  CHECK(read_text_file(path) == "new");
}

TEST_CASE("a device is written, not replaced") {
  write_atomically("/dev/null", "x");
  CHECK(std::filesystem::is_character_file("/dev/null"));
  CHECK(contains(input_error([] { write_atomically("/dev/full", "x"); }), "/dev/full"));
  CHECK(std::filesystem::is_character_file("/dev/full"));
}

}  // namespace atomic_file_test
