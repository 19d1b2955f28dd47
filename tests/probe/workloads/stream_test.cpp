#include "presort/probe/workloads/stream.h"

#include <doctest/doctest.h>
#include <pthread.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>

#include "presort/probe/host/arena.h"
#include "tests/refused_threads.h"

namespace presort::inline v0::test::stream_test {
namespace {

constexpr uint64_t kArena = 4 * probe::kMiB;

// Limits the process to `bytes` of address space in addition to what it uses.
void leave_address_space(uint64_t bytes) {
  uint64_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  rlimit limit{};
  getrlimit(RLIMIT_AS, &limit);
  limit.rlim_cur = pages * static_cast<uint64_t>(sysconf(_SC_PAGESIZE)) + bytes;
  setrlimit(RLIMIT_AS, &limit);
}

// Sets the stack size of threads started from now on, whatever the limits of the shell are.
void set_stack_bytes(size_t bytes) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, bytes);
  pthread_setattr_default_np(&attributes);
  pthread_attr_destroy(&attributes);
}

}  // namespace

TEST_CASE("all cores read at once where threads can be started, and nothing where they cannot") {
  probe::Arena arena(kArena, probe::Pages::small);
  probe::Stream stream(arena);
  const std::vector<int> cpus = {0, 0, 0};
  CHECK(stream.read_all(cpus, probe::kMiB).has_value());
  const RefusedThreads refused;
  CHECK(!stream.read_all(cpus, probe::kMiB).has_value());
}

// Skipped with AddressSanitizer, which needs the address space that the test takes away.
#if !defined(__SANITIZE_ADDRESS__)
TEST_CASE("threads that were started do not wait for one that was refused") {
  const pid_t child = fork();
  if (child == 0) {
    constexpr unsigned kSeconds = 60;
    alarm(kSeconds);
    probe::Arena arena(kArena, probe::Pages::small);
    probe::Stream stream(arena);
    set_stack_bytes(8 * probe::kMiB);
    leave_address_space(20 * probe::kMiB);  // address space for two thread stacks
    const bool measured = stream.read_all({0, 0, 0, 0, 0, 0}, 0).has_value();
    _exit(measured ? 1 : 0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  CHECK(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 0);
}
#endif

}  // namespace presort::test::stream_test
