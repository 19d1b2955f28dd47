#include "presort/app/plot/child_process.h"

#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>

#include "presort/app/plot/find_program.h"
#include "presort/core/error.h"
#include "tests/app/plot/program_folder.h"

namespace presort::inline v0::app::child_process_test {
namespace {

using namespace std::chrono_literals;

// The command line of a shell script, run as a child process by /bin/sh.
ChildProgram shell(const std::string& words) {
  return {"/bin/sh", {"-c", words}, {"PATH=/usr/bin:/bin", "COLOR=blue"}};
}

bool has_children() {
  return waitpid(-1, nullptr, WNOHANG) >= 0 || errno != ECHILD;
}

std::string message(const ChildProgram& program, const ChildLimits& limits) {
  try {
    run_child(program, "", limits);
  } catch (const EnvironmentError& error) {
    return error.what();
  }
  return "";
}

const std::string kLarge(3'000'000, 'a');

TEST_CASE("a program gets its input, arguments and environment, and nothing else") {
  const ChildResult result =
      run_child(shell("cat; echo $COLOR >&2; echo $HOME >&2; exit 7"), "line\n");
  CHECK(result.exit_code == 7);
  CHECK(result.output == "line\n");
  CHECK(result.errors == "blue\n\n");
  CHECK(run_child({"/bin/echo", {"$(touch x); `y` 'z'"}, {}}, "").output ==
        "$(touch x); `y` 'z'\n");
}

TEST_CASE("megabytes go both ways whatever is read or written first") {
  CHECK(run_child(shell("cat"), kLarge).output == kLarge);
  const ChildResult both = run_child(shell("tee /dev/stderr"), kLarge);
  CHECK(both.output == kLarge);
  CHECK(both.errors.size() == ChildLimits().error_bytes);
  const ChildResult first = run_child(shell("yes | head -c 3000000; cat | wc -c; exit 0"), kLarge);
  CHECK(first.output.size() == 3'000'000 + 8);
}

TEST_CASE("a program that does not read its input is no error and no signal") {
  CHECK(run_child(shell("exec 0<&-; echo done"), kLarge).output == "done\n");
  CHECK(run_child(shell("exit 3"), kLarge).exit_code == 3);
}

TEST_CASE("a program that a signal ends has no exit code") {
  CHECK(run_child(shell("kill -9 $$"), "").exit_code == -1);
  // SIGPIPE ends a child process, although this process ignores the signal.
  std::signal(SIGPIPE, SIG_IGN);
  CHECK(run_child(shell("kill -PIPE $$; exit 0"), "").exit_code == -1);
  std::signal(SIGPIPE, SIG_DFL);
}

TEST_CASE("a program that goes beyond a limit is killed, and is no zombie") {
  CHECK(message(shell("sleep 30"), {.time = 100ms}) ==
        "/bin/sh: did not end within 0.1 s and was stopped");
  CHECK(message(shell("exec >&- 2>&-; sleep 30"), {.time = 100ms}).find("did not end") !=
        std::string::npos);
  CHECK(message(shell("yes"), {.output_bytes = 1000}) ==
        "/bin/sh: wrote more than 1000 bytes and was stopped");
  CHECK(message({"/no/such/program", {}, {}}, {}) ==
        "/no/such/program: cannot be started: No such file or directory");
  CHECK_FALSE(has_children());
}

TEST_CASE("a program is found in the folders that PATH names from the root") {
  const ProgramFolder folder;
  folder.add("presort-test-program", "exit 0");
  const std::string file = folder.path() + "/presort-test-program";
  {
    const ScopedPath path("/no/such/folder:" + folder.path());
    CHECK(find_program("presort-test-program") == file);
    CHECK_FALSE(find_program("presort-no-such-program"));
  }
  const std::string here = std::filesystem::current_path();
  std::filesystem::current_path(folder.path());
  for (const char* relative : {"", ":", ".", "::.:"}) {
    const ScopedPath path(relative);
    CHECK_FALSE(find_program("presort-test-program"));
  }
  std::filesystem::current_path(here);
  std::filesystem::permissions(file, std::filesystem::perms::owner_read);
  const ScopedPath path(folder.path());
  CHECK_FALSE(find_program("presort-test-program"));
  CHECK_FALSE(find_program(""));
}

}  // namespace
}  // namespace presort::app::child_process_test
