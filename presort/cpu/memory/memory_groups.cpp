#include "presort/cpu/memory/memory_groups.h"

#include <algorithm>
#include <charconv>
#include <optional>

namespace presort::inline v0::cpu {
namespace {

// Splits a text at a character: "a,,b" has three parts, "" has one.
std::vector<std::string_view> parts_of(std::string_view text, char at) {
  std::vector<std::string_view> parts;
  for (size_t first = 0; first <= text.size();) {
    const size_t last = std::min(text.find(at, first), text.size());
    parts.push_back(text.substr(first, last - first));
    first = last + 1;
  }
  return parts;
}

bool has_part(std::string_view text, char at, std::string_view wanted) {
  const std::vector<std::string_view> parts = parts_of(text, at);
  return std::find(parts.begin(), parts.end(), wanted) != parts.end();
}

// Undoes the escapes of mountinfo: "/a\040b" -> "/a b".
std::string unescaped(std::string_view text) {
  std::string result;
  for (size_t i = 0; i < text.size(); ++i) {
    int code = 0;
    const char* const digits = text.data() + i + 1;
    if (text[i] == '\\' && i + 3 < text.size() &&
        std::from_chars(digits, digits + 3, code, 8).ptr == digits + 3) {
      result += static_cast<char>(code);
      i += 3;
    } else {
      result += text[i];
    }
  }
  return result;
}

// Parses the number at the begin of a text; returns no value for "max" and other words.
std::optional<uint64_t> number_in(std::string_view text) {
  uint64_t number = 0;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), number);
  return result.ec == std::errc() ? std::optional(number) : std::nullopt;
}

// Fields of a line of /proc/self/mountinfo: "36 35 98:0 ROOT POINT options … - type source options".
struct Mount {
  std::string root;   // control group at the mount's point
  std::string point;  // folder where the hierarchy is mounted
  GroupVersion version;
};

std::optional<Mount> memory_mount(std::string_view line) {
  const size_t bar = line.find(" - ");
  if (bar == std::string_view::npos) {
    return std::nullopt;
  }
  const std::vector<std::string_view> mount = parts_of(line.substr(0, bar), ' ');
  const std::vector<std::string_view> system = parts_of(line.substr(bar + 3), ' ');
  constexpr size_t kRoot = 3;
  constexpr size_t kPoint = 4;
  if (mount.size() <= kPoint || system.size() < 3) {
    return std::nullopt;
  }
  const bool two = system[0] == "cgroup2";
  if (!two && !(system[0] == "cgroup" && has_part(system[2], ',', "memory"))) {
    return std::nullopt;
  }
  return Mount{unescaped(mount[kRoot]), unescaped(mount[kPoint]),
               two ? GroupVersion::two : GroupVersion::one};
}

// Path of the process's group in a hierarchy, from lines like "4:cpu,memory:/a/b" (version 1) and
// "0::/a/b" (version 2).
std::optional<std::string> group_of(std::string_view self_cgroup, GroupVersion version) {
  for (const std::string_view line : parts_of(self_cgroup, '\n')) {
    const size_t first = line.find(':');
    const size_t second = first == line.npos ? line.npos : line.find(':', first + 1);
    if (second == line.npos) {
      continue;
    }
    const std::string_view controllers = line.substr(first + 1, second - first - 1);
    const bool fits = version == GroupVersion::two
                          ? line.substr(0, first) == "0" && controllers.empty()
                          : has_part(controllers, ',', "memory");
    if (fits) {
      return std::string(line.substr(second + 1));
    }
  }
  return std::nullopt;
}

// Path of a group below its mount's point: "" or "/a/b". For a group that the mount does not show
// (outside of a container), "": the limits at the point are the best that is known.
std::string below_point(const std::string& group, const std::string& root) {
  const std::string prefix = root == "/" ? "" : root;
  const bool shown = group.starts_with(prefix) &&
                     (group.size() == prefix.size() || group[prefix.size()] == '/') &&
                     !has_part(group, '/', "..");
  const std::string below = shown ? group.substr(prefix.size()) : "";
  return below == "/" ? "" : below;
}

// The number beside a name in memory.stat; 0 when the name is absent.
uint64_t statistic(std::string_view statistics, std::string_view name) {
  for (const std::string_view line : parts_of(statistics, '\n')) {
    if (line.starts_with(name) && line.size() > name.size() && line[name.size()] == ' ') {
      return number_in(line.substr(name.size() + 1)).value_or(0);
    }
  }
  return 0;
}

// Bytes of cached files in a group. Version 1 has two numbers: of the group itself, and, with "total_",
// of the group and all groups below.
uint64_t cached_bytes(std::string_view statistics) {
  uint64_t bytes = 0;
  for (const std::string name : {"inactive_file", "active_file"}) {
    bytes += std::max(statistic(statistics, name), statistic(statistics, "total_" + name));
  }
  return bytes;
}

uint64_t less(uint64_t from, uint64_t bytes) {
  return from - std::min(from, bytes);
}

}  // namespace

std::vector<MemoryGroup> memory_groups(std::string_view self_cgroup, std::string_view mountinfo) {
  std::vector<MemoryGroup> groups;
  for (const std::string_view line : parts_of(mountinfo, '\n')) {
    const std::optional<Mount> mount = memory_mount(line);
    const auto group = mount ? group_of(self_cgroup, mount->version) : std::nullopt;
    if (!group) {
      continue;
    }
    std::string below = below_point(*group, mount->root);
    while (!below.empty()) {
      groups.push_back({mount->version, mount->point + below});
      below.resize(below.rfind('/'));
    }
    groups.push_back({mount->version, mount->point});
  }
  return groups;
}

uint64_t limit_of_group(const GroupTexts& texts) {
  return std::min(number_in(texts.limit).value_or(kNoLimit),
                  number_in(texts.high).value_or(kNoLimit));
}

uint64_t room_in_group(const GroupTexts& texts) {
  const uint64_t limit = limit_of_group(texts);
  const std::optional<uint64_t> usage = number_in(texts.usage);
  if (!usage || limit == kNoLimit) {
    return kNoLimit;
  }
  return less(limit, less(*usage, cached_bytes(texts.statistics)));
}

uint64_t room_in_process(uint64_t address_limit, uint64_t data_limit, std::string_view statm,
                         uint64_t page_bytes) {
  constexpr size_t kSize = 0;
  constexpr size_t kData = 5;
  const std::vector<std::string_view> fields = parts_of(statm, ' ');
  const auto taken = [&](size_t field) {
    return field < fields.size() ? number_in(fields[field]).value_or(0) * page_bytes : 0;
  };
  const auto room = [](uint64_t limit, uint64_t bytes) {
    return limit == kNoLimit ? kNoLimit : less(limit, bytes);
  };
  return std::min(room(address_limit, taken(kSize)), room(data_limit, taken(kData)));
}

}  // namespace presort::cpu
