// Tests a team of threads in a process that forks.
#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <functional>
#include <memory>
#include <thread>
#include <vector>

#include "presort/core/error.h"
#include "presort/cpu/thread_team.h"
#include "tests/refused_threads.h"

namespace presort::inline v0::test::fork_test {
namespace {

// Tests of forks are skipped with ThreadSanitizer, which ends a forked child that starts threads.
#if defined(__SANITIZE_THREAD__)
constexpr bool kMayFork = false;
#else
constexpr bool kMayFork = true;
#endif

// Runs `action` in a child process and returns its exit status; 1000: the child hung and was killed.
int in_child(const std::function<int()>& action) {
  const pid_t child = fork();
  if (child == 0) {
    constexpr unsigned kSeconds = 60;
    alarm(kSeconds);
    _exit(action());
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1000;
}

// True if each thread of a team works exactly once in a round.
bool works(cpu::ThreadTeam& team) {
  std::vector<int> calls(team.size(), 0);
  team.run([&](size_t t) { ++calls[t]; });
  return calls == std::vector<int>(team.size(), 1);
}

int status_of(bool good) {
  return good ? 0 : 1;
}

}  // namespace

TEST_CASE("after a fork a team works in the child and in the parent") {
  if (!kMayFork) {
    return;
  }
  const std::vector<int> cpus(4, 0);
  for (const bool pinned : {false, true}) {
    for (const size_t threads : {1, 2, 4}) {
      cpu::ThreadTeam team(threads, pinned ? std::span<const int>(cpus) : std::span<const int>());
      CHECK(in_child([&] { return status_of(works(team) && works(team)); }) == 0);
      CHECK(works(team));
      CHECK(in_child([&] { return status_of(works(team)); }) == 0);
      CHECK(works(team));
    }
  }
}

TEST_CASE("a child may destroy a team, used or not, and a grandchild may use it") {
  if (!kMayFork) {
    return;
  }
  auto team = std::make_unique<cpu::ThreadTeam>(3);
  CHECK(works(*team));
  CHECK(in_child([&] {
          team.reset();
          return 0;
        }) == 0);
  CHECK(in_child([&] {
          const bool worked = works(*team);
          team.reset();
          return status_of(worked);
        }) == 0);
  CHECK(in_child([&] { return in_child([&] { return status_of(works(*team)); }); }) == 0);
  CHECK(in_child([&] {
          const bool worked = works(*team);
          return status_of(worked && in_child([&] { return status_of(works(*team)); }) == 0);
        }) == 0);
  CHECK(works(*team));
}

TEST_CASE("a fork in the middle of a round leaves the child a team that works") {
  if (!kMayFork) {
    return;
  }
  cpu::ThreadTeam team(4);
  std::atomic<bool> inside{false};
  std::atomic<bool> go_on{false};
  std::thread caller([&] {
    team.run([&](size_t) {
      inside = true;
      while (!go_on) {
        std::this_thread::yield();
      }
    });
  });
  while (!inside) {
    std::this_thread::yield();
  }
  CHECK(in_child([&] { return status_of(works(team)); }) == 0);
  go_on = true;
  caller.join();
  CHECK(works(team));
}

TEST_CASE("forks while the threads of a team come and go from their rounds do no harm") {
  if (!kMayFork) {
    return;
  }
  cpu::ThreadTeam team(3);
  for (int fork = 0; fork < 50; ++fork) {
    CHECK(works(team));
    std::this_thread::sleep_for(std::chrono::microseconds(20 * fork));
    CHECK(in_child([&] { return status_of(works(team)); }) == 0);
  }
}

TEST_CASE("where a child may start no threads it gets an error, and can try again") {
  if (!kMayFork) {
    return;
  }
  cpu::ThreadTeam team(2);
  CHECK(in_child([&] {
          bool refused = false;
          {
            const RefusedThreads no_threads;
            try {
              works(team);
            } catch (const EnvironmentError&) {
              refused = true;
            }
          }
          return status_of(refused && works(team));
        }) == 0);
  CHECK(works(team));
  const RefusedThreads no_threads;
  CHECK_THROWS_WITH_AS(cpu::ThreadTeam(2), doctest::Contains("thread 1 of 2 cannot be started"),
                       EnvironmentError);
}

}  // namespace presort::test::fork_test
