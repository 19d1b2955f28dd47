#include "presort/io/files/result_folder.h"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <map>
#include <optional>

#include "presort/io/yaml/yaml_tree.h"
#include "system_calls.h"
#include "tests/io/fixtures.h"

namespace result_folder_test {

using namespace presort;
using namespace presort::io;
using namespace presort::io::test;

namespace {

using Files = std::map<std::string, std::string>;

// The files in a result folder that a reader can open, with their text, by name; hidden folders are
// left out.
Files readable_files(const std::string& folder) {
  Files files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    // Follows links: is_regular_file looks at the target
    if (std::filesystem::is_regular_file(entry.path())) {
      files[entry.path().filename()] = read_text_file(entry.path());
    }
  }
  return files;
}

bool has_only_plain_files(const std::string& folder) {
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (!entry.is_regular_file() || entry.is_symlink()) {
      return false;
    }
  }
  return true;
}

const Files kOld = {{"a", "old a"}, {"b", "old b"}, {"c", "old c"}, {"user", "keep"}};
const Files kNew = {{"a", "new a"}, {"b", "new b"}, {"d", "new d"}, {"user", "keep"}};

void write_old(const TemporaryFolder& folder) {
  std::filesystem::remove(folder.file("d"));
  for (const auto& [name, text] : kOld) {
    folder.write(name, text);
  }
}

void run(const std::string& folder) {
  ResultFolder results(folder);
  for (const char* name : {"a", "b", "d"}) {
    results.write(name, "new " + std::string(name));
  }
  results.commit({"a", "c", "absent", "inner"});
}

std::string environment_error(const std::function<void()>& action) {
  try {
    action();
  } catch (const EnvironmentError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("a set of results replaces the set before, and nothing else") {
  const TemporaryFolder folder;
  write_old(folder);
  std::filesystem::create_directory(folder.file("inner"));
  run(folder.file("."));
  std::filesystem::remove(folder.file("inner"));  // the inner folder is still there, and empty
  CHECK(readable_files(folder.file(".")) == kNew);
  CHECK(has_only_plain_files(folder.file(".")));
}

TEST_CASE("a folder is created with its parents") {
  const TemporaryFolder folder;
  run(folder.file("x/y/z/"));
  CHECK(readable_files(folder.file("x/y/z")).size() == 3);
}

TEST_CASE("results that are not committed leave the folder as it was") {
  const TemporaryFolder folder;
  write_old(folder);
  {
    ResultFolder results(folder.file("."));
    results.write("a", "new");
    CHECK(readable_files(folder.file(".")) == kOld);
  }
  CHECK(readable_files(folder.file(".")) == kOld);
  CHECK(has_only_plain_files(folder.file(".")));
}

TEST_CASE("at each system call of a run a reader finds the old set or the new one") {
  const TemporaryFolder folder;
  write_old(folder);
  // a folder with the name of a retired file is left alone
  std::filesystem::create_directory(folder.file("inner"));
  bool turned = false;
  bool mixed = false;
  int after = 0;
  const int places = at_system_calls([&] { run(folder.file(".")); },
                                     [&](int) {
                                       const Files files = readable_files(folder.file("."));
                                       turned = turned || files == kNew;
                                       after += turned ? 1 : 0;
                                       mixed = mixed || files != (turned ? kNew : kOld);
                                       return true;
                                     });
  if (places < 0) {
    MESSAGE("tracing is not allowed here");
    return;
  }
  CHECK(places > 100);
  CHECK(after > 20);
  CHECK(!mixed);
  CHECK(readable_files(folder.file(".")) == kNew);
}

TEST_CASE("killed at any system call, a run leaves the old set or the new one, and no lock") {
  const TemporaryFolder folder(folder_in_memory());
  int killed = 0;
  for (int end = 0;; ++end) {
    write_old(folder);
    const int places =
        at_system_calls([&] { run(folder.file(".")); }, [&](int place) { return place < end; });
    if (places <= end) {
      break;  // the child ended before it was killed, or tracing is not allowed
    }
    ++killed;
    const Files left = readable_files(folder.file("."));
    CHECK((left == kOld || left == kNew));
    { const ResultFolder next(folder.file(".")); }
    CHECK(readable_files(folder.file(".")) == left);
    CHECK(has_only_plain_files(folder.file(".")));
  }
  MESSAGE("killed at ", killed, " places");
}

TEST_CASE("a run that puts another's swap in order may be killed, too") {
  const TemporaryFolder folder(folder_in_memory());
  const auto killed_at = [&](int end) {
    write_old(folder);
    return at_system_calls([&] { run(folder.file(".")); }, [&](int place) { return place < end; }) >
           end;
  };
  const auto next = [&] { const ResultFolder results(folder.file(".")); };
  for (int end = 0; killed_at(end); end += 7) {
    const Files left = readable_files(folder.file("."));
    for (int next_end = 0;; next_end += 5) {
      const int places = at_system_calls(next, [&](int place) { return place < next_end; });
      CHECK(readable_files(folder.file(".")) == left);
      if (places <= next_end) {
        break;
      }
    }
    CHECK(has_only_plain_files(folder.file(".")));
  }
}

TEST_CASE("a folder that another process writes to is refused, and free when that ends") {
  const TemporaryFolder folder;
  int ends[2] = {-1, -1};
  REQUIRE(pipe(ends) == 0);
  const pid_t child = fork();
  if (child == 0) {
    const ResultFolder results(folder.file("out"));
    close(ends[0]);
    if (write(ends[1], "x", 1) != 1) {
      _exit(1);
    }
    pause();
    _exit(0);
  }
  char byte = 0;
  REQUIRE(read(ends[0], &byte, 1) == 1);
  const std::string message = environment_error([&] { ResultFolder(folder.file("out")); });
  CHECK(contains(message, folder.file("out") + ": another presort (process " +
                              std::to_string(child) + ") writes its results there"));
  REQUIRE(kill(child, SIGKILL) == 0);
  waitpid(child, nullptr, 0);
  close(ends[0]);
  close(ends[1]);
  run(folder.file("out"));
  CHECK(readable_files(folder.file("out")).size() == 3);
}

TEST_CASE("many processes that want one folder get it one after the other, or not at all") {
  const TemporaryFolder folder;
  constexpr int kProcesses = 8;
  constexpr int kRounds = 40;
  for (int process = 0; process < kProcesses; ++process) {
    if (fork() == 0) {
      const std::string text = "of " + std::to_string(process);
      for (int round = 0; round < kRounds; ++round) {
        try {
          ResultFolder results(folder.file("out"));
          results.write("a", text);
          results.write("b", text);
          results.commit();
        } catch (const EnvironmentError&) {
          usleep(500);  // another process has the lock
        } catch (...) {
          _exit(1);
        }
      }
      _exit(0);
    }
  }
  for (int process = 0; process < kProcesses; ++process) {
    int status = 0;
    wait(&status);
    CHECK(WIFEXITED(status));
    CHECK(WEXITSTATUS(status) == 0);
  }
  const Files files = readable_files(folder.file("out"));
  CHECK(files.size() == 2);
  CHECK(files.at("a") == files.at("b"));
  CHECK(has_only_plain_files(folder.file("out")));
}

TEST_CASE("a replaced result keeps its permissions, and a link is replaced, not followed") {
  const TemporaryFolder folder;
  write_old(folder);
  REQUIRE(chmod(folder.file("a").c_str(), 04640) == 0);
  std::filesystem::remove(folder.file("b"));
  std::filesystem::create_symlink("user", folder.file("b"));
  run(folder.file("."));
  struct stat status {};
  REQUIRE(stat(folder.file("a").c_str(), &status) == 0);
  CHECK((status.st_mode & 07777) == 0640);
  CHECK(readable_files(folder.file(".")) == kNew);
  CHECK(has_only_plain_files(folder.file(".")));
}

TEST_CASE("what cannot be written is an InputError, and the old results stand") {
  const TemporaryFolder folder;
  write_old(folder);
  CHECK(contains(input_error([&] { ResultFolder(folder.file("a")); }), "cannot be made a folder"));
  CHECK(contains(input_error([&] { ResultFolder("/proc/1/out"); }), "/proc/1/out"));
  std::filesystem::create_directory(folder.file("d"));
  CHECK(contains(input_error([&] { run(folder.file(".")); }), "d: cannot be written: Is a dir"));
  std::filesystem::remove(folder.file("d"));
  CHECK(readable_files(folder.file(".")) == kOld);
  CHECK(has_only_plain_files(folder.file(".")));
}

TEST_CASE("a hidden folder of another user, or a link in its place, is refused") {
  const TemporaryFolder folder;
  const std::string hidden = folder.file(kSwapFolder);
  std::filesystem::create_directory(folder.file("elsewhere"));
  folder.write("elsewhere/new", "precious");
  std::filesystem::create_directory_symlink("elsewhere", hidden);
  CHECK(contains(input_error([&] { run(folder.file(".")); }),
                 std::string(kSwapFolder) + ": cannot be"));
  CHECK(read_text_file(folder.file("elsewhere/new")) == "precious");
  std::filesystem::remove(hidden);
  if (geteuid() == 0) {
    REQUIRE(mkdir(hidden.c_str(), 0777) == 0);
    REQUIRE(chown(hidden.c_str(), 1, 1) == 0);
    CHECK(contains(input_error([&] { run(folder.file(".")); }), "belongs to another user"));
  }
}

TEST_CASE("another user's link on the way to the folder is refused, and nothing made behind it") {
  if (geteuid() != 0) {
    return;  // only root can give a link to another user
  }
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder.file("elsewhere"));
  std::filesystem::create_directory(folder.file("shared"));
  REQUIRE(chmod(folder.file("shared").c_str(), 01777) == 0);
  const std::string link = folder.file("shared/link");
  std::filesystem::create_directory_symlink(folder.file("elsewhere"), link);
  REQUIRE(lchown(link.c_str(), 1, 1) == 0);
  for (const char* path : {"shared/link", "shared/link/new", "shared/link/new/newer"}) {
    CHECK(contains(input_error([&] { run(folder.file(path)); }), "belongs to another user"));
  }
  CHECK(std::filesystem::is_empty(folder.file("elsewhere")));
}

TEST_CASE("where there are no links, files are renamed") {
  const TemporaryFolder folder;
  write_old(folder);
  const std::string swap = folder.file(kSwapFolder);
  std::filesystem::create_directories(swap + "/new");
  std::filesystem::create_directories(swap + "/old");
  for (const char* name : {"a", "b", "d"}) {
    folder.write(std::string(kSwapFolder) + "/new/" + name, "new " + std::string(name));
  }
  const Descriptor at(open(folder.file(".").c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  const Descriptor swap_at(open(swap.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  swap_in(at.get(), swap_at.get(), {"a", "c"}, SwapMeans::renames);
  CHECK(readable_files(folder.file(".")) == kNew);
}

}  // namespace result_folder_test
