#include "presort/io/files/temporary_file.h"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <memory>
#include <set>
#include <system_error>

#include "presort/io/yaml/yaml_tree.h"
#include "tests/io/fixtures.h"

namespace temporary_file_test {

using namespace presort;
using namespace presort::io;
using namespace presort::io::test;

namespace {

Descriptor open_folder(const TemporaryFolder& folder) {
  return Descriptor(open(folder.file(".").c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
}

std::set<std::string> names_in(const TemporaryFolder& folder) {
  std::set<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder.file("."))) {
    names.insert(entry.path().filename());
  }
  return names;
}

}  // namespace

TEST_CASE("a temporary file takes its name, or is gone, named late or early") {
  for (const auto naming : {TemporaryFile::Naming::late, TemporaryFile::Naming::early}) {
    const TemporaryFolder folder;
    const Descriptor place = open_folder(folder);
    {
      TemporaryFile file(place.get(), "out.txt", 0600, naming);
      REQUIRE(write_all(file.descriptor(), "text"));
      CHECK(!std::filesystem::exists(folder.file("out.txt")));
      file.take_name();
    }
    CHECK(read_text_file(folder.file("out.txt")) == "text");
    { const TemporaryFile file(place.get(), "out.txt", 0600, naming); }
    CHECK(names_in(folder) == std::set<std::string>{"out.txt"});
  }
}

TEST_CASE("hidden names cannot be foretold") {
  const TemporaryFolder folder;
  const Descriptor place = open_folder(folder);
  std::vector<std::unique_ptr<TemporaryFile>> files;
  for (int i = 0; i < 20; ++i) {
    files.push_back(std::make_unique<TemporaryFile>(place.get(), "out.txt", 0600,
                                                    TemporaryFile::Naming::early));
  }
  const std::set<std::string> names = names_in(folder);
  CHECK(names.size() == 20);  // no file of a living writer was removed
  for (const std::string& name : names) {
    CHECK(name.size() == std::string(".out.txt.0123456789ab.tmp").size());
    CHECK(!contains(name, std::to_string(getpid())));
  }
}

TEST_CASE("hidden files of dead writers are removed, those of others are not") {
  const TemporaryFolder folder;
  const Descriptor place = open_folder(folder);
  folder.write(".out.txt.0123456789ab.tmp", "left behind");
  const std::set<std::string> kept = {".out.txt.0123456789aX.tmp", ".out.txt.0123456789ab.tmq",
                                      ".out.txt.0123.tmp",         ".other.txt.0123456789ab.tmp",
                                      "out.txt.0123456789ab.tmp",  ".out.txt.cccccccccccc.tmp",
                                      ".out.txt.dddddddddddd.tmp"};
  for (const std::string& name : kept) {
    folder.write(name, "not ours");
  }
  const std::string locked = folder.file(".out.txt.cccccccccccc.tmp");
  const Descriptor writer(open(locked.c_str(), O_WRONLY | O_CLOEXEC));
  REQUIRE(flock(writer.get(), LOCK_EX | LOCK_NB) == 0);
  std::filesystem::remove(folder.file(".out.txt.dddddddddddd.tmp"));
  std::filesystem::create_symlink(locked, folder.file(".out.txt.dddddddddddd.tmp"));
  { const TemporaryFile file(place.get(), "out.txt", 0600); }
  CHECK(names_in(folder) == kept);
  if (geteuid() == 0) {
    const std::string foreign = folder.write(".out.txt.eeeeeeeeeeee.tmp", "another user's");
    REQUIRE(chown(foreign.c_str(), 1, 1) == 0);
    remove_stale_temporaries(place.get(), "out.txt");
    CHECK(std::filesystem::exists(foreign));
  }
}

TEST_CASE("a file that loses its hidden name does not replace the target") {
  const TemporaryFolder folder;
  const Descriptor place = open_folder(folder);
  folder.write("out.txt", "old");
  TemporaryFile file(place.get(), "out.txt", 0600, TemporaryFile::Naming::early);
  for (const std::string& name : names_in(folder)) {
    if (name != "out.txt") {
      std::filesystem::remove(folder.file(name));
    }
  }
  CHECK_THROWS_AS(file.take_name(), std::system_error);
  CHECK(read_text_file(folder.file("out.txt")) == "old");
}

}  // namespace temporary_file_test
