// Limits that control groups (cgroups, version 1 and 2) set to a process's memory, from the
// kernel's text files. Pure functions of texts; cpu/memory/available_memory.h reads the files.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace presort::inline v0::cpu {

inline constexpr uint64_t kNoLimit = std::numeric_limits<uint64_t>::max();

enum class GroupVersion { one, two };

// A control group that bounds the memory of this process.
struct MemoryGroup {
  GroupVersion version;
  std::string folder;  // path of the folder with the group's files
};

// The process's own control groups and all above them, of each hierarchy that is mounted. Malformed
// lines are skipped. self_cgroup: text of /proc/self/cgroup; mountinfo: text of
// /proc/self/mountinfo
std::vector<MemoryGroup> memory_groups(std::string_view self_cgroup, std::string_view mountinfo);

// Texts of a control group's files; "" for a file that is absent.
struct GroupTexts {
  std::string limit;  // text of memory.max (version 2) or memory.limit_in_bytes (version 1)
  std::string high;   // text of memory.high (version 2), above which the kernel slows the group
  std::string usage;  // text of memory.current (version 2) or memory.usage_in_bytes (version 1)
  std::string statistics;  // text of memory.stat
};

// Bytes that processes of the group may have together, by the group's limit and its high mark; kNoLimit:
// any number.
uint64_t limit_of_group(const GroupTexts& texts);

// Bytes that processes of the group may take in addition to what they hold. Cached pages of files
// count as free, since the kernel drops them before it refuses or kills. kNoLimit without a limit.
uint64_t room_in_group(const GroupTexts& texts);

// Bytes that a process may still map: its soft limits of address space and data (RLIMIT_AS, RLIMIT_DATA;
// kNoLimit: none) less what it has mapped by /proc/self/statm.
uint64_t room_in_process(uint64_t address_limit, uint64_t data_limit, std::string_view statm,
                         uint64_t page_bytes);

}  // namespace presort::cpu
