#include "presort/cpu/memory/memory_groups.h"

#include <doctest/doctest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "presort/core/error.h"
#include "presort/cpu/memory/available_memory.h"
#include "presort/cpu/pages.h"

namespace presort::inline v0::test::memory_groups_test {
namespace {

using cpu::GroupVersion;
using cpu::kNoLimit;

// Control groups as one text, such as "1:/folder 2:/folder": version and folder of each.
std::string shown(const std::vector<cpu::MemoryGroup>& groups) {
  std::string text;
  for (const cpu::MemoryGroup& group : groups) {
    text.append(text.empty() ? "" : " ");
    text.append(group.version == GroupVersion::one ? "1:" : "2:").append(group.folder);
  }
  return text;
}

constexpr char kOneMounts[] =
    "31 23 0:28 / /sys/fs/cgroup rw,relatime - tmpfs tmpfs rw,mode=755\n"
    "32 31 0:29 / /sys/fs/cgroup/cpu rw,relatime shared:9 - cgroup cgroup rw,cpu\n"
    "35 31 0:32 / /sys/fs/cgroup/memory rw,relatime shared:13 master:2 - cgroup cgroup rw,memory\n"
    "41 31 0:38 / /sys/fs/cgroup/unified rw,relatime - cgroup2 cgroup2 rw,nsdelegate\n";
constexpr char kTwoMounts[] =
    "23 29 0:21 / /proc rw,nosuid - proc proc rw\n"
    "30 24 0:26 / /sys/fs/cgroup rw,nosuid,nodev,noexec,relatime shared:9 - cgroup2 cgroup2 rw\n";

uint64_t room(const std::string& limit, const std::string& usage,
              const std::string& statistics = "", const std::string& high = "") {
  return cpu::room_in_group(
      {.limit = limit, .high = high, .usage = usage, .statistics = statistics});
}

// Runs `action` in a child process with a resource limit; returns its exit status.
template <class Resource, class Action>
int under_limit(Resource resource, uint64_t bytes, const Action& action) {
  const pid_t child = fork();
  if (child == 0) {
    rlimit limit{};
    getrlimit(resource, &limit);
    limit.rlim_cur = bytes;
    setrlimit(resource, &limit);
    _exit(action());
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace

TEST_CASE("groups of version 1: the one with the memory controller, and those above it") {
  const std::string self = "9:name=systemd:/x\n4:memory:/a/b\n3:cpuset:/c\n0::/\n";
  CHECK(shown(cpu::memory_groups(self, kOneMounts)) ==
        "1:/sys/fs/cgroup/memory/a/b 1:/sys/fs/cgroup/memory/a 1:/sys/fs/cgroup/memory "
        "2:/sys/fs/cgroup/unified");
}

TEST_CASE("groups of version 2") {
  CHECK(shown(cpu::memory_groups("0::/user.slice/session-3.scope\n", kTwoMounts)) ==
        "2:/sys/fs/cgroup/user.slice/session-3.scope 2:/sys/fs/cgroup/user.slice "
        "2:/sys/fs/cgroup");
  CHECK(shown(cpu::memory_groups("0::/\n", kTwoMounts)) == "2:/sys/fs/cgroup");
}

TEST_CASE("in a container the mount shows the container's group, whatever that is called outside") {
  const std::string mounts =
      "35 31 0:32 /docker/abc /sys/fs/cgroup/memory ro - cgroup cgroup rw,memory\n";
  CHECK(shown(cpu::memory_groups("4:memory:/docker/abc\n", mounts)) == "1:/sys/fs/cgroup/memory");
  CHECK(shown(cpu::memory_groups("4:memory:/docker/abc/in\n", mounts)) ==
        "1:/sys/fs/cgroup/memory/in 1:/sys/fs/cgroup/memory");
  for (const char* elsewhere : {"/docker/abcd", "/other", "/", "/../x", "/docker/abc/../y"}) {
    CHECK(shown(cpu::memory_groups("4:memory:" + std::string(elsewhere) + "\n", mounts)) ==
          "1:/sys/fs/cgroup/memory");
  }
}

TEST_CASE("names of groups and mounts may have blanks, colons and commas") {
  const std::string mounts = "35 31 0:32 / /my\\040groups\\0 rw - cgroup cgroup rw,cpu,memory\n";
  CHECK(shown(cpu::memory_groups("4:cpu,memory:/a:b c,d\n", mounts)) ==
        "1:/my groups\\0/a:b c,d 1:/my groups\\0");
}

TEST_CASE("texts that are none of the kernel's name no group") {
  for (const char* self : {"", "\n", "4:memory", "memory", ":::", "4::/a\n", "0:memory"}) {
    CHECK(shown(cpu::memory_groups(self, kTwoMounts)).empty());
  }
  for (const char* mounts : {"", "\n\n", " - ", "a b c d e - cgroup2", "a b - cgroup2 x rw",
                             "1 2 3 / /point rw - cgroup x rw,memoryless"}) {
    CHECK(shown(cpu::memory_groups("4:memory:/a\n0::/b\n", mounts)).empty());
  }
}

TEST_CASE("a group leaves its limit less its usage, cached files not counted") {
  CHECK(room("200", "150") == 50);
  CHECK(room("200\n", "250\n") == 0);
  CHECK(room("0", "0") == 0);
  CHECK(room("200", "150", "anon 7\ninactive_file 30\nactive_file 20\nslab 9\n") == 100);
  CHECK(room("200", "30", "inactive_file 100\n") == 200);
  CHECK(room("200", "150", "inactive_file 1\ntotal_inactive_file 30\ntotal_active_file 20\n") ==
        100);
  CHECK(room("200", "150", "", "180\n") == 30);
  CHECK(room("max\n", "150", "", "180\n") == 30);
  CHECK(room("200", "150", "", "max") == 50);
  CHECK(room("9223372036854771712\n", "4096") > uint64_t{1} << 62);
}

TEST_CASE("a group without limit, or that cannot be read, leaves all") {
  for (const char* limit : {"max\n", "", "x", "-1"}) {
    CHECK(room(limit, "150") == kNoLimit);
  }
  CHECK(room("200", "") == kNoLimit);
}

TEST_CASE("a process may map its limits less what it has") {
  const std::string statm = "100 50 20 3 0 60 0\n";
  CHECK(cpu::room_in_process(kNoLimit, kNoLimit, statm, 4096) == kNoLimit);
  CHECK(cpu::room_in_process(409600 + 7, kNoLimit, statm, 4096) == 7);
  CHECK(cpu::room_in_process(kNoLimit, 245760 + 9, statm, 4096) == 9);
  CHECK(cpu::room_in_process(409600 + 7, 245760 + 5, statm, 4096) == 5);
  CHECK(cpu::room_in_process(1, 1, statm, 4096) == 0);
  CHECK(cpu::room_in_process(1000, 1000, "", 4096) == 1000);
}

// Tests of a limited address space are skipped with AddressSanitizer, which needs that address space
// itself.
#if !defined(__SANITIZE_ADDRESS__)
TEST_CASE("a process that is limited is refused what it cannot have, before it asks for it") {
  constexpr uint64_t kFarMore = uint64_t{1} << 60;  // bytes to ask for: more than a sanitizer maps
  for (const auto resource : {RLIMIT_AS, RLIMIT_DATA}) {
    const auto refused = [](uint64_t bytes) {
      return [bytes] {
        try {
          cpu::require_memory(bytes);
          return 0;
        } catch (const EnvironmentError&) {
          return 3;
        }
      };
    };
    CHECK(under_limit(resource, kFarMore, refused(1 << 20)) == 0);
    CHECK(under_limit(resource, 1 << 20, refused(1 << 20)) == 3);
  }
  CHECK(under_limit(RLIMIT_AS, 1 << 20, [] { return cpu::available_memory_bytes() == 0; }) == 1);
  CHECK(under_limit(RLIMIT_AS, 1 << 20, [] {
          try {
            const cpu::PageBuffer buffer(1 << 20, PageSize::k4KiB);
            return 0;
          } catch (const EnvironmentError&) {
            return 3;
          }
        }) == 3);
}

#endif

TEST_CASE("what is available is less than a machine can have, and more than nothing") {
  CHECK(cpu::available_memory_bytes() > 0);
  CHECK(cpu::available_memory_bytes() < uint64_t{1} << 50);
}

}  // namespace presort::test::memory_groups_test
